import SusiPolicies
import Testing

@testable import SusiOAuth

/// Configurations and tokens of the kinds other than B2C.
@Suite("Kinds of authority on the wire")
struct KindTokenTests {
    static let guid = Contoso.guid
    static let other = "00000000-9a37-4307-8b3d-cc311f58d925"
    static let consumers = "9188040d-6c67-4c5b-b112-36a304b66dad"

    static func authority(_ kind: AuthorityKind, _ base: String) throws -> Authority {
        Authority(kind: kind, base: try WebAddress(base), policy: PolicyName("default"))
    }

    /// Returns a configuration whose endpoints are below `home`; `changes` replaces or adds members (JSON), nil removes
    /// one.
    static func text(_ issuer: String, at home: String, _ changes: [String: String?] = [:]) -> String {
        let members = [
            "issuer": "\"\(issuer)\"", "authorization_endpoint": "\"\(home)/a\"", "token_endpoint": "\"\(home)/t\"",
            "jwks_uri": "\"\(home)/k\"",
        ]
        return Contoso.json(members, changes)
    }

    static func metadata(
        _ authority: Authority, _ issuer: String, at home: String, _ changes: [String: String?] = [:],
        known: [String] = []
    ) throws -> ProviderMetadata {
        let entries = try known.map { entry throws in try KnownAuthorities.Entry(entry) }
        return try ProviderMetadata(
            parsing: Array(text(issuer, at: home, changes).utf8), of: authority, known: KnownAuthorities(entries))
    }

    static let world = "https://login.microsoftonline.com"
    static let ciam = "https://contoso.ciamlogin.com/c.onmicrosoft.com"
    static let ciamIssuer = "https://\(guid).ciamlogin.com/\(guid)/v2.0"

    struct Place: Sendable, CustomTestStringConvertible {
        let kind: AuthorityKind
        let base: String
        let issuer: String
        let field: String
        let address: String
        let known: [String]
        /// The missing entry of `knownAuthorities`; empty if no entry can allow the address, nil if it is allowed.
        let missing: String?
        var testDescription: String { "\(kind) \(field) \(address) \(known)" }

        init(
            _ kind: AuthorityKind, _ base: String, _ issuer: String, _ field: String, _ address: String,
            _ known: [String], missing: String?
        ) {
            (self.kind, self.base, self.issuer, self.field) = (kind, base, issuer, field)
            (self.address, self.known, self.missing) = (address, known, missing)
        }
    }

    static let places: [Place] = {
        let open = { (field: String, address: String, known: [String], missing: String?) in
            Place(.openid, "https://id.example/a", "https://id.example/a", field, address, known, missing: missing)
        }
        let work = { (field: String, address: String, missing: String?) in
            Place(.entra, "\(world)/\(guid)", "\(world)/\(guid)/v2.0", field, address, [], missing: missing)
        }
        let external = { (field: String, address: String, missing: String?) in
            Place(.external, ciam, ciamIssuer, field, address, [], missing: missing)
        }
        return [
            open("jwks_uri", "https://keys.example/k", [], "keys.example"),
            open("jwks_uri", "https://keys.example/k", ["keys.example"], nil),
            open("jwks_uri", "https://keys.example/k", ["https://keys.example/k"], nil),
            open("jwks_uri", "https://keys.example/k", ["keys.example/other"], "keys.example"),
            open("jwks_uri", "https://keys.example:8443/k", ["keys.example"], "keys.example:8443"),
            open("jwks_uri", "https://keys.example.evil.example/k", ["keys.example"], "keys.example.evil.example"),
            open("jwks_uri", "http://keys.example/k", ["http://keys.example"], ""),
            open("token_endpoint", "https://token.example/t", ["keys.example"], "token.example"),
            open("token_endpoint", "https://token.example/t", ["token.example"], nil),
            open("authorization_endpoint", "https://evil.example/a", [], "evil.example"),
            open("userinfo_endpoint", "https://evil.example/u", [], "evil.example"),
            open("end_session_endpoint", "https://evil.example/e", [], "evil.example"),
            open("device_authorization_endpoint", "https://evil.example/d", [], "evil.example"),
            open("revocation_endpoint", "https://evil.example/r", [], "evil.example"),
            open("token_endpoint", "http://127.0.0.1:9000/t", [], "http://127.0.0.1:9000"),
            open("token_endpoint", "https://id.example/other/t", [], nil),
            work("userinfo_endpoint", "https://graph.microsoft.com/oidc/userinfo", nil),
            work("token_endpoint", "https://graph.microsoft.com/t", "graph.microsoft.com"),
            work("userinfo_endpoint", "https://graph.microsoft.com:8443/u", "graph.microsoft.com:8443"),
            work("userinfo_endpoint", "https://graph.microsoft.de/u", "graph.microsoft.de"),
            work("token_endpoint", "https://login.windows.net/t", nil),
            work("token_endpoint", "https://login.microsoftonline.us/t", "login.microsoftonline.us"),
            work("jwks_uri", "https://evil.example/k", "evil.example"),
            external("token_endpoint", "https://\(guid).ciamlogin.com/\(guid)/t", nil),
            external("token_endpoint", "https://\(other).ciamlogin.com/\(guid)/t", "\(other).ciamlogin.com"),
            external("userinfo_endpoint", "https://graph.microsoft.com/oidc/userinfo", nil),
            external("token_endpoint", "https://login.microsoftonline.com/t", "login.microsoftonline.com"),
            Place(
                .external, "http://localhost:8480/c", "http://localhost:8480/\(guid)/v2.0", "userinfo_endpoint",
                "https://graph.microsoft.com/oidc/userinfo", [], missing: "graph.microsoft.com"),
            Place(
                .external, "https://login.contoso.example/\(guid)", ciamIssuer, "token_endpoint",
                "https://\(guid).ciamlogin.com/\(guid)/t", [], missing: "\(guid).ciamlogin.com"),
            Place(
                .external, "https://login.contoso.example/c.onmicrosoft.com", ciamIssuer, "token_endpoint",
                "https://\(guid).ciamlogin.com/\(guid)/t", ["https://\(guid).ciamlogin.com/\(guid)"], missing: nil),
            Place(
                .external, "https://login.contoso.example/c", "https://login.contoso.example/\(guid)/v2.0",
                "token_endpoint", "https://\(guid).ciamlogin.com/\(guid)/t", [], missing: "\(guid).ciamlogin.com"),
        ]
    }()

