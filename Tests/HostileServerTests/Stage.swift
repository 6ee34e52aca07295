import AsyncHTTPClient
import Crypto
import Foundation
import NIOCore
import Susi
import SusiTestSupport
import Synchronization
import SystemPackage
import Testing

/// The provider of one case, its server, and a client with its own store.
final class Stage: Sendable {
    /// A client whose timeout is long enough for a busy machine.
    let client: PublicClient
    /// A client with a short timeout, for responses without an end.
    let hasty: PublicClient
    let folder: StoreFolder
    let server: HostileServer
    private let script: Mutex<Script>
    private let clock: Clock
    private let state = Mutex(State())

    private final class Clock: Sendable {
        let now = Mutex(Provider.now)

        func client(
            of application: Application, in folder: StoreFolder, patience: Duration = .seconds(60), log: Log? = nil
        ) -> PublicClient {
            PublicClient(
                application: application, folder: folder, clock: { self.now.withLock { $0 } },
                network: NetworkSettings(longestExchange: patience, tellsHeaders: log != nil),
                trace: log?.add)
        }
    }

    private struct State {
        var nonce: String?
        var visits = 0
        var answers = 0
        var calls = 0
        /// The requests of native authentication since the last change of the script, by endpoint.
        var steps: [NativeScript.Endpoint: Int] = [:]
        var events: [SignInEvent] = []
    }

    private init(
        client: PublicClient, hasty: PublicClient, folder: StoreFolder, server: HostileServer, script: Script,
        clock: Clock
    ) {
        (self.client, self.hasty, self.folder, self.server) = (client, hasty, folder, server)
        self.script = Mutex(script)
        self.clock = clock
        server.setReply { [weak self] asked in self?.reply(asked) ?? .silence }
    }

    /// Runs `body` with a stage and a second server that must not be contacted. The store is in `folder`, or in a temporary
    /// folder.
    static func with(
        _ provider: Provider, in folder: FilePath? = nil, _ body: (Stage, HostileServer) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { path in
            try await HostileServer.with { elsewhere in
                try await HostileServer.with { server in
                    let script = try Script(provider, origin: server.origin, elsewhere: elsewhere.origin)
                    let file = try PoliciesFile(
                        text: provider.policies(server.origin).utf8, source: "the case's policies")
                    let folder = StoreFolder(folder ?? path.appending("state"), owner: getuid())
                    let clock = Clock()
                    let client = { (patience: Duration) in
                        clock.client(of: file.applications[0], in: folder, patience: patience)
                    }
                    let stage = Stage(
                        client: client(.seconds(60)), hasty: client(.seconds(3)), folder: folder, server: server,
                        script: script, clock: clock)
                    try await body(stage, elsewhere)
                }
            }
        }
    }

    /// Runs `body` with the built program and a provider whose tokens have the real time, by default a plain one. The stage's
    /// clients use the program's store.
    static func withProgram(
        at provider: Provider = .openid, _ body: (Stage, HostileServer, SusiBinary) async throws -> Void
    ) async throws {
        try await withHome { home in
            try await with(provider, in: home.susiHome) { stage, elsewhere in
                try home.writePolicies(provider.policies(stage.server.origin))
                let now = TestEnvironment.realTime()
                stage.change {
                    $0.now = now
                    $0.claims = ["iat": "\(now)", "nbf": "\(now)", "exp": "\(now + 3_600)", "auth_time": "\(now)"]
                }
                try await body(stage, elsewhere, try SusiBinary(home: home))
            }
        }
    }

    /// Returns a client of the same store, with policies changed by `edit`, for another tenant if one is named. A log gets what
    /// `--debug` shows.
    func client(
        at tenant: String? = nil, log: Log? = nil, policies edit: (String) -> String = { $0 }
    ) throws -> PublicClient {
        let text = edit(script.withLock(\.provider).policies(server.origin))
        let application = try PoliciesFile(text: text.utf8, source: "the changed policies").applications[0]
        let there = try tenant.map { try application.at(try TenantName($0)) } ?? application
        return clock.client(of: there, in: folder, log: log)
    }

