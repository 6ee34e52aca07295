import Foundation
import Susi
import SusiTestSupport
import SystemPackage
import Testing

/// Native authentication (External ID) of the built program against a server whose responses have one fault at a time.
@Suite("Hostile servers of native authentication", .inTurn, .timeLimit(.minutes(5)))
struct NativeHostileTests {
    private static let password = "Hostile-Passw0rd-7"
    private static let code = "86420975"

    /// Signs in with a password from standard input and a code from a file.
    private static func signIn(
        _ susi: SusiBinary, _ flow: NativeScript.Flow, browser: String, _ more: String...
    ) async throws -> ProgramOutcome {
        try Data(code.utf8).write(to: URL(filePath: susi.home.workingFolder.appending("code").string))
        var arguments = ["sign-in", "--username", "ada@example.com"]
        if flow != .code { arguments.append("--password-stdin") }
        if flow != .password { arguments += ["--code-command", "cat code"] }
        return try await susi.command(
            arguments + more, environment: ["BROWSER": browser, "DISPLAY": ":99"],
            input: flow == .code ? .none : .text(password + "\n")
        ).run()
    }

    /// Checks that a terminal shows nothing hostile, and nothing secret.
    private static func checkText(_ outcome: ProgramOutcome, longest: Int = 4_000) {
        let text = outcome.standardOutput + outcome.standardError
        let hostile = text.unicodeScalars.filter { scalar in
            scalar.value < 0x20 && scalar != "\n" || (0x7f...0x9f).contains(scalar.value)
                || [.format, .lineSeparator].contains(scalar.properties.generalCategory)
        }
        #expect(hostile.isEmpty, "\(outcome)")
        #expect(!text.contains("\nnext: susi sign-out") && !text.contains("next: susi sign-out --all\n"), "\(outcome)")
        #expect(text.utf8.count < longest, "\(text.utf8.count) bytes: \(text.prefix(500))")
        for secret in [password, code, NativeScript.continuation, "at-1", "at-2", "rt-1", "rt-2"] {
            #expect(!text.contains(secret), "“\(secret)” is shown: \(outcome)")
        }
    }

    @Test("accepts valid responses and rejects others", .serialized, arguments: NativeCase.all)
    func checksNativeResponses(row: NativeCase) async throws {
        try await Stage.withProgram(at: .external) { stage, elsewhere, susi async throws in
            let account = try await stage.signIn().account
            let earlier = stage.server.asked.count
            try stage.change {
                $0.native = NativeScript(row.flow)
                try row.change(&$0)
            }
            let browser = try await BrowserCommand.capture(in: susi.home.folder)
            let outcome = try await Self.signIn(susi, row.flow, browser: browser.command)
            Self.checkText(outcome)

            let store = try #require(try AccountStore(existing: stage.folder))
            let access = try store.secret(.access(account.account, ScopeSet([Provider.scope])))?.secret
            let refresh = try store.secret(.refresh(account.account))?.secret
            switch row.expected {
            case .accepted, .nothingGranted:
                let status: Int32 = if case .accepted = row.expected { 0 } else { 4 }
                #expect(outcome.status == status, "\(outcome)")
                #expect([access, refresh].contains { $0?.hasSuffix("-2") == true }, "nothing was stored")
            case .refused(let status, let text):
                #expect(outcome.status == status && outcome.standardError.contains(text), "\(outcome)")
                // An unknown error has no next step.
                #expect(outcome.standardError.contains("\n  next: ") || status == 1, "no next step: \(outcome)")
                #expect(outcome.standardOutput.isEmpty)
                #expect(access == "at-1" && refresh == "rt-1", "the store changed")
                #expect(try await stage.client.accounts() == [account], "the account changed")
            }
            #expect(elsewhere.connections == 0, "another server was contacted")
            #expect(browser.openedURLs.isEmpty, "a browser was opened")
            Self.checkRequests(stage.server.asked.dropFirst(earlier))
        }
    }

