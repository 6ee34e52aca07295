import SusiOAuth
import SusiPolicies
import SusiStore
import Testing

@Suite struct FindingTests {
    let home: TemporaryStore
    let store: AccountStore
    let edit = account(ana, PolicyName("B2C_1_edit"))
    let third = account("a1000000-ffff")

    init() throws {
        home = try TemporaryStore()
        store = try home.open()
        let profile = Profile(name: "Ána Ärmel", emails: ["ana@example.com", "second@example.com"])
        try store.signIn(grant(account(), profile: profile))
        try store.signIn(grant(edit, profile: profile))
        try store.signIn(
            grant(account(ben), profile: Profile(name: "Ben"), home: HomeAccountID(uid: "HANDLE-x", utid: guid)))
        // Somebody whose name is the beginning of another's identifier.
        try store.signIn(grant(third, profile: Profile(name: "a1000000")))
    }

    @Test(arguments: [
        ("ANA@example.COM", [ana]), ("second@example.com", [ana]), ("ána äRMEL", [ana]), ("Ben", [ben]),
        (ana.uppercased(), [ana]), ("b100", [ben]), ("B1000000-0000", [ben]), ("handle-X.\(guid)", [ben]),
        ("handle-", [ben]), ("a1000000", ["a1000000-ffff"]), ("a100", ["a1000000-ffff", ana]),
    ])
    func found(_ text: String, _ subjects: [String]) throws {
        #expect(try store.find(text, in: scope, policy: susi).map(\.account.person.subject) == subjects)
    }

    @Test(arguments: ["", "b10", "ana@example", "example.com", "ana", "Ärmel", "00000b", "%", "____"])
    func notFound(_ text: String) throws {
        #expect(try store.find(text, in: scope, policy: nil).isEmpty)
    }

    @Test func underEveryPolicyOrOne() throws {
        #expect(try store.find("ana@example.com", in: scope, policy: nil).map(\.account) == [edit, account()])
        #expect(try store.find("ana@example.com", in: scope, policy: edit.policy).map(\.account) == [edit])
        let other = ApplicationScope(origin: origin, tenantName: domain, clientID: "22222222")
        #expect(try store.find("ana@example.com", in: other, policy: nil).isEmpty)
    }
}
