import NIOConcurrencyHelpers
import SusiOAuth
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiHTTP

/// A cache in memory and a clock that a test sets.
private final class Shelf: Sendable {
    private let box = NIOLockedValueBox<(documents: [String: DocumentCache.Document], now: Int64)>(([:], 1_000_000))

    var documents: [String: DocumentCache.Document] { box.withLockedValue { $0.documents } }

    func put(_ document: DocumentCache.Document, _ address: String) {
        box.withLockedValue { $0.documents[address] = document }
    }

    func pass(_ seconds: Int64) { box.withLockedValue { $0.now += seconds } }

    var cache: DocumentCache {
        DocumentCache(
            clock: { self.box.withLockedValue { $0.now } }, find: { self.documents[$0.description] },
            keep: { self.put($1, $0.description) })
    }
}

@Suite("Discovery and its cache", .timeLimit(.minutes(5)))
struct DiscoveryTests {
    static let guid = "775527ff-9a37-4307-8b3d-cc311f58d925"

    /// Returns the responses of a provider at the server's root: configuration, keys with the given ids, instance
    /// discovery.
    static func response(
        _ asked: Asked, origin: String, keys: [String] = ["a"], signer: Signer? = nil
    ) -> Reply {
        switch asked.target.split(separator: "?")[0] {
        case "/.well-known/openid-configuration":
            return .response(
                status: 200,
                body: """
                    {"issuer":"\(origin)","authorization_endpoint":"\(origin)/a","token_endpoint":"\(origin)/t",
                    "jwks_uri":"\(origin)/k","revocation_endpoint":"\(origin)/revoke"}
                    """)
        case "/k":
            let list = keys.compactMap { id in try? (signer ?? Signer.main.get()).jwk(["kid": id]) }
            return .response(status: 200, body: "{\"keys\":[\(list.joined(separator: ","))]}")
        default: return .response(status: 404)
        }
    }

    static func token(_ keyID: String, _ signer: Signer? = nil) throws -> String {
        try (signer ?? Signer.main.get()).token("{}", header: "{\"alg\":\"RS256\",\"kid\":\"\(keyID)\"}")
    }

    static func authority(_ server: Server) throws -> Authority {
        Authority(kind: .openid, base: try WebAddress(server.origin), policy: PolicyName("default"))
    }

    static func provider(
        _ server: Server, _ web: WebClient, _ cache: DocumentCache? = nil
    ) async throws -> Provider {
        let known = KnownAuthorities([try KnownAuthorities.Entry(server.origin)])
        return try await Provider.discover(try authority(server), known: known, client: web, cache: cache)
    }

    @Test func cachesDocumentsForADay() async throws {
        let shelf = Shelf()
        try await Server.serving({ Self.response($0, origin: $1) }) { server async throws in
            try await WebClient.with { web in
                for _ in 1...3 { _ = try await Self.provider(server, web, shelf.cache).keys(for: Self.token("a")) }
                #expect(server.asked.map(\.target) == ["/.well-known/openid-configuration", "/k"])
                #expect(shelf.documents.count == 2)
                shelf.pass(DocumentCache.lifetime - 1)
                _ = try await Self.provider(server, web, shelf.cache).keys(for: Self.token("a"))
                #expect(server.asked.count == 2)
                shelf.pass(1)
                _ = try await Self.provider(server, web, shelf.cache).keys(for: Self.token("a"))
                #expect(server.asked.count == 4)
                // The clock was set back.
                shelf.pass(-10)
                _ = try await Self.provider(server, web, shelf.cache)
                #expect(server.asked.count == 5)
                for _ in 1...2 { _ = try await Self.provider(server, web).keys(for: Self.token("a")) }
                #expect(server.asked.count == 9)
            }
        }
    }

    @Test func fetchesKeysForUnknownID() async throws {
        let shelf = Shelf()
        let keys = NIOLockedValueBox(["a"])
        try await Server.serving { asked, origin in
            Self.response(asked, origin: origin, keys: keys.withLockedValue { $0 })
        } _: { server async throws in
            try await WebClient.with { web in
                let provider = try await Self.provider(server, web, shelf.cache)
                let fetched = { server.asked.filter { $0.target == "/k" }.count }
                let first = try Self.token("a")
                #expect(try await provider.keys(for: first).hasSigned(try SignedToken(parsing: first)))
                keys.withLockedValue { $0 = ["b"] }
                for _ in 1...5 {
                    let token = try Self.token("b")
                    #expect(try await provider.keys(for: token).hasSigned(try SignedToken(parsing: token)))
                }
                #expect(fetched() == 2)
                for count in 3...5 {
                    _ = try await provider.keys(for: Self.token("invented"))
                    #expect(fetched() == count)
                }
                _ = try await provider.keys()
                #expect(fetched() == 5)
            }
        }
    }

    @Test func fetchesAKeyAgainThatWasReplacedUnderItsID() async throws {
        let signer = NIOLockedValueBox(try Signer.main.get())
        try await Server.serving { asked, origin in
            Self.response(asked, origin: origin, signer: signer.withLockedValue { $0 })
        } _: { server async throws in
            try await WebClient.with { web in
                let provider = try await Self.provider(server, web, Shelf().cache)
                _ = try await provider.keys(for: Self.token("a"))
                let other = try Signer.other.get()
                signer.withLockedValue { $0 = other }
                let token = try Self.token("a", other)
                #expect(try await provider.keys(for: token).hasSigned(try SignedToken(parsing: token)))
            }
        }
    }

