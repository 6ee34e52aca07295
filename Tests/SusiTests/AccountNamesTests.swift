import Testing

@testable import Susi
@testable import SusiStore

/// Find, filter, sort and complete, over accounts that no store has.
@Suite("Names of accounts")
struct AccountNamesTests {
    private static let tenant = Tenant(origin: "https://a.example", id: "aaaaaaaa-0000-0000-0000-000000000001")
    private static let ana = "a1000000-0000-0000-0000-00000000000a"
    private static let ben = "b1000000-0000-0000-0000-00000000000b"
    private static let third = "a1000000-ffff-4000-8000-00000000000f"

    private static func stored(
        _ subject: String, _ profile: Profile, _ policy: String = "susi", uid: String? = nil,
        atHome: Person? = nil, current: Bool = false
    ) -> StoredAccount {
        let person = Person(tenant: tenant, subject: subject)
        let account = Account(person: person, policy: PolicyName(policy), clientID: "c")
        let utid = atHome?.tenant.id ?? tenant.id
        let home = uid.map { HomeAccountID(uid: $0, utid: utid) } ?? HomeAccountID(account)
        return StoredAccount(
            account: account, home: atHome, homeAccountID: home, profile: profile, authority: "",
            signedInOn: 0, claimsOn: 0, isCurrent: current)
    }

    private static let accounts = [
        stored(ana, Profile(name: "Ána Ärmel", emails: ["ana@example.com", "second@example.com"])),
        stored(ben, Profile(name: "Ben"), uid: "HANDLE-x"),
        // A person whose name is the beginning of another person's identifier.
        stored(third, Profile(name: "a1000000")),
    ]

    private static func subjects(_ text: String, in accounts: [StoredAccount] = accounts) -> [String] {
        let exact = accounts.named(text, .exactly)
        return (exact.isEmpty ? accounts.named(text, .beginning) : exact).map(\.account.person.subject)
    }

    @Test(arguments: [
        ("ANA@example.COM", [ana]), ("second@example.com", [ana]), ("ána äRMEL", [ana]), ("Ben", [ben]),
        (ana.uppercased(), [ana]), ("b100", [ben]), ("B1000000-0000", [ben]), ("\(ana)-susi.\(tenant.id)", [ana]),
        ("a1000000", [third]), ("a100", [ana, third]), ("ana@", [ana]), ("SEC", [ana]), ("ána", [ana]),
        ("ána Ä", [ana]), ("b", [ben]), ("a1", [third]), ("an", [ana]),
        // “handle-” begins an identifier that is not a GUID; “ana@example.co” is a complete address.
        ("", []), ("b10", []), ("example.com", []), ("na@", []), ("Ärmel", []), ("00000b", []), ("%", []),
        ("handle-", []), ("handle-x", []), ("handle-x.\(tenant.id)", []), ("ana@example.co", []),
    ])
    func means(_ text: String, _ subjects: [String]) { #expect(Self.subjects(text) == subjects) }

    @Test(
        "a complete name is matched exactly; a display name is none",
        arguments: [
            ("ana@", false), ("an", false), ("b", false), ("B1000000-0000", false), ("BEN", false),
            ("ána ärmel", false), ("Second@example.com", true), (ben.uppercased(), true),
            ("\(ana)-SUSI.\(tenant.id)", true),
        ])
    func exactly(_ text: String, isFound: Bool) {
        #expect(Self.accounts.named(text, .exactly).isEmpty != isFound)
        #expect(Self.accounts.contains { $0.isNamed(text) } == isFound)
    }

    @Test("an identifier goes before an address or a user name, and these before a display name")
    func precedence() {
        let (dan, eve) = (Self.stored("Dan", Profile(username: "dan-1")), Self.stored("e-1", Profile(username: "DAN")))
        #expect(Self.subjects("dan", in: [eve, dan]) == ["Dan"])
        #expect(Self.subjects("dan", in: [eve]) == ["e-1"])
        let cleo = Self.stored("c-1", Profile(name: "Cleo", username: "ben"))
        #expect(Self.subjects("BEN", in: Self.accounts + [cleo]) == ["c-1"])
    }

    @Test("no person is found by a display name or a user name that looks like an address or an identifier")
    func imitations() {
        let imitations = [
            Self.stored("m-1", Profile(name: "ana@example.com")), Self.stored("m-2", Profile(name: Self.ana)),
            Self.stored("m-3", Profile(emails: [Self.ben], username: Self.ben)),
        ]
        for text in ["ana@example.com", Self.ana, Self.ben, "a1000000-00", "b1000000-00"] {
            #expect(Self.subjects(text, in: imitations).isEmpty, "\(text)")
        }
        #expect(imitations[0].label == "m-1")
    }

    @Test("a handle is not signed: one that names another person finds no account, unless a sign-in at home proved it")
    func handles() {
        let victim = "c2000000-0000-4000-8000-00000000000c"
        for uid in ["\(victim)-susi", victim] {
            let mallory = Self.stored("m", Profile(name: "M"), uid: uid)
            let guest = Self.stored(
                "g", Profile(name: "G"), uid: uid, atHome: Person(tenant: Self.tenant, subject: victim))
            for text in ["\(uid).\(Self.tenant.id)", uid, "c200", "c2000000-0000-4000"] {
                #expect(Self.subjects(text, in: [mallory]).isEmpty && !mallory.matches(text), "\(text)")
            }
            #expect(Self.subjects("\(uid).\(Self.tenant.id)", in: [mallory, guest]) == ["g"])
            #expect(Self.subjects("c200", in: [mallory, guest]) == ["g"] && guest.matches("c200"))
        }
    }

    @Test(
        "a filter finds parts of addresses and names, and beginnings of identifiers",
        arguments: [
            ("EXAMPLE", [ana]), ("ärm", [ana]), ("b1000000-0", [ben]), ("00000b", []), ("a1", [ana, third]),
            ("", [ana, ben, third]), ("zz", []),
        ])
    func filters(_ text: String, _ subjects: [String]) {
        #expect(Self.accounts.filter { $0.matches(text) }.map(\.account.person.subject) == subjects)
    }

    @Test("a completion offers each label once that begins with the text, and no more than so many")
    func completes() {
        let accounts = Self.accounts + [Self.stored(Self.ana, Self.accounts[0].profile, "edit")]
        let labels = { (start: String, count: Int) in accounts.completing(start, atMost: count).map(\.label) }
        #expect(labels("AN", 9) == ["ana@example.com"] && labels("x", 9).isEmpty)
        #expect(labels("", 9) == ["ana@example.com", "Ben", "a1000000"] && labels("", 2).count == 2)
    }

    @Test("current accounts come first, in the order of the policies; the rest keeps its own")
    func currentFirst() {
        let accounts = [("1", "b", false), ("2", "a", true), ("3", "c", true), ("4", "b", true)].map {
            Self.stored($0, Profile(), $1, current: $2)
        }
        let order = ["B", "a"].map { PolicyName($0) }
        #expect(accounts.currentFirst(order).map(\.account.person.subject) == ["4", "2", "1", "3"])
    }

    @Test("the names near a text are those around it in the alphabet, each once, and each is accepted")
    func labelsNear() {
        let many = (100..<400).map { Self.stored("s", Profile(emails: ["Many\($0)@example.com"])) }
        let near = (many + many).labels(near: "many249@example.con")
        #expect(near.count == 200 && near.first == "Many150@example.com" && near.last == "Many349@example.com")
        let names = Self.accounts.labels(near: "zoe")
        #expect(names.count == 3 && names.allSatisfy { !Self.accounts.named($0, .exactly).isEmpty }, "\(names)")
    }
}
