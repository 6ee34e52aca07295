import Testing

@testable import Susi
@testable import SusiStore
@testable import SusiTools

/// The comparison of two accounts as a value, with claims of all kinds of tenant.
@Suite("Account comparison")
struct AccountComparisonTests {

    /// Makes a side of the built-in application, or of one of another kind.
    private func side(
        _ claims: String?, id: String = "{}", header: String = #"{"alg":"RS256"}"#, kind: AuthorityKind = .b2c,
        person: String = "ana",
        base: String = "https://login.example/contoso.example", keys: String? = nil
    ) throws -> ComparedAccount {
        let application = Application(
            name: "app", kind: kind, authority: try WebAddress(base), clientID: "client", redirectPorts: [0],
            policies: [Policy(name: PolicyName("B2C_1_susi"), kind: .signUpOrSignIn)],
            knownAuthorities: KnownAuthorities([]), apis: [])
        let account = Account(
            person: Person(tenant: Tenant(origin: "https://login.example", id: "tenant"), subject: person),
            policy: application.policies[0].name, clientID: "client")
        let stored = StoredAccount(
            account: account, homeAccountID: HomeAccountID(account), profile: Profile(), claims: id,
            authority: base, signedInOn: 0, claimsOn: 0, isCurrent: true, tokens: [], damage: nil)
        let token = { (claims: String) throws in
            DecodedToken.signed(header: try JSONNode(parsing: header.utf8), claims: try JSONNode(parsing: claims.utf8))
        }
        return ComparedAccount(
            account: stored, application: application,
            configuration: application.authority(for: application.policies[0]).discovery,
            keys: try keys.map { try Endpoint($0) }, idToken: try token(id),
            accessToken: try claims.map(token))
    }

    /// The rules, each as the value found and the one wanted.
    private func text(_ comparison: AccountComparison) -> [String] {
        comparison.rules.map { "\($0.name) \($0.found) | \($0.wanted ?? "-")" }
    }