    @Test(arguments: places)
    func rejectsEndpointsElsewhere(_ place: Place) throws {
        let authority = try Self.authority(place.kind, place.base)
        let read = {
            try Self.metadata(
                authority, place.issuer, at: place.base, [place.field: "\"\(place.address)\""], known: place.known)
        }
        guard let missing = place.missing else {
            let name = try #require(EndpointName(rawValue: place.field))
            #expect(try read().endpoint(name)?.description == place.address)
            return
        }
        let name = try #require(EndpointName(rawValue: place.field))
        // An endpoint that a sign-in does not need is refused only when it is used.
        if !name.isRequired { #expect(try read().endpoints.count == 3) }
        let violation = try #require(throws: ProtocolViolation.self) {
            let metadata = try read()
            #expect(!name.isRequired)
            _ = try metadata.endpoint(name)
        }
        #expect(violation.reason.contains("\(place.field) is at"), "\(violation.reason)")
        let advice = "add \"\(missing)\" to knownAuthorities"
        #expect(violation.reason.contains(missing.isEmpty ? "is at" : advice), "\(violation.reason)")
        #expect(!missing.isEmpty || !violation.reason.contains("knownAuthorities"))
    }

    @Test func reportsAllViolations() throws {
        let authority = try Self.authority(.openid, "https://id.example/a")
        let text = Self.text(
            "https://id.example/b", at: "https://id.example/a",
            ["token_endpoint": nil, "jwks_uri": "5", "userinfo_endpoint": "\"https://evil.example\""])
        let found = ProviderMetadata.violations(in: Array(text.utf8), of: authority, known: KnownAuthorities([]))
        #expect(found.count == 4)
        for part in ["issuer", "no token_endpoint", "jwks_uri is not an address", "userinfo_endpoint is at"] {
            #expect(found.contains { $0.reason.contains(part) })
        }
        let good = Self.text("https://id.example/a", at: "https://id.example/a")
        #expect(ProviderMetadata.violations(in: Array(good.utf8), of: authority, known: KnownAuthorities([])).isEmpty)
    }

    @Test func readsFeaturesOfConfiguration() throws {
        let authority = try Self.authority(.openid, "https://id.example")
        let plain = try Self.metadata(authority, "https://id.example", at: "https://id.example")
        #expect(plain.responseModes == ["query", "fragment"])
        #expect(!plain.announcesIssuerParameter && plain.endpoints.count == 3)
        let rich = try Self.metadata(
            authority, "https://id.example", at: "https://id.example",
            [
                "response_modes_supported": "[\"form_post\"]", "grant_types_supported": "[\"refresh_token\"]",
                "authorization_response_iss_parameter_supported": "true",
                "revocation_endpoint": "\"https://id.example/r?x=1\"",
            ])
        #expect(rich.responseModes == ["form_post"])
        #expect(rich.announcesIssuerParameter)
        #expect(try rich.endpoint(.revocation)?.description == "https://id.example/r?x=1")
    }

