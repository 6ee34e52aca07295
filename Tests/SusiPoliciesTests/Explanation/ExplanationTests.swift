import Testing

@testable import SusiPolicies

@Suite("Explanations of addresses")
struct ExplanationTests {
    static let guid = AuthorityTests.guid

    static let file = Result {
        try PoliciesFile(
            text: """
                {"current":"b2c","applications":{
                "b2c":{"kind":"b2c","authority":"https://c.b2clogin.com/c.onmicrosoft.com","clientId":"x",
                "policies":{"B2C_1_susi":{"kind":"signUpOrSignIn"},"B2C_1_edit":{"kind":"editProfile"}},
                "knownAuthorities":["https://c.b2clogin.com/c.onmicrosoft.com/B2C_1_susi"]},
                "own":{"kind":"b2c","authority":"https://login.contoso.example/c.onmicrosoft.com","clientId":"x",
                "policies":{"B2C_1_susi":{"kind":"signUpOrSignIn"}},"knownAuthorities":["c.b2clogin.com"]},
                "work":{"kind":"entra","authority":"https://login.microsoftonline.com/common","clientId":"x",
                "knownAuthorities":["login.microsoftonline.com"]},
                "ciam":{"kind":"external","authority":"https://c.ciamlogin.com","clientId":"x",
                "knownAuthorities":["c.ciamlogin.com"]},
                "other":{"kind":"openid","authority":"https://id.example/realms/a/","clientId":"x",
                "knownAuthorities":["id.example/realms/a"]}}}
                """.utf8, source: "p.json")
    }

