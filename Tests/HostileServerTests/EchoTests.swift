import Foundation
import Susi
import SusiTestSupport
import Testing

/// Servers that repeat the request in an error: no secret of the exchange reaches the terminal, in no encoding of a form.
@Suite("Echoes", .inTurn, .timeLimit(.minutes(5)))
struct EchoTests {
    /// Characters that the encodings write differently. The table of encodings is that of `SentSecretsTests`.
    private static let password = #"p&w "<é/+%\'~!*()"#
    private static let refreshToken = "rt/Zx+9_long-token.abcdefghij~="

    /// A server's way to repeat a request.
    enum Echo: String, CaseIterable, Sendable {
        case raw, decoded, twice, base64

        /// Returns a description that repeats a form, as a JSON string.
        func text(_ body: String) -> String {
            let fields = FormEncoding.decode(body) ?? []
            return Self.quoted("got \(fields.map { "\($0.name)=\(encode($0.value))" }.joined(separator: "&"))")
        }

        func encode(_ value: String) -> String {
            let percent = String(FormEncoding.encode([(name: "", value: value)]).dropFirst())
            return switch self {
            case .raw: percent
            case .twice: percent.replacing("%", with: "%25")
            case .base64: Data(value.utf8).base64EncodedString()
            case .decoded: value
            }
        }

        fileprivate static func quoted(_ text: String) -> String {
            let encoded = (try? JSONEncoder().encode(text)) ?? Data()
            return String(decoding: encoded, as: UTF8.self)
        }
    }

    private static func respond(_ endpoint: String, _ echo: Echo) -> @Sendable (Asked) -> Reply? {
        { asked in
            guard asked.path.hasSuffix("/\(endpoint)"), asked.method == "POST" else { return nil }
            return .text(
                "{\"error\":\"strange_error\",\"error_description\":\(echo.text(asked.body)),"
                    + "\"suberror\":\(echo.text(asked.body)),\"correlation_id\":\(echo.text(asked.body))}", status: 400)
        }
    }

    /// Checks that a failure is told without the secrets, in whatever encoding.
    private static func check(
        _ shown: String, hides secrets: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(shown.contains("strange_error") && shown.contains("got "), "\(shown)", sourceLocation: sourceLocation)
        for form in secrets.flatMap({ secret in Echo.allCases.map { $0.encode(secret) } }) {
            #expect(!shown.contains(form), "“\(form)” is shown: \(shown)", sourceLocation: sourceLocation)
        }
    }

    /// Returns the policies with one that signs in by password.
    static func addingPasswordPolicy(to text: String) -> String {
        text.replacing("\"default\": true}", with: "\"default\": true}, \"B2C_1_ropc\": {\"kind\": \"resourceOwner\"}")
    }

    @Test("a password is not shown", arguments: Echo.allCases)
    func hidesPassword(echo: Echo) async throws {
        try await Stage.with(.b2c) { stage, _ in
            stage.change { $0.respond = Self.respond("token", echo) }
            let credentials = PasswordCredentials(username: "ada@example.com", password: Self.password)
            let shown = try await stage.shown(policies: Self.addingPasswordPolicy) {
                _ = try await $0.signIn(SignInRequest(policy: PolicyName("B2C_1_ropc")), credentials: credentials)
            }
            Self.check(shown, hides: Self.password)
            #expect(stage.tokenRequests == 1)
        }
    }

    @Test("password and continuation token of native authentication are not shown", arguments: [Echo.twice, .base64])
    func hidesNativeSecrets(echo: Echo) async throws {
        try await Stage.with(.external) { stage, _ in
            for endpoint in ["challenge", "token"] {
                stage.change {
                    $0.native = NativeScript(.password)
                    $0.respond = Self.respond(endpoint, echo)
                }
                let shown = try await stage.shown { try await Self.signIn($0, code: nil) }
                Self.check(shown, hides: Self.password, NativeScript.continuation)
            }
        }
    }

    private static func signIn(_ client: PublicClient, password: String? = EchoTests.password, code: String?)
        async throws
    {
        let password = password.map { text in { @Sendable () async throws in text } }
        let code = code.map { text in { @Sendable (_: NativeCode, _: Int) async throws in text } }
        let credentials = NativeCredentials(username: "ada@example.com", password: password, code: code)
        _ = try await client.signIn(SignInRequest(api: "hello"), native: credentials)
    }

    @Test("texts of a response that is no error hide the secrets too")
    func hidesSecretsInOtherTexts() async throws {
        try await Stage.with(.external) { stage, _ in
            let token = NativeScript.continuation
            for reply in [
                NativeScript.step("\"challenge_type\":\"redirect\"", "\"redirect_reason\":\"\(token)\""),
                NativeScript.step("\"challenge_type\":\"x \(token)\""),
            ] {
                stage.change {
                    $0.native = NativeScript(.code)
                    $0.native[.challenge] = [reply]
                }
                let shown = try await stage.shown { try await Self.signIn($0, password: nil, code: "86420975") }
                #expect(shown.contains("[hidden]") && !shown.contains(token), "\(shown)")
            }
            stage.change {
                $0.native = NativeScript(.code)
                $0.native[.challenge] = [NativeScript.step(NativeScript.delivered(label: "to \(token)"))]
            }
            let (events, feed) = AsyncStream<SignInEvent>.makeStream()
            _ = try await stage.client.signIn(
                SignInRequest(api: "hello"), native: NativeScript.credentials(.code), tell: { feed.yield($0) })
            feed.finish()
            let told = await events.reduce(into: "") { $0 += "\($1)" }
            #expect(told.contains("[hidden]") && !told.contains(token), "\(told)")
        }
    }

    @Test("a refresh token is not shown; the same one in a response is kept", arguments: [Echo.twice, .base64])
    func hidesRefreshToken(echo: Echo) async throws {
        try await Stage.with(.openid) { stage, _ in
            stage.change { $0.response["refresh_token"] = "\"\(Self.refreshToken)\"" }
            let account = try await stage.signIn().account
            let shown = try await stage.shown { client in
                _ = try await stage.refresh(with: client)
                stage.change { $0.respond = Self.respond("token", echo) }
                _ = try await stage.refresh(with: client)
            }
            Self.check(shown, hides: Self.refreshToken)
            #expect(try stage.store.secret(.refresh(account.account))?.secret == Self.refreshToken)
        }
    }

    @Test("code and verifier are not shown", arguments: [Echo.twice, .base64])
    func hidesCodeAndVerifier(echo: Echo) async throws {
        try await Stage.with(.openid) { stage, _ in
            stage.change {
                $0.respond = Self.respond("token", echo)
                $0.redirects = [[("code", "c0de/Zx+9 long"), ("state", "STATE")]]
            }
            let shown = try await stage.shown { _ = try await stage.signIn(SignInRequest(api: "hello"), with: $0) }
            let verifier = try #require(stage.asked("code_verifier", at: "token"))
            Self.check(shown, hides: "c0de/Zx+9 long", verifier)
        }
    }
}
