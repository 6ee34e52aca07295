import SusiBase
import Testing

@testable import SusiPolicies

/// The valid issuers for an authority of each kind. Those of B2C are in `AuthorityTests`.
@Suite("Issuers")
struct IssuerTests {
    static let guid = AuthorityTests.guid
    static let other = AuthorityTests.other
    static let consumers = "9188040d-6c67-4c5b-b112-36a304b66dad"

    struct Case: Sendable, CustomTestStringConvertible {
        let kind: AuthorityKind
        let base: String
        let issuer: String
        /// The expected tenant: origin, a space, the id; "template" for several tenants; nil if the issuer is refused.
        let tenant: String?
        /// An entry of `knownAuthorities`.
        let known: String?

        init(_ kind: AuthorityKind, _ base: String, _ issuer: String, _ tenant: String?, known: String? = nil) {
            (self.kind, self.base, self.issuer, self.tenant, self.known) = (kind, base, issuer, tenant, known)
        }

        var testDescription: String { "\(kind) \(base) \(known ?? "") ← \(issuer)" }
    }

    static func authority(_ kind: AuthorityKind, _ base: String) throws -> Authority {
        Authority(kind: kind, base: try WebAddress(base), policy: PolicyName("default"))
    }

    static let external: [Case] = serviceHosts + customDomains

    static let serviceHosts: [Case] = {
        let base = "https://contoso.ciamlogin.com/contoso.onmicrosoft.com"
        let right = "https://\(guid).ciamlogin.com \(guid)"
        return [
            Case(.external, base, "https://\(guid).ciamlogin.com/\(guid)/v2.0", right),
            Case(.external, "https://contoso.ciamlogin.com", "https://\(guid).ciamlogin.com/\(guid)/v2.0", right),
            Case(.external, "https://\(guid).ciamlogin.com", "https://\(guid).ciamlogin.com/\(guid)/v2.0", right),
            Case(
                .external, base, "https://contoso.ciamlogin.com/\(guid)/v2.0", "https://contoso.ciamlogin.com \(guid)"),
            Case(
                .external, "http://localhost:8480/c", "http://localhost:8480/\(guid)/v2.0",
                "http://localhost:8480 \(guid)"),
            Case(
                .external, "https://login.contoso.example/c", "https://login.contoso.example/\(guid)/v2.0",
                "https://login.contoso.example \(guid)"),
            Case(.external, base, "https://\(guid).ciamlogin.com/\(other)/v2.0", nil),
            Case(.external, base, "https://\(other).ciamlogin.com/\(guid)/v2.0", nil),
            Case(
                .external, "https://contoso.ciamlogin.com/\(guid)", "https://\(other).ciamlogin.com/\(other)/v2.0", nil),
            Case(.external, "https://\(guid).ciamlogin.com", "https://\(guid).ciamlogin.com/\(other)/v2.0", nil),
            Case(.external, base, "https://\(guid).ciamlogin.com/\(guid)/v2.0/", nil),
            Case(.external, base, "https://\(guid).ciamlogin.com/\(guid)", nil),
            Case(.external, base, "https://\(guid).ciamlogin.com/\(guid)/v1.0", nil),
            Case(.external, base, "https://\(guid).ciamlogin.com/contoso.onmicrosoft.com/v2.0", nil),
            Case(.external, base, "https://\(guid).ciamlogin.com.evil.example/\(guid)/v2.0", nil),
            Case(.external, base, "https://\(guid).ciamlogin.com:8443/\(guid)/v2.0", nil),
            Case(.external, base, "http://\(guid).ciamlogin.com/\(guid)/v2.0", nil),
            Case(.external, base, "https://x@\(guid).ciamlogin.com/\(guid)/v2.0", nil),
            Case(.external, base, "https://fabrikam.ciamlogin.com/\(guid)/v2.0", nil),
            Case(.external, base, "https://login.microsoftonline.com/\(guid)/v2.0", nil),
            Case(.external, base, "https://{tenantid}.ciamlogin.com/{tenantid}/v2.0", nil),
            Case(.external, "http://localhost:8480/\(guid)", "https://\(guid).ciamlogin.com/\(guid)/v2.0", nil),
            Case(.external, "http://localhost:8480/c", "https://\(guid).ciamlogin.com/\(guid)/v2.0", nil),
            Case(
                .external, "http://localhost:8480/c", "https://\(guid).ciamlogin.com/\(guid)/v2.0", nil,
                known: "https://\(guid).ciamlogin.com/\(guid)"),
            // On this machine the tenant may have a name of its own, too.
            Case(
                .external, "http://localhost:8480/c", "http://\(guid).localhost:8480/\(guid)/v2.0",
                "http://localhost:8480 \(guid)"),
            Case(.external, "http://localhost:8480/c", "http://\(other).localhost:8480/\(guid)/v2.0", nil),
            Case(.external, "http://localhost:8480/c", "http://\(guid).localhost/\(guid)/v2.0", nil),
            Case(.external, "http://localhost:8480/c", "https://\(guid).localhost:8480/\(guid)/v2.0", nil),
            Case(.external, base, "https://\(guid).localhost/\(guid)/v2.0", nil),
            Case(.external, "https://ciamlogin.com/c", "https://\(guid).ciamlogin.com/\(guid)/v2.0", nil),
            Case(.external, "https://a.b.ciamlogin.com/c", "https://\(guid).ciamlogin.com/\(guid)/v2.0", nil),
        ]
    }()

