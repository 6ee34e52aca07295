import Foundation
package import SusiEmulator
import SusiPolicies
package import SystemPackage

/// Databases of emulators with the users and the signing keys of their tenants, each made once in a process: scrypt and RSA take a
/// third of a second for each emulator.
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

    private var made: [[Content]: Task<Data, any Error>] = [:]

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
                    for tenant in tenants {
                        guard let user = tenant.users.first else { continue }
                        var order = TokenOrder(user: user.objectID, kind: .id)
                        order.tenant = tenant.name
                        // A tenant may have no application that could get a token.
                        _ = try? emulator.forge(order)
                    }
                }
                return try Data(contentsOf: URL(filePath: folder.appending("emulator.sqlite").string))
            }
        }
        made[content] = task
        return try await task.value
    }
}