    static func explain(_ address: String, as name: String? = nil) throws -> AuthorityExplanation {
        let file = try file.get()
        if let name { return try AuthorityExplanation(address, in: #require(file.application(name))) }
        return try #require(try AuthorityExplanation.all(address, for: file.applications).first)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let address: String
        let kind: AuthorityKind
        let role: AddressReading.Role
        let tenant: String?
        let policy: String?
        let uses: [String]
        let isAllowed: Bool
        var testDescription: String { address }

        init(
            _ address: String, _ kind: AuthorityKind, _ role: AddressReading.Role, _ tenant: String?,
            _ policy: String?, _ uses: [String], _ isAllowed: Bool
        ) {
            (self.address, self.kind, self.role) = (address, kind, role)
            (self.tenant, self.policy, self.uses, self.isAllowed) = (tenant, policy, uses, isAllowed)
        }

        init(
            _ address: String, _ kind: AuthorityKind, _ role: AddressReading.Role, _ tenant: String?, _ uses: [String],
            _ isAllowed: Bool
        ) { self.init(address, kind, role, tenant, nil, uses, isAllowed) }
    }

    static let rows: [Row] = {
        let (host, name) = ("https://c.b2clogin.com", "c.onmicrosoft.com")
        let (susi, edit) = (["b2c B2C_1_susi"], ["b2c B2C_1_edit"])
        let policy = "B2C_1_susi"
        return [
            Row("\(host)/\(name)/B2C_1_susi", .b2c, .authority, name, policy, susi, true),
            Row("\(host)/\(name)/B2C_1_susi/", .b2c, .authority, name, policy, susi, true),
            Row("\(host)/tfp/\(name)/b2c_1_SUSI", .b2c, .authority, name, "b2c_1_SUSI", susi, true),
            Row("\(host)/\(name)?p=B2C_1_susi", .b2c, .authority, name, policy, susi, true),
            Row(
                "\(host)/\(name)/v2.0/.well-known/openid-configuration?p=B2C_1_susi", .b2c, .configuration, name,
                policy, susi, true),
            Row(
                "\(host)/\(name)/B2C_1_susi/v2.0/.well-known/openid-configuration", .b2c, .configuration, name, policy,
                susi, true),
            Row(
                "\(host)/\(name)/B2C_1_susi/oauth2/v2.0/authorize?client_id=x&state=y#z", .b2c, .authorize, name,
                policy, susi, true),
            Row(
                "\(host)/\(name)/oauth2/v2.0/authorize?client_id=x&p=B2C_1_susi", .b2c, .authorize, name, policy, susi,
                true),
            Row("\(host)/\(name)/B2C_1_susi/oauth2/v2.0/token", .b2c, .token, name, policy, susi, true),
            Row("\(host)/\(name)/B2C_1_susi/oauth2/v2.0/logout", .b2c, .logout, name, policy, susi, true),
            Row("\(host)/\(name)/B2C_1_susi/discovery/v2.0/keys", .b2c, .keys, name, policy, susi, true),
            Row("\(host)/\(name)/B2C_1_susi/openid/v2.0/userinfo", .b2c, .userinfo, name, policy, susi, true),
            Row("\(host)/\(guid)/v2.0/", .b2c, .issuer, guid, susi + edit, true),
            Row("\(host)/tfp/\(guid)/B2C_1_susi/v2.0/", .b2c, .issuer, guid, policy, susi, true),
            Row("\(host)/\(name)/B2C_1_edit", .b2c, .authority, name, "B2C_1_edit", edit, false),
            Row("\(host)/\(name)", .b2c, .authority, name, susi + edit, true),
            Row(
                "\(host)/other.onmicrosoft.com/B2C_1_susi", .b2c, .authority, "other.onmicrosoft.com", policy, [], false
            ),
            Row(
                "https://login.contoso.example/\(name)/B2C_1_susi", .b2c, .authority, name, policy, ["own B2C_1_susi"],
                false),
            Row("https://login.microsoftonline.com/common", .entra, .authority, "common", ["work default"], true),
            Row(
                "https://login.microsoftonline.com/common/oauth2/v2.0/authorize?p=1", .entra, .authorize, "common",
                ["work default"], true),
            Row(
                "https://login.microsoftonline.com/common/oauth2/v2.0/devicecode", .entra, .deviceCode, "common",
                ["work default"], true),
            Row(
                "https://login.microsoftonline.com/{tenantid}/v2.0", .entra, .issuer, "{tenantid}", ["work default"],
                true),
            Row("https://login.microsoftonline.com/\(guid)", .entra, .authority, guid, [], true),
            Row("https://login.microsoftonline.us/common", .entra, .authority, "common", [], false),
            Row("https://c.ciamlogin.com/\(name)/oauth2/v2.0/token", .external, .token, name, ["ciam default"], true),
            Row("https://c.ciamlogin.com", .external, .authority, name, ["ciam default"], true),
            Row("https://\(guid).ciamlogin.com/\(guid)/v2.0", .external, .issuer, guid, ["ciam default"], true),
            Row(
                "https://id.example/realms/a/", .openid, .authority, "https://id.example/realms/a/", ["other default"],
                true),
            Row(
                "https://id.example/realms/a/.well-known/openid-configuration", .openid, .configuration,
                "https://id.example/realms/a", ["other default"], true),
            Row("http://c.b2clogin.com/\(name)/B2C_1_susi", .b2c, .authority, name, policy, [], false),
        ]
    }()

    @Test(arguments: rows)
    func explainsAddresses(_ row: Row) throws {
        let found = try Self.explain(row.address)
        #expect(found.kind == row.kind)
        #expect(found.reading.role == row.role)
        #expect(found.tenant == row.tenant)
        #expect(found.policy?.spelling == row.policy)
        #expect(found.uses.map { "\($0.application) \($0.policy)" } == row.uses)
        guard case .allowed = found.decision else {
            #expect(!row.isAllowed, "\(found.decision)")
            return
        }
        #expect(row.isAllowed)
    }

    @Test(
        arguments: [
            (
                "https://c.b2clogin.com/c.onmicrosoft.com/B2C_1_edit",
                "names one policy; “c.b2clogin.com/c.onmicrosoft.com” allows the whole tenant"
            ),
            (
                "https://login.contoso.example/c.onmicrosoft.com/B2C_1_susi",
                "if it is a custom domain of the tenant, add an entry for it"
            ),
            ("https://c.b2clogin.com.evil.example/c.onmicrosoft.com/B2C_1_susi", "is not a host of “b2clogin.com”"),
            ("https://c.b2clogin.us.evil.example/c.onmicrosoft.com/B2C_1_susi", "is not a host of “b2clogin.us”"),
            ("https://login.microsoftonline.com/c.onmicrosoft.com/B2C_1_susi", "looks like a B2C policy"),
            ("https://c.b2clogin.com/c.onmicrosoft.com/B2C_1_sussi", "did you mean “B2C_1_susi”?"),
            ("https://c.b2clogin.com/cc.onmicrosoft.com/B2C_1_susi", "did you mean “c.onmicrosoft.com”?"),
            ("https://c.b2clogin.com/\(guid)/B2C_1_susi", "names and GUIDs are compared as they are written"),
            ("https://d.b2clogin.com/c.onmicrosoft.com/B2C_1_susi", "the host looks like “c.b2clogin.com”"),
            ("https://c.b2clogin.com:8443/c.onmicrosoft.com/B2C_1_susi", "not https://c.b2clogin.com:8443"),
            ("https://c.ciamlogin.com/c/x", "more than a tenant in the path"),
            ("https://id.example/realms/a", "the file has this issuer as “https://id.example/realms/a/”"),
        ])
    func givesHints(address: String, expected: String) throws {
        let found = try Self.explain(address)
        var said = found.hints
        if case .refused(let refusal) = found.decision { said.append(refusal.reason) }
        #expect(said.contains { $0.contains(expected) }, "\(said)")
    }

    @Test func suggestsNoNameThatTheAddressHas() throws {
        let found = try Self.explain("https://c.b2clogin.com/fabrikam.onmicrosoft.com/B2C_1_susi")
        #expect(!"\(found.hints) \(found.decision)".contains("did you mean"))
    }

    @Test(arguments: ["https://c.ciamlogin.com:8443/c.onmicrosoft.com/x", "https://a.c.ciamlogin.com/c/x"])
    func aHostOfTheServiceIsNotALookalike(address: String) throws {
        #expect(try !Self.explain(address).hints.contains { $0.contains("is not a host of") })
    }

    @Test func reportsOtherKind() throws {
        let found = try Self.explain("https://x.b2clogin.com/c/B2C_1_a", as: "work")
        #expect(
            found.hints.first
                == "the kind of this address is “b2c”; the kind of the application “work” is “entra”")
    }

    @Test(
        "only an entry with a policy after the tenant allows one policy",
        arguments: [
            (.entra, "https://login.microsoftonline.com/c", "https://login.microsoftonline.com/c/x", nil),
            (.b2c, "http://c.b2clogin.com/c/B2C_1_susi", "http://c.b2clogin.com/c", "B2C_1_susi"),
        ] as [(AuthorityKind, String, String, String?)])
    func reportsNoPolicyOfOtherEntries(kind: AuthorityKind, address: String, entry: String, policy: String?) throws {
        let application = Application(
            name: "x", kind: kind, authority: try WebAddress("https://login.contoso.example/c"), clientID: "1",
            redirectPorts: [0], policies: [Policy(name: PolicyName(policy ?? "default"), kind: .signUpOrSignIn)],
            knownAuthorities: KnownAuthorities([try KnownAuthorities.Entry(entry)]), apis: [])
        let found = try AuthorityExplanation(address, in: application)
        guard case .refused = found.decision else {
            Issue.record("\(found.decision)")
            return
        }
        #expect(!found.hints.contains { $0.contains("names one policy") }, "\(found.hints)")
    }

    @Test("the entry that is proposed for the issuer of a custom domain makes it the application's issuer")
    func proposesIssuerOfCustomDomain() throws {
        let issuer = "https://\(Self.guid).ciamlogin.com/\(Self.guid)"
        let own = "https://login.contoso.example/c.onmicrosoft.com"
        let explain = { (known: KnownAuthorities) in
            let application = Application(
                name: "x", kind: .external, authority: try WebAddress(own), clientID: "1", redirectPorts: [0],
                policies: [Policy(name: PolicyName("default"), kind: .signUpOrSignIn)], knownAuthorities: known,
                apis: [])
            return try AuthorityExplanation("\(issuer)/v2.0", in: application)
        }
        guard case .refused(let refusal) = try explain(KnownAuthorities([try .init(own)])).decision else {
            Issue.record("the list does not have the issuer")
            return
        }
        #expect(refusal.missing == issuer)
        let found = try explain(KnownAuthorities([try .init(own), try .init(issuer)]))
        #expect(found.uses.count == 1 && found.hints.isEmpty)
        #expect(found.decision == .allowed(by: try .init(own)))
    }

    @Test(arguments: ["work", "other"]) func suggestsNoCustomDomainOfOtherKinds(application: String) throws {
        let found = try Self.explain("https://login.fabrikam.example/c", as: application)
        #expect(!found.hints.contains { $0.contains("custom domain") }, "\(found.hints)")
        #expect(
            try Self.explain("https://login.fabrikam.example/c", as: "b2c").hints.contains {
                $0.contains("custom domain")
            })
    }

