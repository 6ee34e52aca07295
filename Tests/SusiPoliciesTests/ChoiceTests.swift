import SusiPolicies
import Testing

@Suite("Choosing policies and scopes")
struct ChoiceTests {
    static let susi = Policy(name: PolicyName("B2C_1_susi"), kind: .signUpOrSignIn)
    static let partner = Policy(name: PolicyName("B2C_1_partner"), kind: .signUpOrSignIn, scopes: ["https://p/own"])
    static let edit = Policy(name: PolicyName("B2C_1_edit"), kind: .editProfile)
    static let reset = Policy(name: PolicyName("B2C_1_reset"), kind: .passwordReset)

    static func api(_ name: String, _ scopes: [String], _ policy: String? = nil) throws -> API {
        API(
            name: name, baseURL: try WebAddress("https://api.example/\(name)"), scopes: scopes,
            policy: policy.map { PolicyName($0) })
    }

    static func application(
        _ policies: [Policy], _ apis: [API] = [], kind: AuthorityKind = .b2c, host: String = "c.b2clogin.com"
    ) throws -> Application {
        Application(
            name: "main", kind: kind, authority: try WebAddress("https://\(host)/c"), clientID: "1",
            redirectPorts: [0], policies: policies, knownAuthorities: KnownAuthorities([]), apis: apis)
    }

    @Test func choosesDefaultPolicy() throws {
        let marked = Policy(name: PolicyName("x"), kind: .signUpOrSignIn, isDefault: true)
        #expect(try Self.application([Self.susi, marked]).defaultPolicy == marked)
        #expect(try Self.application([Self.edit, Self.susi, Self.reset]).defaultPolicy == Self.susi)
        #expect(try Self.application([Self.susi, Self.partner]).defaultPolicy == nil)
        #expect(try Self.application([Self.edit, Self.reset]).defaultPolicy == nil)
    }

    @Test func choosesPolicyByName() throws {
        let application = try Self.application([Self.susi, Self.edit])
        #expect(try application.choosePolicy(PolicyName("b2c_1_SUSI")) == Self.susi)
        let error = try #require(throws: ChoiceError.self) { try application.choosePolicy(PolicyName("B2C_1_sussi")) }
        #expect(error.subject == .policy)
        #expect(error.nearMatch == "B2C_1_susi")
        #expect(error.candidates == ["B2C_1_susi"])
        #expect(throws: ChoiceError.self) { try application.choosePolicy(PolicyName("susi")) }
    }

    @Test(
        arguments: [
            ("susi", ["B2C_1_susi"]), ("SUS", ["B2C_1_susi", "B2C_1_susi_v2"]), ("B2C_1_susi_", []),
            ("edit", ["B2C_1_edit"]), ("b2c_1a_s", []), ("signup", ["B2C_1A_signup_signin"]),
            ("_signin", ["B2C_1A_signup_signin"]),
            ("s", ["B2C_1_susi", "B2C_1_susi_v2", "B2C_1A_signup_signin", "staff"]),
            ("v2", ["B2C_1_susi_v2", "B2C_1_edit_v2"]), ("susi_", ["B2C_1_susi_v2"]),
            ("b2c", []), ("B2C_1", []), ("", []), ("B2C_1_susi_v3", []), ("%", []),
        ])
    func listsMeaningsOfShortenedName(typed: String, expected: [String]) throws {
        let names = ["B2C_1_susi", "B2C_1_susi_v2", "B2C_1_edit", "B2C_1_edit_v2", "B2C_1A_signup_signin", "staff"]
        let policies = names.map { Policy(name: PolicyName($0), kind: .signUpOrSignIn) }
        let application = try Self.application(policies)
        let name = PolicyName(typed)
        #expect(application.policies(shortenedTo: name, of: nil).map(\.name.spelling) == expected)
        #expect(application.policies(shortenedTo: name, of: .editProfile).isEmpty)
        // None of them is chosen.
        let error = try #require(throws: ChoiceError.self) { try application.choosePolicy(name) }
        #expect(error.candidates == (expected.isEmpty ? names : expected))
        #expect(error.shortened?.meanings == (expected.isEmpty ? nil : expected))
    }