    @Test func checksCachedDocuments() async throws {
        let shelf = Shelf()
        try await Server.serving({ Self.response($0, origin: $1) }) { server async throws in
            try await WebClient.with { web in
                _ = try await Self.provider(server, web, shelf.cache)
                let address = "\(server.origin)/.well-known/openid-configuration"
                let kept = try #require(shelf.documents[address])
                let bad = String(decoding: kept.body, as: UTF8.self).replacing(
                    "\(server.origin)/t", with: "https://evil.example/t")
                shelf.put(DocumentCache.Document(body: Array(bad.utf8), fetchedOn: kept.fetchedOn), address)
                let endpoint = try await Self.provider(server, web, shelf.cache).metadata.tokenEndpoint
                #expect(endpoint.description == "\(server.origin)/t")
                #expect(server.asked.count == 2)
                #expect(shelf.documents[address] == kept)
            }
        }
        let empty = Shelf()
        try await Server.serving { asked, origin in
            guard case .response(let status, let headers, let body) = Self.response(asked, origin: origin) else {
                return .silence
            }
            let bad = body.replacing("\(origin)/t", with: "https://evil.example/t")
            return .response(status: status, headers: headers, body: bad)
        } _: { server async throws in
            await #expect(throws: ProtocolViolation.self) {
                try await WebClient.with { try await Self.provider(server, $0, empty.cache) }
            }
            #expect(empty.documents.isEmpty)
        }
    }

    @Test(arguments: [true, false])
    func asksMicrosoftAboutUnknownHost(isKnown: Bool) async throws {
        try await Server.serving { asked, origin in
            isKnown
                ? .response(status: 200, body: "{\"tenant_discovery_endpoint\":\"https://x\"}")
                : .response(status: 400, body: "{\"error\":\"invalid_instance\"}")
        } _: { server async throws in
            let base = try WebAddress("https://login.unknown.invalid/contoso")
            let entra = Authority(kind: .entra, base: base, policy: PolicyName("default"))
            let instances = try WebAddress(server.origin)
            let host = KnownAuthorities([try KnownAuthorities.Entry("login.unknown.invalid")])
            let whole = KnownAuthorities([
                try KnownAuthorities.Entry("login.unknown.invalid"), try KnownAuthorities.Entry(base.description),
            ])
            let discover = { @Sendable (authority: Authority, known: KnownAuthorities) async throws in
                try await WebClient.with { web in
                    _ = try await Provider.discover(
                        authority, known: known, client: web, cache: nil, instances: instances)
                }
            }
            // The host itself does not exist.
            if isKnown {
                await #expect(throws: NetworkFailure.self) { try await discover(entra, host) }
            } else {
                let refusal = await #expect(throws: KnownAuthorities.Refusal.self) { try await discover(entra, host) }
                #expect(refusal?.missing == base.description)
            }
            let question =
                "/?api-version=1.1&authorization_endpoint=https%3A%2F%2Flogin.unknown.invalid%2Fcommon%2Foauth2%2Fv2.0%2Fauthorize"
            #expect(server.asked.map(\.target) == [question])
            // No request is needed for an entry with a tenant, for another kind, or for an authority that is not
            // listed.
            await #expect(throws: NetworkFailure.self) { try await discover(entra, whole) }
            let b2c = Authority(kind: .b2c, base: base, policy: PolicyName("B2C_1_susi"))
            await #expect(throws: NetworkFailure.self) { try await discover(b2c, host) }
            await #expect(throws: KnownAuthorities.Refusal.self) { try await discover(entra, KnownAuthorities([])) }
            #expect(server.asked.count == 1)
        }
    }

    @Test(
        arguments: [
            (AuthorityKind.entra, "https://login.unknown.example/c", true),
            (.entra, "https://login.microsoftonline.com.evil.example/c", true),
            (.entra, "https://login.microsoftonline.com:8443/c", true),
            (.entra, "https://login.microsoftonline.com/c", false), (.entra, "https://login.windows.net/c", false),
            (.entra, "https://login.sovcloud-identity.fr/c", false), (.entra, "http://localhost:8480/c", false),
            (.entra, "http://127.0.0.1:8480/c", false), (.b2c, "https://login.unknown.example/c", false),
            (.external, "https://login.unknown.example/c", false), (.openid, "https://login.unknown.example", false),
        ])
    func asksOnlyAboutUnknownHosts(kind: AuthorityKind, base: String, isAsked: Bool) throws {
        let base = try WebAddress(base)
        let authority = Authority(kind: kind, base: base, policy: PolicyName("default"))
        #expect(authority.needsInstanceDiscovery(allowedBy: try KnownAuthorities.Entry(base.origin)) == isAsked)
        if !base.segments.isEmpty {
            #expect(!authority.needsInstanceDiscovery(allowedBy: try KnownAuthorities.Entry(base.description)))
        }
    }
}
