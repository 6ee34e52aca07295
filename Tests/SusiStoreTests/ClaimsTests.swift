import SusiBase
import SusiOAuth
import SusiPolicies
import SusiStore
import Testing

/// The effect of a policy's newest claims, and stored claims challenges.
@Suite struct ClaimsTests {
    let home = TemporaryStore()
    let store: AccountStore
    private static let partner = PolicyName("B2C_1_partner")
    private static let whole =
        #"{"name":"Ana Lima","given_name":"Ana","family_name":"Lima","emails":["a@b.c"],"idp":"x"}"#

    init() throws { store = try home.open() }

    /// Returns a grant whose id token has these claims.
    private func grant(_ claims: String, _ policy: PolicyName = susi, on time: Int64) throws -> TokenGrant {
        let account = account(ana, policy)
        return TokenGrant(
            account: account, homeAccountID: HomeAccountID(account), tenantName: domain,
            profile: Profile(claims: try JSONNode(parsing: claims.utf8)), claims: claims,
            idToken: "id-\(time)",
            idTokenExpiresOn: time + 3_600, accessToken: nil, refreshToken: nil, receivedOn: time)
    }

    private func profile() throws -> Profile? { try store.account(account())?.profile }

    @Test func whatThePolicySaidAndSaysNoLongerWasDeleted() throws {
        try store.signIn(grant(Self.whole, on: 1_000))
        #expect(
            try profile()
                == Profile(
                    name: "Ana Lima", givenName: "Ana", familyName: "Lima", emails: ["a@b.c"], identityProvider: "x"))
        try store.refresh(grant(#"{"name":"Ana","emails":["a@b.c"]}"#, on: 2_000))
        #expect(try profile() == Profile(name: "Ana", emails: ["a@b.c"]))
        #expect(try store.account(account())?.label == "a@b.c")
        try store.signIn(grant("{}", on: 3_000))
        #expect(try profile() == Profile())
        #expect(try store.account(account())?.label == ana)
    }

    @Test func refreshKeepsNames() throws {
        try store.signIn(grant(Self.whole, on: 1_000))
        try store.refresh(grant("{}", on: 2_000))
        #expect(try profile() == Profile(name: "Ana Lima", emails: ["a@b.c"]))
        #expect(try store.account(account())?.label == "a@b.c")
    }

    @Test func whatThePolicyNeverSaidStays() throws {
        try store.signIn(grant(Self.whole, on: 1_000))
        try store.signIn(grant(#"{"given_name":"Ana Maria"}"#, Self.partner, on: 2_000))
        try store.refresh(grant(#"{"given_name":"Ana Maria"}"#, Self.partner, on: 3_000))
        #expect(try profile()?.name == "Ana Lima" && profile()?.givenName == "Ana Maria")
        #expect(try profile()?.emails == ["a@b.c"])
        // The policy that had set the given name omits it now, so it is removed.
        try store.refresh(grant("{}", Self.partner, on: 4_000))
        #expect(try profile()?.givenName == nil && profile()?.name == "Ana Lima")
    }

    @Test func aRefreshThatRepeatsClaimsKeepsNewerOnes() throws {
        try store.signIn(grant(Self.whole, on: 1_000))
        try store.signIn(grant(#"{"name":"Ana Neu","emails":["new@b.c"]}"#, Self.partner, on: 2_000))
        try store.refresh(grant(Self.whole, on: 3_000))
        #expect(try profile()?.name == "Ana Neu" && profile()?.emails == ["new@b.c"])
        // Claims that differ from those of the sign-in are news, and a sign-in always brings the current ones.
        try store.refresh(grant(#"{"name":"Ana Alt","emails":["a@b.c"]}"#, on: 4_000))
        #expect(try profile()?.name == "Ana Alt")
        try store.signIn(grant(#"{"name":"Ana Neu"}"#, Self.partner, on: 5_000))
        try store.signIn(grant(#"{"name":"Ana Alt","emails":["a@b.c"]}"#, on: 6_000))
        #expect(try profile()?.name == "Ana Alt")
    }

    @Test func anEarlierAnswerDeletesNothing() throws {
        try store.signIn(grant(Self.whole, on: 1_000))
        try store.signIn(grant(Self.whole, Self.partner, on: 2_000))
        try store.refresh(grant("{}", on: 1_500))
        #expect(try profile()?.name == "Ana Lima")
    }

    @Test func aDemandIsKeptReplacedForgottenAndGoesWithItsAccount() throws {
        let claims = { (text: String) in try ClaimsRequest(parsing: text.utf8) }
        #expect(kind { try store.remember(claims("{}"), for: account()) } == .missing)
        try store.signIn(SusiStoreTests.grant(account()))
        try store.signIn(SusiStoreTests.grant(account(ben)))
        #expect(try store.pendingClaims(of: account()) == nil)
        try store.remember(claims(#"{"a":null}"#), for: account())
        try store.remember(claims(#"{"b":"é \"x\""}"#), for: account())
        #expect(try home.open().pendingClaims(of: account())?.text == #"{"b":"é \"x\""}"#)
        #expect(try store.pendingClaims(of: account(ben)) == nil)
        // Neither a refresh nor a sign-in without the requested claims meets the challenge.
        try store.refresh(SusiStoreTests.grant(account(), receivedOn: 2_000))
        try store.signIn(SusiStoreTests.grant(account(), receivedOn: 3_000))
        #expect(try store.pendingClaims(of: account()) != nil)
        // Only the challenge that was met is forgotten, not another one.
        try store.forgetClaims(of: account(), ifStill: claims(#"{"a":null}"#))
        #expect(try store.pendingClaims(of: account()) != nil)
        try store.forgetClaims(of: account(), ifStill: claims(#"{"b": "\u00e9 \"x\""}"#))
        #expect(try store.pendingClaims(of: account()) == nil)
        try store.remember(claims("{}"), for: account())
        _ = try store.remove(account())
        try store.signIn(SusiStoreTests.grant(account()))
        #expect(try store.pendingClaims(of: account()) == nil)
    }
}