    /// A custom domain may have the service's issuer, but the tenant's origin is the domain: any server can name that issuer.
    static let customDomains: [Case] = {
        let (byID, byName) = (
            "https://login.contoso.example/\(guid)", "https://login.contoso.example/c.onmicrosoft.com"
        )
        let service = "https://\(guid).ciamlogin.com/\(guid)/v2.0"
        let right = "https://login.contoso.example \(guid)"
        let by = { (base: String, issuer: String, known: String?, tenant: String?) in
            Case(.external, base, issuer, tenant, known: known)
        }
        return [
            by(byID, service, nil, right), by(byID.replacing(guid, with: guid.uppercased()), service, nil, right),
            by(byID, "https://login.contoso.example/\(guid)/v2.0", nil, right),
            by(byID, "https://\(other).ciamlogin.com/\(other)/v2.0", nil, nil),
            by(byID, "https://\(other).ciamlogin.com/\(other)/v2.0", "\(other).ciamlogin.com", nil),
            by(byID, "https://\(other).ciamlogin.com/\(guid)/v2.0", nil, nil),
            by(byID, "https://contoso.ciamlogin.com/\(guid)/v2.0", nil, nil),
            by(byID, "https://login.fabrikam.example/\(guid)/v2.0", nil, nil),
            // The name does not show whose domain it is.
            by(byName, service, nil, nil), by(byName, service, "https://\(guid).ciamlogin.com/\(guid)", right),
            by(byName, service, "\(guid).ciamlogin.com/\(guid)", right),
            by(byName, service, "\(guid).ciamlogin.com", right),
            by(byName, service, "https://\(other).ciamlogin.com/\(other)", nil),
            by(byName, service, "https://\(guid).ciamlogin.com/\(other)", nil),
            by(byName, service, "http://\(guid).ciamlogin.com/\(guid)", nil),
            by(byName, service, "https://login.contoso.example", nil),
            by(
                byName, "https://\(other).ciamlogin.com/\(guid)/v2.0", "https://\(other).ciamlogin.com/\(guid)", nil),
            by(byName, "https://login.fabrikam.example/\(guid)/v2.0", "https://login.fabrikam.example", nil),
        ]
    }()

