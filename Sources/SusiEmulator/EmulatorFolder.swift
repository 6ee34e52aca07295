import SusiBase
import SusiPolicies
package import SystemPackage

/// The data of stopped emulators in a folder.
package struct EmulatorFolder: Sendable {
    private let file: DatabaseFile

    /// Opens a folder; nil if no emulator has used it. Throws `EmulatorError` if its database is unusable.
    package init?(_ path: FilePath) throws {
        guard SmallFile.exists(DatabaseFile.path(in: path).string) else { return nil }
        file = try DatabaseFile(folder: path)
    }

    /// Removes the database of a folder with its signing keys, for a database that cannot be opened. No emulator may be running
    /// with the folder.
    package static func removeDatabase(in path: FilePath) {
        let file = DatabaseFile.path(in: path).string
        // The log first: SQLite would apply it to a new file.
        for name in ["\(file)-wal", "\(file)-shm", file] { SmallFile.remove(name) }
    }

    /// These tenants with their current users and the hashes of their passwords.
    package func withUsers(_ tenants: [TenantConfiguration]) throws -> [TenantConfiguration] {
        try tenants.map { tenant in
            var tenant = tenant
            tenant.users = try Database(file: file, tenant: tenant.directory).usersWithHashes()
            tenant.usersFile = nil
            return tenant
        }
    }

    /// Removes everything except the signing keys: users, sessions, grants and messages. The next start seeds the users. No
    /// emulator may be running with the folder.
    package func reset() throws { try file.removeAllButKeys() }
}
