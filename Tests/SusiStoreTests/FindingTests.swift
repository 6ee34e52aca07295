import Foundation
import SusiOAuth
import SusiPolicies
import Testing

@testable import SusiStore

@Suite struct FindingTests {
    let home: TemporaryStore
    let store: AccountStore
    let edit = account(ana, PolicyName("B2C_1_edit"))
    static let third = account("a1000000-ffff-4000-8000-00000000000f")

    init() throws {
        home = try TemporaryStore()
        store = try home.open()
        let profile = Profile(name: "Ána Ärmel", emails: ["ana@example.com", "second@example.com"])
        try store.signIn(grant(account(), profile: profile))
        try store.signIn(grant(edit, profile: profile))
        try store.signIn(
            grant(account(ben), profile: Profile(name: "Ben"), home: HomeAccountID(uid: "HANDLE-x", utid: guid)))
        // A person whose name is the beginning of another person's identifier.
        try store.signIn(grant(Self.third, profile: Profile(name: "a1000000")))
    }

    @Test(arguments: [
        ("ANA@example.COM", [ana]), ("second@example.com", [ana]), ("ána äRMEL", [ana]), ("Ben", [ben]),
        (ana.uppercased(), [ana]), ("b100", [ben]), ("B1000000-0000", [ben]), ("\(ana)-B2C_1_susi.\(guid)", [ana]),
        ("a1000000", [Self.third.person.subject]), ("a100", [Self.third.person.subject, ana]),
        ("ana@", [ana]), ("SEC", [ana]), ("ána", [ana]), ("ána Ä", [ana]), ("b", [ben]),
        ("a1", [Self.third.person.subject]),
        ("an", [ana]),
    ])
    func found(_ text: String, _ subjects: [String]) throws {
        #expect(try store.find(text, in: scope, policy: susi).map(\.account.person.subject) == subjects)
    }

    // “handle-” begins an identifier that is not a GUID; “ana@example.co” is a complete address.
    @Test(arguments: [
        "", "b10", "example.com", "na@", "Ärmel", "00000b", "%", "____", "handle-", "handle-x", "handle-x.\(guid)",
        "ana@example.co",
    ])
    func findsNothingForOtherTexts(_ text: String) throws {
        #expect(try store.find(text, in: scope, policy: nil).isEmpty)
    }

    @Test(
        "a complete name is matched exactly; a display name is none",
        arguments: [
            ("ana@", false), ("an", false), ("b", false), ("B1000000-0000", false), ("BEN", false),
            ("ána ärmel", false), ("Second@example.com", true), (ben.uppercased(), true),
            ("\(ana)-b2c_1_susi.\(guid)", true),
        ])
    func exactly(_ text: String, isFound: Bool) throws {
        #expect(try store.find(text, in: [scope], policy: nil, matching: .exactly).isEmpty != isFound)
        #expect(try !store.find(text, in: scope, policy: nil).isEmpty)
    }

    @Test func underEveryPolicyOrOne() throws {
        #expect(try store.find("ana@example.com", in: scope, policy: nil).map(\.account) == [edit, account()])
        #expect(try store.find("ana@example.com", in: scope, policy: edit.policy).map(\.account) == [edit])
        let other = ApplicationScope(origin: origin, tenantName: domain, clientID: "22222222")
        #expect(try store.find("ana@example.com", in: other, policy: nil).isEmpty)
    }

    @Test("a display name is no address: who names themself like another is not found by it, and is not called so")
    func namedLikeAnAddress() throws {
        let mallory = "e1000000-0000-0000-0000-00000000000e"
        try store.signIn(grant(account(mallory), profile: Profile(name: "ana@example.com")))
        #expect(try store.find("ana@example.com", in: scope, policy: susi).map(\.account) == [account()])
        _ = try store.remove([account(), edit])
        #expect(try store.find("ana@example.com", in: scope, policy: nil).isEmpty)
        #expect(try store.account(account(mallory))?.label == mallory)
        #expect(try store.labels(near: "ana@example.com", in: [scope], policy: nil).contains(mallory))
    }

    @Test("an address, a user name or an identifier goes before a name")
    func addressesTakePrecedence() throws {
        let cleo = "c1000000-0000-0000-0000-00000000000c"
        try store.signIn(grant(account(cleo), profile: Profile(name: "Cleo", username: "ben")))
        #expect(try store.find("BEN", in: scope, policy: susi).map(\.account) == [account(cleo)])
        for (name, text) in [(ana, ana), ("a1000000-00 Ltd", "a1000000-00")] {
            try store.signIn(grant(account("f1000000"), profile: Profile(name: name)))
            #expect(try store.find(text, in: scope, policy: susi).map(\.account) == [account()], "\(name)")
        }
    }

