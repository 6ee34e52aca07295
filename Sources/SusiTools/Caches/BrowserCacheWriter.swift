import Susi

/// Writes what MSAL.js keeps in the browser, in the layout that its versions 3.6 to 3.28 use; later ones read it too.
///
/// All keys of credentials are in lower case. The realm is the tenant in the id token, in B2C the policy.
struct BrowserCacheWriter: CacheWriter {
    /// The origin of a storage state as Playwright reads it; `nil` for the entries alone.
    let origin: String?
    private var entries: [String: String] = [:]
    private var accountKeys: [String] = []
    // Of each client, the keys of its tokens by kind.
    private var tokenKeys: [String: [String: [String]]] = [:]

    init(origin: String?) { self.origin = origin }

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
        add(account, of: owner, object: object, name: claims["name"]?.string)
        var keys = tokenKeys[owner.clientID] ?? ["idToken": [], "accessToken": [], "refreshToken": []]
        keys["idToken"]?.append(
            add(owner.credential("IdToken", id.secret, realm: realm), as: owner.key("idtoken", realm: realm)))
        let access = Self.distinct(holder.access)
        for token in access { keys["accessToken"]?.append(add(token, of: owner)) }
        if let token = holder.refresh {
            keys["refreshToken"]?.append(
                add(owner.credential("RefreshToken", token.secret), as: owner.key("refreshtoken")))
        }
        tokenKeys[owner.clientID] = keys
        return access.count
    }

    func text() -> String {
        var all = entries
        all["msal.account.keys"] = JSON.list(accountKeys).text
        for (clientID, keys) in tokenKeys {
            all["msal.token.keys.\(clientID)"] = JSON.object(keys.mapValues(JSON.list)).text
        }
        guard let origin else { return JSON.object(all.mapValues(JSON.string)).pretty + "\n" }
        let items = all.sorted { $0.key < $1.key }.map {
            JSON.object(["name": .string($0.key), "value": .string($0.value)])
        }
        let state: JSON = ["cookies": [], "origins": [["origin": .string(origin), "localStorage": .array(items)]]]
        return state.pretty + "\n"
    }

    private mutating func add(_ account: StoredAccount, of owner: Owner, object: String, name: String?) {
        let handle = account.homeAccountID
        let name = name.map(JSON.string)
        let profile: JSON = [
            "tenantId": .string(owner.realm), "localAccountId": .string(object), "name": name,
            "isHomeTenant": .bool(owner.realm == handle.utid),
        ]
        let entry: JSON = [
            "authorityType": "MSSTS", "homeAccountId": .string(owner.handle), "environment": .string(owner.host),
            "realm": .string(handle.utid), "localAccountId": .string(handle.uid),
            "username": .string(account.userNameOfMSAL), "name": name, "tenantProfiles": [profile],
        ]
        accountKeys.append(add(entry, as: "\(owner.handle)-\(owner.host)-\(handle.utid)".lowercased()))
        // The account that `getActiveAccount` returns.
        let active = ["homeAccountId": owner.handle, "localAccountId": object, "tenantId": owner.realm]
        _ = add(active, as: "msal.\(owner.clientID).active-account-filters")
    }

    private mutating func add(_ token: StoredToken, of owner: Owner) -> String {
        let end = "\(token.info.expiresOn ?? 0)"
        let target = token.target.description
        let times = ["cachedAt": "\(token.info.savedOn)", "expiresOn": end, "extendedExpiresOn": end]
        let entry = owner.credential("AccessToken", token.secret, realm: owner.realm).merging(times) { $1 }
            .merging(["target": target, "tokenType": "Bearer"]) { $1 }
        return add(entry, as: owner.key("accesstoken", realm: owner.realm, target: target))
    }

    private mutating func add(_ members: [String: String], as key: String) -> String {
        add(JSON.object(members.mapValues(JSON.string)), as: key)
    }

    private mutating func add(_ entry: JSON, as key: String) -> String {
        entries[key] = entry.text
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
}
