import Susi
import SusiStartup
import SusiTools

struct DoctorReport: CommandResult {
    private var checks: [Check] = []
    private let given: GivenOptions

    init(_ given: GivenOptions) { self.given = given }

    /// Whether no check found a problem.
    var isFine: Bool { !checks.contains { $0.result == .problem } }

    enum Verdict: String, JSONRepresentable {
        case ok, warning, problem
    }

    private struct Check {
        let name: String
        let result: Verdict
        let text: String
        let next: NextStep
    }

    var json: JSONObject {
        let checks = checks.map { check in
            let (next, words) = given.split(check.next)
            let text = [check.text, words].filter { !$0.isEmpty }.joined(separator: "; ")
            return ["name": check.name, "result": check.result, "text": text, "next": next] as JSONObject
        }
        return ["schemaVersion": 1, "checks": checks, "isFine": isFine]
    }

    mutating func add(_ name: String, _ result: Verdict, _ text: String, next: NextStep = "") {
        checks.append(Check(name: name, result: result, text: text, next: next))
    }

    mutating func add(_ name: String, _ error: SusiError) {
        add(name, .problem, error.description, next: error.nextStep)
    }

    /// Runs a check and adds its outcome: a problem if `body` throws.
    mutating func check(_ name: String, _ text: String, _ body: () throws(SusiError) -> Void) {
        do {
            try body()
            add(name, .ok, text)
        } catch { add(name, error) }
    }

    /// Adds whether the store is shared, the source of the key, and whether the key is available.
    mutating func add(_ status: StoreStatus) {
        if status.facts?.isShared ?? false { add("sharing", .ok, StoreReport.shared) }
        guard let source = status.source else {
            if case .unusable(let error) = status.access { return add("key", error) }
            return add("key", .ok, "no store yet")
        }
        let protection = "\(source.name): protects against \(source.protection.against)"
        switch status.access {
        case .unusable(let error): add("key", error)
        case .locked: add("key", .warning, "locked; \(protection)", next: "\(SuggestedCommand("store unlock"))")
        case .none, .open, .kept: add("key", .ok, protection)
        }
    }

    /// Adds the number of accounts that belong to no application of the policies file.
    mutating func add(ownerless count: Int) {
        guard count > 0 else { return }
        add(
            "accounts", .warning, "\(Count.text(count, "account")) in no application of policies.json",
            next: "\(SuggestedCommand("accounts").flag("--all"))")
    }

    mutating func add(busy: [UInt16], of ports: [UInt16]) {
        let names = busy.map { "\($0)" }.joined(separator: ", ")
        let next: NextStep = "stop the program that uses one of them, or add a port to redirectPorts in policies.json"
        if busy.isEmpty {
            let all = ports.map { $0 == 0 ? "any" : "\($0)" }.joined(separator: ", ")
            add("redirect ports", .ok, "free: \(all)")
        } else if busy.count == ports.count {
            add("redirect ports", .problem, "all are busy: \(names)", next: next)
        } else {
            add("redirect ports", .warning, "busy: \(names); the others are free")
        }
    }

    /// Adds the addresses that a provider has to know; only a sign-in shows whether it does.
    mutating func add(redirectAddresses addresses: [String]) {
        add(
            "redirect addresses", .ok,
            "register \(addresses.joined(separator: ", ")); without that, the page shows an error or the response goes elsewhere"
        )
    }

    mutating func add(_ choice: BrowserChoice, in environment: ProcessEnvironment, _ context: Context) {
        switch choice {
        case .none where choice.isUnattended(context.console, noInput: false):
            let error = SusiError.unattended(context.application)
            guard context.application.acceptsPasswords else { return add("browser", error) }
            add("browser", .warning, "none here; \(error.why)", next: error.nextStep)
        case .none:
            add(
                "browser", .warning, "none on this machine; open the printed address on another one",
                next: "\(SuggestedCommand("sign-in").flag("--no-browser"))")
        case .commands(let commands):
            let programs = commands.compactMap(\.first)
            if let found = programs.first(where: environment.hasProgram) { return add("browser", .ok, found) }
            add(
                "browser", .problem, "not found: \(programs.joined(separator: ", "))",
                next: "install xdg-utils, or set BROWSER")
        }
    }

    mutating func add(_ check: PolicyCheck) {
        let name = "policy \(check.policy.name)"
        guard check.problems.isEmpty else {
            for problem in check.problems { add(name, problem.error) }
            return
        }
        let skew =
            check.report.clockSkew.map { abs($0) <= 1 ? ", clock in sync with the server" : ", clock \($0) s off" }
            ?? ""
        let keys = Count.text(check.report.usableKeys ?? 0, "signing key")
        add(name, .ok, "\(check.report.authority.address), \(keys)\(skew)")
    }

    func lines(_ style: Style) -> [String] {
        let rows = checks.map { check in
            let mark =
                switch check.result {
                case .ok: style.good("ok     ")
                case .warning: style.warning("warning")
                case .problem: style.bad("problem")
                }
            return [mark, check.name, Terminal.safe(style.path(check.text))]
        }
        return zip(checks, Table.blocks(rows, style)).flatMap { check, lines in
            lines + (check.next.isEmpty ? [] : ["       \(style.next(given.text(check.next)))"])
        }
    }
}
