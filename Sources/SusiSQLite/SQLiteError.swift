/// An error that SQLite reported, with its code and its own text.
package struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The extended result code (https://www.sqlite.org/rescode.html).
    package let extendedCode: Int32
    /// SQLite's text for the code, for example `database is locked`.
    package let meaning: String
    /// SQLite's text for this failure, for example `UNIQUE constraint failed: persons.subject`.
    package let message: String
    /// The statement that failed, without its values; empty if there was none.
    package let statement: String

    package init(extendedCode: Int32, meaning: String, message: String, statement: String = "") {
        self.extendedCode = extendedCode
        self.meaning = meaning
        self.message = message
        self.statement = statement
    }

    /// The primary result code: the low eight bits of the extended one.
    package var code: Code? { Code(rawValue: extendedCode & 0xff) }

    /// The primary result codes that callers distinguish.
    package enum Code: Int32, Sendable {
        case error = 1
        case permission = 3
        case busy = 5
        case locked = 6
        case outOfMemory = 7
        case readOnly = 8
        case interrupted = 9
        case inputOutput = 10
        case corrupt = 11
        case full = 13
        case cannotOpen = 14
        case schemaChanged = 17
        case tooBig = 18
        case constraint = 19
        case mismatch = 20
        case misuse = 21
        case notADatabase = 26
    }

    /// Code and text on one line.
    package var description: String {
        let place = statement.isEmpty ? "" : " in “\(statement)”"
        return "SQLite \(extendedCode) (\(meaning)): \(message)\(place)"
    }
}
