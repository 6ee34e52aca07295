import Foundation
import SusiOAuth
import SusiPolicies
import SusiSQLite
import SystemPackage
import Testing

@testable import SusiStore

/// A store that the first version wrote opens, and nothing in it is lost.
@Suite struct MigrationTests {
    let home: TemporaryStore
    let edit = account(ana, PolicyName("B2C_1_edit"))
    let other = account(ben, tenant: Tenant(origin: "http://localhost:8480", id: guid))

    init() throws {
        home = try TemporaryStore()
        try home.folder.prepare()
        try Data().write(to: URL(filePath: home.folder.database.string))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: home.folder.database.string)
        let key = NewKey(for: .file, lifetime: 0)
        try KeyFile(folder: home.folder, path: home.folder.key).write(key.record)
        try write(Seal(key: key.key), home.raw())
    }

    private func write(_ seal: Seal, _ raw: Connection) throws {
        _ = try raw.first("PRAGMA journal_mode = WAL") { try $0.text(0) }
        try raw.write {
            try raw.executeScript(
                """
                CREATE TABLE migrations (
                    number INTEGER PRIMARY KEY,
                    name TEXT NOT NULL UNIQUE CHECK (name <> ''),
                    applied_on INTEGER NOT NULL
                ) STRICT;
                INSERT INTO migrations VALUES (1, 'accounts', 1000);
                """)
            try raw.executeScript(String(decoding: PackageResources.schema_001_accounts_sql, as: UTF8.self))
            try raw.execute("PRAGMA application_id = 0x73757369")
            try raw.execute("PRAGMA user_version = 1")
            try raw.executeScript(
                """
                INSERT INTO tenants VALUES (4, '\(origin)', '\(guid)'), (9, 'http://localhost:8480', '\(guid)');
                INSERT INTO tenant_names VALUES ('\(origin)', '\(domain)', 4), ('\(origin)', '\(guid)', 4),
                    ('http://localhost:8480', '\(domain)', 9), ('http://localhost:8480', '\(guid)', 9);
                INSERT INTO persons (id, tenant, subject, emails, profile_on, label) VALUES
                    (1, 4, '\(ana)', '["ana@example.com"]', 1000, 'ana@example.com'),
                    (2, 4, '\(ben)', '[]', 1000, '\(ben)'), (3, 9, '\(ben)', '[]', 1000, '\(ben)');
                """)
            let rows = [(11, 1, 4, account()), (12, 1, 4, edit), (13, 2, 4, account(ben)), (14, 3, 9, other)]
            for (id, person, tenant, account) in rows { try insert(seal, raw, id, person, tenant, account) }
            try raw.executeScript(
                """
                INSERT INTO current_accounts VALUES
                    (4, '\(client)', 'b2c_1_susi', 'current', 11), (4, '\(client)', 'b2c_1_susi', 'previous', 13),
                    (4, '\(client)', 'b2c_1_edit', 'current', 12), (9, '\(client)', 'b2c_1_susi', 'current', 14);
                """)
        }
    }

    private func insert(
        _ seal: Seal, _ raw: Connection, _ id: Int, _ person: Int, _ tenant: Int, _ account: Account
    ) throws {
        let claims = try seal.seal(#"{"id":\#(id)}"#, .id(account), column: .claims)
        try raw.execute(
            """
            INSERT INTO accounts VALUES (\(id), \(person), \(tenant), ?, ?, ?, 'uid', 'utid', '\(authority)', 1000, 1000, ?, ?)
            """,
            [
                .text(client), .text(account.policy.lowercased), .text(account.policy.spelling), .blob(claims.keyID),
                .blob(claims.bytes),
            ])
        for key in [TokenKey.refresh(account), .id(account), .access(account, read)] {
            let sealed = try seal.seal("\(key.kind.rawValue)-\(id)", key, column: .secret)
            try raw.execute(
                "INSERT INTO tokens VALUES (NULL, \(id), ?, ?, '', 4600, NULL, 1000, ?, ?)",
                [
                    .text(key.kind.rawValue), .text(key.scopes.description), .blob(sealed.keyID), .blob(sealed.bytes),
                ])
        }
    }

    @Test func everythingIsKept() throws {
        #expect(kind { _ = try AccountStore(existing: home.folder) } == .olderSchema)
        let store = try home.open()
        let all = try store.accounts(of: scope)
        #expect(all.map(\.account) == [edit, account(), account(ben)])
        #expect(all.map(\.claims) == [#"{"id":12}"#, #"{"id":11}"#, #"{"id":13}"#])
        #expect(all.map(\.isCurrent) == [true, true, false])
        #expect(all.allSatisfy { $0.damage == nil && $0.tokens.count == 3 })
        #expect(try store.current(susi, in: scope)?.account == account())
        #expect(try store.previous(susi, in: scope)?.account == account(ben))
        #expect(try store.secret(.refresh(account(ben)))?.secret == "refresh-13")
        #expect(try store.cachedAccessToken(current: susi, in: scope, scopes: read)?.token.secret == "access-11")
        let local = ApplicationScope(origin: "http://localhost:8480", tenantName: guid, clientID: client)
        #expect(try store.current(susi, in: local)?.account == other)
        #expect(try store.accounts(of: [scope, local]).count == 4)
    }

    @Test func itWorksOnAndIsMigratedOnce() throws {
        let store = try home.open()
        try store.signIn(grant(account(ben)))
        #expect(try store.current(susi, in: scope)?.account == account(ben))
        #expect(try store.previous(susi, in: scope)?.account == account())
        _ = try home.open()
        let raw = try home.raw()
        let steps = try raw.rows("SELECT name FROM migrations ORDER BY number") { try $0.text(0) }
        #expect(steps.starts(with: ["accounts", "audiences"]) && Int64(steps.count) == Migrations.newest)
        #expect(try raw.rows("PRAGMA foreign_key_check") { try $0.text(0) }.isEmpty)
        #expect(try raw.first("PRAGMA integrity_check") { try $0.text(0) } == "ok")
        #expect(try raw.first("PRAGMA user_version") { try $0.integer(0) } == Migrations.newest)
        #expect(try AccountStore(existing: home.folder)?.accounts(of: scope).count == 3)
    }

    @Test func theSameSchemaAsAFreshOne() throws {
        _ = try home.open()
        let fresh = try TemporaryStore()
        _ = try fresh.open()
        let sql = "SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY name"
        let schemas = try [home, fresh].map { store in try store.raw().rows(sql) { try $0.text(0) } }
        #expect(schemas[0] == schemas[1])
    }

    @Test(.timeLimit(.minutes(2))) func manyMigrateAtOnce() async throws {
        let folder = home.folder
        let errors = await withTaskGroup(of: (any Error)?.self) { group in
            for _ in 0..<8 {
                group.addTask { @concurrent in
                    do {
                        _ = try AccountStore(opening: folder)
                        return nil
                    } catch { return error }
                }
            }
            return await group.reduce(into: [any Error]()) { if let error = $1 { $0.append(error) } }
        }
        #expect(errors.isEmpty, "\(errors)")
        #expect(try home.open().accounts(of: scope).count == 3)
    }
}
