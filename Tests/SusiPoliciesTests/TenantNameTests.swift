import SusiBase
import Testing

@testable import SusiPolicies

@Suite("Names of tenants")
struct TenantNameTests {
    @Test(
        "a tenant is named by its GUID or a domain",
        arguments: [
            "contoso.onmicrosoft.com", "Contoso.Example", "a-b.example", "775527FF-9a37-4307-8b3d-cc311f58d925",
        ])
    func acceptsNames(text: String) throws {
        #expect(try TenantName(text).description == text.lowercased())
    }

    @Test(
        "words for several tenants, paths and other texts are refused",
        arguments: [
            "", "common", "organizations", "consumers", "contoso", "a..b", ".a.b", "a.b.", "-a.b", "a-.b", "a_b.c",
            "a.b/c", "a.b?c", "a.b#c", "a b.c", "é.example", "http://a.b", "a.b:443",
        ])
    func refusesOtherTexts(text: String) {
        #expect(throws: InvalidInput.self) { try TenantName(text) }
    }

    @Test(
        "a tenant in an address is a domain, a GUID or a word for several",
        arguments: [
            ("common", true), ("Organizations", true), ("775527FF-9A37-4307-8B3D-CC311F58D925", true),
            ("contoso.example", true), ("contoso", false), ("a..b", false), ("a_b.c", false), ("", false),
        ])
    func recognizesTenants(text: String, isTenant: Bool) { #expect(AuthorityKind.isTenant(text) == isTenant) }

    @Test(
        arguments: [([], nil), (["B2C_1_a", "b2c_1a_b"], .b2c), (["B2C_1_a", "x"], nil), (["B2C_1_"], nil)]
            as [([String], AuthorityKind?)])
    func recognizesKindOfPolicies(names: [String], kind: AuthorityKind?) {
        #expect(AuthorityKind.ofPolicies(names) == kind)
    }

    private func application(_ known: [String], kind: AuthorityKind = .entra, at path: String = "common") throws
        -> Application
    {
        let base = try WebAddress("https://login.microsoftonline.com/\(path)")
        let policies = [
            Policy(name: PolicyName("default"), kind: .signUpOrSignIn, isDefault: true),
            Policy(
                name: PolicyName("partner"), kind: .signUpOrSignIn,
                authority: try WebAddress("https://login.microsoftonline.com/fabrikam.example")),
            Policy(
                name: PolicyName("cloud"), kind: .signUpOrSignIn,
                authority: try WebAddress("https://login.microsoftonline.us/fabrikam.example")),
            Policy(
                name: PolicyName("all"), kind: .signUpOrSignIn,
                authority: try WebAddress("https://login.microsoftonline.com/organizations")),
        ]
        return Application(
            name: "work", kind: kind, authority: base, clientID: "c", redirectPorts: [0], policies: policies,
            knownAuthorities: KnownAuthorities(try known.map(KnownAuthorities.Entry.init)), apis: [])
    }

    @Test("an application at a tenant uses that tenant under every policy")
    func movesEveryPolicy() throws {
        let there = try application([]).at(TenantName("T.example"))
        #expect(
            there.policies.map { there.authority(for: $0).address.description } == [
                "https://login.microsoftonline.com/t.example", "https://login.microsoftonline.com/t.example",
                "https://login.microsoftonline.us/t.example", "https://login.microsoftonline.com/t.example",
            ])
        #expect(there.homeAuthority(for: there.policies[0]).tenant == "common")
        #expect(throws: NoOtherTenants.self) { try application([], kind: .external).at(TenantName("t.example")) }
    }

    @Test(
        "only an entry with the tenant allows another tenant",
        arguments: [
            (["login.microsoftonline.com"], false), (["login.microsoftonline.com/common"], false),
            (["login.microsoftonline.com", "login.microsoftonline.com/T.EXAMPLE"], true),
            (["login.microsoftonline.com/other.example"], false),
        ])
    func needsEntryWithTenant(known: [String], isAllowed: Bool) throws {
        let there = try application(known).at(TenantName("t.example"))
        let decision = there.knownAuthorities.decision(for: there.authority(for: there.policies[0]))
        switch decision {
        case .allowed: #expect(isAllowed)
        case .refused(let refusal):
            #expect(!isAllowed)
            #expect(refusal.missing == "https://login.microsoftonline.com/t.example")
        }
    }

    @Test("sign-ins at the application's authority serve a policy of another tenant in the same cloud")
    func findsPoliciesAtHome() throws {
        let work = try application([])
        #expect(work.homePolicies(of: work.policies[0]).isEmpty)
        #expect(work.homePolicies(of: work.policies[1]).map(\.name.spelling) == ["default"])
        #expect(work.homePolicies(of: work.policies[2]).isEmpty)
        #expect(work.homePolicies(of: work.policies[3]).isEmpty, "everyone signs in at home there")
        let one = try application([], at: "contoso.example")
        #expect(one.homePolicies(of: one.policies[0]).isEmpty && one.homePolicies(of: one.policies[1]).count == 1)
        let plain = try application([], kind: .openid)
        #expect(plain.homePolicies(of: plain.policies[1]).isEmpty)
        let there = try work.at(TenantName("t.example"))
        #expect(there.homePolicies(of: there.policies[1]).map(\.name.spelling) == ["partner"])
    }

    @Test("the tenants of the list are those at the application's host")
    func listsNamedTenants() throws {
        let known = [
            "login.microsoftonline.com", "login.microsoftonline.com/common", "login.microsoftonline.com/a.b", "x.y/c.d",
        ]
        #expect(try application(known).namedTenants.map(\.description) == ["a.b"])
        let work = try application(known)
        #expect(work.namedAuthorities(for: work.policies[0]).map(\.tenant) == ["a.b"])
        let plain = try application(known, kind: .openid)
        #expect(plain.namedTenants.isEmpty && plain.namedAuthorities(for: plain.policies[0]).isEmpty)
    }
}
