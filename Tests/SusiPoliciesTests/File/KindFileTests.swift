import SusiBase
import SusiPolicies
import Testing

/// Applications of every kind in one policies.json.
enum KindFile {
    static let text = """
        {
          "current": "work",
          "applications": {
            "work": {
              "kind": "entra",
              "authority": "https://login.microsoftonline.com/common",
              "clientId": "11111111-1111-1111-1111-111111111111",
              "knownAuthorities": ["login.microsoftonline.com"]
            },
            "customers": {
              "kind": "external",
              "authority": "https://contoso.ciamlogin.com",
              "clientId": "22222222-2222-2222-2222-222222222222",
              "knownAuthorities": ["contoso.ciamlogin.com/contoso.onmicrosoft.com"]
            },
            "provider": {
              "kind": "openid",
              "authority": "https://id.example/Realms/A/",
              "clientId": "native",
              "policies": {
                "main": { "kind": "signUpOrSignIn", "default": true },
                "ci": { "kind": "resourceOwner" }
              },
              "knownAuthorities": ["id.example/Realms", "keys.example"]
            },
            "query": {
              "kind": "b2c",
              "authority": "https://contoso.b2clogin.com/contoso.onmicrosoft.com",
              "policyIn": "query",
              "clientId": "33333333-3333-3333-3333-333333333333",
              "policies": { "B2C_1_susi": { "kind": "signUpOrSignIn" } },
              "knownAuthorities": ["contoso.b2clogin.com"]
            }
          }
        }
        """

    static func changed(_ old: String, _ new: String) throws -> String {
        try #require(text.contains(old))
        return text.replacing(old, with: new, maxReplacements: 1)
    }

    /// Returns the text without policies, which the kind b2c requires.
    static func withoutPolicies() throws -> String {
        try changed("\"policies\": { \"B2C_1_susi\": { \"kind\": \"signUpOrSignIn\" } },", "")
    }
}

@Suite("Kinds in policies.json")
struct KindFileTests {
    @Test func readsEveryKind() throws {
        let file = try PoliciesFile(text: KindFile.text.utf8, source: "p.json")
        #expect(file.applications.map(\.kind) == [.entra, .external, .openid, .b2c])
        for application in file.applications {
            for policy in application.policies {
                guard case .allowed = application.knownAuthorities.decision(for: application.authority(for: policy))
                else {
                    Issue.record("\(application.name)")
                    continue
                }
            }
        }
        let policies = file.applications.map { $0.policies.map(\.name.spelling) }
        #expect(policies == [["default"], ["default"], ["main", "ci"], ["B2C_1_susi"]])
        #expect(
            file.applications.map { $0.defaultPolicy?.name.spelling } == ["default", "default", "main", "B2C_1_susi"])
        let authorities = file.applications.map { $0.authority(for: $0.policies[0]) }
        #expect(authorities[1].tenant == "contoso.onmicrosoft.com")
        #expect(authorities[2].tenant == "https://id.example/Realms/A/")
        #expect(authorities[3].address.description.hasSuffix("/contoso.onmicrosoft.com?p=B2C_1_susi"))
    }

    @Test(
        arguments: [
            ("https://login.microsoftonline.com/common", "https://login.microsoftonline.com", 6, "no tenant: write"),
            (
                "https://login.microsoftonline.com/common", "https://login.microsoftonline.com/common/v2.0", 6,
                "leave out"
            ),
            ("https://login.microsoftonline.com/common", "https://c.b2clogin.com/c", 6, "of the kind “b2c”"),
            ("https://login.microsoftonline.com/common", "https://c.ciamlogin.com/c", 6, "of the kind “external”"),
            ("https://contoso.ciamlogin.com\"", "https://login.contoso.example\"", 12, "no tenant: write"),
            ("https://contoso.ciamlogin.com\"", "https://login.windows.net/c\"", 12, "of the kind “entra”"),
            ("https://contoso.ciamlogin.com\"", "https://c.b2clogin.com/c\"", 12, "of the kind “b2c”"),
            ("https://contoso.b2clogin.com/contoso", "https://c.ciamlogin.com/contoso", 28, "of the kind “external”"),
            ("https://contoso.ciamlogin.com\"", "https://contoso.ciamlogin.com/a/b\"", 12, "leave out"),
            (
                "https://id.example/Realms/A/", "https://id.example/.well-known/openid-configuration", 18,
                "write the issuer"
            ),
            ("https://id.example/Realms/A/", "https://c.b2clogin.com/c/", 18, "of the kind “b2c”"),
            ("\"kind\": \"resourceOwner\"", "\"kind\": \"editProfile\"", 22, "no policy of kind “editProfile”"),
            (
                "\"clientId\": \"native\"", "\"policyIn\": \"query\", \"clientId\": \"native\"", 19,
                "do not name a policy"
            ),
            ("\"policyIn\": \"query\"", "\"policyIn\": \"fragment\"", 29, "unknown"),
            (
                "https://contoso.b2clogin.com/contoso", "https://login.microsoftonline.com/contoso", 28,
                "a B2C tenant is at"
            ),
        ])
    func rejectsKeysOfOtherKinds(old: String, new: String, line: Int, problem: String) throws {
        let text = try KindFile.changed(old, new)
        let error = try #require(throws: PolicyFileError.self) { try PoliciesFile(text: text.utf8, source: "p.json") }
        #expect(error.line == line, "\(error)")
        #expect(error.problem.contains(problem), "\(error)")
    }

    @Test func requiresPoliciesOfB2C() throws {
        let text = try KindFile.withoutPolicies()
        let error = try #require(throws: PolicyFileError.self) { try PoliciesFile(text: text.utf8, source: "p.json") }
        #expect(error.problem == "“policies” is missing" && error.key == "applications.query")
    }

    @Test(
        arguments: [
            (AuthorityKind.entra, "https://login.microsoftonline.com/common", "login.microsoftonline.com/COMMON", true),
            (.entra, "https://login.microsoftonline.com/common", "login.windows.net", false),
            (.entra, "https://login.microsoftonline.com/common", "login.microsoftonline.com/organizations", false),
            (.entra, "https://login.microsoftonline.com/common", "login.microsoftonline.com/common/default", false),
            (.external, "https://c.ciamlogin.com", "c.ciamlogin.com", true),
            (.external, "https://c.ciamlogin.com", "https://c.ciamlogin.com/c.onmicrosoft.com", true),
            (.external, "https://c.ciamlogin.com", "c.ciamlogin.com/d.onmicrosoft.com", false),
            (.openid, "https://id.example/Realms/A/", "id.example", true),
            (.openid, "https://id.example/Realms/A/", "https://id.example/Realms/A", true),
            (.openid, "https://id.example/Realms/A/", "id.example/realms/a", false),
            (.openid, "https://id.example/Realms", "id.example/Realms/A", false),
            (.openid, "https://id.example/RealmsX", "id.example/Realms", false),
        ])
    func checksEntriesOfEachKind(kind: AuthorityKind, base: String, entry: String, isAllowed: Bool) throws {
        try KnownAuthoritiesTests.check(entry, for: try IssuerTests.authority(kind, base), isAllowed: isAllowed)
    }
}
