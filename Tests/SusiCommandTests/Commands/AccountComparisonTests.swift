import Testing

@testable import Susi
@testable import SusiStore

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
            authority: base, signedInOn: 0, claimsOn: 0, profileOn: 0, isCurrent: true, tokens: [], damage: nil)
        let token = { (claims: String) throws in
            ComparedToken(
                content: .signed(
                    header: try JSONNode(parsing: header.utf8), claims: try JSONNode(parsing: claims.utf8)))
        }
        return ComparedAccount(
            account: stored, application: application,
            configuration: application.authority(for: application.policies[0]).discovery,
            keys: try keys.map { try Endpoint($0) }, idToken: try token(id),
            accessToken: try claims.map(token) ?? .missing)
    }

    private func text(_ changes: [APIChange]) -> [String] {
        changes.map { change in
            "\(change.subject) \(change.kind) \(change.first ?? "-") | \(change.second ?? "-")"
        }
    }

    @Test(
        "claims of access tokens: what an API has to change",
        arguments: [
            (#"{"iss":"a"}"#, #"{"iss":"b"}"#, ["issuer value a | b"]),
            (#"{"aud":"a"}"#, #"{"aud":["b","c"]}"#, []), (#"{"aud":["a","b"]}"#, #"{"aud":["b","a"]}"#, []),
            (#"{"aud":"a"}"#, #"{"aud":"b"}"#, ["audience value a | b"]),
            (#"{"ver":"2.0"}"#, "{}", ["version removed ver | -"]), ("{}", #"{"ver":"2.0"}"#, []),
            (#"{"tfp":"B2C_1_a"}"#, #"{"acr":"b2c_1_a"}"#, ["policy name tfp | acr"]),
            (#"{"azp":"a"}"#, #"{"appid":"a"}"#, ["client name azp | appid"]),
            (#"{"scp":"a b"}"#, #"{"scp":"b a"}"#, []), (#"{"scp":"a"}"#, #"{"scp":"b"}"#, ["scopes value a | b"]),
            (#"{"scp":"a b"}"#, #"{"scp":["a","b"]}"#, ["scopes type scp, a string | scp, a list"]),
            (#"{"scp":"a"}"#, #"{"scope":"a"}"#, ["scopes name scp | scope"]),
            (#"{"scp":"a"}"#, #"{"roles":["a"]}"#, ["scopes removed scp | -"]),
            (#"{"sub":"a"}"#, #"{"sub":"b"}"#, ["subject value a | b"]),
            (
                #"{"iss":"a","oid":"a","sub":"a"}"#, #"{"iss":"b","oid":"b","sub":"a"}"#,
                ["issuer value a | b", "objectID value a | b"]
            ),
            (#"{"emails":["a"]}"#, #"{"email":"a"}"#, ["email name emails, a list | email, a string"]),
            (#"{"upn":"a"}"#, #"{"preferred_username":"a"}"#, ["userName name upn | preferred_username"]),
            (#"{"extension_Plan":"a"}"#, #"{"extn.Plan":"b"}"#, ["attribute name extension_Plan | extn.Plan"]),
            (
                #"{"extension_Plan":"a"}"#, #"{"extension_0123456789abcdef0123456789ABCDEF_Plan":"a"}"#,
                ["attribute name extension_Plan | extension_0123456789abcdef0123456789ABCDEF_Plan"]
            ),
            (#"{"extension_Plan":"a"}"#, #"{"Plan":"a"}"#, ["attribute name extension_Plan | Plan"]),
            (#"{"age":"7"}"#, #"{"age":7}"#, ["attribute type age, a string | age, a number"]),
            (#"{"city":"a"}"#, #"{"city":"b"}"#, []), (#"{"city":"a"}"#, "{}", ["attribute removed city | -"]),
            (#"{"nonce":"a","exp":1,"uti":"a"}"#, "{}", []),
        ] as [(String, String, [String])])
    func findsChanges(first: String, second: String, expected: [String]) throws {
        let changes = AccountComparison(try side(first), try side(second)).changes
        #expect(text(changes) == expected)
        #expect(changes.allSatisfy { $0.token == .access && !$0.advice.isEmpty })
    }

    @Test("claims that only ID tokens have are found there; the audience is not, because an API is not theirs")
    func findsChangesOfIDTokens() throws {
        let first = try side(#"{"ver":"1.0"}"#, id: #"{"ver":"1.0","aud":"a","emails":["a"]}"#)
        let second = try side(#"{"ver":"1.0"}"#, id: #"{"ver":"2.0","aud":"b"}"#)
        let changes = AccountComparison(first, second).changes
        // An API reads the version of the access tokens, which is the same.
        #expect(text(changes) == ["email removed emails | -"])
        #expect(changes.allSatisfy { $0.token == .id })
        let unread = AccountComparison(try side(nil, id: #"{"iss":"a"}"#), try side("{}", id: #"{"iss":"b"}"#))
        #expect(text(unread.changes) == ["issuer value a | b"] && unread.changes[0].token == .id)
        #expect(!unread.isSame && !unread.accessTokens.isReadable && unread.accessTokens.rows.isEmpty)
    }

    @Test("two people of one tenant have other identifiers and attributes, which are no changes")
    func findsNoChangesBetweenPeopleOfOneTenant() throws {
        let ana = #"{"iss":"a","oid":"a","sub":"a","emails":["a"],"upn":"a","city":"a","scp":"a"}"#
        let ben = #"{"iss":"a","oid":"b","sub":"b","scp":"b"}"#
        let comparison = AccountComparison(try side(ana), try side(ben, person: "ben"))
        #expect(text(comparison.changes) == ["scopes value a | b"])
        #expect(!comparison.isSame)
    }

    @Test("acr is a policy only where policies exist")
    func readsPolicyClaimOfB2COnly() throws {
        let strength = #"{"acr":"1"}"#
        let (external, openid) = (try side("{}", kind: .external), try side(strength, kind: .openid))
        #expect(text(AccountComparison(external, openid).changes).filter { $0.hasPrefix("policy") }.isEmpty)
        let away = AccountComparison(try side(#"{"acr":"b2c_1_susi"}"#), openid).changes
        #expect(text(away).contains("policy removed acr | -"), "\(away)")
    }

    @Test("the address of the keys: from both stored configurations, else the configurations; not if a key is the same")
    func comparesAddressesOfKeys() throws {
        let (one, other) = ("https://login.example/one.example", "https://login.example/other.example")
        let stored = AccountComparison(
            try side("{}", base: one, keys: "\(one)/keys"), try side("{}", base: other, keys: "\(other)/keys"))
        #expect(text(stored.changes) == ["keys value \(one)/keys | \(other)/keys"])
        #expect(stored.changes[0].token == nil)
        let path = "B2C_1_susi/v2.0/.well-known/openid-configuration"
        let half = AccountComparison(try side("{}", base: one, keys: "\(one)/keys"), try side("{}", base: other))
        #expect(text(half.changes) == ["keys value jwks_uri in \(one)/\(path) | jwks_uri in \(other)/\(path)"])
        let header = #"{"alg":"RS256","kid":"a"}"#
        let same = AccountComparison(
            try side("{}", header: header, base: one), try side("{}", header: header, base: other))
        #expect(same.changes.isEmpty)
        let algorithm = AccountComparison(try side("{}"), try side("{}", header: #"{"alg":"ES256"}"#))
        #expect(text(algorithm.changes) == ["algorithm value RS256 | ES256"])
    }

    @Test("times, random values and key ids are shown and make no difference")
    func ignoresValuesThatAlwaysDiffer() throws {
        let first = try side(
            #"{"exp":1,"iat":1,"nbf":1,"auth_time":1,"nonce":"a","jti":"a","o":{"a":1,"b":[1,2]}}"#,
            header: #"{"alg":"RS256","kid":"a"}"#)
        let second = try side(
            #"{"exp":2,"iat":2,"nbf":2,"uti":"a","o":{"b":[2,1],"a":1}}"#, header: #"{"alg":"RS256","kid":"b"}"#)
        let comparison = AccountComparison(first, second)
        #expect(comparison.isSame)
        let rows = comparison.accessTokens.rows
        #expect(rows.count == 10 && rows.filter { $0.state != .same }.allSatisfy { !$0.counts })
        #expect(rows.first { $0.name == "auth_time" }?.state == .onlyFirst)
        #expect(rows.first { $0.name == "uti" }?.state == .onlySecond)
        #expect(rows.first { $0.name == "o" }?.state == .same)
        let different = AccountComparison(first, try side(#"{"exp":1,"roles":["a"]}"#))
        #expect(!different.isSame)
    }

    @Test(
        "every claim belongs to one group",
        arguments: [
            ("oid", .who), ("sub", .who), ("iss", .who), ("tid", .who), ("emails", .who), ("name", .who),
            ("roles", .what), ("scp", .what), ("scope", .what), ("groups", .what), ("extension_Plan", .what),
            ("city", .what), ("iat", .when), ("nbf", .when), ("exp", .when), ("auth_time", .when), ("aud", .token),
            ("azp", .token), ("ver", .token), ("acr", .token), ("tfp", .token), ("xms_tcdt", .token),
        ] as [(String, ClaimComparison.Group)])
    func groupsClaims(name: String, group: ClaimComparison.Group) {
        #expect(ClaimComparison.group(of: name) == group)
    }

    @Test func everySubjectHasAdvice() {
        for subject in APIChange.Subject.allCases {
            let rows = APIChange.advice[subject] ?? [:]
            #expect(!rows.isEmpty && rows.values.allSatisfy { !$0.isEmpty }, "\(subject)")
        }
    }
}