    @Test(
        arguments: [
            ("https://c.b2clogin.com/c.example/B2C_1_susi/oauth2/v2.0/token", .b2c, "https://c.b2clogin.com/c.example"),
            ("https://c.b2clogin.com/tfp/c.example/B2C_1_susi", .b2c, "https://c.b2clogin.com/tfp/c.example"),
            ("https://login.contoso.example/c/d", nil, "https://login.contoso.example/c/d"),
        ] as [(String, AuthorityKind?, String)])
    func baseHasNoPolicy(address: String, kind: AuthorityKind?, base: String) throws {
        let reading = try AddressReading(address)
        #expect(reading.kind == kind && reading.base.description == base)
    }

    @Test(
        arguments: [
            ("https://c.b2clogin.com/tfp/c.example/B2C_1_susi", .b2c, "https://c.b2clogin.com/c.example", "B2C_1_susi"),
            ("https://login.contoso.example/c/B2C_1_x", .b2c, "https://login.contoso.example/c", "B2C_1_x"),
            ("https://login.contoso.example/c/own", .b2c, "https://login.contoso.example/c", "own"),
            ("https://login.contoso.example/c/own", .external, "https://login.contoso.example/c", nil),
            ("https://login.contoso.example/c", .b2c, "https://login.contoso.example/c", nil),
            ("https://login.contoso.example/tfp", .external, "https://login.contoso.example/tfp", nil),
            ("https://id.example/realms/a/", .openid, "https://id.example/realms/a", nil),
            ("https://login.microsoftonline.com/tfp/own", .b2c, "https://login.microsoftonline.com/own", nil),
        ] as [(String, AuthorityKind, String, String?)])
    func readsAuthorityOfAKind(address: String, kind: AuthorityKind, authority: String, policy: String?) throws {
        let reading = try AddressReading(address)
        #expect(reading.authority(of: kind).description == authority)
        #expect(reading.policy(kind)?.spelling == policy)
    }