    @Test("an identifier goes before another person's address or user name, in any letter case")
    func identifiersTakePrecedence() throws {
        let (dan, eve) = (account("Dan"), account("e-1"))
        try store.signIn(grant(dan, profile: Profile(username: "dan-1")))
        try store.signIn(grant(eve, profile: Profile(emails: ["dan-1"], username: "DAN")))
        #expect(try store.find("dan", in: [scope], policy: nil, matching: .exactly).map(\.account) == [dan])
        #expect(
            Set(try store.find("dan-1", in: [scope], policy: nil, matching: .exactly).map(\.account)) == [dan, eve])
        _ = try store.remove(dan)
        #expect(try store.find("dan", in: [scope], policy: nil, matching: .exactly).map(\.account) == [eve])
    }

    @Test("a text that looks like an identifier is compared with identifiers alone")
    func findsNoUserNameLikeAnIdentifier() throws {
        let unknown = "d1000000-0000-0000-0000-00000000000d"
        try store.signIn(grant(account("e-2"), profile: Profile(emails: [unknown], username: unknown)))
        for matching in [AccountStore.Matching.exactly, .beginning] {
            #expect(try store.find(unknown, in: [scope], policy: nil, matching: matching).isEmpty)
        }
    }

    @Test("what a person is called now counts, not what they were called before")
    func findsOnlyCurrentNames() throws {
        let later = Profile(name: "Ana Neu", emails: ["neu@example.com"])
        try store.refresh(grant(account(), profile: later, mark: "2", receivedOn: 2_000))
        #expect(try store.find("ana@example.com", in: scope, policy: nil).isEmpty)
        #expect(try store.find("ána ärmel", in: scope, policy: nil).isEmpty)
        for text in ["NEU@example.com", "ana neu"] {
            #expect(try store.find(text, in: scope, policy: nil).map(\.account) == [edit, account()], "\(text)")
        }
        let labels = try store.accounts(of: scope).map(\.label)
        #expect(labels == ["a1000000", "Ben", "neu@example.com", "neu@example.com"])
    }

    @Test("a handle is not signed: one that names another person finds no account, whole or shortened")
    func handleOfAnotherPersonFindsNothing() throws {
        let victim = "c2000000-0000-4000-8000-00000000000c"
        let uids = ["\(victim)-b2c_1_susi", victim, "\(victim)-b2c_1_edit"]
        for (number, uid) in uids.enumerated() {
            let mallory = account("e\(number)000000-0000-4000-8000-00000000000e")
            try store.signIn(
                grant(mallory, profile: Profile(name: "M"), home: HomeAccountID(uid: uid, utid: guid)))
        }
        for text in uids.map({ "\($0).\(guid)" }) + uids + ["c200", "c2000000-0000-4000"] {
            for matching in [AccountStore.Matching.exactly, .beginning] {
                #expect(try store.find(text, in: [scope], policy: nil, matching: matching).isEmpty, "\(text)")
            }
            try store.accounts(AccountListing(filter: text), of: [scope]) { Issue.record("\(text): \($0.label)") }
        }
    }

    @Test("many namesakes: no more than so many are read, in the order of the list")
    func limitsTheNumberOfResults() throws {
        let subjects = (1_000..<1_000 + AccountStore.mostFound + 5).map { "same-\($0)" }
        for subject in subjects { try store.signIn(grant(account(subject), profile: Profile(name: "Dee"))) }
        for text in ["dee", "de"] {
            let found = try store.find(text, in: scope, policy: nil)
            #expect(found.count == AccountStore.mostFound)
            #expect(Set(found.map(\.account)).count == found.count)
        }
        #expect(try store.find("same-1104", in: scope, policy: nil).map(\.account) == [account("same-1104")])
    }

    @Test("the labels near a text are those before and behind it, of every policy once")
    func returnsNearbyLabels() throws {
        let all = ["a1000000", "ana@example.com", "Ben"]
        #expect(try store.labels(near: "Ana@example.con", in: [scope], policy: nil) == all.sorted())
        #expect(try store.labels(near: "b", in: [scope], policy: edit.policy) == ["ana@example.com"])
        for number in 1_000..<1_300 {
            try store.signIn(
                grant(account("many-\(number)"), profile: Profile(emails: ["many\(number)@example.com"])))
        }
        let near = try store.labels(near: "many1149@example.con", in: [scope], policy: susi)
        #expect(near.count == 2 * AccountStore.mostLabels)
        #expect(near.first == "many1050@example.com" && near.last == "many1249@example.com")
    }
}