    static let entra: [Case] = {
        let world = "https://login.microsoftonline.com"
        let (name, one) = ("\(world)/contoso.onmicrosoft.com", "\(world)/\(guid)")
        let right = "\(world) \(guid)"
        let china = "https://login.partner.microsoftonline.cn"
        return [
            Case(.entra, name, "\(world)/\(guid)/v2.0", right), Case(.entra, one, "\(world)/\(guid)/v2.0", right),
            Case(.entra, "\(world)/\(guid.uppercased())", "\(world)/\(guid)/v2.0", right),
            Case(.entra, "https://login.windows.net/\(guid)", "\(world)/\(guid)/v2.0", right),
            Case(.entra, "https://login.windows.net/\(guid)", "https://login.windows.net/\(guid)/v2.0", right),
            Case(.entra, "https://login.chinacloudapi.cn/\(guid)", "\(china)/\(guid)/v2.0", "\(china) \(guid)"),
            Case(
                .entra, "https://login.microsoftonline.us/\(guid)", "https://login.microsoftonline.us/\(guid)/v2.0",
                "https://login.microsoftonline.us \(guid)"),
            Case(
                .entra, "http://localhost:8480/\(guid)", "http://localhost:8480/\(guid)/v2.0",
                "http://localhost:8480 \(guid)"),
            Case(.entra, "\(world)/common", "\(world)/{tenantid}/v2.0", "template"),
            Case(.entra, "\(world)/Organizations", "\(world)/{tenantid}/v2.0", "template"),
            Case(.entra, "\(world)/consumers", "\(world)/{tenantid}/v2.0", "template"),
            Case(.entra, "\(world)/consumers", "\(world)/\(consumers)/v2.0", "\(world) \(consumers)"),
            Case(.entra, "http://localhost:8480/common", "http://localhost:8480/{tenantid}/v2.0", "template"),
            Case(.entra, "\(world)/consumers", "\(world)/\(guid)/v2.0", nil),
            Case(.entra, "\(world)/common", "\(world)/\(guid)/v2.0", nil),
            Case(.entra, "\(world)/organizations", "\(world)/\(consumers)/v2.0", nil),
            Case(.entra, "\(world)/common", "\(world)/{tenantid}/v2.0/", nil),
            Case(.entra, "\(world)/common", "\(world)/{tenantId}/v2.0", nil),
            Case(.entra, "\(world)/common", "\(world)/{tenantid}{tenantid}/v2.0", nil),
            Case(.entra, "\(world)/common", "\(world)/v2.0/{tenantid}", nil),
            Case(.entra, "\(world)/common", "https://{tenantid}.evil.example/{tenantid}/v2.0", nil),
            Case(.entra, "\(world)/common", "https://evil.example/{tenantid}/v2.0", nil),
            Case(.entra, name, "\(world)/{tenantid}/v2.0", nil), Case(.entra, one, "\(world)/{tenantid}/v2.0", nil),
            Case(.entra, one, "\(world)/\(other)/v2.0", nil), Case(.entra, one, "\(world)/\(guid)/v2.0/", nil),
            Case(.entra, one, "\(world)/\(guid)", nil), Case(.entra, one, "\(world)/\(guid)/", nil),
            Case(.entra, one, "https://sts.windows.net/\(guid)/", nil),
            Case(.entra, one, "https://sts.windows.net/\(guid)/v2.0", nil),
            Case(.entra, one, "http://login.microsoftonline.com/\(guid)/v2.0", nil),
            Case(.entra, one, "\(world).evil.example/\(guid)/v2.0", nil),
            Case(.entra, one, "\(world):8443/\(guid)/v2.0", nil),
            Case(.entra, one, "\(world)@evil.example/\(guid)/v2.0", nil),
            Case(.entra, one, "https://login.microsoftonline.us/\(guid)/v2.0", nil),
            Case(.entra, "https://login.microsoftonline.us/\(guid)", "\(world)/\(guid)/v2.0", nil),
            Case(.entra, "https://login.contoso.example/\(guid)", "\(world)/\(guid)/v2.0", nil),
            Case(.entra, "http://localhost:8480/\(guid)", "\(world)/\(guid)/v2.0", nil),
            Case(.entra, name, "\(world)/contoso.onmicrosoft.com/v2.0", nil), Case(.entra, name, "", nil),
        ]
    }()

