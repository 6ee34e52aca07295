/// A value as SQLite stores it (https://www.sqlite.org/datatype3.html).
package enum Value: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    package static func int(_ value: Int) -> Value { .integer(Int64(value)) }

    package static func text(orNull value: String?) -> Value { value.map(Value.text) ?? .null }

    package static func integer(orNull value: Int64?) -> Value { value.map(Value.integer) ?? .null }
}
