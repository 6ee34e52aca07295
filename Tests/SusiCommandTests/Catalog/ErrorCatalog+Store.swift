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

    private mutating func add(_ error: StoreError) { add(SusiError(error)) }

    mutating func addStore() {
        section("Store")
        let (folder, error) = (Self.folder, Errno.noSpace)
        for code: Int32 in [5, 11, 13, 14 | 6 << 8, 1] {
            add(
                StoreError(
                    SQLiteError(extendedCode: code, meaning: "what SQLite calls it", message: "what SQLite reports"),
                    database: folder.database))
        }
        for what in [
            "the store cannot be created", "the store cannot be checked", "the store's lock file cannot be used",
            "the store cannot be copied", "the backup cannot be moved into place",
            "the key file cannot be read", "the key file cannot be written", "the key file cannot be replaced",
            "the list of trusted files cannot be written", "the log of the store cannot be read",
        ] { add(StoreError(error, path: folder.database, what: what)) }
        addFolder(folder)
        add(StoreError.noStore(folder))
        add(StoreError.inUse(folder, "it is being repaired"))
        add(StoreError.inUse(folder, "another command has it open for writing"))
        add(StoreError.damaged(folder, "a repair was interrupted", what: "the store cannot be opened"))
        add(StoreError.damaged(folder, "a written row is missing", what: "nothing was saved"))
        add(StoreError.damaged(folder, "the email addresses of a person cannot be read"))
        add(StoreError.otherSchema(10, folder.database))
        add(StoreError.foreign(folder.database))
        add(StoreError.openedForReading(folder))
        add(StoreError.unexpected(error, folder))
        addSealed(folder)
    }

    private mutating func addFolder(_ folder: StoreFolder) {
        add(StoreError.noFolder(folder.path))
        add(StoreError.cannotMakeFolder(folder.path, Errno.permissionDenied))
        for isFolder in [true, false] {
            let path = isFolder ? folder.path : folder.database
            add(StoreError.link(path, isFolder: isFolder))
            add(StoreError.otherKind(path, isFolder: isFolder))
            add(StoreError.openToOthers(path, isFolder: isFolder))
        }
        add(StoreError.otherOwner(folder.path, 0, expected: 1000))
        add(StoreError.backupExists("copy.sqlite"))
        add(StoreError.cannotCopy(to: "copy.sqlite", what: "the store cannot be copied", "disk full"))
        add(StoreError.trustListUnreadable("~/susi/trusted", limit: 1 << 20))
        add(StoreError.untrustablePath("~/susi/trusted"))
        add(StoreError.cannotRepair(folder, Errno.permissionDenied))
    }

    private mutating func addSealed(_ folder: StoreFolder) {
        let tenant = Tenant(origin: "https://login.example", id: "0f0f0f0f-0000-4000-8000-00000000000f")
        let person = Person(tenant: tenant, subject: "a0a0a0a0-0000-4000-8000-000000000001")
        let account = Account(person: person, policy: PolicyName("B2C_1_susi"), clientID: "client")
        add(StoreError.sealBroken("refresh token", of: account, in: folder))
        add(StoreError.refusesRekey("the account of ana@contoso.example under B2C_1_susi", count: 3, folder))
        add(StoreError.missing(account, folder))
        add(StoreError.occupied("ana@contoso.example", folder))
        add(StoreError.severalPeople(["ana@contoso.example", "ben@contoso.example"], folder))
    }

    mutating func addOutput() throws {
        section("Output")
        add(SusiError(.cancelled, "cancelled"))
        add(UsageError.unreadable("nowhere.json"))
        add(KeyChoices.noSource("magic", "SUSI_KEY_SOURCE"))
    }
}
