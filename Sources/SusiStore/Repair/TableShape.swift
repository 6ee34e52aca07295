import SusiSQLite

/// What rows of a table look like: enough to tell whose row a page holds.
struct TableShape {
    /// The table.
    let name: String
    private let columns: [Column]
    private let insert: String

    private struct Column {
        let name: String
        let type: String
        let isRowID: Bool
        /// What a row without a value has; nil when each row must have one.
        let missing: Value?

        /// The value when it can be in this column; nil when not. The row id stands beside the row.
        func taking(_ value: Value, _ id: Int64) -> Value? {
            switch value {
            case .null where isRowID: .integer(id)
            case .null: missing == .null ? .null : nil
            case .integer: type == "INTEGER" && !isRowID ? value : nil
            case .text: type == "TEXT" ? value : nil
            case .blob: type == "BLOB" ? value : nil
            case .real: nil
            }
        }
    }

    /// The tables with row ids of a database, those first that others refer to.
    static func all(of database: Connection) throws -> [TableShape] {
        let names = try database.rows(
            """
            SELECT name FROM pragma_table_list
            WHERE schema = 'main' AND type = 'table' AND wr = 0 AND name NOT LIKE 'sqlite_%' AND name <> 'migrations'
            ORDER BY name
            """
        ) { row in try row.text(0) }
        return try names.map { try TableShape($0, database) }
    }

    private init(_ name: String, _ database: Connection) throws {
        self.name = name
        columns = try database.rows(
            #"SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?) ORDER BY cid"#, [.text(name)]
        ) { row in
            let type = try row.text(1)
            let isRequired = try row.integer(2) != 0
            let usual = try row.optionalText(3)
            let place = try row.integer(4)
            return Column(
                name: try row.text(0), type: type, isRowID: type == "INTEGER" && place == 1,
                missing: usual.map(Self.value) ?? (isRequired ? nil : .null))
        }
        let list = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        insert = "INSERT OR IGNORE INTO \"\(name)\" (\(list)) VALUES (\(places))"
    }

    // The defaults of our schema are texts and whole numbers.
    private static func value(_ literal: String) -> Value {
        Int64(literal).map(Value.integer) ?? .text(literal.trimming("'"))
    }

    /// The values for `insert` of a row that fits; nil for one that is not of this table. Rows from before a column was added
    /// lack its value.
    func values(_ row: PageFile.Row) -> [Value]? {
        guard row.values.count <= columns.count else { return nil }
        var values: [Value] = []
        for (index, column) in columns.enumerated() {
            guard index < row.values.count else {
                guard let missing = column.missing else { return nil }
                values.append(missing)
                continue
            }
            guard let value = column.taking(row.values[index], row.id) else { return nil }
            values.append(value)
        }
        return values
    }

    /// Puts a row into a database; false when a row like it is there, or a rule of the table refuses it.
    func put(_ values: [Value], into database: Connection) throws -> Bool {
        try database.execute(insert, values) == 1
    }
}

extension String {
    fileprivate func trimming(_ mark: Character) -> String {
        var text = Substring(self)
        if text.first == mark { text.removeFirst() }
        if text.last == mark { text.removeLast() }
        return String(text)
    }
}