    @Test(
        "the endpoints are those of the authority, whatever its configuration says", .serialized,
        arguments: NativeCase.endpoints)
    func takesEndpointsFromAuthority(row: NativeCase) async throws {
        try await Stage.withProgram(at: .external) { stage, elsewhere, susi async throws in
            try stage.change {
                $0.native = NativeScript(row.flow)
                try row.change(&$0)
            }
            let outcome = try await Self.signIn(susi, row.flow, browser: "false")
            Self.checkText(outcome)
            let accounts = try await susi.run("accounts").standardOutput
            switch row.expected {
            case .accepted, .nothingGranted:
                #expect(outcome.status == 0 && accounts.contains("Ada"), "\(outcome)")
            case .refused(let status, let text):
                #expect(outcome.status == status && outcome.standardError.contains(text), "\(outcome)")
                #expect(accounts.isEmpty && stage.tokenRequests == 0)
            }
            #expect(elsewhere.connections == 0, "another server was contacted")
            Self.checkRequests(stage.server.asked[...])
        }
    }

    /// Checks that each secret is sent once, in a body, to the token endpoint of the authority.
    private static func checkRequests(_ asked: ArraySlice<Asked>) {
        let steps = asked.filter {
            NativeScript.Endpoint(rawValue: String($0.path.split(separator: "/").last ?? "")) != nil
        }
        #expect(steps.count <= 6, "\(steps.map(\.target))")
        let base = "/contoso.onmicrosoft.com/oauth2/v2.0/"
        #expect(steps.allSatisfy { $0.method == "POST" && $0.query.isEmpty && $0.path.hasPrefix(base) }, "\(steps)")
        for secret in [password, code] {
            let places = asked.filter { $0.target.contains(secret) || $0.body.contains(secret) }.map(\.target)
            #expect(places.isEmpty || places == ["\(base)token"], "\(places)")
        }
    }

