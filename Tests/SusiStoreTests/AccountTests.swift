import SusiOAuth
import SusiPolicies
import SusiSQLite
import SusiStore
import Testing

@Suite struct AccountTests {
    let home = TemporaryStore()
    let store: AccountStore

    init() throws { store = try home.open() }

    @Test func savesAndReadsAcrossReopening() throws {
        try home.open().signIn(grant(account()))
        let store = try home.open()
        let stored = try #require(try store.account(account()))
        #expect(stored.account == account())
        #expect(stored.homeAccountID.description == "\(ana)-b2c_1_susi.\(guid)")
        #expect(stored.profile == Profile(name: "Ana", emails: ["ana@example.com"]))
        #expect(stored.claims == #"{"mark":"\#(ana)|B2C_1_susi|1"}"#)
        #expect(stored.authority == authority)
        #expect(stored.signedInOn == 1_000 && stored.claimsOn == 1_000)
        #expect(stored.isCurrent && stored.damage == nil)
        #expect(stored.label == "ana@example.com")
        #expect(
            stored.tokens.map(\.line) == [
                "access \(read) \(read) 4600 2800 1000", "id   4600 - 1000", "refresh  \(read) 87400 - 1000",
            ])
        #expect(try store.secret(.refresh(account()))?.secret == "refresh-\(ana)|B2C_1_susi|1")
        #expect(try store.secret(.id(account()))?.secret == "id-\(ana)|B2C_1_susi|1")
        #expect(try store.secret(.access(account(), read))?.secret == "access-\(ana)|B2C_1_susi|1")
        #expect(try store.secret(.access(account(), ScopeSet(["other"]))) == nil)
        #expect(try store.secret(.access(account(ben), read)) == nil)
    }

    @Test func noPersonIsTheirOwnHome() throws {
        try store.signIn(grant(account()))
        try store.save(
            grant(account(), mark: "2", receivedOn: 2_000), in: scope, authority: authority, makeCurrent: false,
            broughtBy: account())
        #expect(try home.raw().first("SELECT count(*) FROM person_homes") { try $0.integer(0) } == 0)
    }

    @Test func profileWithNothingInIt() throws {
        try store.signIn(grant(account(), profile: Profile(), scopes: nil, refreshable: false))
        let stored = try #require(try store.account(account()))
        #expect(stored.profile == Profile() && stored.label == ana)
        #expect(stored.tokens.map(\.kind) == [.id])
        #expect(try store.cachedAccessToken(current: susi, in: scope, scopes: read) == nil)
    }

    @Test func domainAndGUIDLeadToTheSameAccounts() throws {
        try store.signIn(grant(account()))
        for name in [domain, "Contoso.OnMicrosoft.com", guid, guid.uppercased()] {
            let scope = Registration(origin: origin, tenantName: name, clientID: client)
            #expect(try store.current(susi, in: scope)?.account == account(), "\(name)")
            #expect(try store.accounts(of: scope).count == 1)
        }
        for other in [
            Registration(origin: origin, tenantName: "fabrikam.onmicrosoft.com", clientID: client),
            Registration(origin: "https://evil.example", tenantName: domain, clientID: client),
            Registration(origin: origin, tenantName: domain, clientID: "22222222"),
        ] {
            #expect(try store.current(susi, in: other) == nil)
            #expect(try store.accounts(of: other).isEmpty)
            #expect(try store.cachedAccessToken(current: susi, in: other, scopes: read) == nil)
        }
    }

    /// A configuration that calls a tenant by another tenant's GUID does not replace that tenant.
    @Test func aGUIDNamesItsOwnTenantOnly() throws {
        try store.signIn(grant(account()))
        let other = account(ben, tenant: Tenant(origin: origin, id: "bbbbbbbb-0000-0000-0000-000000000002"))
        try store.signIn(grant(other, tenantName: guid))
        let byGUID = Registration(origin: origin, tenantName: guid, clientID: client)
        #expect(try store.accounts(of: byGUID).map(\.account) == [account()])
        // A domain name can move to another tenant.
        try store.signIn(grant(other, tenantName: domain))
        #expect(try store.accounts(of: scope).map(\.account) == [other])
        #expect(try store.accounts(of: byGUID).map(\.account) == [account()])
    }

    @Test func policiesCompareWholeAndWithoutCase() throws {
        let names = ["B2C_1_in", "B2C_1_sign_in", "sign_in", "in", "B2C_1A_v2.0.sign_in"].map { PolicyName($0) }
        for name in names { try store.signIn(grant(account(ana, name))) }
        for name in names {
            #expect(try store.accounts(of: scope, policy: name).map(\.account.policy.spelling) == [name.spelling])
            let shouted = PolicyName(name.spelling.uppercased())
            #expect(try store.current(shouted, in: scope)?.account.policy.spelling == name.spelling)
            #expect(try store.secret(.refresh(account(ana, shouted)))?.secret == "refresh-\(ana)|\(name)|1")
        }
        #expect(try store.current(PolicyName("_in"), in: scope) == nil)
        #expect(try store.account(account(ana, PolicyName("n"))) == nil)
    }

    @Test func spellingOfTheLastSignInIsKept() throws {
        try store.signIn(grant(account(ana, PolicyName("b2c_1_SUSI"))))
        try store.signIn(grant(account()))
        #expect(try store.accounts(of: scope).map(\.account.policy.spelling) == ["B2C_1_susi"])
    }

    @Test func subjectsThatEndAlikeAreDifferentPersons() throws {
        for subject in ["2-1", "1-2-1", "-1", "1"] { try store.signIn(grant(account(subject), profile: Profile())) }
        for subject in ["2-1", "1-2-1", "-1", "1"] {
            #expect(try store.account(account(subject))?.account.person.subject == subject)
            #expect(try store.secret(.id(account(subject)))?.secret == "id-\(subject)|B2C_1_susi|1")
        }
        #expect(try store.accounts(of: scope).map(\.account.person.subject) == ["-1", "1", "1-2-1", "2-1"])
    }

    @Test func onePersonUnderTwoPoliciesHasOneProfile() throws {
        let edit = account(ana, PolicyName("B2C_1_edit"))
        try store.signIn(grant(account()))
        try store.signIn(
            grant(edit, profile: Profile(name: "Ana Neu"), mark: "2", receivedOn: 2_000), makeCurrent: false)
        let stored = try store.accounts(of: scope)
        #expect(stored.map(\.profile.name) == ["Ana Neu", "Ana Neu"])
        #expect(stored.map(\.profile.emails) == [["ana@example.com"], ["ana@example.com"]])
        #expect(stored.map(\.claimsOn) == [2_000, 1_000])
        // An older response does not restore the old name.
        try store.refresh(grant(account(), mark: "late", receivedOn: 1_500))
        #expect(try store.account(account())?.profile.name == "Ana Neu")
    }
}

extension StoredTokenInfo {
    /// All properties on one line.
    var line: String {
        let times = [expiresOn, refreshOn, savedOn].map { $0.map(String.init) ?? "-" }.joined(separator: " ")
        return "\(kind.rawValue) \(scopes) \(granted) \(times)"
    }
}
