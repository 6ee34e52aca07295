import SusiOAuth
import SusiSQLite

/// A column of a table that holds times in seconds since 1970. Its name ends in `_on`, in every schema.
struct TimeColumn {
    let table: String
    private let column: String
    private let isRequired: Bool

    /// Table and column, for display.
    var name: String { "\(table).\(column)" }

    var isOutOfRange: String { "\"\(column)\" NOT BETWEEN 0 AND \(EpochTime.latest)" }

    /// The assignment that removes such a time; a required one becomes 0.
    var removal: String { "\"\(column)\" = \(isRequired ? "0" : "NULL")" }

    static func all(of database: Connection) throws -> [TimeColumn] {
        try database.rows(
            #"""
            SELECT t.name AS "table", c.name AS "column", c."notnull" AS is_required FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
            WHERE t.schema = 'main' AND t.type = 'table' AND c.name LIKE '%\_on' ESCAPE '\' ORDER BY t.name, c.cid
            """#
        ) { row in
            TimeColumn(
                table: try row.text("table"), column: try row.text("column"),
                isRequired: try row.integer("is_required") != 0)
        }
    }
}