    @Test func keepsQueryOfEndpoint() throws {
        let authority = Authority(
            kind: .b2c, base: try WebAddress("https://c.b2clogin.com/c"), policy: PolicyName("B2C_1_susi"),
            policyPlace: .query)
        let metadata = try Self.metadata(
            authority, "https://c.b2clogin.com/\(Self.guid)/v2.0/", at: "https://c.b2clogin.com/c",
            ["authorization_endpoint": "\"https://c.b2clogin.com/c/oauth2/v2.0/authorize?p=b2c_1_susi\""])
        let request = try MessageTests.request()
        let url = request.url(at: metadata.authorizationEndpoint)
        #expect(url.hasPrefix("https://c.b2clogin.com/c/oauth2/v2.0/authorize?p=b2c_1_susi&"))
        #expect(url.split(separator: "?").count == 2 && url.contains("&state=\(request.state)"))
    }

    // MARK: Tokens

    static func person(
        _ base: String, _ issuer: String, _ kind: AuthorityKind, claims: [String: String?]
    ) throws -> Person {
        let authority = try authority(kind, base)
        let rules = IDTokenRules(
            authority: authority, metadata: try metadata(authority, issuer, at: base), clientID: Contoso.client,
            nonce: "n1", now: Contoso.now)
        return try rules.check(IDTokenTests.token(["tfp": nil].merging(claims) { $1 }), accessToken: nil)
    }

    @Test(
        "tokens of an authority of several tenants: the issuer is that of the tenant which the token names",
        arguments: [
            ("common", "\(world)/\(guid)/v2.0", "\"\(guid)\"", true),
            ("common", "\(world)/\(consumers)/v2.0", "\"\(consumers)\"", true),
            ("organizations", "\(world)/\(guid)/v2.0", "\"\(guid)\"", true),
            ("organizations", "\(world)/\(consumers)/v2.0", "\"\(consumers)\"", false),
            ("consumers", "\(world)/\(consumers)/v2.0", "\"\(consumers)\"", true),
            ("consumers", "\(world)/\(guid)/v2.0", "\"\(guid)\"", false),
            ("common", "\(world)/\(guid)/v2.0", "\"\(other)\"", false), ("common", "\(world)/\(guid)/v2.0", nil, false),
            ("common", "\(world)/{tenantid}/v2.0", "\"{tenantid}\"", false),
            ("common", "\(world)/{tenantid}/v2.0", "\"\(guid)\"", false),
            ("common", "\(world)/\(guid)/v2.0/", "\"\(guid)\"", false),
            ("common", "\(world)/\(guid.uppercased())/v2.0", "\"\(guid.uppercased())\"", false),
            ("common", "https://evil.example/\(guid)/v2.0", "\"\(guid)\"", false),
            ("common", "\(world)/\(guid)/v2.0", "5", false),
        ] as [(String, String, String?, Bool)])
    func template(tenant: String, issuer: String, tid: String?, isTaken: Bool) throws {
        let read = {
            try Self.person(
                "\(Self.world)/\(tenant)", "\(Self.world)/{tenantid}/v2.0", .entra,
                claims: ["iss": "\"\(issuer)\"", "tid": tid])
        }
        guard isTaken else {
            #expect(throws: ProtocolViolation.self) { try read() }
            return
        }
        let person = try read()
        #expect(person.tenant.origin == Self.world && person.subject == Contoso.object)
        #expect(tid == "\"\(person.tenant.id)\"")
    }

    @Test func checksTenantID() throws {
        let issuer = "\(Self.world)/\(Self.guid)/v2.0"
        let read = { (tid: String?) in
            try Self.person("\(Self.world)/c.example", issuer, .entra, claims: ["iss": "\"\(issuer)\"", "tid": tid])
        }
        #expect(try read(nil).tenant.id == Self.guid)
        #expect(try read("\"\(Self.guid)\"").tenant.id == Self.guid)
        #expect(throws: ProtocolViolation.self) { try read("\"\(Self.other)\"") }
        let token = try IDTokenTests.token(["tid": "\"\(Self.other)\""])
        #expect(try Contoso.rules().check(token, accessToken: nil).tenant.id == Contoso.guid)
    }

    @Test func mapsAliasesToOnePerson() throws {
        let issuer = "\(Self.world)/\(Self.guid)/v2.0"
        let people = try ["login.microsoftonline.com", "login.windows.net", "login.microsoft.com"].map { host in
            try Self.person("https://\(host)/\(Self.guid)", issuer, .entra, claims: ["iss": "\"\(issuer)\""])
        }
        #expect(Set(people).count == 1)
    }

    @Test func identifiesPersonByIssuerAndSubject() throws {
        let issuer = "https://id.example/Realms/A/"
        let person = try Self.person(
            issuer, issuer, .openid,
            claims: ["iss": "\"\(issuer)\"", "sub": "\"AbC\"", "oid": "\"x\"", "tfp": "\"other\""])
        #expect(person == Person(tenant: Tenant(origin: "https://id.example", id: issuer), subject: "AbC"))
        #expect(person.tenant.id == issuer)
        #expect(Tenant(origin: "o", id: "ABC").id == "abc")
        #expect(throws: ProtocolViolation.self) {
            try Self.person(issuer, issuer, .openid, claims: ["iss": "\"\(issuer)\"", "sub": nil])
        }
    }
}
