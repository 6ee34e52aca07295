import Foundation
import Susi
import SusiEmulator
import SusiHTTP
import SusiSQLite
import SusiTestSupport
import SystemPackage

/// A machine with one person at a time before it, and its tenant. What commands leave can be kept and brought back.
final class Stage {
    let emulator: RunningEmulator
    private let folder: FilePath
    private let tenant: Connection
    private var browser: CookieJar = CookieJar()
    // The rows of the tenant that are in use, and the version that SQLite had for them.
    private var tenantRows: Copy?
    private var tenantVersion: Int64 = 0
    private var copies = 0

    /// A state of the machine and the tenant.
    struct Kept {
        fileprivate let files: Copy
        fileprivate let tenantRows: Copy
        fileprivate let cookies: [String: [String: String]]
    }

    /// A file or folder that is never changed, and removed when no state needs it.
    fileprivate final class Copy {
        let path: FilePath

        init(_ path: FilePath) { self.path = path }

        deinit { try? path.remove() }
    }

    init(_ emulator: RunningEmulator, in folder: FilePath) throws {
        self.emulator = emulator
        self.folder = folder
        tenant = try Connection(path: emulator.folder.appending("emulator.sqlite").string, mode: .readWrite)
        try susi.makeFolder()
        try susi.permit(0o700)
        try policiesFile.write(SequencePolicies.text(at: emulator.origin), mode: 0o600)
    }

    private static let newPassword = "Fresh-9-apples"

    /// `SUSI_HOME`.
    var susi: FilePath { folder.appending("susi") }
    var policiesFile: FilePath { susi.appending("policies.json") }
    /// A cache of another program with an account of Ana and one of Ben.
    private var cache: FilePath { folder.appending("cache.json") }

    /// Runs a command; on the pages, `person` signs in, or sets a new password.
    func run(_ arguments: [String], as person: LocalTenant.Person = .ana) async -> CommandRun {
        let new = ["newPassword": Self.newPassword, "reenterPassword": Self.newPassword, "email": person.email]
        // The person who is signed in is not chosen.
        var form = FormBrowser(answers: person.answers.merging(new) { $1 }, presses: ["another"])
        form.cookies = browser
        let variables = ["HOME": folder.string, "SUSI_HOME": susi.string, "SUSI_CONFIG": policiesFile.string]
        return await CommandRun.of(arguments, variables, browser: form)
    }

    /// Takes the step; returns what the command printed, if it is one.
    func take(_ action: Action) async throws -> CommandRun? {
        if case .change(let change) = action.kind {
            try policiesFile.write(change.applied(to: try policiesFile.text()), mode: 0o600)
            return nil
        }
        let words = action.arguments.map { $0 == "FILE" ? cache.string : $0 }
        return await run(words + (action.kind == .removal ? ["--yes"] : []), as: action.person)
    }

    /// Makes the file that is imported later, and signs out again.
    func prepareImport() async throws {
        let start = try keep()
        for person in [LocalTenant.Person.ana, .ben] { _ = await run(["sign-in"], as: person) }
        let export = await run(["export", "--format", "msal", "--all", "--yes"])
        try cache.write(export.output, mode: 0o600)
        _ = await run(["sign-out", "--all", "--browser", "--yes"])
        // The tenant still knows the refresh tokens.
        try restore(Kept(files: start.files, tenantRows: try keptTenantRows(), cookies: [:]))
    }

    // MARK: States

    /// Returns what the store has.
    func rows() throws -> StoreRows { try StoreRows(susi.appending("store.sqlite")) }

    /// Keeps the present state.
    func keep() throws -> Kept {
        let files = newCopy()
        try FileManager.default.copyItem(atPath: susi.string, toPath: files.path.string)
        return Kept(files: files, tenantRows: try keptTenantRows(), cookies: browser.cookies)
    }

    /// Brings a state back.
    func restore(_ state: Kept) throws {
        try susi.remove()
        try FileManager.default.copyItem(atPath: state.files.path.string, toPath: susi.string)
        browser = CookieJar(state.cookies)
        try restoreTenant(state.tenantRows)
    }

    private func newCopy() -> Copy {
        copies += 1
        return Copy(folder.appending("kept-\(copies)"))
    }

    private static let tenantTables = [
        "users", "sessions", "transactions", "grants", "codes", "refresh_tokens", "consents", "outbox",
    ]

    // Changes whenever another connection, that of the emulator, has written.
    private func version() throws -> Int64 {
        try tenant.first("PRAGMA data_version") { try $0.integer(0) } ?? 0
    }

    private func keptTenantRows() throws -> Copy {
        let version = try version()
        if let tenantRows, version == tenantVersion { return tenantRows }
        let copy = newCopy()
        try tenant.execute("VACUUM INTO ?", [.text(copy.path.string)])
        (tenantRows, tenantVersion) = (copy, version)
        return copy
    }

    private func restoreTenant(_ rows: Copy) throws {
        if rows === tenantRows, try version() == tenantVersion { return }
        try tenant.execute("ATTACH ? AS kept", [.text(rows.path.string)])
        try tenant.write {
            for table in Self.tenantTables.reversed() { try tenant.execute("DELETE FROM main.\(table)") }
            for table in Self.tenantTables {
                try tenant.execute("INSERT INTO main.\(table) SELECT * FROM kept.\(table)")
            }
        }
        try tenant.execute("DETACH kept")
        (tenantRows, tenantVersion) = (rows, try version())
    }

    /// The people whose browser sessions the tenant has, each with the tenant.
    func sessions() throws -> [String] {
        try tenant.rows("SELECT tenant, object_id FROM sessions ORDER BY 1, 2") { row in
            "\(try row.text(0)) \(try row.text(1))"
        }
    }
}
