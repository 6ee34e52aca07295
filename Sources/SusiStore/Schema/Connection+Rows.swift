import SusiSQLite

/// Columns of a row with their values, in order.
struct ColumnValues: ExpressibleByDictionaryLiteral {
    private let columns: [(String, Value)]

    init(dictionaryLiteral columns: (String, Value)...) { self.init(columns) }

    private init(_ columns: [(String, Value)]) { self.columns = columns }

    var names: [String] { columns.map(\.0) }
    var values: [Value] { columns.map(\.1) }

    static func + (left: ColumnValues, right: ColumnValues) -> ColumnValues {
        ColumnValues(left.columns + right.columns)
    }
}

extension Connection {
    /// Returns the integer in the first column of a query's first row.
    func integer(_ sql: String, _ values: [Value] = []) throws -> Int64? {
        try first(sql, values) { row in try row.integer(0) }
    }

    func integers(_ sql: String, _ values: [Value] = []) throws -> [Int64] {
        try rows(sql, values) { row in try row.integer(0) }
    }

    /// Returns the text in the first column of a query's first row.
    func text(_ sql: String, _ values: [Value] = []) throws -> String? {
        try first(sql, values) { row in try row.text(0) }
    }

    func texts(_ sql: String, _ values: [Value] = []) throws -> [String] {
        try rows(sql, values) { row in try row.text(0) }
    }

    func hasRow(_ sql: String, _ values: [Value] = []) throws -> Bool { try first(sql, values, { _ in }) != nil }

    func count(_ table: String) throws -> Int { Int(try integer("SELECT count(*) FROM \(table)") ?? 0) }

    func update(_ table: String, id: Int64, _ row: ColumnValues) throws(SQLiteError) {
        let changes = row.names.map { "\($0) = ?" }.joined(separator: ", ")
        try execute("UPDATE \(table) SET \(changes) WHERE id = ?", row.values + [.integer(id)])
    }

    /// Sets pragmas, each written as `name = value`.
    func set(_ pragmas: String...) throws {
        for pragma in pragmas { _ = try rows("PRAGMA \(pragma)") { _ in } }
    }
}