    /// The store of the clients, which exists.
    var store: AccountStore { get throws { try #require(try AccountStore(existing: folder)) } }

    /// Runs `body`, which fails, with a client that logs. Returns everything that the error and the log say.
    func shown(
        policies edit: (String) -> String = { $0 }, by body: (PublicClient) async throws -> Void
    ) async throws -> String {
        let log = Log()
        let client = try client(log: log, policies: edit)
        let error = await #expect(throws: SusiError.self) { try await body(client) }
        return (error.map { "\($0.code): \($0) \($0.next) \(String(describing: $0.refusal))\n" } ?? "") + log.text
    }

    /// Changes the provider's responses from now on.
    func change(_ mutate: (inout Script) throws -> Void) rethrows {
        let now = try script.withLock { script in
            try mutate(&script)
            return script.now
        }
        clock.now.withLock { $0 = now }
        state.withLock { ($0.steps, $0.nonce) = ([:], nil) }
    }

    var events: [SignInEvent] { state.withLock { $0.events } }

    /// Returns the parameter of the last request to the endpoint, or nil if it had none.
    func asked(_ parameter: String, at endpoint: String) -> String? {
        let last = server.asked.last { $0.path.hasSuffix("/\(endpoint)") }
        let fields = FormEncoding.decode((last?.method == "POST" ? last?.body : last?.query) ?? "") ?? []
        return fields.first { $0.name == parameter }?.value
    }

    var tokenRequests: Int { server.asked.filter { $0.path.hasSuffix("/token") }.count }

    func signIn(hastily: Bool = false, claims: ClaimsRequest? = nil) async throws(SusiError) -> SignInResult {
        var options = AuthorizationOptions(prompt: .selectAccount)
        options.claims = claims
        let request = SignInRequest(api: "hello", options: options)
        return try await signIn(request, with: hastily ? hasty : client)
    }

    func signIn(_ request: SignInRequest, with client: PublicClient) async throws(SusiError) -> SignInResult {
        let visits = script.withLock { $0.redirects.count }
        let surface = SignInSurface(browser: Visitor(visits: visits), timeout: 100) { event in
            self.state.withLock { $0.events.append(event) }
        }
        return try await client.signIn(request, through: surface)
    }

    func refresh(hastily: Bool = false, with other: PublicClient? = nil) async throws(SusiError) -> IssuedToken {
        try await (other ?? (hastily ? hasty : client)).token(
            api: "hello", options: TokenRequestOptions(forcesRefresh: true))
    }

    // MARK: The provider

    private func reply(_ asked: Asked) -> Reply {
        let script = script.withLock { $0 }
        if let reply = script.respond(asked) { return reply }
        if let reply = scriptedStep(asked, script.native) { return reply }
        switch asked.path.split(separator: "/").last {
        case "openid-configuration": return script.discoveryReply ?? .text(json(script.discovery))
        case "keys": return script.keysReply ?? .text("{\"keys\":[\(script.keys.joined(separator: ","))]}")
        case "authorize": return authorize(asked, script)
        case "userinfo": return script.userinfo ?? .text("{}", status: 404)
        case "device": return script.device ?? .text("{}", status: 404)
        case "token":
            let rewrite = script.rewriting(asked) ?? script.rewrite
            do { return try script.tokenReply ?? rewrite(response(asked, script)) } catch { return .silence }
        case "api" where !script.apiReplies.isEmpty:
            let call = state.withLock { state in
                state.calls += 1
                return state.calls - 1
            }
            return script.apiReplies[min(call, script.apiReplies.count - 1)]
        default: return .text("{}", status: 404)
        }
    }

    // The response to a step of native authentication; nil for valid tokens and for other requests.
    private func scriptedStep(_ asked: Asked, _ native: NativeScript) -> Reply? {
        let name = asked.path.split(separator: "/").last.map(String.init) ?? ""
        guard let endpoint = NativeScript.Endpoint(rawValue: name) else { return nil }
        let number = state.withLock { state in
            state.steps[endpoint, default: 0] += 1
            return state.steps[endpoint, default: 0] - 1
        }
        return native.reply(of: endpoint, number)
    }

    private func authorize(_ asked: Asked, _ script: Script) -> Reply {
        let fields = FormEncoding.decode(asked.query) ?? []
        let value = { (name: String) in fields.first { $0.name == name }?.value ?? "" }
        let visit = state.withLock { state in
            state.nonce = value("nonce")
            state.visits += 1
            return state.visits - 1
        }
        let redirect = script.redirects[min(visit, script.redirects.count - 1)].map { field in
            (name: field.name, value: field.value.replacing("STATE", with: value("state")))
        }
        if script.postsAnswers {
            let inputs = redirect.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" }
            let form = "<form method=\"post\" action=\"\(value("redirect_uri"))\">\(inputs.joined())</form>"
            return .text(form, type: "text/html")
        }
        let query = FormEncoding.encode(redirect)
        return .response(status: 302, headers: [("Location", "\(value("redirect_uri"))?\(query)")])
    }

    private func response(_ asked: Asked, _ script: Script) throws -> String {
        let (number, nonce) = state.withLock { state in
            state.answers += 1
            return (state.answers, asked.body.contains("refresh_token=") ? nil : state.nonce)
        }
        let access = "at-\(number)"
        var claims = script.provider.claims(script.origin, nonce: nonce)
        claims["at_hash"] = "\"\(Base64URL.encode(SHA256.hash(data: Array(access.utf8)).prefix(16)))\""
        let token = try script.signer.token(
            json(claims, script.claims), header: script.header, algorithm: script.algorithm)
        var members = [
            "access_token": "\"\(access)\"", "token_type": "\"Bearer\"", "expires_in": "3600",
            "refresh_token": "\"rt-\(number)\"", "scope": "\"openid \(Provider.scope)\"",
            "id_token": "\"\(script.idToken(token))\"",
        ]
        members["client_info"] = script.provider.clientInfo
        return json(members, script.response)
    }
}

/// The lines that a client traced.
final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    var text: String { lines.withLock { $0.joined(separator: "\n") } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
}

/// A browser without a window that opens the authorization endpoint once for each scripted redirect.
private struct Visitor: Susi.Browser {
    let visits: Int
    let isOnlyWay = true

    func open(_ url: String) async throws(SusiError) {
        do {
            // The short address in the browser's arguments redirects once.
            let page = try await PlainVisit.get(url).location ?? url
            for _ in 0..<visits {
                let response = try await HTTPClient.shared.execute(HTTPClientRequest(url: page), timeout: .seconds(100))
                _ = try await response.body.collect(upTo: 1 << 20)
            }
        } catch {
            throw SusiError(.failed, String(describing: error))
        }
    }
}
