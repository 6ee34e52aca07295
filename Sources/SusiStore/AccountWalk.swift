import SusiSQLite

/// Reads the accounts of several lists in the order of label, person and policy, a part at a time. Each list is continued by
/// its index, so that nothing is sorted and no statement stays open.
struct AccountWalk {
    private struct Entry {
        let account: Int64
        let label: String
        let person: Int64
        /// The sort key of the label: its bytes, with ASCII letters in lower case.
        let place: [UInt8]

        init(_ row: borrowing Row) throws {
            (account, label, person) = (try row.integer("id"), try row.text("label"), try row.integer("person"))
            place = label.utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
        }

        static func < (left: Entry, right: Entry) -> Bool {
            left.place == right.place ? left.person < right.person : left.place.lexicographicallyPrecedes(right.place)
        }
    }

    /// The accounts of one tenant and policy.
    private struct List {
        let values: [Value]
        /// The entries that were read and not returned yet, the next one last.
        var waiting: [Entry] = []
        var last: [Value] = [.text(""), .integer(0)]
        var isRead = false

        mutating func fill(
            _ count: Int, filter: [Value], withoutGuests: Bool, from database: Connection
        ) throws {
            guard waiting.isEmpty, !isRead else { return }
            let page = AccountQuery.page(filtered: !filter.isEmpty, withoutGuests: withoutGuests)
            waiting = try database.rows(page, values + last + filter + [.int(count)]) { try Entry($0) }.reversed()
            isRead = waiting.count < count
            if let end = waiting.first { last = [.text(end.label), .integer(end.person)] }
        }
    }

    private var lists: [List]
    private let filter: [Value]
    private let withoutGuests: Bool

    var isAtEnd: Bool { lists.allSatisfy { $0.isRead && $0.waiting.isEmpty } }

    /// Starts at the beginning of lists, each described by the values of a query over it. Equal entries come in the order of
    /// their lists. `filter` has the values of a filter, or none.
    init(_ lists: [[Value]], filter: [Value] = [], withoutGuests: Bool = false) {
        self.lists = lists.map { List(values: $0) }
        self.filter = filter
        self.withoutGuests = withoutGuests
    }

    /// Returns the row ids of the next accounts, up to `count`; none at the end. They may include an account that was removed
    /// meanwhile.
    mutating func next(_ count: Int, _ database: Connection) throws -> [Int64] {
        let piece = max(4, min(count, 256) / max(1, lists.count))
        var accounts: [Int64] = []
        while accounts.count < count {
            for index in lists.indices {
                try lists[index].fill(piece, filter: filter, withoutGuests: withoutGuests, from: database)
            }
            let first = lists.indices.reduce(nil as Int?) { best, index in
                guard let entry = lists[index].waiting.last else { return best }
                guard let before = best.flatMap({ lists[$0].waiting.last }) else { return index }
                return entry < before ? index : best
            }
            guard let first, let entry = lists[first].waiting.popLast() else { break }
            accounts.append(entry.account)
        }
        return accounts
    }
}
