import SusiOAuth
import SusiPolicies
import SusiSQLite
import Testing

@testable import SusiStore

/// One name that leads to several tenants, and several names that lead to one.
@Suite struct TenantGroupTests {
    static let cloud = "https://login.microsoftonline.com"
    let home = TemporaryStore()
    let store: AccountStore
    let policy = PolicyName("default")
    let common = Registration(origin: cloud, tenantName: "common", clientID: client, spansTenants: true)
    let red = Tenant(origin: cloud, id: "aaaaaaaa-0000-0000-0000-00000000000a")
    let blue = Tenant(origin: cloud, id: "bbbbbbbb-0000-0000-0000-00000000000b")

    init() throws { store = try home.open() }

    private func member(_ subject: String, _ tenant: Tenant) -> Account {
        account(subject, policy, tenant: tenant)
    }

    private func direct(_ tenant: Tenant, _ name: String? = nil) -> Registration {
        Registration(origin: Self.cloud, tenantName: name ?? tenant.id, clientID: client)
    }

    private func signIn(_ account: Account, through scope: Registration, as name: String) throws {
        try store.signIn(grant(account, profile: Profile(username: "\(name)@example.com")), in: scope)
    }

    @Test func aNameForSeveralTenantsHasOneCurrentAccount() throws {
        try signIn(member(ana, red), through: common, as: "zoe")
        try signIn(member(ben, blue), through: common, as: "ben")
        // Sorted by label, regardless of the tenant.
        #expect(try store.accounts(of: common).map(\.label) == ["ben@example.com", "zoe@example.com"])
        #expect(try store.accounts(of: common).map(\.isCurrent) == [true, false])
        #expect(try store.current(policy, in: common)?.account == member(ben, blue))
        #expect(try store.previous(policy, in: common)?.account == member(ana, red))
        let token = try store.cachedAccessToken(current: policy, in: common, scopes: read)
        #expect(token?.account == member(ben, blue))
        try store.makeCurrent(member(ana, red), in: common)
        #expect(try store.current(policy, in: common)?.account == member(ana, red))
        #expect(try store.previous(policy, in: common)?.account == member(ben, blue))
        #expect(try store.count(of: [common]) == 2)
    }

    @Test func theTenantItselfReachesTheSameAccountWithACurrentOneOfItsOwn() throws {
        try signIn(member(ana, red), through: common, as: "ana")
        #expect(try store.accounts(of: direct(red)).map(\.account) == [member(ana, red)])
        #expect(try store.accounts(of: direct(red)).map(\.isCurrent) == [false])
        #expect(try store.current(policy, in: direct(red)) == nil)
        try signIn(member(ben, red), through: direct(red, "red.example"), as: "ben")
        #expect(try store.current(policy, in: direct(red))?.account == member(ben, red))
        #expect(try store.current(policy, in: direct(red, "RED.example"))?.account == member(ben, red))
        #expect(try store.current(policy, in: common)?.account == member(ana, red))
        // If an application has both names, each account is listed once.
        let both: Set = [common, direct(red), direct(red, "red.example")]
        #expect(try store.accounts(of: both).map(\.account) == [member(ana, red), member(ben, red)])
        #expect(try store.accounts(of: both).map(\.isCurrent) == [true, true])
        #expect(try store.remove([member(ana, red)])[0].wasCurrent)
        #expect(try store.current(policy, in: common) == nil)
    }

    @Test func namesForSeveralTenantsAreKeptApart() throws {
        let consumers = Registration(origin: Self.cloud, tenantName: "consumers", clientID: client, spansTenants: true)
        try signIn(member(ana, red), through: common, as: "ana")
        try signIn(member(ben, blue), through: consumers, as: "ben")
        #expect(try store.accounts(of: common).map(\.account) == [member(ana, red)])
        #expect(try store.accounts(of: consumers).map(\.account) == [member(ben, blue)])
        #expect(throws: StoreError.self) { try store.makeCurrent(member(ben, blue), in: common) }
        let elsewhere = Registration(
            origin: "https://login.example", tenantName: "common", clientID: client, spansTenants: true)
        #expect(try store.accounts(of: elsewhere).isEmpty)
    }

