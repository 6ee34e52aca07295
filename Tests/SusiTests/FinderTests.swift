import Foundation
import SusiTestSupport
import SystemPackage
import Testing

@testable import Susi

/// Who is meant: typed names, current accounts and the persons of sign-ins, in a store that no server filled.
@Suite("Finding accounts")
final class FinderTests {
    private static let cloud = "https://login.microsoftonline.com"
    private static let home = Tenant(origin: cloud, id: "aaaaaaaa-0000-4000-8000-00000000000a")
    private static let fabrikam = Tenant(origin: cloud, id: "bbbbbbbb-0000-4000-8000-00000000000b")
    private static let shopTenant = Tenant(origin: "https://shop.b2clogin.com", id: home.id)
    private static let text = """
        {
          "current": "work",
          "applications": {
            "work": {
              "kind": "entra", "authority": "\(cloud)/common", "clientId": "c",
              "policies": {
                "main": { "kind": "signUpOrSignIn", "default": true }, "other": { "kind": "signUpOrSignIn" },
                "partner": { "kind": "signUpOrSignIn", "authority": "\(cloud)/\(fabrikam.id)" },
                "named": { "kind": "signUpOrSignIn", "authority": "\(cloud)/contoso.example" }
              },
              "knownAuthorities": ["login.microsoftonline.com", "login.microsoftonline.com/\(fabrikam.id)"]
            },
            "shop": {
              "kind": "b2c", "authority": "https://shop.b2clogin.com/shop.example", "clientId": "c",
              "policies": {
                "susi": { "kind": "signUpOrSignIn", "default": true }, "edit": { "kind": "editProfile" },
                "alt": { "kind": "signUpOrSignIn" },
                "foreign": { "kind": "signUpOrSignIn", "authority": "https://east.b2clogin.com/east.example" }
              },
              "knownAuthorities": ["shop.b2clogin.com", "east.b2clogin.com"]
            }
          }
        }
        """

    private let folder = FilePath(NSTemporaryDirectory()).appending("susi-finder-\(UUID().uuidString)")
    private let applications: [Application]
    private let store: AccountStore
    private var work: Application { applications[0] }
    private var shop: Application { applications[1] }

    init() throws {
        applications = try PoliciesFile(text: Self.text.utf8, source: "p.json").applications
        store = try AccountStore(opening: StoreFolder(folder, owner: getuid()))
    }

    deinit { try? folder.remove() }

    private func client(_ application: Application, among others: [Application] = []) -> PublicClient {
        PublicClient(
            application: application, among: others, folder: StoreFolder(folder, owner: getuid()), clock: { 2_000 })
    }

    /// Stores an account of `NAME@x.example`, whose subject is `NAME` with the first letter of the tenant.
    @discardableResult
    private func save(
        _ name: String, _ policy: String, in tenant: Tenant = home, of application: Application? = nil,
        home: Account? = nil, on time: Int64 = 1_000, current: Bool = true, profile: Profile? = nil
    ) throws -> Account {
        let application = application ?? work
        // A policy of the file, or one that left it.
        let policy = application.policy(PolicyName(policy)) ?? Policy(name: PolicyName(policy), kind: .signUpOrSignIn)
        let person = Person(tenant: tenant, subject: "\(name)-\(tenant.id.prefix(1))")
        let account = Account(person: person, policy: policy.name, clientID: application.clientID)
        let owner = (home ?? account).person
        let grant = TokenGrant(
            account: account, homeAccountID: HomeAccountID(uid: owner.subject, utid: owner.tenant.id),
            tenantName: tenant.id, profile: profile ?? Profile(name: name, emails: ["\(name)@x.example"]), claims: "{}",
            idToken: "i", idTokenExpiresOn: time, accessToken: nil,
            refreshToken: .init(secret: "r", expiresOn: time + 86_400), receivedOn: time)
        try store.save(
            grant, in: Registration(application, policy),
            authority: application.authority(for: policy).base.description, makeCurrent: current, broughtBy: home)
        return account
    }

    private func select(_ policy: String, _ text: String? = nil) -> AccountSelection {
        AccountSelection(policy: PolicyName(policy), text: text)
    }

