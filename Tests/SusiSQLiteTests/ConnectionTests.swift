import SusiSQLite
import Testing

@Suite struct ConnectionTests {
    let database: Connection

    init() throws {
        database = try Connection(path: ":memory:")
        try database.execute("CREATE TABLE things (id INTEGER PRIMARY KEY, value ANY) STRICT")
    }

    private func code(_ body: () throws -> Void) -> SQLiteError.Code? {
        do {
            try body()
            return nil
        } catch let error as SQLiteError {
            return error.code
        } catch {
            return nil
        }
    }

    @Test(
        arguments: [
            .null, .integer(0), .integer(.max), .integer(.min), .integer(1 << 53 + 1), .real(0.1), .real(-.infinity),
            .text(""), .text("a\0b"), .text("Ä😀\r\n"), .text("'; DROP TABLE things; --"), .blob([]), .blob([0]),
            .blob(Array(0...255)), .blob(Array(repeating: 7, count: 100_000)),
        ] as [Value])
    func roundTrip(_ value: Value) throws {
        #expect(try database.execute("INSERT INTO things (value) VALUES (?)", [value]) == 1)
        #expect(try database.first("SELECT value FROM things") { try $0.value(0) } == value)
        #expect(database.lastInsertedID == 1)
    }

    @Test func readsTypedColumns() throws {
        let found = try database.first("SELECT 1, 'one', x'01'") { row in
            (try row.integer(0), try row.text(1), try row.blob(2))
        }
        #expect(try #require(found) == (1, "one", [1]))
        let optional = try database.rows("SELECT 1, 'one', x'01' UNION ALL SELECT NULL, NULL, NULL") { row in
            [
                "\(try row.optionalInteger(0) ?? -1)", try row.optionalText(1) ?? "none",
                "\(try row.optionalBlob(2) ?? [])",
            ]
        }
        #expect(optional == [["1", "one", "[1]"], ["-1", "none", "[]"]])
    }

    @Test func aMismatchNamesColumnAndTypes() throws {
        let error = #expect(throws: SQLiteError.self) {
            try database.first("SELECT 1 AS first, 'x' AS second") { try $0.integer(1) }
        }
        #expect(error?.code == .mismatch && error?.message == "column second contains text, expected an integer")
        for (sql, kind) in [("SELECT NULL", "NULL"), ("SELECT 1.5", "a real number"), ("SELECT x''", "bytes")] {
            let error = #expect(throws: SQLiteError.self) { try database.first(sql) { try $0.text(0) } }
            #expect(error?.code == .mismatch && error?.message.contains("contains \(kind), expected text") == true)
        }
        #expect(code { _ = try database.first("SELECT 'x'") { try $0.blob(0) } } == .mismatch)
        #expect(throws: SQLiteError.self) { try database.first("SELECT 1") { try $0.integer(1) } }
        #expect(throws: SQLiteError.self) { try database.first("SELECT 1") { try $0.integer(-1) } }
    }

    @Test func errorsHaveCodeAndText() throws {
        try database.execute("INSERT INTO things (id) VALUES (1)")
        let error = try #require(
            throws: SQLiteError.self
        ) { try database.execute("INSERT INTO things (id) VALUES (?)", [.integer(1)]) }
        #expect(error.code == .constraint && error.extendedCode == 1_555)
        #expect(error.meaning == "constraint failed")
        #expect(error.message == "UNIQUE constraint failed: things.id")
        #expect(error.statement == "INSERT INTO things (id) VALUES (?)")
        #expect(error.description.hasPrefix("SQLite 1555 (constraint failed): UNIQUE"))
        #expect(code { try database.execute("SELEC 1") } == .error)
        #expect(code { try database.execute("") } == .misuse)
        #expect(code { try database.executeScript("SELECT 1; SELECT nothing") } == .error)
    }

    @Test func theNumberOfValuesMustFit() throws {
        #expect(throws: SQLiteError.self) { try database.execute("INSERT INTO things (id) VALUES (?)") }
        #expect(throws: SQLiteError.self) {
            try database.execute("INSERT INTO things (id) VALUES (?)", [.integer(1), .integer(2)])
        }
        #expect(try database.first("SELECT count(*) FROM things") { try $0.integer(0) } == 0)
        // The statement can be used again afterwards.
        #expect(try database.execute("INSERT INTO things (id) VALUES (?)", [.integer(1)]) == 1)
    }

    @Test func rowsInOrderNoneAndLeftEarly() throws {
        for id in 1...3 { try database.execute("INSERT INTO things (id) VALUES (?)", [.int(id)]) }
        let all = "SELECT id FROM things ORDER BY id DESC"
        #expect(try database.rows(all) { try $0.integer(0) } == [3, 2, 1])
        #expect(try database.first("SELECT id FROM things WHERE id = 9") { try $0.integer(0) } == nil)
        struct Stop: Error {}
        #expect(throws: Stop.self) { try database.forEach(all) { _ in throw Stop() } }
        #expect(try database.rows(all) { try $0.integer(0) } == [3, 2, 1])
        // A nested query with the same text needs a second statement.
        var pairs = 0
        try database.forEach(all) { _ in try database.forEach(all) { _ in pairs += 1 } }
        #expect(pairs == 9)
    }

    @Test func aValueOfTheLastRunDoesNotStay() throws {
        let sql = "SELECT ?"
        #expect(try database.first(sql, [.text("secret")]) { try $0.value(0) } == .text("secret"))
        #expect(try database.first(sql, [.null]) { try $0.value(0) } == .null)
        #expect(throws: SQLiteError.self) { try database.first(sql) { try $0.value(0) } }
    }
}
