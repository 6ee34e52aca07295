import FoundationEssentials
import SusiOAuth

/// A parser for the lines of an encrypted export, in their order. Rejects invalid records and stores nothing.
struct TransferReader {
    private(set) var number = 0
    /// The time of the export, in seconds since 1970.
    private(set) var exportedOn: Int64 = 0
    private var accounts = 0
    private var isEnded = false
    private let now: Int64
    private let decoder = JSONDecoder()

    /// Makes a parser. `now` is in seconds since 1970.
    init(now: Int64) { self.now = now }

    /// Reads the next line. Throws ``SealedFileError/line(_:_:)``, which names the member that is wrong, and `.newer`.
    mutating func record(_ line: [UInt8]) throws(SealedFileError) -> TransferRecord {
        number += 1
        guard !isEnded else { throw .line(number, "it follows the end record") }
        let record = try decoded(line)
        if number == 1 {
            guard let head = record.head else { throw .line(1, "expected the head record") }
            guard head.version == TransferRecord.Head.newest else { throw .newer }
            // Another number could overflow; it is reported below.
            if EpochTime.valid.contains(head.exportedOn), head.exportedOn - IDTokenRules.skew > now {
                throw .fromTheFuture(head.exportedOn - now)
            }
            exportedOn = head.exportedOn
        }
        if let wrong = record.values(now).first(where: { !$0.isValid }) { throw .line(number, wrong.problem) }
        if record.account != nil { accounts += 1 }
        if let end = record.end {
            guard end.accounts == accounts else { throw .line(number, "accounts are missing") }
            isEnded = true
        }
        return record
    }

    /// Throws `.cut` unless the last line was read.
    func finish() throws(SealedFileError) {
        guard isEnded else { throw .cut }
    }

    private func decoded(_ line: [UInt8]) throws(SealedFileError) -> TransferRecord {
        do { return try decoder.decode(TransferRecord.self, from: Data(line)) } catch {
            throw .line(number, Self.problem(error as? DecodingError))
        }
    }

    // Names the member that cannot be read. The keys of the path are those of our own types.
    private static func problem(_ error: DecodingError?) -> String {
        let path: [any CodingKey]
        switch error {
        case .keyNotFound(let key, let context): path = context.codingPath + [key]
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            path = context.codingPath
        default: path = []
        }
        let name = path.reduce("") { name, key in
            key.intValue.map { "\(name)[\($0)]" } ?? (name.isEmpty ? key.stringValue : "\(name).\(key.stringValue)")
        }
        return name.isEmpty ? "not a record" : "\(name) is missing or has another type"
    }
}
