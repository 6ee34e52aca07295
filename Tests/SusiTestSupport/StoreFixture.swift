import Foundation
import SusiSQLite
public import SystemPackage

/// Stores of earlier versions: `Tests/StoreFixtures` has the SQL of each, with rows that were encrypted then.
///
/// The accounts 11 and 12 are Ana's under two policies, 13 is Ben's, 14 is Ben's at another tenant; the secret of each token
/// is its kind and the account's number.
public enum StoreFixture {
    private static let folder = FilePath(#filePath).removingLastComponent().removingLastComponent()
        .appending("StoreFixtures")

    /// The schemas with a fixture.
    public static let versions: [Int64] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.string)) ?? []
        return names.compactMap { Int64($0.dropFirst("schema-".count).prefix { $0 != "." }) }.sorted()
    }()

    /// Creates a folder with the store of a schema.
    public static func install(_ version: Int64, in place: FilePath) throws {
        if !FilePath.exists(place) { try makeFolder(place) }
        try SusiTestSupport.write(
            try String(contentsOfFile: folder.appending("key").string, encoding: .utf8), to: place.appending("key"))
        let path = place.appending("store.sqlite")
        try SusiTestSupport.write("", to: path)
        let database = try Connection(path: path.string, mode: .readWrite)
        _ = try database.first("PRAGMA journal_mode = WAL") { try $0.text(0) }
        let sql = try String(contentsOfFile: folder.appending("schema-\(version).sql").string, encoding: .utf8)
        try database.write { try database.executeScript(sql) }
    }

    /// Writes the store of this version as the fixture of its schema, for use by later versions.
    public static func write(_ store: FilePath) throws {
        let database = try Connection(path: store.appending("store.sqlite").string, mode: .readWrite)
        let version = try database.first("PRAGMA user_version") { try $0.integer(0) } ?? 0
        var text = """
            -- A store of schema \(version), as its time wrote it. Its key is in the file `key`.
            PRAGMA application_id = 0x73757369;
            PRAGMA user_version = \(version);

            """
        let schema = try database.rows("SELECT type, name, sql FROM sqlite_schema WHERE sql <> '' ORDER BY rowid") {
            (type: try $0.text(0), name: try $0.text(1), sql: try $0.text(2))
        }
        for entry in schema where entry.type != "trigger" { text += entry.sql + ";\n" }
        for table in schema where table.type == "table" {
            let columns = try database.rows("SELECT name FROM pragma_table_info(?)", [.text(table.name)]) {
                try $0.text(0)
            }
            try database.forEach("SELECT * FROM \"\(table.name)\"") { row in
                let values = try columns.indices.map { literal(try row.value($0)) }
                text += "INSERT INTO \(table.name) VALUES (\(values.joined(separator: ", ")));\n"
            }
        }
        for entry in schema where entry.type == "trigger" { text += entry.sql + ";\n" }
        try SusiTestSupport.write(text, to: folder.appending("schema-\(version).sql"), permissions: 0o644)
    }

    private static func literal(_ value: Value) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .text(let value): "'" + value.replacingOccurrences(of: "'", with: "''") + "'"
        case .blob(let bytes): "x'" + bytes.map { String(0x100 + Int($0), radix: 16).dropFirst() }.joined() + "'"
        }
    }
}
