import Foundation
package import SusiEmulator
import SusiPolicies
import SusiSQLite
package import SystemPackage

/// Databases of emulators with the users and the signing keys of their tenants, each made once in a process: scrypt and RSA take a
/// third of a second for each emulator. A tenant has the same keys in each of them.
package actor PreparedDatabases {
    package static let shared = PreparedDatabases()

    /// What a database contains of a tenant.
    private struct Content: Hashable {
        let start: Int64?
        let name: String
        let kind: AuthorityKind
        let users: [User]
        let algorithm: SigningAlgorithm
    }

    private struct KeyOwner: Hashable {
        let start: Int64?
        let tenant: String
        let algorithm: String
    }

    private var made: [[Content]: Task<Data, any Error>] = [:]
    private var keys: [KeyOwner: [[Value]]] = [:]

    /// Puts the database of these tenants into a folder, which is made if it is missing; keeps an existing one. `start` is the
    /// time at which it is made, instead of the real one.
    package func put(_ tenants: [TenantConfiguration], into folder: FilePath, at start: Int64? = nil) async throws {
        let file = folder.appending("emulator.sqlite")
        guard !FileManager.default.fileExists(atPath: file.string) else { return }
        let data = try await database(of: tenants, at: start)
        let parent = folder.removingLastComponent()
        for missing in [parent, folder] where !FileManager.default.fileExists(atPath: missing.string) {
            try makeFolder(missing)
        }
        try data.write(to: URL(filePath: file.string))
    }

    private func database(of tenants: [TenantConfiguration], at start: Int64?) async throws -> Data {
        let content = tenants.map {
            Content(start: start, name: $0.name, kind: $0.kind, users: $0.users, algorithm: $0.algorithm)
        }
        if let task = made[content] { return try await task.value }
        let task = Task {
            try await withTemporaryFolder { folder in
                let clock = EmulatorClock { start ?? TestEnvironment.realTime() }
                try await withEmulator(tenants, folder: folder, clock: clock) { emulator in
                    for tenant in tenants where keys[owner(tenant, start)] == nil {
                        guard let user = tenant.users.first else { continue }
                        var order = TokenOrder(user: user.objectID, kind: .id)
                        order.tenant = tenant.name
                        // A tenant may have no application that could get a token.
                        _ = try? emulator.forge(order)
                    }
                }
                let connection = try Connection(path: folder.appending("emulator.sqlite").string)
                try shareKeys(of: tenants, in: connection, start)
                // The emulator's own connection may still be open, with rows in its log.
                let copy = folder.appending("copy.sqlite")
                try connection.execute("VACUUM INTO ?", [.text(copy.string)])
                return try Data(contentsOf: URL(filePath: copy.string))
            }
        }
        made[content] = task
        return try await task.value
    }

    private func owner(_ tenant: TenantConfiguration, _ start: Int64?) -> KeyOwner {
        KeyOwner(start: start, tenant: tenant.id, algorithm: tenant.algorithm.rawValue)
    }

    // Adds the keys that earlier databases have, and remembers those that are new.
    private func shareKeys(of tenants: [TenantConfiguration], in connection: Connection, _ start: Int64?) throws {
        let columns = "id, der, created, tenant, algorithm, state"
        for tenant in tenants {
            let owner = owner(tenant, start)
            let own = try connection.rows(
                "SELECT \(columns) FROM keys WHERE tenant = ? ORDER BY rowid", [.text(tenant.id)]
            ) { row in try (0..<6).map { try row.value($0) } }
            if keys[owner] == nil, !own.isEmpty { keys[owner] = own }
            for row in own.isEmpty ? keys[owner] ?? [] : [] {
                try connection.execute("INSERT INTO keys (\(columns)) VALUES (?, ?, ?, ?, ?, ?)", row)
            }
        }
    }
}
