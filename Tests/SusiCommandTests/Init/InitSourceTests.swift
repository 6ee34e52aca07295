import ArgumentParser
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// The addresses and files that people give to `susi init`: the application that it writes, or why it writes none.
@Suite("Init sources", .timeLimit(.minutes(5)))
struct InitSourceTests {
    /// Fills a draft as the command does and makes a file of it.
    private static func file(_ source: InitSource, isConfirmed: Bool = false) async throws -> DraftFile {
        let options = try DraftOptions.parse(source.flags)
        let names = source.files.map(\.name)
        var draft = ApplicationDraft()
        draft.again = options.completing(SuggestedCommand("init", names.isEmpty ? [source.text] : names))
        draft.isCopied = !source.copy.isEmpty || source.flags.contains("--copy")
        draft.isConfirmed = isConfirmed
        try options.fill(&draft)
        if names.isEmpty {
            try await DraftSource.read([source.text], into: &draft)
        } else {
            try DraftSource.read(source.files, into: &draft)
        }
        return try DraftRules.file(of: draft)
    }

    private static func lines(_ error: any Error) -> [String] {
        SusiCommand.Program.explained(error, of: [], GivenOptions())?.0.error.lines(Style(isColored: false)) ?? []
    }

    private static func report(_ file: DraftFile, _ copy: LocalCopy) -> String {
        let next = SuggestedCommand("sign-in")
        let report = InitReport(
            values: file.values, application: file.application, file: "policies.json", checks: [], isTrusted: false,
            next: next, copy: next,
            copied: file.values.draft.isCopied ? ("tenants.json", false, copy.missing) : nil)
        return report.lines(Style(isColored: false)).joined(separator: "\n")
    }