    @Test func completesNoWholeName() throws {
        let old = Policy(name: PolicyName("old_B2C_1_susi"), kind: .signUpOrSignIn)
        let application = try Self.application([old])
        #expect(application.policies(shortenedTo: PolicyName("old_b2c"), of: nil) == [old])
        for name in ["B2C_1_su", "old_b2c_1_susi"] {
            #expect(application.policies(shortenedTo: PolicyName(name), of: nil).isEmpty, "\(name)")
        }
    }

    @Test func suggestsNearestPart() throws {
        let error = try #require(throws: ChoiceError.self) {
            try Self.application([Self.susi, Self.partner]).choosePolicy(PolicyName("partnre"))
        }
        #expect(error.nearMatch == "B2C_1_partner")
    }

    @Test func prefersPolicyOfKind() throws {
        let application = try Self.application([
            Policy(name: PolicyName("B2C_1_edit_all"), kind: .signUpOrSignIn), Self.edit, Self.susi,
        ])
        #expect(application.policies(shortenedTo: PolicyName("ed"), of: .editProfile) == [Self.edit])
        let error = try #require(throws: ChoiceError.self) {
            try application.choosePolicy(PolicyName("ed"), of: .editProfile)
        }
        #expect(error.shortened?.meanings == ["B2C_1_edit"])
        let other = try #require(throws: ChoiceError.self) {
            try application.choosePolicy(PolicyName("sus"), of: .editProfile)
        }
        #expect(other.shortened?.meanings == ["B2C_1_susi"])
    }

    @Test func requiresNameWithoutDefault() throws {
        let application = try Self.application([Self.susi, Self.partner])
        let error = try #require(throws: ChoiceError.self) { try application.choosePolicy(nil) }
        #expect(error.candidates == ["B2C_1_susi", "B2C_1_partner"])
        #expect(try application.choosePolicy(PolicyName("B2C_1_partner")) == Self.partner)
    }

    @Test func choosesPolicyOfKind() throws {
        let one = try Self.application([Self.susi, Self.edit])
        #expect(try one.choosePolicy(nil, of: .editProfile) == Self.edit)
        #expect(throws: ChoiceError.self) { try one.choosePolicy(nil, of: .passwordReset) }
        let error = try #require(throws: ChoiceError.self) { try one.choosePolicy(Self.susi.name, of: .editProfile) }
        #expect(error.problem.contains("sign-up or sign-in"))
        #expect(error.candidates == ["B2C_1_edit"])
        let more = Policy(name: PolicyName("B2C_1_edit2"), kind: .editProfile)
        let two = try Self.application([Self.susi, Self.edit, more])
        #expect(throws: ChoiceError.self) { try two.choosePolicy(nil, of: .editProfile) }
        #expect(try two.choosePolicy(more.name, of: .editProfile) == more)
    }

    @Test func prefersScopesOfPolicy() throws {
        let application = try Self.application(
            [Self.susi, Self.edit, Self.partner], [try Self.api("a", ["https://a/read"], "B2C_1_PARTNER")])
        let target = try application.target(api: nil, policy: Self.partner.name)
        #expect(target == TokenTargetFacts(Self.partner, ["https://p/own"], nil))
        #expect(
            try application.target(api: "a", policy: nil) == TokenTargetFacts(Self.partner, ["https://a/read"], "a"))
    }

    @Test(
        arguments: [
            (.b2c, ["https://c/a/read", "https://c/a/write"], true),
            (.b2c, ["https://c/a/read", "https://c/b/read"], false),
            (.b2c, ["https://c/a/read", "openid", "offline_access"], true), (.b2c, ["1", "https://c/a/read"], false),
            // In Entra's tenants, a scope without a resource belongs to Microsoft Graph.
            (.entra, ["User.Read", "https://graph.microsoft.com/Mail.Read"], true),
            (.external, ["User.Read", "https://graph.microsoft.com/.default"], true),
            (.entra, ["User.Read", "https://graph.microsoft.com//Mail.Read"], true),
            (.entra, ["User.Read", "https://Graph.Microsoft.com/Mail.Read"], true),
            (.entra, ["User.Read", "00000003-0000-0000-c000-000000000000/Mail.Read"], true),
            (.entra, ["User.Read", "https://graph.microsoft.us/Mail.Read"], true),
            (.entra, ["User.Read", "https://graph.microsoft.com.evil.example/Mail.Read"], false),
            (.entra, ["User.Read", "https://graph.microsoft.com/x/Mail.Read"], false),
            (.b2c, ["https://graph.microsoft.com/a", "https://graph.microsoft.us/a"], false),
            (.entra, ["User.Read", "api://a/read"], false), (.entra, ["profile", "User.Read", "email"], true),
            (.entra, ["33333333-3333-3333-3333-333333333333", "User.Read"], false),
            (.entra, ["api://a/.default", "api://a/.default"], true),
            // The resource itself may end in a slash.
            (.entra, ["https://a//.default", "https://a//read"], true),
            (.entra, ["https://a//.default", "https://a/read"], false),
            (.openid, ["read", "https://c/a/write"], true),
        ] as [(AuthorityKind, [String], Bool)])
    func comparesResources(kind: AuthorityKind, scopes: [String], isOne: Bool) throws {
        let apis = try scopes.map { try Self.api("api", [$0]) }
        let application = try Self.application([Self.susi], apis, kind: kind, host: "c.example")
        let target = try? application.target(api: nil, policy: nil)
        #expect((target != nil) == isOne)
    }

    /// Each cloud has Microsoft Graph at hosts of its own.
    @Test(
        arguments: [
            ("login.microsoftonline.us", "graph.microsoft.us", true),
            ("login.microsoftonline.us", "dod-graph.microsoft.us", true),
            ("login.partner.microsoftonline.cn", "microsoftgraph.chinacloudapi.cn", true),
            ("login.chinacloudapi.cn", "microsoftgraph.chinacloudapi.cn", true),
            ("login.microsoftonline.com", "graph.microsoft.com", true),
            ("login.microsoftonline.com", "graph.microsoft.us", false),
            ("login.partner.microsoftonline.cn", "graph.microsoft.com", false),
        ])
    func findsGraphOfCloud(host: String, graph: String, isOne: Bool) throws {
        let application = try Self.application([Self.susi], kind: .entra, host: host)
        #expect(application.areOfOneResource(["User.Read", "https://\(graph)/User.Read"]) == isOne)
    }

    @Test func choosesAPIByAddress() throws {
        let outer = API(name: "outer", baseURL: try WebAddress("https://h/api"), scopes: ["s"])
        let inner = API(name: "inner", baseURL: try WebAddress("https://h/api/v2"), scopes: ["s"])
        let twin = API(name: "twin", baseURL: try WebAddress("https://h/api/v2"), scopes: ["s"])
        let application = try Self.application([Self.susi], [outer, inner])
        for (address, name) in [
            ("https://h/api", "outer"), ("https://h/api/v2", "inner"), ("https://h/api/v2/x", "inner"),
            ("https://h/api/v3", "outer"), ("https://h/apix", nil), ("http://h/api", nil), ("https://h:8443/api", nil),
        ] {
            #expect(try application.chooseAPI(containing: try WebAddress(address))?.name == name, "\(address)")
        }
        let twins = try Self.application([Self.susi], [inner, twin])
        let error = try #require(throws: ChoiceError.self) {
            try twins.chooseAPI(containing: try WebAddress("https://h/api/v2/x"))
        }
        #expect(error.candidates == ["inner", "twin"])
    }

    @Test func usesScopesOfAPIs() throws {
        let apis = [
            try Self.api("a", ["https://r/hello/read", "https://r/hello/write"]),
            try Self.api("b", ["https://r/hello/admin"]), try Self.api("other", ["https://x/y"], "B2C_1_other"),
        ]
        let second = Policy(name: PolicyName("B2C_1_other"), kind: .signUpOrSignIn)
        let first = Policy(name: Self.susi.name, kind: .signUpOrSignIn, isDefault: true)
        let several = try Self.application([first, Self.edit, second], apis)
        let all = ["https://r/hello/read", "https://r/hello/write", "https://r/hello/admin"]
        #expect(try several.target(api: nil, policy: nil) == TokenTargetFacts(first, all, nil))
        #expect(try several.target(api: "b", policy: nil) == TokenTargetFacts(first, [all[2]], "b"))
        let other = try several.target(api: nil, policy: second.name)
        #expect(other == TokenTargetFacts(second, ["https://x/y"], "other"))
        let none = #expect(throws: ChoiceError.self) { try several.target(api: nil, policy: Self.edit.name) }
        #expect(none?.keepingNone == Self.edit)
        #expect(try Self.application([Self.susi]).target(api: nil, policy: nil) == TokenTargetFacts(Self.susi, [], nil))
    }

    @Test func usesOnlyAPIForTokenOfNamedPolicy() throws {
        let only = [try Self.api("a", ["https://r/hello/read"], "B2C_1_edit"), try Self.api("bare", [])]
        let application = try Self.application([Self.susi, Self.edit, Self.partner], only)
        #expect(
            try application.tokenTarget(api: nil, policy: PolicyName("b2c_1_susi"))
                == TokenTargetFacts(Self.susi, ["https://r/hello/read"], "a"))
        #expect(
            try application.tokenTarget(api: "bare", policy: Self.susi.name) == TokenTargetFacts(Self.susi, [], "bare"))
        // The API belongs to another policy, which was not named; and a policy's own scopes come first.
        let plain = try Self.application([Self.susi, Self.edit], only)
        #expect(try plain.tokenTarget(api: nil, policy: nil) == TokenTargetFacts(Self.susi, [], "bare"))
        #expect(
            try application.tokenTarget(api: nil, policy: Self.partner.name)
                == TokenTargetFacts(Self.partner, ["https://p/own"], nil))
        let two = try Self.application(
            [Self.susi, Self.edit], only + [try Self.api("b", ["https://x/y"], "B2C_1_edit")])
        #expect(try two.tokenTarget(api: nil, policy: Self.susi.name).scopes.isEmpty)
    }

    @Test func requiresAPIAmongSeveralResources() throws {
        let apis = [try Self.api("a", ["https://r/hello/read"]), try Self.api("b", ["https://r/hello2/read"])]
        let application = try Self.application([Self.susi], apis)
        let error = try #require(throws: ChoiceError.self) { try application.target(api: nil, policy: nil) }
        #expect(error.subject == .api)
        #expect(error.candidates == ["a", "b"])
        #expect(try application.target(api: "b", policy: nil).scopes == ["https://r/hello2/read"])
        let unknown = try #require(throws: ChoiceError.self) { try application.target(api: "A1", policy: nil) }
        #expect(unknown.nearMatch == "a")
    }

    @Test func usesOwnBaseOfPolicy() throws {
        let own = Policy(
            name: PolicyName("x"), kind: .signUpOrSignIn, authority: try WebAddress("https://login.example/c"))
        let application = try Self.application([Self.susi, own])
        #expect(application.authority(for: own).address.description == "https://login.example/c/x")
        #expect(application.authority(for: Self.susi).address.description == "https://c.b2clogin.com/c/B2C_1_susi")
    }
}

/// The facts of a target, for comparison.
struct TokenTargetFacts {
    let policy: Policy
    let scopes: [String]
    let api: String?

    init(_ policy: Policy, _ scopes: [String], _ api: String?) {
        (self.policy, self.scopes, self.api) = (policy, scopes, api)
    }

    static func == (left: TokenTarget, right: TokenTargetFacts) -> Bool {
        left.policy == right.policy && left.scopes == right.scopes && left.api?.name == right.api
    }
}
