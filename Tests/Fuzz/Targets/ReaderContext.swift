import SusiBase
import SusiOAuth
import SusiPolicies

/// The values that the readers get.
enum ReaderContext {
    static let now: Int64 = 1_800_000_000
    static let guid = "775527ff-9a37-4307-8b3d-cc311f58d925"
    static let account = Account(
        person: Person(tenant: Tenant(origin: "https://h.example", id: guid), subject: "s"), policy: PolicyName("p"),
        clientID: "c")

    static let requests: [AuthorizationRequest] = zip(
        AuthorityKind.allCases,
        [
            "https://h.example/t.example", "https://h.example/t.example", "https://h.example/common",
            "https://h.example/i",
        ]
    ).compactMap { kind, base in
        guard let base = try? WebAddress(base) else { return nil }
        return AuthorizationRequest(
            authority: Authority(kind: kind, base: base, policy: PolicyName("p")), clientID: "c",
            redirectURI: "http://localhost:1/", scopes: ScopeSet(["a"]))
    }

    /// The base of an API, and an address outside of it.
    static let (base, elsewhere): (WebAddress, WebAddress) = {
        guard let base = try? WebAddress("https://h.example/api/v1"), let other = try? WebAddress("https://o.example/x")
        else { fatalError("the addresses are wrong") }
        return (base, other)
    }()

    /// Returns a valid configuration.
    static func metadata(_ authority: Authority) -> ProviderMetadata {
        let issuers = [
            "https://h.example/\(guid)/v2.0/", "https://h.example/\(guid)/v2.0", "https://h.example/{tenantid}/v2.0",
            authority.base.spelling,
        ]
        for issuer in issuers {
            let text = """
                {"issuer":"\(issuer)","authorization_endpoint":"https://h.example/a","token_endpoint":"https://h.example/t",\
                "jwks_uri":"https://h.example/k"}
                """
            if let metadata = try? ProviderMetadata(parsing: Array(text.utf8), of: authority) { return metadata }
        }
        fatalError("no configuration for \(authority)")
    }

    static func rules(_ authority: Authority, _ previous: JSONNode? = nil) -> IDTokenRules {
        IDTokenRules(
            authority: authority, metadata: metadata(authority), clientID: "c", nonce: previous == nil ? "n" : nil,
            now: now,
            serverTime: previous == nil ? now : nil, maximumAge: 60, code: "code", previous: previous)
    }

    /// The key of RFC 7515 appendix A.3.
    static let keys: KeySet = {
        let key = """
            {"keys":[{"kty":"EC","crv":"P-256","kid":"k","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",\
            "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]}
            """
        guard let keys = try? KeySet(parsing: Array(key.utf8)) else { fatalError("the key is wrong") }
        return keys
    }()

    /// Checks that a refusal is short and has a consequence.
    static func use(_ refusal: ServerRefusal) {
        precondition(refusal.text.utf8.count < 1_100 && refusal.error.utf8.count < 1_100)
        _ = refusal.consequence
    }
}
