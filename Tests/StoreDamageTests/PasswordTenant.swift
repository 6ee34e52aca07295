import Foundation
import Susi
import SusiEmulator
import SusiSQLite
import SusiTestSupport
import SystemPackage
import Testing

/// A tenant whose people sign in by password under one policy, so that no browser is needed, and their store.
struct PasswordTenant {
    static let policy = "B2C_1_ropc"
    let tenant: LocalTenant

    var susi: SusiBinary { tenant.susi }
    var folder: StoreFolder { StoreFolder(susi.home.susiHome, owner: getuid()) }

    /// Runs `body` with a tenant that has the policy. With strict rotation each refresh token is valid for one use.
    static func run<T: Sendable>(strict: Bool = false, _ body: (PasswordTenant) async throws -> T) async throws -> T {
        try await withLocalTenant(
            policies: { addingPasswordPolicy(to: $0, scopes: ["https://contoso.onmicrosoft.com/hello/demo.read"]) },
            configure: { if strict { $0.refreshRotation = .strict } }
        ) { tenant in
            try await body(PasswordTenant(tenant: tenant))
        }
    }

    func signInCommand(_ person: LocalTenant.Person) -> SusiTestSupport.Program {
        susi.command(
            ["sign-in", "-p", Self.policy, "--username", person.email, "--password-stdin"],
            input: .text(person.user.password))
    }

    func signIn(_ people: LocalTenant.Person...) async throws {
        for person in people { try await tenant.signIn(person, byPassword: Self.policy) }
    }

    func account(_ person: LocalTenant.Person? = nil) async throws -> StoredAccount {
        try await tenant.client().account(selection(person))
    }

    func token(_ person: LocalTenant.Person? = nil, forcesRefresh: Bool = false) async throws -> String {
        try await tenant.client().token(
            api: nil, of: selection(person), options: TokenRequestOptions(forcesRefresh: forcesRefresh)
        ).secret
    }

    func switchTo(_ person: LocalTenant.Person) async throws {
        _ = try await tenant.client().switchTo(selection(person))
    }

    private func selection(_ person: LocalTenant.Person?) -> AccountSelection {
        AccountSelection(policy: PolicyName(Self.policy), text: person?.email)
    }
}

extension PasswordTenant {
    /// Signs in Ben and Ana, then switches to Ben while another connection keeps the change in the log: the database without
    /// its log says that Ana is the current account. Returns what `token` prints for Ben.
    func switchInLog() async throws -> String {
        try await signIn(.ben, .ana)
        let newer = try await token(.ben)
        let reader = try Connection(path: folder.database.string, mode: .readWrite)
        try reader.keepWALOnClose()
        let count = { try reader.first("SELECT count(*) FROM accounts") { try $0.integer(0) } }
        try #require(try count() == 2)
        let switched = try await susi.run("switch", LocalTenant.Person.ben.email, "-p", Self.policy)
        try #require(switched.status == 0, "\(switched)")
        // The connection must not close before.
        try #require(try count() == 2)
        return newer + "\n"
    }
}

extension StoreFolder {
    var log: FilePath { FilePath(database.string + "-wal") }

    /// Returns the accounts of a store, each as person and policy.
    func accounts() throws -> Set<String> {
        let database = try Connection(path: database.string, mode: .readWrite)
        return Set(
            try database.rows(
                "SELECT p.emails ->> 0, a.policy FROM accounts AS a JOIN persons AS p ON p.id = a.person"
            ) { "\(try $0.text(0)) \(try $0.text(1))" })
    }

    /// Returns the problems of the store: SQLite's own check, references, encryption.
    func findings() throws -> [String] {
        let check = try StoreCheck.run(self)
        return check.findings.map(\.what) + (check.keyError.map { ["\($0)"] } ?? [])
    }

    /// Returns the bytes of the database, its log and the key file.
    func contents() -> [String: Data] {
        ["store.sqlite", "store.sqlite-wal", "key"].reduce(into: [:]) { all, name in
            let bytes = FileManager.default.contents(atPath: path.appending(name).string)
            // A reader may leave an empty log.
            all[name] = bytes?.isEmpty == true ? nil : bytes
        }
    }

    /// Replaces the database with these bytes, without a log.
    func put(_ bytes: Data) throws {
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database.string + suffix) }
        try bytes.write(to: URL(filePath: database.string))
        try database.permit(0o600)
    }
}
