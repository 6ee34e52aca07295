public import SusiPolicies

/// The token cache of another library, read and not believed: entries, and by name what is wrong with others.
///
/// Pure and bounded: bytes in, values out. Nothing in such a file is signed by anybody whom this program could ask, so
/// nothing of it says who somebody is.
public struct CacheFile: Hashable, Sendable {
    /// The forms that are read.
    public enum Format: String, CaseIterable, Sendable {
        /// The unified schema of MSAL for Python, .NET, Node, Java and Go: one object with a section for each kind of entry.
        case msal
        /// The list of ADAL for Python and Node.
        case adal
    }

    /// An entry that cannot be taken over.
    public struct Damage: Hashable, Sendable {
        /// Which entry: its section with its key, or its place in the list.
        public let entry: String
        /// What is wrong with it.
        public let reason: String

        /// Names an entry.
        public init(entry: String, reason: String) {
            self.entry = entry
            self.reason = reason
        }
    }

    /// The largest file, in bytes.
    public static let largest = 64 << 20
    /// The largest number of entries, of all kinds together.
    public static let mostEntries = 100_000
    /// A cache's entries have a dozen members each.
    private static let mostValues = 24 * mostEntries

    /// The form.
    public let format: Format
    /// The refresh tokens with what the cache says beside, in the file's order.
    public let entries: [CacheEntry]
    /// The entries that are damaged, in the file's order.
    public let damages: [Damage]
    /// What the cache calls the accounts that it holds no refresh token of.
    public let tokenless: [String]

    /// Reads a file; without a format, its shape tells.
    public init(parsing bytes: some Collection<UInt8>, as format: Format? = nil) throws(CacheFileError) {
        guard bytes.count <= Self.largest else { throw .tooLarge(bytes: Self.largest) }
        let text = try Self.text(Array(bytes))
        let root: JSONNode
        do { root = try JSONNode(parsing: text, limit: Self.mostValues) } catch {
            throw .notJSON(line: error.line, problem: error.problem)
        }
        let found = try Self.format(of: root)
        if let format, format != found { throw .otherFormat(found) }
        let content =
            switch found {
            case .msal: try MSALCacheReader.read(root)
            case .adal: try ADALCacheReader.read(root)
            }
        self.format = found
        (entries, damages, tokenless) = (content.entries, content.damages, content.tokenless)
    }

    /// The JSON text itself: without a byte order mark, out of base64.
    private static func text(_ bytes: [UInt8]) throws(CacheFileError) -> [UInt8] {
        if let kind = SealedCache.kind(of: bytes) { throw .encrypted(kind) }
        let bytes = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes.dropFirst(3)) : bytes
        guard let first = bytes.first(where: { !isSpace($0) }) else { throw .empty }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return bytes }
        guard let decoded = SealedCache.base64(bytes) else { return bytes }
        if let start = decoded.first(where: { !isSpace($0) }),
            start == UInt8(ascii: "{") || start == UInt8(ascii: "[")
        {
            return decoded
        }
        throw .encrypted(SealedCache.kind(of: decoded) ?? .unknown)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(byte) }

    private static func format(of root: JSONNode) throws(CacheFileError) -> Format {
        if root.array != nil { return .adal }
        guard case .object(let members) = root.value else { throw .unknownShape }
        if members.isEmpty || members.contains(where: { MSALCacheReader.isSection($0.name) }) { return .msal }
        if SealedCache.looksSealed(root) { throw .encrypted(.unknown) }
        throw .unknownShape
    }
}

/// One refresh token of a cache, with what the cache says beside it.
public struct CacheEntry: Hashable, Sendable {
    /// Which entry: its key in the file, or its place in the list.
    public let name: String
    /// The host that its tokens come from, in lower case and without a port.
    public let host: String
    /// The whole authority; nil where the form keeps only a host.
    public let authority: WebAddress?
    /// The client id of the application that signed in.
    public let clientID: String
    /// The part of the account's handle before the last dot; nil when the form has no handles and names no object id.
    public let uid: String?
    /// The part behind the last dot: the tenant's GUID.
    public let utid: String?
    /// The object id, or the subject, that the cache states beside the handle; nil when it states none, or several.
    public let objectID: String?
    /// The tenants that it names, domain names and GUIDs in lower case.
    public let tenants: [String]
    /// The issuers that the account's id tokens for this client name, unchecked; none when the cache holds no such token.
    public let issuers: [String]
    /// What to call the account: an address, a name, else an identifier.
    public let label: String
    /// The scopes that the cache holds tokens for; a resource is written as its default scope.
    public let scopes: [String]
    /// The token. It is a secret.
    public let refreshToken: String
}

/// Why nothing of a file is taken over.
public enum CacheFileError: Error, Hashable, Sendable {
    /// There is nothing in it.
    case empty
    /// It is larger than a cache may be.
    case tooLarge(bytes: Int)
    /// It has more entries than a cache may have.
    case tooManyEntries(Int)
    /// It is encrypted.
    case encrypted(SealedCache.Kind)
    /// It is no JSON.
    case notJSON(line: Int, problem: String)
    /// It is JSON of something else.
    case unknownShape
    /// It has the other format than the one that was named.
    case otherFormat(CacheFile.Format)
}