    @Test(arguments: InitSource.addresses + InitSource.files)
    func writesTheTenantOrRefuses(source: InitSource) async throws {
        let file: DraftFile
        var refusal = ""
        do { file = try await Self.file(source) } catch {
            refusal = Self.lines(error).joined(separator: "\n") + "\n"
            #expect(!source.refusal.isEmpty || source.isProposed, "\(refusal)")
            for part in source.refusal { #expect(refusal.contains(part), "\(refusal)") }
            #expect(!refusal.contains("hunter2"))
            guard source.isProposed else { return }
            do { file = try await Self.file(source.typed(asProposedBy: refusal)) } catch {
                Issue.record("\(refusal)\n\(Self.lines(error).joined(separator: "\n"))")
                return
            }
        }
        #expect(source.refusal.isEmpty && source.isProposed == !refusal.isEmpty, "\(file.text)\(refusal)")
        #expect(InitSource.notation(of: file.application) == source.application, "\(refusal)")
        let copy = try LocalCopy(file.values, of: file.application)
        let isRight = source.copy.isEmpty || copy.text == source.copy && copy.missing == source.missing
        #expect(isRight, "\(copy.text)\(copy.missing)")
        let leftOut = file.values.leftOut
        #expect(Set(leftOut).count == leftOut.count, "\(leftOut)")
        _ = try TenantFile(text: copy.text.utf8, source: "copy", folder: "/").tenants()
        let report = Self.report(file, copy)
        for part in source.report { #expect((refusal + report).contains(part), "\(refusal)\(report)") }
        #expect(!report.contains("not used: client ID \(file.application.clientID)"), "\(report)")
        #expect(!(file.text + report).contains("hunter2"))
    }

    /// A value that is a part of another one, a default, or one of several.
    @Test(arguments: [
        "clientId = 'web' || x", "clientId = x || 'web'", "clientId = x ?? 'web'", "clientId = x ?: 'web'",
        "clientId = 'a' + 'b'", "clientId = 'a' 'b'", "clientId = x + 'b'", "clientId = 'web'.trim()",
        "clientId = '%s' % x", "clientId = x & 'b'", "clientId = 'web' if x else y", "clientId = x or 'web'",
        "clientId = 'web' unless x", "clientId = y if x else 'web'", "clientId = 'web' or x", "clientId = x ? 'a' : y",
        "clientId = x\n ? y()\n : 'b'", "id = f('X', default='a', clientId: b.c)", "clientId = 'web'\n clientId += x",
        "clientId = 'web'\n clientId ||= x", "clientId = 'web'\n clientId ??= x",
        "clientId = 'a'; b = { clientId: c.d }",
        "clientId = os.getenv('X', 'web')", "clientId = ENV('X', clientId: 'web')", "clientId = `${x}`",
        "#define clientId @\"a\" \"b\"", "clientId: String = x ? \"a\" : \"b\"", "clientId == 'web'",
        "clientId !== 'web'",
        "clientId.equals('web')", "// clientId = 'web'", "/* clientId = 'web' */", "<!-- clientId = 'web' -->",
        "<# clientId = 'web' #>", " # clientId = 'web'", "=begin\nclientId = 'web'\n=end", "text = `clientId = 'web'`",
        "text = \"\"\"clientId = 'web'\"\"\"", "text = '''clientId = \"web\"'''", "text = \"clientId = 'web'\"",
    ])
    func leavesAValueOpenThatTheProgramMakes(code: String) throws {
        for line in [code, code.replacing("\n", with: "\r\n")] {
            let values = try Self.values("issuer = 'https://id.acme.example'\n\(line)")
            #expect(values.clientID == nil && values.address != nil, "\(values.origins)")
        }
    }

    @Test(arguments: [
        "clientId: 'web'", "clientId: this.clientId, clientId = 'web'", "clientId: id, clientId = 'web'",
        "'clientId' => 'web'", "\"clientId\": \"web\",", "clientId?: string = 'web'", "#define clientId @\"web\"",
        "clientId: string; clientId = 'web'; // why ?", "x = a ? b : c;\nclientId = 'web'",
        "x = a ? b : c\nclientId = 'web'", "class Config:\n    clientId = 'web'",
    ])
    func readsALiteralNextToItsName(code: String) throws {
        let values = try Self.values("issuer = 'https://id.acme.example'\n\(code)")
        #expect(values.clientID == "web", "\(values.reasons)")
    }

    /// The values of source code after a person confirmed them.
    private static func values(_ code: String) throws -> DraftValues {
        var draft = ApplicationDraft()
        draft.isConfirmed = true
        try DraftSource.read([("a.js", code)], into: &draft)
        return try DraftValues(draft)
    }

    // What the documented libraries add to the name of a tenant.
    private static let added =
        " https onmicrosoft com b2clogin login microsoftonline common organizations consumers realms b2c_1 "

    /// Whatever happens to a file, each value of the application is in it: no input gives another tenant or client ID.
    @Test func writesOnlyValuesThatTheFileSays() async throws {
        var written = 0
        for (index, source) in InitSource.files.enumerated() {
            for change in stride(from: index % 5, to: 24, by: 5) {
                let files = source.files.map { ($0.name, Self.changed($0.text, change)) }
                let text = files.map(\.1).joined()
                let changed = InitSource(files: files)
                let file = try? await Self.file(changed, isConfirmed: true)
                guard let application = file?.application else { continue }
                written += 1
                let said = text.lowercased() + Self.added
                var values = [application.clientID] + application.policies.map(\.name.spelling)
                values += application.authority.host.split(separator: ".").map(String.init)
                values += application.authority.segments.flatMap { $0.split(separator: ".").map(String.init) }
                values += application.apis.flatMap { [$0.baseURL.host] + $0.scopes }
                for value in values where value != "default" {
                    #expect(said.contains(value.lowercased()), "\(value) is not in \(text)")
                }
            }
        }
        #expect(written > 120, "\(written)")
    }

    // Cuts, joins, repeats or removes lines, quotes and signs.
    private static func changed(_ text: String, _ change: Int) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let place = change * 7 % lines.count
        switch change % 8 {
        case 0: return text
        case 1: lines.remove(at: place)
        case 2: lines.insert(lines[place], at: 0)
        case 3: lines.swapAt(place, lines.count - 1 - place)
        case 4: return String(text.prefix(text.count * change / 24))
        case 5: lines[place] += lines[(place + 1) % lines.count]
        case 6: return text.replacing(change > 12 ? "'" : "\"", with: change > 12 ? "\"" : "'")
        default: return text.replacing(change > 12 ? "/" : ".", with: change > 12 ? "//" : "", maxReplacements: change)
        }
        return lines.joined(separator: "\n")
    }

    private static let size = 1 << 16
    private static let hostile: [(name: String, text: String)] = [
        ("open.ts", "const clientId = \"\(String(repeating: "${", count: size))\""),
        ("name.ts", "\(String(repeating: "a", count: size)) = 'c'\nclientId: a"),
        ("dots.ts", "\(String(repeating: "a.", count: size)) = 'c'\nclientId: a"),
        ("lists.ts", "clientId: a\n" + String(repeating: "a=[\"b\",", count: size / 8)),
        ("types.ts", "clientId: a\n" + String(repeating: "clientId: b b b\n", count: size / 16)),
        ("names.ts", String(repeating: "clientId: 'b' +", count: size / 16)),
        ("words.env", String(repeating: "auth", count: size / 4) + "=b\nCLIENT_ID=\n"),
        ("quotes.ts", "clientId: a\n" + String(repeating: "'\"`", count: size / 3)),
        ("triples.ts", "clientId: a\n" + String(repeating: "''' \"\"\" ", count: size / 8)),
        ("comments.ts", "clientId: a\n" + String(repeating: "/*", count: size)),
        ("tags.plist", "<plist><key>clientId</key>" + String(repeating: "<string", count: size / 8)),
        ("tenants.env", String(repeating: "TENANT=a.example\n", count: 3_000)),
        ("hosts.env", String(repeating: "INSTANCE=https://a.example\n", count: 3_000)),
        ("values.env", String(repeating: "A=b\n", count: 10_001)),
        ("line.env", "CLIENT_ID=x\n\(String(repeating: "a", count: size))=b"),
        ("items.yml", String(repeating: "- ", count: size) + "\nclient-id: a"),
        ("keys.yml", (0..<500).map { String(repeating: " ", count: $0) + "a:" }.joined(separator: "\n")),
    ]

    @Test func readsUTF16AndRefusesABinaryFile() throws {
        #expect(try SettingsFile.text([0xff, 0xfe, 0x61, 0], named: "a.env") == "a")
        #expect(throws: SusiError.self) { try SettingsFile.text(Array("CLIENT_ID=\0".utf8), named: "null.env") }
    }

    /// With a time quadratic in the size, the test would exceed its time limit.
    @Test(arguments: hostile.indices)
    func endsSoonWithAHostileFile(index: Int) async throws {
        let file = try? await Self.file(InitSource(files: [Self.hostile[index]]))
        #expect(file == nil, "\(Self.hostile[index].name)")
    }
}

extension InitSource {
    /// An application in short lines, without the ports and the policy that `init` writes by default.
    static func notation(of application: Application) -> String {
        var lines = [
            "\(application.kind.rawValue) \(application.authority.spelling)", "client \(application.clientID)",
        ]
        let ports = application.redirectPorts
        if ports != (application.kind.traits.ignoresRedirectPort ? [0] : [8400, 8401]) {
            lines.append("ports \(ports.map { "\($0)" }.joined(separator: " "))")
        }
        let policies = application.policies.map { policy in
            let scopes = policy.scopes.isEmpty ? "" : " scopes \(policy.scopes.joined(separator: " "))"
            let path = policy.redirectPath == "/" ? "" : " path \(policy.redirectPath)"
            return "policy \(policy.name) \(policy.kind.rawValue)\(path)\(scopes)"
        }
        lines += policies == ["policy default signUpOrSignIn"] ? [] : policies
        lines += application.apis.map { "api \($0.name) \($0.baseURL) \($0.scopes.joined(separator: " "))" }
        return lines.joined(separator: "\n")
    }
}
