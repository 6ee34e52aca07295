import FoundationEssentials
import Susi

/// Writes what MSAL.js keeps in the browser, in the layout that its versions 3.6 to 3.28 use; later ones read it too.
///
/// All keys of credentials are in lower case. The realm is the tenant in the id token, in B2C the policy.
struct BrowserCacheWriter: CacheWriter {
    /// The origin of a storage state as Playwright reads it; `nil` for the entries alone.
    let origin: String?
    private var entries: [String: String] = [:]
    private var accountKeys: [String] = []
    private var tokenKeys: [String: TokenKeys] = [:]

    init(origin: String?) { self.origin = origin }

    private struct TokenKeys: Encodable {
        var idToken: [String] = []
        var accessToken: [String] = []
        var refreshToken: [String] = []
    }

    /// The members that every credential has.
    private struct Owner {
        let handle: String
        let host: String
        let clientID: String
        let realm: String

        func key(_ type: String, realm: String = "", target: String = "") -> String {
            "\(handle)-\(host)-\(type)-\(clientID)-\(realm)-\(target)--".lowercased()
        }

        func credential(_ type: String, _ secret: String, realm: String? = nil) -> [String: String] {
            var members = [
                "credentialType": type, "homeAccountId": handle, "environment": host, "clientId": clientID,
                "secret": secret,
            ]
            members["realm"] = realm
            return members
        }
    }

    /// Throws ``SusiError/Code/failed`` if no id token says where the person is signed in: MSAL.js looks there.
    mutating func add(_ holder: CacheHolder) throws -> Int {
        let account = holder.account
        guard let id = holder.id, let claims = try? JSONNode(parsing: account.claims.utf8),
            let realm = (claims["tid"] ?? claims["tfp"] ?? claims["acr"])?.string
        else { throw SusiError.noRealm(of: account.label) }
        let base = holder.authority.base
        let owner = Owner(
            handle: account.homeAccountID.description, host: base.host + (base.port.map { ":\($0)" } ?? ""),
            clientID: account.account.clientID, realm: realm)
        let object = (claims["oid"] ?? claims["sub"])?.string ?? account.account.person.subject
        try add(account, of: owner, object: object, name: claims["name"]?.string)
        var keys = tokenKeys[owner.clientID] ?? TokenKeys()
        try keys.idToken.append(
            add(owner.credential("IdToken", id.secret, realm: realm), as: owner.key("idtoken", realm: realm)))
        let access = Self.distinct(holder.access)
        for token in access { try keys.accessToken.append(add(token, of: owner)) }
        if let token = holder.refresh {
            try keys.refreshToken.append(
                add(owner.credential("RefreshToken", token.secret), as: owner.key("refreshtoken")))
        }
        tokenKeys[owner.clientID] = keys
        return access.count
    }

    func text() throws -> String {
        var all = entries
        all["msal.account.keys"] = try Self.text(accountKeys)
        for (clientID, keys) in tokenKeys { all["msal.token.keys.\(clientID)"] = try Self.text(keys) }
        guard let origin else { return try Self.text(all, isIndented: true) + "\n" }
        let items = all.sorted { $0.key < $1.key }.map { ["name": $0.key, "value": $0.value] }
        let state = StorageState(origins: [StorageState.Origin(origin: origin, localStorage: items)])
        return try Self.text(state, isIndented: true) + "\n"
    }

    private struct StorageState: Encodable {
        struct Origin: Encodable {
            let origin: String
            let localStorage: [[String: String]]
        }

        let cookies: [String] = []
        let origins: [Origin]
    }

    private struct AccountEntry: Encodable {
        struct Profile: Encodable {
            let tenantId: String
            let localAccountId: String
            let name: String?
            let isHomeTenant: Bool
        }

        let authorityType = "MSSTS"
        let homeAccountId: String
        let environment: String
        let realm: String
        let localAccountId: String
        let username: String
        let name: String?
        let tenantProfiles: [Profile]
    }

    private mutating func add(_ account: StoredAccount, of owner: Owner, object: String, name: String?) throws {
        let handle = account.homeAccountID
        let profile = AccountEntry.Profile(
            tenantId: owner.realm, localAccountId: object, name: name, isHomeTenant: owner.realm == handle.utid)
        let entry = AccountEntry(
            homeAccountId: owner.handle, environment: owner.host, realm: handle.utid, localAccountId: handle.uid,
            username: account.userNameOfMSAL, name: name, tenantProfiles: [profile])
        accountKeys.append(try add(entry, as: "\(owner.handle)-\(owner.host)-\(handle.utid)".lowercased()))
        // The account that `getActiveAccount` returns.
        let active = ["homeAccountId": owner.handle, "localAccountId": object, "tenantId": owner.realm]
        _ = try add(active, as: "msal.\(owner.clientID).active-account-filters")
    }

    private mutating func add(_ token: StoredToken, of owner: Owner) throws -> String {
        let end = "\(token.info.expiresOn ?? 0)"
        let target = token.target.description
        let times = ["cachedAt": "\(token.info.savedOn)", "expiresOn": end, "extendedExpiresOn": end]
        let entry = owner.credential("AccessToken", token.secret, realm: owner.realm).merging(times) { $1 }
            .merging(["target": target, "tokenType": "Bearer"]) { $1 }
        return try add(entry, as: owner.key("accesstoken", realm: owner.realm, target: target))
    }

    private mutating func add(_ entry: some Encodable, as key: String) throws -> String {
        entries[key] = try Self.text(entry)
        return key
    }

    /// Returns tokens without common scopes, the ones with more scopes first: MSAL.js removes all tokens that serve a request
    /// if there are several.
    static func distinct(_ tokens: [StoredToken]) -> [StoredToken] {
        let widest = tokens.sorted { $0.target.scopes.count > $1.target.scopes.count }
        return widest.reduce(into: []) { kept, token in
            let isNew = kept.allSatisfy { Set($0.target.scopes).isDisjoint(with: token.target.scopes) }
            if isNew { kept.append(token) }
        }
    }

    private static func text(_ value: some Encodable, isIndented: Bool = false) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isIndented { encoder.outputFormatting.insert(.prettyPrinted) }
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
