import Crypto
import SusiBase
import SusiPolicies
import SystemPackage

/// The policies files that this user trusts, each identified by its path and its whole content.
///
/// Each line of a small file next to the store has the content's SHA-256 in hexadecimal digits, the origins that the
/// content names with commas between them, and the absolute path, with a space between the three. Earlier versions
/// wrote no origins. Lines are only added, each in one write, and the last one about a path decides; a dash instead of
/// the digits withdraws the trust.
package struct TrustedFiles: Sendable {
    private static let largest = 1 << 20
    private let folder: StoreFolder
    private var path: FilePath { folder.path.appending("trusted-policies") }

    /// Makes the list of a folder; reads nothing yet.
    package init(_ folder: StoreFolder) { self.folder = folder }

    package enum Decision: Hashable, Sendable {
        /// This content is trusted at this path.
        case trusted
        /// Another content was trusted, which named these origins; `nil` if they were not recorded.
        case changed(from: [String]?)
        case unknown
    }

    package struct Entry: Hashable, Sendable {
        /// Its absolute path.
        package let path: String
        /// The SHA-256 of its content in hexadecimal digits.
        package let digest: String
        /// The origins that its content named; `nil` if they were not recorded.
        package let origins: [String]?

        package init(path: String, digest: String, origins: [String]? = nil) {
            self.path = path
            self.digest = digest
            self.origins = origins
        }
    }

    package static func digest(_ content: [UInt8]) -> String { Hexadecimal.encode(Array(SHA256.hash(data: content))) }

    /// Decides whether a content may be used at a path.
    package func decision(_ content: [UInt8], at place: String) throws(StoreError) -> Decision {
        guard let entry = try entries().first(where: { $0.path == place }) else { return .unknown }
        return entry.digest == Self.digest(content) ? .trusted : .changed(from: entry.origins)
    }

    /// Returns the trusted files in the order in which their paths were first trusted.
    package func entries() throws(StoreError) -> [Entry] {
        guard try folder.hasFile(path) else { return [] }
        guard let bytes = SmallFile.read(path.string, limit: Self.largest), bytes.count <= Self.largest else {
            throw StoreError(.trustListUnreadable(limit: Self.largest), path)
        }
        var entries: [Entry] = []
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { continue }
            let (digest, place) = (
                String(decoding: fields[0], as: UTF8.self), String(decoding: fields[2], as: UTF8.self)
            )
            let origins = fields[1].split(separator: UInt8(ascii: ",")).map { String(decoding: $0, as: UTF8.self) }
            let index = entries.firstIndex { $0.path == place }
            if let index { entries.remove(at: index) }
            guard digest != "-" else { continue }
            entries.insert(
                Entry(path: place, digest: digest, origins: origins.isEmpty ? nil : origins),
                at: index ?? entries.endIndex)
        }
        return entries
    }

    /// Trusts a content at a path instead of an earlier content, and records the origins that it names.
    package func trust(_ content: [UInt8], at place: String, naming origins: [String]) throws(StoreError) {
        try add("\(Self.digest(content)) \(origins.joined(separator: ",")) \(place)", at: place)
    }

    /// Withdraws the trust in a path; false if there was none.
    package func remove(_ place: String) throws(StoreError) -> Bool {
        guard try entries().contains(where: { $0.path == place }) else { return false }
        try add("-  \(place)", at: place)
        return true
    }

    private func add(_ line: String, at place: String) throws(StoreError) {
        guard !place.utf8.contains(UInt8(ascii: "\n")) else {
            throw StoreError(.lineBreakInPath, path)
        }
        try folder.prepare()
        _ = try folder.isThere(path, as: .file)
        do {
            let file = try FileDescriptor.open(
                path, .writeOnly, options: [.create, .append, .noFollow, .closeOnExec], permissions: .ownerReadWrite)
            try file.closeAfter { _ = try file.writeAll("\(line)\n".utf8) }
        } catch {
            throw StoreError(.writeTrustList, path, error)
        }
    }
}
