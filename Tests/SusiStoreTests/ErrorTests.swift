import SusiOAuth
import SusiSQLite
import SystemPackage
import Testing

@testable import SusiStore

@Suite struct ErrorTests {
    @Test(
        arguments: [
            (5, .busy), (5 | 1 << 8, .busy), (6, .busy), (11, .damaged), (26, .damaged), (20, .damaged), (13, .disk),
            (10, .disk), (10 | 3 << 8, .disk), (8, .disk), (14, .disk), (3, .disk), (14 | 6 << 8, .link), (1, .sqlite),
            (19, .sqlite), (21, .sqlite), (SQLiteError.indexNotExtended, .disk),
        ] as [(Int32, StoreError.Kind)])
    func codesOfSQLite(_ code: Int32, _ kind: StoreError.Kind) {
        let path = "/somewhere/store.sqlite"
        let cause = SQLiteError(extendedCode: code, meaning: "meaning", message: "message", statement: "SELECT secret")
        let error = StoreError(cause, database: FilePath(path))
        #expect(error.kind == kind)
        if [13, SQLiteError.indexNotExtended].contains(code) { return #expect(error.fact == .fullDisk) }
        guard case .sqlite(_, code, "meaning", "message") = error.fact else { Issue.record("\(error)"); return }
    }

    @Test func errorsOfTheSystem() {
        #expect(StoreError(.useLock, "/x", Errno.tooManySymbolicLinkLevels).kind == .link)
        let full = StoreError(.useLock, "/x", Errno.noSpace)
        #expect(full == StoreError(.failed(.useLock, "the disk is full"), "/x") && full.kind == .disk)
    }

    @Test func aFullDiskIsSaidAndChangesNothing() throws {
        let home = TemporaryStore()
        let store = try home.open()
        try store.signIn(grant(account()))
        let before = try store.accounts(of: scope)
        _ = try store.database.rows("PRAGMA max_page_count = 1") { _ in }
        let long = String(repeating: "x", count: 100_000)
        let error = #expect(throws: StoreError.self) { try store.signIn(grant(account(ben), mark: long)) }
        #expect(error?.kind == .disk)
        #expect(try store.accounts(of: scope) == before)
    }

    @Test func writersSyncAndErase() throws {
        let home = TemporaryStore()
        let store = try home.open()
        for (pragma, value) in [("foreign_keys", 1), ("secure_delete", 1), ("synchronous", 2)] as [(String, Int64)] {
            #expect(try store.database.first("PRAGMA \(pragma)") { try $0.integer(0) } == value, "\(pragma)")
        }
    }
}