    /// CIAM: the authority is at the domain's host, the issuer at the GUID's.
    @Test func theAuthoritysOriginMayDifferFromTheIssuers() throws {
        let id = "cccccccc-0000-0000-0000-00000000000c"
        let tenant = Tenant(origin: "https://\(id).ciamlogin.com", id: id)
        let byName = Registration(
            origin: "https://contoso.ciamlogin.com", tenantName: "contoso.onmicrosoft.com", clientID: client)
        try signIn(member(ana, tenant), through: byName, as: "ana")
        for (origin, name) in [
            (byName.origin, byName.tenantName), (byName.origin, id), (tenant.origin, id),
            (tenant.origin, id.uppercased()),
        ] {
            let scope = Registration(origin: origin, tenantName: name, clientID: client)
            #expect(try store.current(policy, in: scope)?.account == member(ana, tenant), "\(origin) \(name)")
            #expect(try store.accounts(of: scope).map(\.isCurrent) == [true])
        }
        try store.refresh(grant(member(ana, tenant), mark: "2", receivedOn: 2_000), in: byName)
        #expect(try store.secret(.refresh(member(ana, tenant)))?.secret.hasSuffix("2") == true)
    }

    @Test func aNameThatStoodForOneTenantCanStandForSeveral() throws {
        let before = Registration(origin: Self.cloud, tenantName: "common", clientID: client)
        try signIn(member(ana, red), through: before, as: "ana")
        try signIn(member(ben, blue), through: common, as: "ben")
        #expect(try store.accounts(of: common).map(\.account) == [member(ben, blue)])
        #expect(try store.accounts(of: direct(red)).map(\.account) == [member(ana, red)])
    }

    /// Saves a grant. Returns the kind of the error.
    private func save(
        _ account: Account, _ email: String, in scope: Registration, broughtBy holder: Account? = nil
    ) -> StoreError.Kind? {
        kind {
            try store.save(
                grant(account, profile: Profile(emails: [email])), in: scope, authority: authority, makeCurrent: true,
                broughtBy: holder)
        }
    }

    @Test func refusesOtherPeopleInASharedStore() throws {
        try store.share(true)
        let there = Registration(origin: Self.cloud, tenantName: "x", clientID: "33333333")
        #expect(save(member(ana, red), "ana@example.com", in: common) == nil)
        for again in [account(ana, PolicyName("other"), tenant: red), account(ana, client: "22222222", tenant: red)] {
            #expect(save(again, "ana@example.com", in: common) == nil)
        }
        #expect(save(member(ben, blue), "ben@example.com", in: common) == .occupied)
        // Nor in another application. Neither an address nor the home account makes the same person.
        for (tenant, email) in [(blue, "ben@example.com"), (red, "ana@example.com"), (blue, "ana@example.com")] {
            let other = account(ben, policy, client: there.clientID, tenant: tenant)
            #expect(save(other, email, in: there) == .occupied, "\(email)")
        }
        #expect(try store.allAccounts().count == 3)
    }

    @Test func theRefreshTokenOfAPersonBringsTheSamePersonInAnotherTenant() throws {
        try store.share(true)
        #expect(save(member(ana, red), "ana@example.com", in: common) == nil)
        let guest = member(ben, blue)
        #expect(save(guest, "x@example.com", in: direct(blue), broughtBy: member(ana, red)) == nil)
        #expect(try store.accounts(of: direct(blue)).map(\.personAtHome) == [member(ana, red).person])
        #expect(try store.holder(admitting: [.stored(guest.person)]) != nil)
        // The person may sign in there too from now on.
        #expect(save(guest, "x@example.com", in: direct(blue)) == nil)
        let missing = member("unknown", red)
        #expect(save(guest, "x@example.com", in: direct(blue), broughtBy: missing) == .missing)
        _ = try store.remove([member(ana, red)])
        #expect(try store.accounts(of: direct(blue)).map(\.personAtHome) == [guest.person])
    }