    @Test(
        "claims of access tokens: the rules of an API that the second token does not meet",
        arguments: [
            (#"{"iss":"a"}"#, #"{"iss":"b"}"#, ["issuer “b” | “a”"]),
            (#"{"aud":["a","b"]}"#, #"{"aud":["b","a"]}"#, []),
            (#"{"aud":"a"}"#, #"{"aud":"b"}"#, ["audience “b” | “a”"]),
            (#"{"ver":"2.0"}"#, "{}", ["claims none | ver"]), ("{}", #"{"ver":"2.0"}"#, []),
            (#"{"ver":"1.0"}"#, #"{"ver":"2.0"}"#, ["claims ver “2.0” | “1.0”"]),
            (#"{"tfp":"B2C_1_a"}"#, #"{"acr":"b2c_1_a"}"#, ["claims acr | tfp"]),
            (#"{"tfp":"B2C_1_a"}"#, #"{"tfp":"B2C_1_b"}"#, []),
            (#"{"azp":"a"}"#, #"{"appid":"a"}"#, ["claims appid | azp"]),
            (#"{"scp":"a b"}"#, #"{"scp":"b a"}"#, []),
            (#"{"scp":"a"}"#, #"{"scp":"b"}"#, ["scope “b” | “a”"]),
            (#"{"scp":"a b"}"#, #"{"scp":["a","b"]}"#, ["claims scp, a list | scp, a string"]),
            (#"{"scp":"a"}"#, #"{"scope":"a"}"#, ["scope none | “a”"]),
            (#"{"scp":"a"}"#, #"{"roles":["b"]}"#, ["scope none, roles “b” | “a”"]),
            (
                #"{"iss":"a","oid":"a","sub":"a"}"#, #"{"iss":"b","oid":"b","sub":"a"}"#,
                ["issuer “b” | “a”", "claims oid “b” | “a”"]
            ),
            (#"{"emails":["a"]}"#, #"{"email":"a"}"#, ["claims email | emails"]),
            (#"{"upn":"a"}"#, #"{"preferred_username":"a"}"#, ["claims preferred_username | upn"]),
            (#"{"extension_Plan":"a"}"#, #"{"extn.Plan":"b"}"#, ["claims extn.Plan | extension_Plan"]),
            (
                #"{"extension_Plan":"a"}"#, #"{"extension_0123456789abcdef0123456789ABCDEF_Plan":"a"}"#,
                ["claims extension_0123456789abcdef0123456789ABCDEF_Plan | extension_Plan"]
            ),
            (#"{"age":"7"}"#, #"{"age":7}"#, ["claims age, a number | age, a string"]),
            (#"{"city":"a"}"#, #"{"city":"b"}"#, []), (#"{"city":"a"}"#, "{}", ["claims none | city"]),
            (#"{"nonce":"a","exp":1,"uti":"a","xms_ftd":"a","idp":"a"}"#, "{}", []),
        ] as [(String, String, [String])])
    func findsRules(first: String, second: String, expected: [String]) throws {
        let comparison = AccountComparison(try side(first), try side(second))
        #expect(text(comparison) == expected)
        #expect(comparison.rules.allSatisfy { $0.changes.count == 1 && $0.changes[0].place == .api })
    }

    @Test("without access tokens on both sides, id tokens tell; their audience is no API")
    func readsIDTokens() throws {
        let (id, other) = (#"{"iss":"a","aud":"a","scp":"a","emails":["a"]}"#, #"{"iss":"b","aud":"b"}"#)
        let read = AccountComparison(try side(#"{"ver":"1.0"}"#, id: id), try side(#"{"ver":"1.0"}"#, id: other))
        #expect(text(read) == [])
        let unread = AccountComparison(try side(nil, id: id), try side("{}", id: other))
        #expect(text(unread) == ["issuer “b” | “a”", "claims none | emails"])
        #expect(!unread.isSame && unread.accessTokens.claims == nil)
    }

    @Test("two people of one tenant have other identifiers and attributes, which are no changes")
    func findsNoChangesBetweenPeopleOfOneTenant() throws {
        let ana = #"{"iss":"a","oid":"a","sub":"a","emails":["a"],"upn":"a","city":"a","scp":"a"}"#
        let ben = #"{"iss":"a","oid":"b","sub":"b","scp":"b"}"#
        let comparison = AccountComparison(try side(ana), try side(ben, person: "ben"))
        #expect(text(comparison) == ["scope “b” | “a”"])
        #expect(!comparison.isSame)
    }

    @Test("acr is a policy only where policies exist")
    func readsPolicyClaimOfB2COnly() throws {
        let openid = try side(#"{"acr":"1"}"#, kind: .openid)
        #expect(text(AccountComparison(openid, try side("{}", kind: .openid))) == [])
        #expect(text(AccountComparison(try side(#"{"acr":"b2c_1_a"}"#), try side("{}"))) == ["claims none | acr"])
        let other = AccountComparison(
            try side(#"{"tfp":"B2C_1_a","acr":"0"}"#), try side(#"{"tfp":"B2C_1_a","acr":"1"}"#))
        #expect(text(other) == [])
    }

    @Test("the address of the keys: from both stored configurations, else the configurations; not if a key is the same")
    func comparesAddressesOfKeys() throws {
        let (one, other) = ("https://login.example/one.example", "https://login.example/other.example")
        let stored = AccountComparison(
            try side("{}", base: one, keys: "\(one)/keys"), try side("{}", base: other, keys: "\(other)/keys"))
        #expect(text(stored) == ["key “\(other)/keys” | “\(one)/keys”"])
        let path = "B2C_1_susi/v2.0/.well-known/openid-configuration"
        let half = AccountComparison(try side("{}", base: one, keys: "\(one)/keys"), try side("{}", base: other))
        #expect(text(half) == ["metadata “\(other)/\(path)” | “\(one)/\(path)”"])
        let header = #"{"alg":"RS256","kid":"a"}"#
        let same = AccountComparison(
            try side("{}", header: header, base: one), try side("{}", header: header, base: other))
        #expect(same.rules.isEmpty)
    }

    @Test("times and random values are shown and make no difference")
    func ignoresValuesThatAlwaysDiffer() throws {
        let first = try side(#"{"exp":1,"iat":1,"nbf":1,"auth_time":1,"nonce":"a","jti":"a","o":{"a":1,"b":[1,2]}}"#)
        let second = try side(#"{"exp":2,"iat":2,"nbf":2,"uti":"a","o":{"b":[2,1],"a":1}}"#)
        let comparison = AccountComparison(first, second)
        #expect(comparison.isSame)
        let claims = try #require(comparison.accessTokens.claims)
        #expect(claims.count == 8 && claims.filter { !$0.isSame }.allSatisfy { !$0.counts })
        #expect(claims.first { $0.name == "o" }?.isSame == true)
        #expect(!AccountComparison(try side(#"{"city":"a b"}"#), try side(#"{"city":"b a"}"#)).isSame)
        #expect(!AccountComparison(first, try side(#"{"exp":1,"roles":["a"]}"#)).isSame)
    }
}
