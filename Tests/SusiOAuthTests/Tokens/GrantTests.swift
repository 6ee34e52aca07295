import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiOAuth

@Suite("Grants, keys and plans")
struct GrantTests {
    static func grant(
        _ members: [String: String] = [:], claims: [String: String?] = [:], scopes: [String] = ["a", "b"]
    ) throws -> TokenGrant {
        let signer = try Signer.main.get()
        var all = ["id_token": "\"\(try signer.token(Contoso.claims(claims)))\"", "access_token": "\"at\""]
        all["token_type"] = "\"Bearer\""
        all.merge(members) { _, new in new }
        let text = "{" + all.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
        return try TokenGrant(
            response: TokenResponse(parsing: Array(text.utf8), status: 200), scopes: ScopeSet(scopes),
            keys: signer.keys(), rules: Contoso.rules())
    }

    static func clientInfo(_ uid: String, _ utid: String = Contoso.guid) -> [String: String] {
        ["client_info": "\"\(Base64URL.encode("{\"uid\":\"\(uid)\",\"utid\":\"\(utid)\"}".utf8))\""]
    }

    @Test("what is kept of an answer")
    func keepsTokensAndProfile() throws {
        let grant = try Self.grant([
            "expires_in": "\"3600\"", "refresh_in": "1800", "refresh_token": "\"rt\"",
            "refresh_token_expires_in": "1209600",
        ])
        let person = Person(tenant: Tenant(origin: Contoso.origin, id: Contoso.guid), subject: Contoso.object)
        #expect(grant.account == Account(person: person, policy: PolicyName("B2C_1_susi"), clientID: Contoso.client))
        #expect(grant.homeAccountID.description == "\(Contoso.object)-b2c_1_susi.\(Contoso.guid)")
        #expect(grant.tenantName == "contoso.onmicrosoft.com")
        #expect(grant.profile == Profile(name: "Ada", emails: ["ada@example.com", "a@example.com"]))
        #expect(grant.profile.label == "ada@example.com")
        #expect(grant.idTokenExpiresOn == Contoso.now + 3600)
        #expect(grant.accessToken?.expiresOn == Contoso.now + 3600)
        #expect(grant.accessToken?.refreshOn == Contoso.now + 1800)
        #expect(grant.refreshToken == TokenGrant.RefreshToken(secret: "rt", expiresOn: Contoso.now + 1_209_600))
        #expect(grant.receivedOn == Contoso.now)
    }

    // Claims as public reports of user flows, custom policies and directories show them.
    @Test(
        "the address and the user name in signed claims",
        arguments: [
            (#"{"emails":["a@b.c","d@b.c"],"email":"e@b.c"}"#, ["a@b.c", "d@b.c"], nil),
            (#"{"emails":[],"email":"e@b.c"}"#, ["e@b.c"], nil), (#"{"mail":"m@b.c"}"#, ["m@b.c"], nil),
            (#"{"signInNames.emailAddress":"s@b.c","name":"S"}"#, ["s@b.c"], nil),
            (#"{"signInNames.userName":"sam"}"#, [], "sam"), (#"{"signInNames.phoneNumber":"+3511"}"#, [], "+3511"),
            (#"{"unique_name":"u@b.c","upn":""}"#, [], "u@b.c"),
            (#"{"preferred_username":"p","upn":"u@b.c"}"#, [], "p"),
            (#"{"upn":"00000000-0000-4000-8000-000000000001@contoso.onmicrosoft.com"}"#, [], nil),
            (
                #"{"upn":"cpim_00000000-0000-4000-8000-000000000001@contoso.onmicrosoft.com","unique_name":"x"}"#, [],
                "x"
            ),
            (#"{"preferred_username":5,"upn":["u@b.c"]}"#, [], nil),
        ] as [(String, [String], String?)])
    func readsNames(claims: String, emails: [String], username: String?) throws {
        let profile = Profile(claims: try JSONNode(parsing: claims.utf8))
        #expect(profile.emails == emails && profile.username == username)
    }

    @Test(arguments: ["9223372036854775807", "1e17"])
    func limitsTheEndOfAnIDToken(end: String) throws {
        #expect(try Self.grant(claims: ["exp": end]).idTokenExpiresOn == EpochTime.latest)
    }

    @Test(arguments: [
        (Int64.min, Int64.max, Int64.max), (.max, .min, .min), (-1, .max, .max), (5, 3, -2), (.min, -1, .max),
    ])
    func limitsTheDifferenceOfTwoTimes(start: Int64, end: Int64, expected: Int64) {
        #expect(EpochTime.seconds(from: start, to: end) == expected)
        #expect(Span.text(EpochTime.seconds(from: start, to: end)).count < 12)
    }

    @Test func readsGrantedScopes() throws {
        #expect(try Self.grant().accessToken?.granted == ScopeSet(["a", "b"]))
        let fewer = try #require(try Self.grant(["scope": "\"openid offline_access b\""]).accessToken)
        #expect(fewer.granted == ScopeSet(["b"]))
        #expect(fewer.scopes == ScopeSet(["a", "b"]))
        #expect(fewer.scopes.subtracting(fewer.granted) == ScopeSet(["a"]))
    }

    @Test(
        arguments: [
            (nil, 0), ("0", 0), ("-5", 0), ("-9223372036854775808", 0), ("\"soon\"", 0), ("60", 60),
            ("9223372036854775807", 3_155_760_000), ("1e18", 3_155_760_000),
        ] as [(String?, Int64)])
    func limitsLifetimes(value: String?, expected: Int64) throws {
        var members = ["refresh_token": "\"rt\""]
        for name in ["expires_in", "refresh_in", "refresh_token_expires_in"] { members[name] = value }
        let grant = try Self.grant(members, claims: ["exp": "9223372036854775807"])
        #expect(grant.accessToken?.expiresOn == Contoso.now + expected)
        if Int64(value ?? "") != nil {
            #expect(grant.accessToken?.refreshOn == Contoso.now + expected)
            #expect(grant.refreshToken?.expiresOn == Contoso.now + expected)
        }
    }

    @Test func readsHandleFromClientInfo() throws {
        let other = try Self.grant(Self.clientInfo("other-b2c_1_susi", Contoso.guid.uppercased()))
        #expect(other.homeAccountID.uid == "other-b2c_1_susi")
        #expect(other.account.person.subject == Contoso.object)
        let unknown = try Self.grant(Self.clientInfo("-b2c_1_susi"), claims: ["oid": nil, "sub": "\"s9\""])
        #expect(unknown.homeAccountID.uid == "s9-b2c_1_susi")
    }

    @Test func comparesScopes() {
        let asked = ScopeSet(["https://graph.microsoft.com/User.Read", "https://vault/.default", "api/a", "b"])
        #expect(asked.declined(granted: ScopeSet(["User.Read", "b"])) == ScopeSet(["api/a"]))
        #expect(asked.declined(granted: asked).isEmpty)
        #expect(ScopeSet(["api/a"]).declined(granted: ScopeSet(["other/a"])) == ScopeSet(["api/a"]))
        #expect(
            ScopeSet(["user.read", "API://x/Y", "openid"]).declined(granted: ScopeSet(["User.Read", "api://x/y"]))
                .isEmpty)
    }

    @Test(
        arguments: [
            (["a/x"], ["a/x"], ["a/x"], true), (["a/x"], ["a/x", "a/y"], ["a/x", "a/y"], true),
            (["a/x"], ["b"], ["a/x", "b"], true), (["a/x"], ["a/x", "a/y"], ["a/y"], false),
            (["other/User.Read"], ["User.Read"], ["User.Read"], false),
            (["https://graph/User.Read"], ["https://graph/User.Read"], ["User.Read"], true),
            (["a/.default"], ["b/x"], ["b/x"], false), (["a/.default"], ["a/.default"], ["a/x"], true),
        ])
    func servesRequestsOfGrantedScopes(wanted: [String], asked: [String], granted: [String], isServed: Bool) {
        #expect(ScopeSet(granted).serves(ScopeSet(wanted), asked: ScopeSet(asked)) == isServed)
    }

    @Test("a redeemed refresh token is kept if the response has no other one")
    func keepsRedeemedToken() throws {
        #expect(try Self.grant().keeping("redeemed").refreshToken?.secret == "redeemed")
        #expect(try Self.grant(["refresh_token": "\"rt\""]).keeping("redeemed").refreshToken?.secret == "rt")
    }

    @Test func acceptsRefreshWithoutIDToken() throws {
        let known = try Self.grant(Self.clientInfo("\(Contoso.object)-b2c_1_susi"))
        let renew = { (members: String) in
            try TokenGrant(
                response: TokenResponse(
                    parsing: Array("{\"access_token\":\"new\",\"token_type\":\"Bearer\"\(members)}".utf8), status: 200),
                scopes: ScopeSet(["a"]), renewing: known.account, known.homeAccountID,
                authority: try Contoso.authority(),
                now: Contoso.now)
        }
        let grant = try renew("")
        #expect(grant.account == known.account && grant.homeAccountID == known.homeAccountID)
        #expect(grant.accessToken?.secret == "new" && grant.claims == nil && grant.idToken == nil)
        let same = Self.clientInfo(known.homeAccountID.uid.uppercased())["client_info"] ?? ""
        #expect(try renew(",\"client_info\":\(same)").account == known.account)
        let other = Self.clientInfo("other-b2c_1_susi")["client_info"] ?? ""
        let error = try #require(throws: ProtocolViolation.self) { try renew(",\"client_info\":\(other)") }
        #expect(error.subject == .clientInfo)
        #expect(throws: ProtocolViolation.self) { try Self.grant(["id_token": "null"]) }
    }

    @Test func ignoresClientInfoOfProvidersWithoutIt() throws {
        let known = try Self.grant(Self.clientInfo("\(Contoso.object)-b2c_1_susi"))
        let other = Self.clientInfo("other-b2c_1_susi")["client_info"] ?? ""
        let response = try TokenResponse(parsing: Array(#"{"client_info":\#(other)}"#.utf8), status: 200)
        #expect(throws: Never.self) { try response.checkKeeps(known.homeAccountID, of: known.account, at: .openid) }
        #expect(throws: ProtocolViolation.self) {
            try response.checkKeeps(known.homeAccountID, of: known.account, at: .b2c)
        }
        let provider = try KindTokenTests.authority(.openid, "https://id.example")
        let handle = try HomeAccountID(
            known.account, clientInfo: response.clientInfo, claims: JSONNode(parsing: "{}".utf8), of: provider)
        #expect(handle == HomeAccountID(known.account, of: .openid))
    }

    @Test func rejectsForeignClientInfo() throws {
        let error = try #require(throws: ProtocolViolation.self) { try Self.grant(Self.clientInfo("o-p", "other")) }
        #expect(error.subject == .clientInfo)
        #expect(throws: ProtocolViolation.self) { try Self.grant(["client_info": "\"???\""]) }
    }

    @Test func acceptsNoTokenWithInvalidIDToken() throws {
        #expect(throws: ProtocolViolation.self) { try Self.grant(claims: ["nonce": "\"x\""]) }
        let forged = try Signer.other.get().token(Contoso.claims())
        #expect(throws: ProtocolViolation.self) { try Self.grant(["id_token": "\"\(forged)\""]) }
    }

    @Test func splitsHandleAtLastDot() throws {
        let id = try #require(HomeAccountID("o-b2c_1a_v1.2.t"))
        #expect(id.uid == "o-b2c_1a_v1.2")
        #expect(id.utid == "t")
        #expect(id.description == "o-b2c_1a_v1.2.t")
        for text in ["", "x", ".t", "x."] { #expect(HomeAccountID(text) == nil) }
    }

    @Test(
        arguments: [
            ("o-b2c_1_in", "o", "B2C_1_in", true), ("O-B2C_1_IN", "o", "b2c_1_in", true),
            ("o-b2c_1_sign_in", "o", "in", false), ("o-b2c_1_sign_in", "o", "_in", false),
            ("o2-b2c_1_in", "o", "b2c_1_in", false), ("xo-b2c_1_in", "o", "b2c_1_in", false),
            ("-b2c_1_in", "o", "b2c_1_in", false), ("o-b2c_1_in", "", "b2c_1_in", false),
        ])
    func matchesWholeHandle(uid: String, subject: String, policy: String, expected: Bool) {
        let id = HomeAccountID(uid: uid, utid: "t")
        #expect(id.matches(subject: subject, policy: PolicyName(policy)) == expected)
    }

    @Test func distinguishesKeys() throws {
        let cuts = [
            ["ab", "c", "d", "e", "f"], ["a", "bc", "d", "e", "f"], ["a", "b", "cd", "e", "f"],
            ["a", "b", "c", "de", "f"], ["a", "b", "c", "d", "ef"], ["a", "b", "c", "d", "e"],
            ["abcdef", "", "", "", ""],
            ["", "abcdef", "", "", ""], ["", "", "abcdef", "", ""], ["", "", "", "abcdef", ""],
            ["", "", "", "", "abcdef"],
        ]
        var keys: [TokenKey] = []
        for cut in cuts {
            let person = Person(tenant: Tenant(origin: cut[0], id: cut[1]), subject: cut[2])
            let account = Account(person: person, policy: PolicyName(cut[3]), clientID: cut[4])
            keys += [.refresh(account), .id(account), .access(account, ScopeSet([]))]
            for scopes in [["a"], ["b"], ["a", "b"], ["ab"], ["a b c"], ["a,b"]] {
                keys.append(.access(account, ScopeSet(scopes)))
            }
        }
        #expect(Set(keys).count == keys.count)
        #expect(Set(keys.map(\.bytes)).count == keys.count)
    }

    @Test func makesEqualBytesOfEqualKeys() {
        let person = Person(tenant: Tenant(origin: "o", id: "T"), subject: "s")
        let one = Account(person: person, policy: PolicyName("B2C_1_a"), clientID: "c")
        let two = Account(person: person, policy: PolicyName("b2c_1_A"), clientID: "c")
        let keys: [TokenKey] = [
            .access(one, ScopeSet(["x", "y"])), .access(two, ScopeSet(["y", "x"])), .access(two, ScopeSet(["x y"])),
        ]
        #expect(Set(keys).count == 1)
        #expect(Set(keys.map(\.bytes)).count == 1)
    }
}