    @Test func theHandleOfAGuestNamesNoPersonWithoutProof() throws {
        let home = HomeAccountID(uid: ana, utid: red.id)
        try store.signIn(grant(member(ben, blue), home: home), in: direct(blue))
        #expect(try store.accounts(of: direct(blue)).map(\.personAtHome) == [member(ben, blue).person])
        try store.signIn(grant(member(ana, red), home: home), in: common)
        try store.refresh(grant(member(ben, blue), home: home), in: direct(blue), broughtBy: member(ana, red))
        #expect(try store.accounts(of: direct(blue)).map(\.personAtHome) == [member(ana, red).person])
    }
}

/// The note of the last sign-out.
@Suite struct SignOutNoteTests {
    let home = TemporaryStore()
    let store: AccountStore

    init() throws {
        store = try home.open()
        for account in [account(ben), account()] { try store.signIn(grant(account)) }
    }

    @Test func aNoteStaysUntilSomebodyIsCurrent() throws {
        #expect(try store.signedOut(susi, in: scope) == nil)
        _ = try store.remove([account()], signedOutOn: 5_000)
        #expect(try store.signedOut(susi, in: scope) == SignOutNote(label: "ana@example.com", on: 5_000))
        #expect(try store.previous(susi, in: scope)?.account == account(ben))
        #expect(try store.signedOut(PolicyName("other"), in: scope) == nil)
        try store.makeCurrent(account(ben))
        #expect(try store.signedOut(susi, in: scope) == nil)
    }

    @Test func aRemovalAndAnAccountInTheBackgroundLeaveNone() throws {
        _ = try store.remove([account(ben)], signedOutOn: 5_000)
        #expect(try store.signedOut(susi, in: scope) == nil)
        _ = try store.remove([account()])
        #expect(try store.signedOut(susi, in: scope) == nil)
    }

    @Test func aNoteIsEncryptedAndSurvivesAnotherKey() throws {
        _ = try store.remove([account(), account(ben)], signedOutOn: 5_000)
        #expect(try !home.bytes().contains("ana@example.com".utf8))
        let change = try store.rekey(to: NewKey(for: .file, lifetime: 0))
        #expect(change.resealed == 1 && change.dropped == 0)
        #expect(try store.signedOut(susi, in: scope)?.label == "ana@example.com")
        #expect(try StoreCheck.run(home.folder).isGood)
    }

    @Test func aNoteThatCannotBeDecryptedIsNotShown() throws {
        _ = try store.remove([account()], signedOutOn: 5_000)
        // Moved to another policy.
        do { try home.raw().execute("UPDATE sign_outs SET policy_key = 'other'") }
        #expect(try store.signedOut(PolicyName("other"), in: scope) == nil)
        #expect(try StoreCheck.run(home.folder).isGood)
        #expect(try store.rekey(to: NewKey(for: .file, lifetime: 0)).dropped == 0)
        #expect(try home.raw().first("SELECT count(*) FROM sign_outs") { try $0.integer(0) } == 0)
    }

    @Test func severalGoTogetherOrNotAtAll() throws {
        let missing = account("unknown")
        #expect(kind { _ = try store.remove([account(), missing]) } == .missing)
        #expect(try store.accounts(of: scope).count == 2)
        let removals = try store.remove([account(), account(ben)])
        #expect(removals.map(\.wasCurrent) == [true, false] && removals.allSatisfy(\.personGone))
        #expect(removals.map(\.isErased) == [true, true])
        #expect(try store.accounts(of: scope).isEmpty)
    }
}

extension Collection where Element == UInt8 {
    func contains(_ other: some Collection<UInt8>) -> Bool { firstRange(of: Array(other)) != nil }
}
