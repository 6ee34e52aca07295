import Foundation
import SusiSQLite
import Testing

@Suite final class TransactionTests {
    let path = NSTemporaryDirectory() + "susi-sqlite-\(UUID().uuidString)"
    let database: Connection

    deinit { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }

    init() throws {
        database = try Connection(path: path, busyTimeout: 10)
        _ = try database.first("PRAGMA journal_mode = WAL") { try $0.text(0) }
        try database.execute("CREATE TABLE things (id INTEGER PRIMARY KEY)")
    }

    private func insert(_ id: Int, _ database: Connection) throws {
        try database.execute("INSERT INTO things (id) VALUES (?)", [.int(id)])
    }

    private func ids() throws -> [Int64] {
        try database.rows("SELECT id FROM things ORDER BY id") { try $0.integer(0) }
    }

    struct Stop: Error {}

    @Test func commitsAndReturns() throws {
        let count = try database.write {
            try insert(1, database)
            return 7
        }
        #expect(count == 7)
        #expect(try ids() == [1])
    }

    @Test func whateverIsThrownRollsBack() throws {
        #expect(throws: Stop.self) {
            try database.write {
                try insert(1, database)
                throw Stop()
            }
        }
        #expect(throws: SQLiteError.self) {
            try database.write {
                try insert(2, database)
                try insert(2, database)
            }
        }
        #expect(try ids() == [])
        try database.write { try insert(3, database) }
        #expect(try ids() == [3])
    }

    @Test func aTransactionInsideAnotherIsAnErrorAndRollsBackBoth() throws {
        let error = #expect(throws: SQLiteError.self) {
            try database.write {
                try insert(1, database)
                try database.write { try insert(2, database) }
            }
        }
        #expect(error?.message == "cannot start a transaction within a transaction")
        #expect(try ids() == [])
        try database.write { try insert(3, database) }
        #expect(try ids() == [3])
    }

    @Test func aReaderKeepsItsViewAndDoesNotHoldTheWriterUp() throws {
        let other = try Connection(path: path, mode: .readWrite, busyTimeout: 10)
        try database.read { () throws in
            #expect(try ids() == [])
            try other.write { try insert(1, other) }
            #expect(try ids() == [])
            // One read inside of another does not end it.
            #expect(try database.read { try ids() } == [])
            #expect(try ids() == [])
        }
        #expect(try ids() == [1])
    }

    @Test func twoWritersAtOnceAreBusy() throws {
        let other = try Connection(path: path, mode: .readWrite, busyTimeout: 10)
        let error = try #require(throws: SQLiteError.self) {
            try database.write { try other.write { try insert(1, other) } }
        }
        #expect(error.code == .busy && error.meaning == "database is locked")
    }

    @Test func refusesMissingFilesAndLinks() throws {
        let none = #expect(throws: SQLiteError.self) { try Connection(path: path + "-none", mode: .readWrite) }
        #expect(none?.code == .cannotOpen)
        #expect(!FileManager.default.fileExists(atPath: path + "-none"))
        let link = path + "-link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        defer { try? FileManager.default.removeItem(atPath: link) }
        let refused = #expect(throws: SQLiteError.self) { try Connection(path: link) }
        #expect(refused?.code == .cannotOpen)
    }

    @Test func theLogStaysWhenItIsKept() throws {
        try insert(1, database)
        func size() throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
        }
        let before = try size()
        do {
            let reader = try Connection(path: path, mode: .readWrite)
            try reader.keepWALOnClose()
            #expect(try reader.first("SELECT count(*) FROM things") { try $0.integer(0) } == 1)
        }
        #expect(try size() == before)
    }

    @Test func aHostileSchemaIsDefused() throws {
        #expect(throws: SQLiteError.self) {
            _ = try database.first("PRAGMA writable_schema = ON") { try $0.integer(0) }
            try database.execute("UPDATE sqlite_schema SET sql = '' WHERE name = 'things'")
        }
    }
}
