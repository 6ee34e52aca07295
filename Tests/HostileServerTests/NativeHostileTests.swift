import Susi
import SusiTestSupport
import Testing

/// Native authentication (External ID) against a server whose responses have one fault at a time.
@Suite("Hostile servers of native authentication", .inTurn, .timeLimit(.minutes(5)))
struct NativeHostileTests {
    private typealias Native = NativeScript

    @Test(
        "a sign-in accepts valid responses and rejects others; each secret is sent once", .serialized,
        arguments: Case.native)
    func checksNativeResponses(row: Case) async throws {
        try await Stage.with(row.provider) { stage, elsewhere in
            let flow = try #require(row.flow)
            try stage.change {
                $0.native = Native(flow)
                try row.change(&$0)
            }
            let result = await Result { () async throws(SusiError) in
                try await stage.client.signIn(SignInRequest(api: "hello"), native: Native.credentials(flow))
            }
            try await row.check(result, in: stage, beside: elsewhere)
            Self.checkRequests(stage.server.asked)
        }
    }

    /// Checks that each secret is sent once, in a body, to the token endpoint of the authority.
    private static func checkRequests(_ asked: [Asked]) {
        let steps = asked.filter { Native.Endpoint(rawValue: String($0.path.split(separator: "/").last ?? "")) != nil }
        #expect(steps.count <= 6, "\(steps.map(\.target))")
        let base = "/contoso.onmicrosoft.com/oauth2/v2.0/"
        #expect(steps.allSatisfy { $0.method == "POST" && $0.query.isEmpty && $0.path.hasPrefix(base) }, "\(steps)")
        for secret in [Native.userPassword, Native.userCode] {
            let places = asked.filter { $0.target.contains(secret) || $0.body.contains(secret) }.map(\.target)
            #expect(places.isEmpty || places == ["\(base)token"], "\(places)")
        }
    }

