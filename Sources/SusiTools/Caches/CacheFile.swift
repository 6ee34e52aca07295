import SusiBase
import SusiOAuth
package import SusiPolicies

/// A file with refresh tokens: the cache of another library, or an encrypted export. Its entries, and the errors of damaged
/// ones.
///
/// It is parsed without I/O and within limits. Nothing in such a file is verified, so that nothing in it identifies a
/// person.
package struct CacheFile: Hashable, Sendable {
    package enum Format: String, CaseIterable, Sendable {
        /// The unified schema of MSAL for Python, .NET, Node, Java and Go: one object with a section for each kind of entry.
        case msal
        /// The list of ADAL for Python and Node.
        case adal
        /// The list in an encrypted export.
        case susi
    }

    /// An entry that cannot be imported.
    package struct Damage: Hashable, Sendable {
        /// The entry: its section with its key, or its position in the list.
        package let entry: String
        package let reason: String
    }

    /// In bytes.
    package static let largest = 64 << 20
    /// The largest number of entries, of all kinds together.
    package static let mostEntries = 100_000
    /// A cache's entries have a dozen members each.
    private static let mostValues = 24 * mostEntries

    package let format: Format
    /// The refresh tokens with their context, in the file's order.
    package let entries: [CacheEntry]
    /// The entries that are damaged, in the file's order.
    package let damages: [Damage]
    /// The labels of the accounts without a refresh token.
    package let tokenless: [String]

    /// Parses a file; without a format, it is detected.
    package init(parsing bytes: some Collection<UInt8>, as format: Format? = nil) throws(CacheFileError) {
        guard bytes.count <= Self.largest else { throw .tooLarge(bytes: Self.largest) }
        let root = try Self.node(try Self.text(Array(bytes)))
        let found = try Self.format(of: root)
        if let format, format != found { throw .otherFormat(found) }
        self.init(found, try found == .msal ? MSALCacheReader.read(root) : ADALCacheReader.read(root))
    }

    init(_ format: Format, _ content: CacheContent) {
        self.format = format
        (entries, damages, tokenless) = (content.entries, content.damages, content.tokenless)
    }

    static func node(_ text: [UInt8]) throws(CacheFileError) -> JSONNode {
        do { return try JSONNode(parsing: text, limit: mostValues) } catch {
            throw .notJSON(line: error.line, problem: error.problem)
        }
    }

    /// Returns the JSON text, without a byte order mark and decoded from base64.
    private static func text(_ bytes: [UInt8]) throws(CacheFileError) -> [UInt8] {
        if let kind = SealedCache.kind(of: bytes) { throw .encrypted(kind) }
        let bytes = Array(bytes.withoutByteOrderMark)
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

/// One refresh token of a cache, with its context in the cache.
package struct CacheEntry: Hashable, Sendable {
    /// The entry: its key in the file, or its position in the list.
    package let name: String
    /// The host that issued the token, in lower case and without a port.
    package let host: String
    /// The whole authority; `nil` if the format contains only a host.
    package let authority: WebAddress?
    package let clientID: String
    /// The part of the account's handle before the last dot; `nil` if the format has neither handles nor an object id.
    package let uid: String?
    /// The part after the last dot: the tenant's GUID.
    package let utid: String?
    /// The object id, or the subject, in the cache; `nil` if it contains none or several.
    package let objectID: String?
    /// The tenants in the cache: domain names and GUIDs in lower case.
    package let tenants: [String]
    /// The unverified issuers of the account's id tokens for this client.
    package let issuers: [String]
    /// The label of the account: an address, a name, else an identifier.
    package let label: String
    /// The scopes of the cached tokens; a resource is written as its default scope.
    package let scopes: [String]
    /// A secret.
    package let refreshToken: String
    /// What only an encrypted export names.
    var exported: Exported?

    /// The person and the policy of an account, and the scopes of the refresh token's sign-in.
    struct Exported: Hashable, Sendable {
        let tenantID: String
        let subject: String
        let policy: PolicyName
        let scopes: ScopeSet

        func names(_ person: Person) -> Bool { (person.tenant.id, person.subject) == (tenantID, subject) }
    }
}

/// Why nothing of a file is imported.
package enum CacheFileError: Error, Hashable, Sendable {
    case empty
    case tooLarge(bytes: Int)
    case tooManyEntries(Int)
    case encrypted(SealedCache.Kind)
    case notJSON(line: Int, problem: String)
    /// JSON, but not a known token cache.
    case unknownShape
    /// It has another format than the named one.
    case otherFormat(CacheFile.Format)
}