    @Test(
        "a hint is not given where another cause is",
        arguments: [
            ("https://c.b2clogin.com:8443/c.onmicrosoft.com/B2C_1_susi", "the host looks like"),
            ("https://c.b2clogin.com/other.onmicrosoft.com/B2C_1_edit", "names one policy"),
            ("https://c.b2clogin.com/c.onmicrosoft.com/B2C_1_edit", "names the tenant"),
            ("https://c.b2clogin.com/C.onmicrosoft.com/B2C_1_edit", "names the tenant"),
            ("https://d.b2clogin.com/c.onmicrosoft.com/B2C_1_susi", "custom domain"),
            ("https://c.b2clogin.com/c.onmicrosoft.com/B2C_1_susi", "no policy of the application"),
            ("https://c.b2clogin.com/c.onmicrosoft.com/B2C_1_susi", "the kind of this address"),
            ("https://id.example/realms/b", "names the tenant"), ("https://id.example/realms/b", "every character"),
        ])
    func givesNoOtherHint(address: String, text: String) throws {
        let found = try Self.explain(address)
        #expect(!found.hints.contains { $0.contains(text) }, "\(found.hints)")
    }

    @Test(arguments: ["B2C_1_susi?p=b2c_1_SUSI", "oauth2/v2.0/authorize?p=B2C_1_susi&p=b2c_1_susi&x=1&x=2"])
    func readsPolicyThatIsNamedTwice(rest: String) throws {
        let found = try Self.explain("https://c.b2clogin.com/c.onmicrosoft.com/\(rest)")
        #expect(found.policy == PolicyName("B2C_1_susi"))
    }

    @Test func readsNoPolicyOfOtherKinds() throws {
        let reading = try AddressReading("https://login.microsoftonline.com/common/x?p=y&client_id&z=")
        #expect(reading.policy == nil && reading.clientID == nil)
    }

    @Test(
        arguments: [
            "x", "https://a@b.example/c", "https://b.example/../c", "", "https://c.b2clogin.com/c/B2C_1_a?p=B2C_1_b",
            "https://c.b2clogin.com/c/oauth2/v2.0/authorize?p=B2C_1_a&p=B2C_1_b",
            "https://login.microsoftonline.com/common/oauth2/v2.0/authorize?client_id=a&client_id=b",
        ])
    func rejectsInvalidAddresses(text: String) { #expect(throws: InvalidAddress.self) { try Self.explain(text) } }
}