    static let openid: [Case] = {
        let same = { (text: String, origin: String) in Case(.openid, text, text, "\(origin) \(text)") }
        let no = { (base: String, issuer: String) in Case(.openid, base, issuer, nil) }
        return [
            same("https://id.example", "https://id.example"), same("https://id.example/", "https://id.example"),
            same("https://id.example/Realms/A", "https://id.example"), same("https://ID.example", "https://id.example"),
            same("https://id.example:443/a/", "https://id.example"), same("http://[::1]:9000", "http://[::1]:9000"),
            no("https://id.example", "https://id.example/"), no("https://id.example/", "https://id.example"),
            no("https://id.example/a", "https://id.example/A"), no("https://id.example", "https://ID.example"),
            no("https://id.example", "https://id.example:443"), no("https://id.example", "http://id.example"),
            no("https://id.example", "https://id.example.evil.example"),
            no("https://id.example", "https://id.example/a"),
            no("https://id.example/a", "https://id.example"), no("https://id.example", "https://x@id.example"),
            no("https://id.example", "https://id.example?x"), no("https://id.example", "{tenantid}"),
            no("https://id.example", ""),
        ]
    }()

    @Test(arguments: external + entra + openid)
    func checksIssuers(_ row: Case) throws {
        let authority = try Self.authority(row.kind, row.base)
        let known = KnownAuthorities(try row.known.map { [try KnownAuthorities.Entry($0)] } ?? [])
        let tenant = try? authority.tenant(ofIssuer: row.issuer, known: known)
        #expect(tenant.map { found in found.id.map { "\(found.origin) \($0)" } ?? "template" } == row.tenant)
    }

