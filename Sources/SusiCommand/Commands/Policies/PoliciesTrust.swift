import ArgumentParser
import Susi
import SusiStartup

extension PoliciesCommand {
    struct Trust: AsyncParsableCommand, GivenCommand {
        static let configuration = CommandConfiguration(
            commandName: "trust",
            abstract: "Trust the policies.json in use as it is now.",
            discussion: """
                  susi policies trust
                  susi policies trust --list
                  susi policies trust --remove

                A policies.json that susi finds decides where tokens go. If it names a host other than this machine, it is used only \
                after its content is trusted here, and again after each change. Files named by --config or SUSI_CONFIG need no trust. A \
                file that another user owns or may write to, or that is in such a folder, always needs it.
                """)

        @OptionGroup var output: JSONOption

        @Flag(help: "Stop trusting the file")
        var remove = false

        @Flag(help: "List the trusted files")
        var list = false

        @Flag(help: "Do not ask for confirmation")
        var yes = false

        @OptionGroup(title: "Common options") var global: GlobalOptions

        // A file is trusted for all its applications.

        func validate() throws {
            if remove, list { throw ValidationError("--remove and --list cannot be combined") }
        }

        func run() async throws {
            let paths = try Paths(config: global.config, in: ProcessEnvironment.current)
            let trusted = paths.trusted
            let report: TrustReport
            do {
                if list {
                    report = TrustReport(.listed, files: try trusted.entries())
                } else if remove {
                    let wasTrusted = try trusted.remove(paths.place)
                    report = TrustReport(wasTrusted ? .removed : .notTrusted, files: [], path: paths.place)
                } else {
                    report = try await trust(paths, trusted)
                }
            } catch let error as StoreError { throw SusiError(error) }
            try Console.standard.show(report, json: output.json)
        }

        private func trust(_ paths: Paths, _ trusted: TrustedFiles) async throws -> TrustReport {
            let read = try paths.read()
            guard paths.isFound || read.flaw != nil else {
                throw SusiError(
                    .unknownName, "no policies.json to trust in this folder or above it",
                    why: paths.policies.map { "\($0) is used, which needs no trust" }
                        ?? "the built-in policies are used",
                    next: .listPolicies)
            }
            let places = read.file.applications.flatMap {
                TrustReport.Destination.all(of: $0, onThisMachine: read.flaw != nil)
            }
            guard !places.isEmpty else { return TrustReport(.notNeeded, files: [], path: paths.place) }
            let decision = try trusted.decision(read.content, at: paths.place)
            if decision != .trusted {
                let console = Console.standard
                let lines = TrustReport.question(
                    places, decision: decision, of: read, console.errStyle)
                for line in lines { console.err(line) }
                try await console.confirm(
                    "Trust \(Terminal.safe(paths.place)) as it is now?", otherwise: "nothing was trusted", yes: yes,
                    noInput: global.noInput, command: SuggestedCommand("policies trust"))
                try trusted.trust(read.content, at: paths.place, naming: read.file.foreignOrigins)
            }
            let digest = TrustedFiles.digest(read.content)
            return TrustReport(
                .trusted, files: [TrustedFiles.Entry(path: paths.place, digest: digest)], path: paths.place,
                places: places)
        }
    }
}

struct TrustReport: CommandResult {
    private let outcome: Outcome
    private let path: String?
    private let places: [Destination]
    private let files: [TrustedFiles.Entry]

    enum Outcome: String {
        case trusted, notNeeded, removed, notTrusted, listed
    }

    /// A host that tokens or requests would be sent to.
    struct Destination {
        let application: String
        let key: String
        let origin: String

        fileprivate var json: JSONObject { ["application": application, "key": key, "origin": origin] }

        static func all(of application: Application, onThisMachine: Bool) -> [Destination] {
            application.destinations.filter { onThisMachine || !$0.isLoopback }.map { place in
                Destination(application: application.name, key: place.key, origin: place.origin)
            }
        }
    }

    init(_ outcome: Outcome, files: [TrustedFiles.Entry], path: String? = nil, places: [Destination] = []) {
        self.outcome = outcome
        self.path = path
        self.places = places
        self.files = files
    }

    var json: JSONObject {
        [
            "schemaVersion": 1, "outcome": outcome.rawValue, "path": path, "places": places.map(\.json),
            "files": files.map { ["path": $0.path, "sha256": $0.digest] as JSONObject },
        ]
    }

    /// Returns the lines shown before the question.
    static func question(
        _ places: [Destination], decision: TrustedFiles.Decision, of read: Paths.Read, _ style: Style
    ) -> [String] {
        let rows = places.map { ["  \(Terminal.safe($0.application))", Terminal.safe($0.key), $0.origin] }
        var lines: [String] = []
        if case .changed(let trusted) = decision {
            let change = TrustChange(from: trusted, to: read.file.foreignOrigins).map { ": \($0)" } ?? ""
            lines.append(style.warning("The file has changed since it was trusted\(change)."))
        }
        if let flaw = read.flaw { lines.append(style.warning("\(Terminal.safe(flaw.path)): \(flaw.why).")) }
        return lines + ["Sign-ins and tokens go to:"] + Table.lines(rows, style)
    }

    func lines(_ style: Style) -> [String] {
        let place = Terminal.safe(path ?? "")
        switch outcome {
        case .trusted: return ["\(style.good("Trusted")) \(place), as it is now"]
        case .notNeeded: return ["\(place) names only hosts of this machine, so it needs no trust"]
        case .removed: return ["\(place) is no longer trusted"]
        case .notTrusted: return ["\(place) was not trusted"]
        case .listed:
            if files.isEmpty { return ["No policies.json is trusted"] }
            return files.map { "\($0.digest.prefix(12))…  \(Terminal.safe($0.path))" }
        }
    }
}