    @Test("requests only what it supports; each continuation token is sent once")
    func sendsExpectedRequests() async throws {
        try await Stage.withProgram(at: .external) { stage, _, susi async throws in
            stage.change {
                $0.native = NativeScript(.factor)
                $0.native[.initiate] = [.text(#"{"continuation_token":"t-1"}"#)]
                $0.native[.challenge] = [NativeScript.password, NativeScript.code].enumerated().map {
                    .text("{\($0.element),\"continuation_token\":\"\(["t-2", "t-5"][$0.offset])\"}")
                }
                let required = NativeScript.refusal(
                    "invalid_grant", 50_076, "mfa_required", more: #","continuation_token":"t-3""#)
                $0.native[.token] = [required, nil]
                $0.native[.introspect] = [.text(#"{\#(NativeScript.methods),"continuation_token":"t-4"}"#)]
            }
            let outcome = try await Self.signIn(susi, .factor, browser: "false")
            #expect(outcome.status == 0, "\(outcome)")
            let sent = stage.server.asked.filter { $0.method == "POST" }.map { asked in
                let fields = (FormEncoding.decode(asked.body) ?? []).map { ($0.name, $0.value) }
                return (asked.path.split(separator: "/").last ?? "", Dictionary(fields) { "\($0) and \($1)" })
            }
            #expect(sent.map(\.0) == ["initiate", "challenge", "token", "introspect", "challenge", "token"])
            #expect(sent.map { $0.1["continuation_token"] } == [nil, "t-1", "t-2", "t-3", "t-4", "t-5"])
            #expect(sent.allSatisfy { $0.1["client_id"] == Provider.client })
            let first = try #require(sent.first?.1)
            #expect(first["username"] == "ada@example.com" && first["capabilities"] == "mfa_required", "\(first)")
            #expect(first["challenge_type"] == "password oob redirect", "\(first)")
            #expect(sent[4].1["id"] == "m-1")
            let tokens = [sent[2].1, sent[5].1]
            #expect(tokens.map { $0["grant_type"] } == ["password", "mfa_oob"])
            #expect(
                tokens.map { $0["password"] } == [Self.password, nil] && tokens.map { $0["oob"] } == [nil, Self.code])
            #expect(tokens.allSatisfy { $0["client_info"] == "1" })
            let scopes = tokens.map { ScopeSet(text: $0["scope"] ?? "") }
            #expect(scopes.allSatisfy { $0 == ScopeSet.openID.union(ScopeSet([Provider.scope])) })
        }
    }

    @Test("--debug hides password, code and continuation tokens in requests, responses and errors")
    func hidesSecretsInLog() async throws {
        for flow in [NativeScript.Flow.password, .code, .factor] {
            for isRefused in [false, true] {
                try await Stage.withProgram(at: .external) { stage, _, susi async throws in
                    stage.change {
                        $0.native = NativeScript(flow)
                        let echo = "\(Self.password) \(Self.code) \(NativeScript.continuation)"
                        let more = #","continuation_token":"\#(NativeScript.continuation)","oob":"\#(Self.code)""#
                        guard isRefused else { return }
                        $0.native[.token] = [
                            NativeScript.refusal(
                                "invalid_grant", 50_126, text: "x", more: more + ",\"password\":\"\(echo)\"")
                        ]
                    }
                    let outcome = try await Self.signIn(susi, flow, browser: "false", "--debug")
                    #expect(outcome.status == (isRefused ? 4 : 0), "\(outcome)")
                    #expect(outcome.standardError.contains("/oauth2/v2.0/challenge"), "nothing was logged")
                    Self.checkText(outcome, longest: 100_000)
                }
            }
        }
    }

    @Test("tokens of another person than the expected one are refused")
    func refusesTokensOfAnotherPerson() async throws {
        for flow in [NativeScript.Flow.password, .code, .factor] {
            try await Stage.withProgram(at: .external) { stage, _, susi async throws in
                let account = try await stage.signIn().account
                stage.change {
                    $0.native = NativeScript(flow)
                    $0.claims["oid"] = "\"bbbbbbbb-0000-4000-8000-000000000002\""
                    $0.claims["sub"] = "\"s2\""
                    $0.claims["name"] = "\"Mallory\""
                    $0.answer["client_info"] = Provider.clientInfo("bbbbbbbb-0000-4000-8000-000000000002")
                }
                let outcome = try await Self.signIn(
                    susi, flow, browser: "false", "--account", account.account.person.subject)
                #expect(outcome.status == 7 && outcome.standardError.contains("not as Ada"), "\(outcome)")
                #expect(try await stage.client.accounts() == [account])
            }
        }
    }

    @Test("a second known authority gets nothing, even if the configuration names its token endpoint")
    func ignoresTokenEndpointOfOtherKnownAuthority() async throws {
        try await Stage.withProgram(at: .external) { stage, elsewhere, susi async throws in
            let policies = Provider.external.policies(stage.server.origin)
                .replacing(
                    "[\"\(stage.server.origin)\"]", with: "[\"\(stage.server.origin)\", \"\(elsewhere.origin)\"]")
            try susi.home.writePolicies(policies)
            stage.change {
                $0.native = NativeScript(.password)
                $0.discovery["token_endpoint"] = "\"\($0.elsewhere)/token\""
            }
            let outcome = try await Self.signIn(susi, .password, browser: "false")
            #expect(outcome.status == 0, "\(outcome)")
            #expect(elsewhere.connections == 0)
        }
    }

    @Test("the terminal shows the label of a code without control characters, and asks for each code once")
    func showsHostileLabelOnTerminal() async throws {
        try await Stage.withProgram(at: .external) { stage, _, susi async throws in
            stage.change {
                $0.native = NativeScript(.code)
                let label = #"a***\u001b]0;x\u0007\u001b[2J\r\n\u202e@example.com"#
                $0.native[.challenge] = [NativeScript.step(NativeScript.delivered(label: label))]
            }
            let arguments = ["sign-in", "--username", "ada@example.com", "--no-color"]
            try await susi.command(arguments).inTerminal().start { run in
                try await run.waitForText("example.com")
                try await run.type("\(Self.code)\n")
                let outcome = try await run.waitUntilExit()
                #expect(outcome.status == 0, "\(outcome)")
                let shown = outcome.standardOutput.unicodeScalars
                #expect(shown.contains("*"))
                #expect(!shown.contains("\u{1b}") && !shown.contains("\u{7}") && !shown.contains("\u{202e}"))
            }
            #expect(stage.tokenRequests == 1)
        }
    }

    @Test("every case has a unique name and a source")
    func namesCasesUniquely() {
        let names = (NativeCase.all + NativeCase.endpoints).map(\.name)
        #expect(names.count >= 25 && Set(names).count == names.count)
        #expect(NativeCase.all.allSatisfy { !$0.source.isEmpty })
    }
}