    @Test func asksForGUIDOfCustomDomain() throws {
        let authority = try Self.authority(.external, "https://login.contoso.example/contoso.onmicrosoft.com")
        let wrong = #expect(throws: InvalidInput.self) {
            try authority.tenant(ofIssuer: "https://\(Self.guid).ciamlogin.com/\(Self.guid)/v2.0")
        }
        let entry = "\"https://\(Self.guid).ciamlogin.com/\(Self.guid)\" to knownAuthorities of the application"
        #expect(wrong?.reason.hasSuffix("write https://login.contoso.example/\(Self.guid), or add \(entry)") == true)
    }

    /// Microsoft Graph has the userinfo endpoint of a tenant, under a custom domain too. All other endpoints are at the domain.
    @Test func allowsUserInfoOfGraph() throws {
        let authority = try Self.authority(.external, "https://login.contoso.example/\(Self.guid)")
        let graph = try WebAddress("https://graph.microsoft.com/oidc/userinfo")
        let tenant = IssuingTenant(origin: "https://login.contoso.example", id: Self.guid)
        let known = KnownAuthorities([])
        #expect(authority.mayUse(.userinfo, at: graph, tenant: tenant, known: known))
        #expect(!authority.mayUse(.token, at: graph, tenant: tenant, known: known))
        let other = try WebAddress("https://graph.evil.example/oidc/userinfo")
        #expect(!authority.mayUse(.userinfo, at: other, tenant: tenant, known: known))
    }

    @Test(
        arguments: [
            (.entra, "https://login.microsoftonline.com/common", "common", guid, guid),
            (.entra, "https://login.microsoftonline.com/Organizations", "organizations", guid, guid),
            (.entra, "https://login.microsoftonline.com/common", "common", consumers, "consumers"),
            (.entra, "https://login.microsoftonline.com/consumers", "consumers", consumers, "consumers"),
            (.entra, "https://login.microsoftonline.com/organizations", "organizations", consumers, "organizations"),
            (.entra, "https://login.windows.net/common", "common", guid, guid),
            // A tenant's own authority, and an endpoint that does not name the tenant first, are kept.
            (.entra, "https://login.microsoftonline.com/\(other)", other, guid, other),
            (.entra, "https://login.microsoftonline.com/common", "x/common", guid, "x/common"),
            (.entra, "https://login.microsoftonline.com/common", "common", "contoso.onmicrosoft.com", "common"),
            (.entra, "https://login.microsoftonline.us/common", "common", guid, "common"),
            (.external, "https://login.microsoftonline.com/common", "common", guid, "common"),
        ] as [(AuthorityKind, String, String, String, String)])
    func refreshesAtHomeTenant(
        kind: AuthorityKind, base: String, word: String, tenant: String, expected: String
    ) throws {
        let authority = try Self.authority(kind, base)
        let address = { (word: String) in "https://login.microsoftonline.com/\(word)/oauth2/v2.0/token/?dc=1" }
        let found = authority.tokenEndpoint(try Endpoint(address(word)), ofTenant: tenant)
        #expect(found.description == address(expected))
    }

    @Test func reportsDifferentSpelling() throws {
        let authority = try Self.authority(.openid, "https://id.example/a")
        let near = #expect(throws: InvalidInput.self) { try authority.tenant(ofIssuer: "https://id.example/a/") }
        #expect(near?.reason.contains("write it exactly as the server does") == true)
        let far = #expect(throws: InvalidInput.self) { try authority.tenant(ofIssuer: "https://id.example/b") }
        #expect(far?.reason.contains("write it exactly as the server does") == false)
    }

    @Test(
        arguments: [
            ("common", guid, true), ("common", consumers, true), ("organizations", guid, true),
            ("organizations", consumers, false), ("consumers", consumers, true), ("consumers", guid, false),
            ("common", "{tenantid}", false), ("common", "contoso.onmicrosoft.com", false), ("common", "", false),
            ("common", guid.uppercased(), false), ("common", "\(guid)/v2.0/x", false), ("contoso.example", guid, false),
        ])
    func fillsTemplates(tenant: String, id: String, isServed: Bool) throws {
        let base = "https://login.microsoftonline.com"
        let authority = try Self.authority(.entra, "\(base)/\(tenant)")
        let issuer = authority.issuer(template: "\(base)/{tenantid}/v2.0", tenantID: id)
        #expect(issuer == (isServed ? "\(base)/\(id)/v2.0" : nil))
    }

    @Test(
        arguments: [
            (AuthorityKind.external, "https://c.ciamlogin.com", "https://c.ciamlogin.com/c.onmicrosoft.com/v2.0/"),
            (.external, "https://c.ciamlogin.com/\(guid)/", "https://c.ciamlogin.com/\(guid)/v2.0/"),
            (.external, "https://\(guid).ciamlogin.com", "https://\(guid).ciamlogin.com/\(guid)/v2.0/"),
            (.entra, "https://login.microsoftonline.com/common", "https://login.microsoftonline.com/common/v2.0/"),
            (.openid, "https://id.example/realms/a/", "https://id.example/realms/a/"),
            (.openid, "https://id.example", "https://id.example/"),
        ])
    func makesDiscoveryAddresses(kind: AuthorityKind, base: String, expected: String) throws {
        let authority = try Self.authority(kind, base)
        #expect(authority.discovery.description == expected + ".well-known/openid-configuration")
        #expect(!authority.address.description.contains("default"))
    }

    @Test func writesPolicyInQuery() throws {
        let authority = Authority(
            kind: .b2c, base: try WebAddress("https://c.b2clogin.com/c"), policy: PolicyName("B2C_1_x"),
            policyPlace: .query)
        #expect(authority.address.description == "https://c.b2clogin.com/c?p=B2C_1_x")
        let configuration = "https://c.b2clogin.com/c/v2.0/.well-known/openid-configuration?p=B2C_1_x"
        #expect(authority.discovery.description == configuration)
    }

    @Test(
        arguments: [
            ("https://contoso.ciamlogin.com", true), ("http://contoso.ciamlogin.com", false),
            ("https://contoso.ciamlogin.com:8443", false), ("https://.ciamlogin.com", false),
            ("https://a.contoso.ciamlogin.com", false), ("https://ciamlogin.com", false),
        ])
    func recognizesHostsOfTheExternalService(address: String, isHost: Bool) throws {
        #expect(ExternalRules().isServiceHost(try WebAddress(address)) == isHost)
    }

    @Test(
        arguments: [
            ("https://login.windows.net", true), ("http://login.windows.net", false),
            ("https://login.windows.net:8443", false), ("https://evil.login.windows.net", false),
        ])
    func recognizesHostsOfACloud(address: String, isHost: Bool) throws {
        #expect((EntraCloud.of(try WebAddress(address)) == .world) == isHost)
    }

    @Test func mapsAliasesToOneOrigin() throws {
        for host in EntraCloud.world.hosts {
            let authority = try Self.authority(.entra, "https://\(host)/common")
            #expect(authority.origin == "https://login.microsoftonline.com")
        }
    }
}
