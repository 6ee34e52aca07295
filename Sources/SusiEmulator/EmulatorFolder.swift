import SusiPolicies
public import SystemPackage

/// What emulators left in a folder. Nothing here needs one that runs.
public struct EmulatorFolder: Sendable {
    private let file: DatabaseFile

    /// Opens what is there; nil when no emulator ran with this folder. Throws `EmulatorError` when it cannot be used.
    public init?(_ path: FilePath) throws {
        guard SmallFile.exists(DatabaseFile.path(in: path).string) else { return nil }
        file = try DatabaseFile(folder: path)
    }

    /// Removes the database of a folder, with its signing keys: one that cannot be opened can be emptied in no other way. No
    /// emulator may be running with the folder.
    public static func removeDatabase(in path: FilePath) {
        let file = DatabaseFile.path(in: path).string
        // The log first: left alone it would be taken for that of a new file.
        for name in ["\(file)-wal", "\(file)-shm", file] { SmallFile.remove(name) }
    }

    /// These tenants with the users that they have now, each with the hash of the password.
    public func withUsers(_ tenants: [TenantConfiguration]) throws -> [TenantConfiguration] {
        try tenants.map { tenant in
            var tenant = tenant
            tenant.users = try Database(file: file, tenant: tenant.key).seededUsers()
            tenant.usersFile = nil
            return tenant
        }
    }

    /// Forgets everything but the signing keys: users, sessions, grants and what was sent. The next start seeds its users.
    /// No emulator may be running with the folder.
    public func reset() throws { try file.empty() }
}
