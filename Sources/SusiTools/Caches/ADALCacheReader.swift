import SusiBase
import SusiOAuth
import SusiPolicies

/// Reads the list of ADAL for Python and Node, which Azure's older command line used too. It has one entry for each
/// user and resource. Entries of one user have the same refresh token if it serves several resources (`isMRRT`).
struct ADALCacheReader {
    static func read(_ root: JSONNode) throws(CacheFileError) -> CacheContent {
        let list = root.array ?? []
        guard list.count <= CacheFile.mostEntries else { throw .tooManyEntries(CacheFile.mostEntries) }
        var content = CacheContent()
        for (number, node) in zip(1..., list) {
            let name = "entry \(number)"
            do {
                switch try reading(of: try CacheFields(node), name) {
                case .entry(let entry): content.entries.append(entry)
                case .tokenless(let label): content.tokenless.append(label)
                }
            } catch {
                content.note(error, of: name)
            }
        }
        return content
    }

    private enum Reading {
        case entry(CacheEntry)
        case tokenless(String)
    }

    private static func reading(of fields: CacheFields, _ name: String) throws(InvalidInput) -> Reading {
        let written = try fields.required("_authority")
        guard let authority = try? WebAddress(written) else {
            throw InvalidInput("invalid _authority")
        }
        let clientID = try fields.required("_clientId")
        let userID = try fields.label("userId")
        let objectID = try fields.optional("oid")
        let tenantID = try fields.optional("tenantId")
        let names = [try fields.label("givenName"), try fields.label("familyName")].compactMap(\.self)
        let label = userID ?? (names.isEmpty ? objectID : names.joined(separator: " ")) ?? name
        let resource = try fields.optional("resource")
        // A service's entry has no user and no refresh token.
        guard let secret = try fields.secret("refreshToken") else { return .tokenless(label) }
        let tenants = [authority.segments.first, tenantID].compactMap { $0?.lowercased() }
        return .entry(
            CacheEntry(
                name: name, host: authority.host, authority: authority, clientID: clientID, uid: objectID,
                utid: objectID == nil ? nil : tenantID, objectID: objectID, tenants: tenants, issuers: [],
                label: label,
                scopes: resource.map { [ScopeSet.defaultScope(ofResource: $0)] } ?? [], refreshToken: secret))
    }
}
