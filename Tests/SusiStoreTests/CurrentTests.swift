import SusiOAuth
import SusiPolicies
import SusiStore
import Testing

@Suite struct CurrentTests {
    let home = TemporaryStore()
    let store: AccountStore
    let cleo = "c0000000-0000-0000-0000-00000000000c"

    init() throws { store = try home.open() }

    private func state() throws -> [String?] {
        [
            try store.current(susi, in: scope)?.account.person.subject,
            try store.previous(susi, in: scope)?.account.person.subject,
        ]
    }

    @Test func signInAndSwitchKeepThePrevious() throws {
        try store.signIn(grant(account()), makeCurrent: false)
        #expect(try state() == [nil, nil])
        #expect(try store.account(account())?.isCurrent == false)
        #expect(try store.cachedAccessToken(current: susi, in: scope, scopes: read) == nil)
        try store.signIn(grant(account()))
        #expect(try state() == [ana, nil])
        try store.signIn(grant(account(ben)))
        #expect(try state() == [ben, ana])
        try store.signIn(grant(account(ben)))
        #expect(try state() == [ben, ana])
        try store.makeCurrent(account())
        #expect(try state() == [ana, ben])
        try store.makeCurrent(account())
        #expect(try state() == [ana, ben])
        try store.signIn(grant(account(cleo)))
        #expect(try state() == [cleo, ana])
        #expect(try store.accounts(of: scope).filter(\.isCurrent).map(\.account) == [account(cleo)])
        #expect(try store.previous(susi, in: scope)?.isCurrent == false)
        try store.refresh(grant(account(ben), mark: "2", receivedOn: 2_000))
        #expect(try state() == [cleo, ana])
    }

    @Test func eachPolicyAndApplicationHasItsOwn() throws {
        let other = account(ben, PolicyName("other"))
        let elsewhere = account(ben, client: "22222222")
        for account in [account(), other, elsewhere] { try store.signIn(grant(account)) }
        #expect(try state() == [ana, nil])
        #expect(try store.current(PolicyName("OTHER"), in: scope)?.account == other)
        let second = Registration(origin: origin, tenantName: domain, clientID: "22222222")
        #expect(try store.current(susi, in: second)?.account == elsewhere)
    }

    @Test func removingTheCurrentMakesNobodyCurrent() throws {
        try store.signIn(grant(account()))
        try store.signIn(grant(account(ben)))
        #expect(try store.remove(account(ben)).wasCurrent)
        #expect(try state() == [nil, ana])
        // The previous account is kept until another one was current.
        try store.signIn(grant(account(cleo)))
        #expect(try state() == [cleo, ana])
        _ = try store.remove(account(cleo))
        try store.makeCurrent(account())
        #expect(try state() == [ana, nil])
        try store.signIn(grant(account(ben)))
        #expect(try store.remove(account()).wasCurrent == false)
        #expect(try state() == [ben, nil])
    }

    @Test func anUnknownAccountCannotBecomeCurrent() throws {
        try store.signIn(grant(account()))
        #expect(kind { try store.makeCurrent(account(ben)) } == .missing)
        #expect(kind { try store.makeCurrent(account(ana, PolicyName("other"))) } == .missing)
        #expect(try state() == [ana, nil])
    }

    @Test("an account is reached through its own tenant alone, by name and by GUID")
    func accountsBelongToScopesOfTheirTenant() throws {
        let other = Tenant(origin: "https://fabrikam.b2clogin.com", id: "bbbbbbbb-0000-0000-0000-000000000002")
        let elsewhere = Registration(origin: other.origin, tenantName: other.id, clientID: client)
        try store.signIn(grant(account()))
        #expect(try store.belongs(account(), to: scope))
        #expect(try store.belongs(account(), to: Registration(origin: origin, tenantName: guid, clientID: client)))
        #expect(try !store.belongs(account(), to: elsewhere))
        #expect(try !store.belongs(account(), to: Registration(origin: origin, tenantName: guid, clientID: "another")))
    }
}
