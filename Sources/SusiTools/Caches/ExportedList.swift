import Susi
package import SusiStore

/// The content of an encrypted export: a JSON list with an object for each refresh token of an account.
struct ExportedList {
    fileprivate enum Member: String {
        case tenantID = "tenantId"
        case subject, label
        case clientID = "clientId"
        case authority, policy, scopes, refreshToken
    }

    private var entries: [[String: String]] = []

    // MARK: Writing

    /// Adds a refresh token of an account.
    mutating func add(_ token: StoredToken, of stored: StoredAccount) {
        let (account, info) = (stored.account, token.info)
        let members: [Member: String] = [
            .tenantID: account.person.tenant.id, .subject: account.person.subject, .label: stored.label,
            .clientID: account.clientID, .authority: stored.authority, .policy: account.policy.spelling,
            .scopes: (info.scopes.isEmpty ? info.granted : info.scopes).description, .refreshToken: token.secret,
        ]
        entries.append(Dictionary(uniqueKeysWithValues: members.map { ($0.rawValue, $1) }))
    }

    /// The JSON text.
    var content: [UInt8] { JSON.array(entries.map { .object($0.mapValues(JSON.string)) }).encoded }

    // MARK: Reading

    static func read(_ root: JSONNode) throws(CacheFileError) -> CacheContent {
        guard let list = root.array else { throw .unknownShape }
        guard list.count <= CacheFile.mostEntries else { throw .tooManyEntries(CacheFile.mostEntries) }
        var content = CacheContent()
        for (number, node) in zip(1..., list) {
            let name = "entry \(number)"
            do { content.entries.append(try entry(try CacheFields(node), name)) } catch {
                content.note(error, of: name)
            }
        }
        return content
    }

    private static func entry(_ fields: CacheFields, _ name: String) throws(InvalidInput) -> CacheEntry {
        let written = try fields.required(.authority)
        guard let authority = try? WebAddress(written) else { throw InvalidInput("invalid authority") }
        let tenantID = Tenant.canonical(try fields.required(.tenantID))
        let subject = Person.canonical(try fields.required(.subject))
        let scopes = try fields.scopes(Member.scopes.rawValue)
        guard let secret = try fields.secret(Member.refreshToken.rawValue) else {
            throw InvalidInput("no refreshToken")
        }
        let tenantName = authority.segments.map { $0.lowercased() }.first { $0 != "tfp" }
        return CacheEntry(
            name: name, host: authority.host, authority: authority, clientID: try fields.required(.clientID),
            uid: subject, utid: tenantID, objectID: subject, tenants: [tenantName, tenantID].compactMap(\.self),
            issuers: [], label: try fields.label(Member.label.rawValue) ?? subject, scopes: scopes.scopes,
            refreshToken: secret,
            exported: CacheEntry.Exported(
                tenantID: tenantID, subject: subject, policy: PolicyName(try fields.required(.policy)), scopes: scopes))
    }
}

extension CacheFields {
    fileprivate func required(_ member: ExportedList.Member) throws(InvalidInput) -> String {
        try required(member.rawValue)
    }
}

extension CacheFile {
    /// Decrypts and parses an encrypted export.
    package init(opening file: [UInt8], passphrase: String) throws(ExportFileError) {
        self.init(.susi, try Self.exported(try ExportFile.open(file, passphrase: passphrase)))
    }

    private static func exported(_ text: [UInt8]) throws(ExportFileError) -> CacheContent {
        do throws(CacheFileError) { return try ExportedList.read(try node(text)) } catch {
            switch error {
            case .notJSON(let line, let problem): throw .content("line \(line): \(problem)")
            case .tooManyEntries(let count): throw .content("it has more than \(count) entries")
            default: throw .content("it is not a list of refresh tokens")
            }
        }
    }
}