    private func error(_ body: () async throws -> Void) async throws -> SusiError {
        try await #require(throws: SusiError.self) { try await body() }
    }

    private func found(_ client: PublicClient, _ selection: AccountSelection) async throws -> Account {
        try await client.account(selection).account
    }

    // MARK: One tenant

    @Test func findsTheCurrentAccountAndCompleteNames() async throws {
        let client = client(shop)
        let none = try await error { _ = try await client.account(self.select("susi")) }
        #expect(none.code == .signInNeeded && none.candidates.isEmpty)
        let (ana, ben) = (
            try save("ana", "susi", in: Self.shopTenant, of: shop),
            try save("ben", "susi", in: Self.shopTenant, of: shop)
        )
        #expect(try await found(client, select("susi")) == ben)
        for name in ["ANA@x.example", "ana-a"] { #expect(try await found(client, select("susi", name)) == ana) }
        let stored = try await client.account(select("susi", "ana-a"))
        #expect(try await found(client, AccountSelection(stored)) == ana)
        let alt = try client.policy(PolicyName("alt"))
        await expectRefusal(.unknownAccount) { try await client.account(AccountSelection(stored).under(alt)) }
        for name in ["ana", "an", "ana@x", "chi@x.example"] {
            await expectRefusal(.unknownAccount) { try await client.account(select("susi", name)) }
        }
        _ = try store.remove([ana])
        await expectRefusal(.unknownAccount) { try await client.account(AccountSelection(stored)) }
    }

    @Test("without a current account, the one before it is suggested, else the first") func suggestsPreviousAccount()
        async throws
    {
        let client = client(shop)
        for name in ["ana", "chi", "ben"] { try save(name, "susi", in: Self.shopTenant, of: shop) }
        let ben = try await client.account(select("susi"))
        _ = try store.remove([ben.account])
        let removed = try await error { _ = try await client.account(self.select("susi")) }
        #expect(removed.code == .noCurrentAccount && removed.candidates == ["ana@x.example", "chi@x.example"])
        #expect(removed.nextStep == NextStep.switchAccount(to: "chi@x.example", policy: PolicyName("susi")))
        _ = try store.remove([try await client.account(select("susi", "chi-a")).account])
        let first = try await error { _ = try await client.account(self.select("susi")) }
        #expect(first.nextStep == NextStep.switchAccount(to: "ana@x.example", policy: PolicyName("susi")))
    }

    @Test("a shortened name is completed only where a person sees it, and only at its own authority")
    func completesShortenedNames() async throws {
        let client = client(shop)
        let east = Tenant(origin: "https://east.b2clogin.com", id: Self.fabrikam.id)
        let (susi, foreign) = (try client.policy(PolicyName("susi")), try client.policy(PolicyName("foreign")))
        try save("eve", "foreign", in: east, of: shop)
        #expect(try await meant("ev", under: susi, client) == nil)
        #expect(try await meant("ev", under: foreign, client) == "eve@x.example")
        await expectRefusal(.unknownAccount) {
            try await client.expectedPerson(self.select("susi", "ev"), completing: true)
        }
        #expect(try await client.expectedPerson(select("foreign", "ev"), completing: true).shortFor != nil)
        let ana = try save("ana", "susi", in: Self.shopTenant, of: shop)
        let alt = try save("ana", "alt", in: Self.shopTenant, of: shop)
        // What a policy keeps that changes something, or one that left the file, is no account of the application.
        for gone in ["edit", "old"] { try save("ana", gone, in: Self.shopTenant, of: shop) }
        #expect(
            Set(
                try await client.finding({ try $0.accounts(named: "ana-a", under: nil, completing: false) }).accounts
                    .map(\.account)) == [ana, alt])
        let short = try await client.finding({ try $0.accounts(named: "an", under: nil, completing: true) })
        #expect(short.isShortened && Set(short.accounts.map(\.account)) == [ana, alt])
        #expect(
            try await client.finding({ try $0.accounts(named: "an", under: nil, completing: false) }).accounts.isEmpty)
        let whole = try await client.finding({ try $0.accounts(named: "ana@x.example", under: nil, completing: true) })
        #expect(!whole.isShortened && whole.accounts.count == 2)
        #expect(try await meant("ana@x.example", under: susi, client) == nil)
        // The account of another policy of the same authority is the same person.
        let person = try await client.expectedPerson(select("alt", "ana@x.example")).person
        #expect(person.map { if case .account(let known) = $0 { known.account == alt } else { false } } == true)
        _ = try store.remove([alt])
        let known = try await client.expectedPerson(select("alt", "an"), completing: true)
        #expect(known.shortFor?.account == ana)
        await expectRefusal(.unknownAccount) { try await client.expectedPerson(select("susi", "an")) }
        await expectRefusal(.unknownAccount) { try await client.expectedPerson(select("susi", "Dan Doe")) }
        try save("andy", "susi", in: Self.shopTenant, of: shop)
        await expectRefusal(.ambiguousAccount) { try await client.expectedPerson(select("susi", "an")) }
        for name in ["dan@x.example", "dan d@x.example"] {
            #expect(try await client.expectedPerson(select("susi", name)).person == .named(name))
            #expect(try await client.expectedPerson(select("susi", name), completing: true).person == .named(name))
        }
        #expect(try await client.expectedPerson(select("susi")).person == nil)
    }

    @Test(
        arguments: [
            (Profile(name: "Ana", emails: ["ana@x.example"]), "Ana <ana@x.example>"),
            (Profile(name: "ana", username: "ana"), "ana"), (Profile(username: "ana"), "ana"),
            (Profile(name: "Ana", identityProvider: "google.com"), "Ana (google.com, ana-a)"),
            (Profile(name: "Ana"), "Ana (ana-a)"), (Profile(), "ana-a"),
        ])
    func writesTitles(profile: Profile, title: String) async throws {
        try save("ana", "susi", in: Self.shopTenant, of: shop, profile: profile)
        #expect(try await client(shop).account(select("susi")).title == title)
    }

    @Test func namesDamagedAccountByItsLabel() async throws {
        try save("ana", "susi", in: Self.shopTenant, of: shop, profile: Profile(name: "Ana"))
        let key = folder.appending("key").string
        let other = Data("susi-key-1 \(String(repeating: "07", count: 32))\n".utf8)
        #expect(FileManager.default.createFile(atPath: key, contents: other, attributes: [.posixPermissions: 0o600]))
        let listed = try await client(shop).accounts()
        #expect(listed.map(\.title) == ["Ana"] && listed.first?.damage != nil)
    }

    private func meant(_ text: String, under policy: Policy, _ client: PublicClient) async throws -> String? {
        try await client.finding { try $0.account(shortenedTo: text, under: policy)?.label }
    }

    @Test func completesNoNameOfSeveral() async throws {
        let client = client(shop)
        let susi = try client.policy(PolicyName("susi"))
        for name in ["ana", "anton"] { try save(name, "susi", in: Self.shopTenant, of: shop) }
        #expect(try await meant("ant", under: susi, client) == "anton@x.example")
        let several = try await error { _ = try await self.meant("an", under: susi, client) }
        #expect(several.code == .ambiguousAccount && several.candidates.count == 2)
    }

    @Test("a step that demands a person is a sign-in: a password reset has no account yet")
    func demandsPerson() {
        let person = PersonReference(text: "ana@x.example", userName: "ana")
        let demanded = { (kind: PolicyKind) -> PolicyRun? in
            let step = NextStep.run(PolicyRun(kind, PolicyName("p"))).demanding(person)
            guard case .run(let run)? = step.parts.first else { return nil }
            return run
        }
        #expect(demanded(.signUpOrSignIn)?.account == "ana@x.example")
        #expect(demanded(.resourceOwner)?.userName == "ana")
        #expect(demanded(.passwordReset) == PolicyRun(.passwordReset, PolicyName("p")))
    }

    @Test("an address that is near a stored one is named, not chosen; an unknown one leads to a sign-in")
    func suggestsNearNames()
        async throws
    {
        let client = client(shop)
        for name in ["ana", "benjamin"] { try save(name, "susi", in: Self.shopTenant, of: shop) }
        for (typed, meant) in [("benjamn@x.example", "benjamin@x.example"), ("benjamn", "benjamin@x.example")] {
            let near = try await error { _ = try await client.account(self.select("susi", typed)) }
            #expect(near.nextStep == NextStep.listAccounts(nil) && near.why.contains(meant), "\(typed)")
        }
        let far = try await error { _ = try await client.account(self.select("susi", "zoe.miller@x.example")) }
        let run = PolicyRun(.signUpOrSignIn, PolicyName("susi"), account: "zoe.miller@x.example")
        #expect(far.nextStep == NextStep.run(run))
        let name = try await error { _ = try await client.account(self.select("susi", "zoe.miller")) }
        #expect(name.nextStep == NextStep.listAccounts(nil))
        for name in ["dea", "deb"] { try save(name, "susi", in: Self.shopTenant, of: shop) }
        let several = try await error { _ = try await client.account(self.select("susi", "det@x.example")) }
        #expect(several.why.isEmpty && several.candidates.prefix(2) == ["dea@x.example", "deb@x.example"])
    }

    // MARK: Several tenants

    @Test("a policy at another tenant uses the person's account there, else the sign-in at home")
    func findsPersonAtHome() async throws {
        let client = client(work)
        let partner = try client.policy(PolicyName("partner"))
        let ana = try save("ana", "main")
        let unknown = try await error { _ = try await client.account(self.select("partner", "ana@x.example")) }
        #expect(unknown.code == .unknownAccount, "only a token request fetches her account there")
        let guest = try save("ana", "partner", in: Self.fabrikam, home: ana, current: false)
        #expect(try await client.current(partner).current == nil, "the account at home is current")
        #expect(try await found(client, select("partner", "ana-b")) == guest)
        #expect(try await found(client, select("partner", "ana-a")) == guest, "by her identifier at home")
        let stored = try await client.account(select("main"))
        #expect(try await found(client, AccountSelection(stored).under(partner)) == guest)
        // Another person of the tenant is current there: the one at home is not used.
        let eve = try save("eve", "partner", in: Self.fabrikam)
        #expect(try await found(client, select("partner")) == eve)
        _ = try store.remove([eve])
        await expectRefusal(.noCurrentAccount) { try await client.account(select("partner")) }
    }

    @Test func completesNamesAtEveryHome() async throws {
        let client = client(work)
        let partner = try client.policy(PolicyName("partner"))
        try save("ana", "main")
        try save("zed", "other")
        for name in ["ana", "zed"] {
            #expect(
                try await meant(String(name.prefix(2)), under: partner, client)
                    == "\(name)@x.example")
        }
        // An identifier at home is a complete name, and not the beginning of another one in the tenant.
        try save("ana-a", "partner", in: Self.fabrikam)
        #expect(try await meant("ana-a", under: partner, client) == nil)
        let named = try await client.finding { try $0.accounts(named: "ana-a", under: partner, completing: true) }
        #expect(named.accounts.isEmpty && !named.isShortened)
    }

    @Test("a tenant may be named in two ways; only another authority is another tenant")
    func namesOtherTenants() throws {
        let stored = { (account: Account) in try #require(try self.store.account(account)) }
        #expect(work.otherTenant(of: try stored(try save("ana", "named"))) == nil)
        #expect(work.otherTenant(of: try stored(try save("ana", "main", in: Self.fabrikam))) == nil)
        let there = try work.at(TenantName(Self.fabrikam.id))
        let guest = try save("eve", "main", in: Self.fabrikam, of: there)
        #expect(there.otherTenant(of: try stored(guest)) == nil)
        #expect(try work.at(TenantName(Self.home.id)).otherTenant(of: try stored(guest)) == Self.fabrikam.id)
    }

    @Test("a sign-out in another tenant lasts until the next sign-in, there or at home") func keepsSignOut()
        async throws
    {
        let client = client(work)
        let partner = try client.policy(PolicyName("partner"))
        let ben = try save("ben", "partner", in: Self.fabrikam, home: try save("ben", "main"))
        let ana = try save("ana", "main")
        let selection = select("partner")
        let usesHome = { () async throws -> Bool in
            try await client.finding { finder in
                do {
                    if try !finder.one(selection, under: partner).isHere { return true }
                } catch is SusiError {}
                return false
            }
        }
        _ = try store.remove([ben], signedOutOn: 1_500)
        #expect(try await usesHome(), "another person signed out")
        let guest = try save("ana", "partner", in: Self.fabrikam, home: ana)
        _ = try store.remove([guest], signedOutOn: 1_500)
        #expect(try await !usesHome())
        try save("ana", "main", on: 1_499)
        #expect(try await !usesHome())
        try save("ana", "main", on: 1_501)
        #expect(try await usesHome())
    }

    @Test("an application made for a tenant has the accounts of the people who are current at home")
    func findsCurrentPersonOfTenant() async throws {
        let there = try work.at(TenantName(Self.fabrikam.id))
        let client = client(there)
        let main = try client.policy(PolicyName("main"))
        let ana = try save("ana", "main")
        #expect(try await client.current(main).current == nil)
        let guest = try save("ana", "main", in: Self.fabrikam, of: there, home: ana, current: false)
        #expect(try await client.current(main).current?.account == guest)
        #expect(try await found(client, select("main")) == guest)
        #expect(try await client.accounts().map(\.account) == [guest])
        // At home everyone signs in at home: a guest's account cannot be used there.
        let home = self.client(work)
        #expect(try await home.accounts(policy: PolicyName("main")).map(\.account) == [ana])
        #expect(try await home.accountCount(policy: PolicyName("main")) == 1)
        #expect(try await Set(home.accounts().map(\.account)) == [ana, guest])
        #expect(try await home.current(try home.policy(PolicyName("main"))).current?.account == ana)
        guard case .account(let expected) = try await client.expectedPerson(select("main")).person else {
            Issue.record("no person is expected")
            return
        }
        #expect(expected.account == guest)
        _ = try store.remove([guest])
        guard case .home(let person) = try await client.expectedPerson(select("main")).person else {
            Issue.record("the person at home is not expected")
            return
        }
        #expect(person.account == ana)
        // Nor is it offered there.
        try save("ana", "main", in: Self.fabrikam, of: there, home: ana, current: false)
        _ = try store.remove([ana])
        let none = try await error { _ = try await home.account(self.select("main")) }
        #expect(none.code == .signInNeeded && none.candidates.isEmpty)
    }

    // MARK: Everything

    @Test("everything is listed by application, current accounts first; what belongs to none comes last")
    func listsEverything() async throws {
        let client = client(shop, among: applications)
        try save("ana", "susi", in: Self.shopTenant, of: shop)
        try save("ben", "susi", in: Self.shopTenant, of: shop)
        try save("ana", "edit", in: Self.shopTenant, of: shop)
        try save("ben", "old", in: Self.shopTenant, of: shop)
        try save("wim", "main")
        let orphan = try PoliciesFile(
            text: Self.text.replacing("shop.b2clogin.com", with: "gone.b2clogin.com").utf8, source: "p.json"
        ).applications[1]
        try save("gil", "susi", in: Tenant(origin: "https://gone.b2clogin.com", id: Self.fabrikam.id), of: orphan)
        let groups = try await client.everything()
        #expect(groups.map(\.application) == ["shop", "work", nil, nil, nil])
        #expect(groups.map(\.unowned) == [nil, nil, .keepsNoAccount, .noApplication, .noPolicy])
        let server = "https://shop.b2clogin.com"
        #expect(groups.map(\.origin) == [server, Self.cloud, server, "https://gone.b2clogin.com", server])
        #expect(
            groups.map { $0.accounts.map { "\($0.label) \($0.account.policy)" } } == [
                ["ben@x.example susi", "ana@x.example susi"], ["wim@x.example main"], ["ana@x.example edit"],
                ["gil@x.example susi"], ["ben@x.example old"],
            ])
        #expect(groups.dropFirst(2).allSatisfy { $0.accounts.allSatisfy { !$0.isCurrent } })
        #expect(try await client.everything(filter: "wim").map(\.application) == ["work"])
        let count = try await client.storedCount()
        #expect(count.all == 6 && count.ownerless == 3)
        #expect(try await client.list().hidden == 4, "one of another application, three of none")
        #expect(try await client.accounts().count == 2)
        #expect(try await client.list(policy: PolicyName("susi")).hidden == 0)
    }
}