    @Test("requests only what it supports; each continuation token is sent once")
    func sendsExpectedRequests() async throws {
        try await Stage.with(.external) { stage, _ in
            stage.change {
                $0.native = Native(.factor)
                $0.native[.initiate] = [.text(#"{"continuation_token":"t-1"}"#)]
                $0.native[.challenge] = [Native.password, Native.code].enumerated().map {
                    .text("{\($0.element),\"continuation_token\":\"\(["t-2", "t-5"][$0.offset])\"}")
                }
                let required = Native.refusal(
                    "invalid_grant", 50_076, "mfa_required", more: #","continuation_token":"t-3""#)
                $0.native[.token] = [required, nil]
                $0.native[.introspect] = [.text(#"{\#(Native.methods),"continuation_token":"t-4"}"#)]
            }
            _ = try await stage.client.signIn(SignInRequest(api: "hello"), native: Native.credentials(.factor))
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
            #expect(tokens.map { $0["password"] } == [Native.userPassword, nil])
            #expect(tokens.map { $0["oob"] } == [nil, Native.userCode])
            #expect(tokens.allSatisfy { $0["client_info"] == "1" })
            let scopes = tokens.map { ScopeSet(text: $0["scope"] ?? "") }
            #expect(scopes.allSatisfy { $0 == ScopeSet.openID.union(ScopeSet([Provider.scope])) })
        }
    }

    @Test(
        "tokens of another person than the expected one are refused", arguments: [Native.Flow.password, .code, .factor])
    func refusesTokensOfAnotherPerson(flow: NativeScript.Flow) async throws {
        try await Stage.with(.external) { stage, _ in
            let account = try await stage.signIn().account
            stage.change {
                $0.native = Native(flow)
                $0.claims["oid"] = "\"bbbbbbbb-0000-4000-8000-000000000002\""
                $0.claims["sub"] = "\"s2\""
                $0.claims["name"] = "\"Mallory\""
                $0.response["client_info"] = Provider.clientInfo("bbbbbbbb-0000-4000-8000-000000000002")
            }
            let request = SignInRequest(api: "hello", expected: .account(account))
            await expectRefusal(.differentPerson) {
                try await stage.client.signIn(request, native: Native.credentials(flow))
            }
            #expect(try await stage.client.accounts() == [account])
        }
    }

    @Test("a second known authority gets nothing, even if the configuration names its token endpoint")
    func ignoresTokenEndpointOfOtherKnownAuthority() async throws {
        try await Stage.with(.external) { stage, elsewhere in
            let own = stage.server.origin
            let client = try stage.client {
                $0.replacing("[\"\(own)\"]", with: "[\"\(own)\", \"\(elsewhere.origin)\"]")
            }
            stage.change {
                $0.native = Native(.password)
                $0.discovery["token_endpoint"] = "\"\($0.elsewhere)/token\""
            }
            _ = try await client.signIn(SignInRequest(api: "hello"), native: Native.credentials(.password))
            #expect(elsewhere.connections == 0)
        }
    }

    // MARK: The program

    /// Signs in with a password from standard input and a code from a file.
    private static func signIn(
        _ susi: SusiBinary, _ flow: Native.Flow, _ more: String...
    ) async throws -> ProgramOutcome {
        try susi.home.work("code").write(Native.userCode)
        var arguments = ["sign-in", "--username", "ada@example.com"]
        if flow != .code { arguments.append("--password-stdin") }
        if flow != .password { arguments += ["--code-command", "cat code"] }
        return try await susi.command(
            arguments + more, input: flow == .code ? .none : .text(Native.userPassword + "\n")
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
        for secret in ["at-1", "at-2", "rt-1", "rt-2"] + Native.secrets {
            #expect(!text.contains(secret), "“\(secret)” is shown: \(outcome)")
        }
    }

    @Test("the program shows the server's texts shortened and without control characters", arguments: Case.texts)
    func showsHarmlessTexts(row: Case) async throws {
        try await Stage.withProgram(at: .external) { stage, _, susi async throws in
            let flow = try #require(row.flow)
            try stage.change {
                $0.native = Native(flow)
                try row.change(&$0)
            }
            let outcome = try await Self.signIn(susi, flow)
            Self.checkText(outcome)
            switch row.expected {
            case .accepted: #expect(outcome.status == 0, "\(outcome)")
            case .refused(let code, let text):
                let statuses: [SusiError.Code: Int32] = [.refused: 1, .signInNeeded: 4, .invalidResponse: 7]
                #expect(outcome.status == statuses[code] && outcome.standardError.contains(text), "\(outcome)")
                #expect(outcome.standardOutput.isEmpty)
            }
        }
    }

    @Test(
        "--debug hides password, code and continuation tokens in requests, responses and errors",
        arguments: [false, true])
    func hidesSecretsInLog(isRefused: Bool) async throws {
        for flow in [Native.Flow.code, .factor] {
            try await Stage.withProgram(at: .external) { stage, _, susi async throws in
                stage.change {
                    $0.native = Native(flow)
                    let more = #","continuation_token":"\#(Native.continuation)","oob":"\#(Native.userCode)""#
                    guard isRefused else { return }
                    let echo = Native.secrets.joined(separator: " ")
                    $0.native[.token] = [
                        Native.refusal("invalid_grant", 50_126, text: "x", more: more + ",\"password\":\"\(echo)\"")
                    ]
                }
                let outcome = try await Self.signIn(susi, flow, "--debug")
                #expect(outcome.status == (isRefused ? 4 : 0), "\(outcome)")
                #expect(outcome.standardError.contains("/oauth2/v2.0/challenge"), "nothing was logged")
                Self.checkText(outcome, longest: 100_000)
            }
        }
    }

    @Test("the terminal shows the label of a code without control characters, and asks for each code once")
    func showsHostileLabelOnTerminal() async throws {
        try await Stage.withProgram(at: .external) { stage, _, susi async throws in
            stage.change {
                $0.native = Native(.code)
                let label = #"a***\u001b]0;x\u0007\u001b[2J\r\n\u202e@example.com"#
                $0.native[.challenge] = [Native.step(Native.delivered(label: label))]
            }
            let arguments = ["sign-in", "--username", "ada@example.com", "--no-color"]
            try await susi.command(arguments).inTerminal().start { run in
                try await run.type("\(Native.userCode)\n", at: "example.com")
                let outcome = try await run.waitUntilExit().exits(0)
                let shown = outcome.standardOutput.unicodeScalars
                #expect(shown.contains("*"))
                #expect(!shown.contains("\u{1b}") && !shown.contains("\u{7}") && !shown.contains("\u{202e}"))
            }
            #expect(stage.tokenRequests == 1)
        }
    }
}
