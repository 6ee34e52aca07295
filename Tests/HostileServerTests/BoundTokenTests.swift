import Susi
import SusiTestSupport
import SusiTools
import Synchronization
import Testing

/// Refresh tokens that are good only for the scopes of their sign-in, each of them once (RFC 6749 section 6, RFC 9700 4.14.2).
@Suite("Bound refresh tokens", .timeLimit(.minutes(5)))
struct BoundTokenTests {
    /// What a service does with a refresh token of a sign-in for other scopes.
    enum Binding: Sendable { case noAccessToken, refuses, issuesForSignIn, serves }

    /// Runs `body` at a service after a sign-in for each of two APIs.
    private static func with(
        _ provider: Provider, _ binding: Binding,
        _ body: (Stage, TokenService, PublicClient) async throws -> Void
    ) async throws {
        try await Stage.with(provider) { stage, _ in
            let service = TokenService(binding)
            stage.change {
                $0.discovery["revocation_endpoint"] = $0.discovery["token_endpoint"]?.replacing(
                    "/token", with: "/revoke")
                $0.respond = service.respond
                $0.rewriting = service.rewriting
            }
            let client = try Self.client(stage)
            for api in ["hello", "other"] { _ = try await stage.signIn(SignInRequest(api: api), with: client) }
            try await body(stage, service, client)
        }
    }

    private static func client(_ stage: Stage) throws -> PublicClient {
        let scope = Provider.scope.replacing("/hello/", with: "/other/")
        let api = "\"other\": {\"baseUrl\": \"\(stage.server.origin)/api\", \"scopes\": [\"\(scope)\"]}"
        return try stage.client { $0.replacing("\"apis\": {", with: "\"apis\": {\(api), ") }
    }

    /// Returns the scopes of a new token.
    private static func refreshed(_ client: PublicClient, _ api: String) async throws(SusiError) -> String {
        try await client.token(
            api: api, of: AccountSelection(), options: TokenRequestOptions(forcesRefresh: true)
        ).scopes.granted.description
    }

    private static func stored(_ client: PublicClient) async throws -> [StoredTokenInfo] {
        try await client.accounts().flatMap(\.tokens).filter { $0.kind == .refresh }
    }

    @Test(
        "after a sign-in for each of two APIs, both get new tokens without a page, also at the same time",
        arguments: [
            (Provider.b2c, Binding.noAccessToken), (.openid, .refuses), (.openid, .issuesForSignIn), (.entra, .serves),
        ])
    func refreshesEachAPI(provider: Provider, binding: Binding) async throws {
        try await Self.with(provider, binding) { stage, service, client async throws in
            for _ in 1...2 {
                for api in ["hello", "other"] {
                    #expect(try await Self.refreshed(client, api).contains("/\(api)/"))
                }
            }
            let second = try Self.client(stage)
            async let hello = Self.refreshed(second, "hello")
            #expect(try await Self.refreshed(client, "other").contains("/other/"))
            let late = try await hello
            #expect(late.contains("/hello/"))
            // A service that does not bind needs one.
            let tokens = try await Self.stored(client)
            #expect(tokens.count == (binding == .serves ? 1 : 2))
            let account = try #require(try await client.accounts().first)
            _ = try await client.remove(account)
            #expect(service.revoked == (provider == .openid ? 2 : 0))
        }
    }

    @Test(
        "an encrypted export has both tokens, and an import redeems each for its own scopes",
        arguments: [(Provider.b2c, Binding.noAccessToken), (.openid, .refuses)])
    func movesBothTokens(provider: Provider, binding: Binding) async throws {
        try await Self.with(provider, binding) { stage, _, client async throws in
            let export = try await client.exportSealed(passphrase: "correct horse")
            #expect(export.accounts == 1 && export.tokens == 2)
            let store = try AccountStore(opening: stage.folder)
            _ = try store.remove(try store.allAccounts().map(\.account))
            let file = try CacheFile(opening: export.file, passphrase: "correct horse")
            #expect(try await client.importCache(file).taken.count == 2)
            #expect(try await Self.stored(client).count == 2)
            for api in ["hello", "other"] {
                #expect(try await Self.refreshed(client, api).contains("/\(api)/"))
            }
        }
    }

    @Test("a definite refusal of one refresh token leaves the other", arguments: ["hello", "other"])
    func dropsOnlyRefusedToken(ended: String) async throws {
        try await Self.with(.openid, .refuses) { _, service, client async throws in
            let other = ended == "hello" ? "other" : "hello"
            service.end(ended)
            await expectRefusal(.signInNeeded) { try await Self.refreshed(client, ended) }
            #expect(try await Self.stored(client).count == 1)
            #expect(try await Self.refreshed(client, other).contains("/\(other)/"))
        }
    }
}

/// A token endpoint that knows for which scopes each refresh token was issued.
private final class TokenService: Sendable {
    private struct State {
        var asked = ""
        var granted: String?
        var scopes: [String: String] = [:]
        var revoked = 0
    }

    private let binding: BoundTokenTests.Binding
    private let state = Mutex(State())

    init(_ binding: BoundTokenTests.Binding) { self.binding = binding }

    /// The number of revoked refresh tokens that were valid.
    var revoked: Int { state.withLock { $0.revoked } }

    /// Ends the sign-in for an API.
    func end(_ api: String) { state.withLock { $0.scopes = $0.scopes.filter { !$0.value.contains("/\(api)/") } } }

    func respond(_ asked: Asked) -> Reply? {
        let fields = FormEncoding.decode(asked.method == "POST" ? asked.body : asked.query) ?? []
        let value = { (name: String) in fields.first { $0.name == name }?.value }
        let scope = value("scope")?.split(separator: " ").filter { $0.contains("/") }.joined(separator: " ")
        return state.withLock { state in
            switch asked.path.split(separator: "/").last {
            case "authorize": (state.asked, state.granted) = (scope ?? "", scope)
            case "revoke":
                if state.scopes.removeValue(forKey: value("token") ?? "") != nil { state.revoked += 1 }
                return .text("")
            case "token":
                guard let token = value("refresh_token") else { return nil }
                guard let bound = state.scopes[token] else {
                    return .text(#"{"error":"invalid_grant"}"#, status: 400)
                }
                let isOther = scope != nil && scope != bound
                if isOther, binding == .refuses { return .text(#"{"error":"invalid_scope"}"#, status: 400) }
            default: break
            }
            return nil
        }
    }

    /// Binds the refresh token of a response to the scopes of its own request: another one may arrive at the same time.
    func rewriting(_ asked: Asked) -> (@Sendable (String) -> Reply)? {
        let fields = FormEncoding.decode(asked.body) ?? []
        let value = { (name: String) in fields.first { $0.name == name }?.value }
        let scope = value("scope")?.split(separator: " ").filter { $0.contains("/") }.joined(separator: " ")
        let (bound, granted): (String, String?) = state.withLock { state in
            guard let token = value("refresh_token"), let bound = state.scopes.removeValue(forKey: token) else {
                return (state.asked, state.granted)
            }
            let isOther = scope != nil && scope != bound
            return (bound, binding == .serves ? scope : isOther && binding == .noAccessToken ? nil : bound)
        }
        return { [self] text in
            let token = text.firstMatch(of: /"refresh_token":"([^"]*)"/).map { String($0.1) } ?? ""
            state.withLock { $0.scopes[token] = bound }
            guard let granted else {
                return .text(
                    text.replacing(/"access_token":"[^"]*",/, with: "").replacing("openid \(Provider.scope)", with: ""))
            }
            return .text(text.replacing(Provider.scope, with: granted))
        }
    }
}
