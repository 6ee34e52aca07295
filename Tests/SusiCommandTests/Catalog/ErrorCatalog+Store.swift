import SusiOAuth
import SusiPolicies
import SystemPackage

@testable import Susi
@testable import SusiCommand
@testable import SusiSQLite
@testable import SusiStore

/// Errors of the store and of output.
extension ErrorCatalog {
    /// A store that does not exist.
    static let folder = StoreFolder("~/susi", owner: 1000)

    mutating func addStore() {
        section("Store")
        let folder = Self.folder
        for code: Int32 in [5, 11, 13, 14, 14 | 6 << 8, 1] {
            let error = SQLiteError(extendedCode: code, meaning: "what SQLite calls it", message: "what SQLite reports")
            add(SusiError(StoreError(error, database: folder.database)))
        }
        let operations = StoreError.Operation.allCases.map { StoreError.Fact.failed($0, "the disk is full") }
        for fact in operations + facts { add(SusiError(StoreError(fact, folder.database))) }
        for fact in [StoreError.Fact.link(isFolder: true), .otherType(isFolder: true), .openToOthers(isFolder: true)] {
            add(SusiError(StoreError(fact, folder.path)))
        }
    }

    private var facts: [StoreError.Fact] {
        let tenant = Tenant(origin: "https://login.example", id: "0f0f0f0f-0000-4000-8000-00000000000f")
        let person = Person(tenant: tenant, subject: "a0a0a0a0-0000-4000-8000-000000000001")
        let account = Account(person: person, policy: PolicyName("B2C_1_susi"), clientID: "client")
        let (ana, ben) = ("ana@contoso.example", "ben@contoso.example")
        return [
            .link(isFolder: false), .otherType(isFolder: false), .openToOthers(isFolder: false), .noStore,
            .otherOwner(0, expected: 1000), .exists, .trustListUnreadable(limit: 1 << 20), .lineBreakInPath,
            .otherProgram, .otherSchema(10, expected: 11), .beingRepaired, .openForWriting, .repairInterrupted,
            .rowMissing, .emailsUnreadable, .openedForReading, .unexpected("the disk is full"),
            .sealBroken("refresh token", account),
            .rekeyRefused(first: "the account of \(ana) under B2C_1_susi", count: 3), .noAccount(account),
            .occupied(ana, wasSent: false), .occupied(ana, wasSent: true), .severalPeople([ana, ben]),
        ]
    }

    mutating func addOutput() throws {
        section("Output")
        add(SusiError(.cancelled, "cancelled"))
        add(UsageError.unreadable("nowhere.json"))
        for name in ["magic", "memory"] { add(KeyChoices.noSource(name, "SUSI_KEY_SOURCE")) }
    }
}
