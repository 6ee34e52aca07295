import Susi

/// Writes the unified schema as MSAL for Python does, which finds entries by members, key and realm.
struct MSALCacheWriter: CacheWriter {
    private typealias Entry = [String: String]
    private var sections: [String: [String: Entry]] = [
        "AccessToken": [:], "Account": [:], "AppMetadata": [:], "IdToken": [:], "RefreshToken": [:],
    ]

    mutating func add(_ holder: CacheHolder) -> Int {
        let host = holder.authority.base.host
        let clientID = holder.account.account.clientID
        let owner = ["home_account_id": holder.account.homeAccountID.description, "environment": host]
        let realm = ["realm": holder.realm ?? Self.realm(of: holder.authority, holder.account)]
        add(owner + realm + Self.account(holder.account), to: "Account", key: ["realm"])
        for token in holder.access { add(token, of: owner + realm, clientID: clientID) }
        if let token = holder.refresh {
            let entry = [
                "credential_type": "RefreshToken", "client_id": clientID, "secret": token.secret,
                "last_modification_time": "\(token.info.savedOn)",
            ]
            add(owner + entry, to: "RefreshToken")
        }
        if let token = holder.id {
            let entry = ["credential_type": "IdToken", "client_id": clientID, "secret": token.secret]
            add(owner + realm + entry, to: "IdToken")
        }
        sections["AppMetadata"]?["appmetadata-\(host)-\(clientID)"] = ["environment": host, "client_id": clientID]
        return holder.access.count
    }

    func text() -> String {
        let all = sections.mapValues { JSON.object($0.mapValues { .object($0.mapValues(JSON.string)) }) }
        return JSON.object(all).pretty + "\n"
    }

    private mutating func add(_ token: StoredToken, of owner: Entry, clientID: String) {
        guard let end = token.info.expiresOn else { return }
        var entry = [
            "credential_type": "AccessToken", "client_id": clientID, "secret": token.secret, "token_type": "Bearer",
            "target": token.target.description, "cached_at": "\(token.info.savedOn)", "expires_on": "\(end)",
            "extended_expires_on": "\(end)",
        ]
        if let refreshOn = token.info.refreshOn { entry["refresh_on"] = "\(refreshOn)" }
        add(owner + entry, to: "AccessToken")
    }

    // The key consists of the owner and the values of these members, joined by hyphens, in lower case.
    private mutating func add(
        _ entry: Entry, to section: String, key members: [String] = ["credential_type", "client_id", "realm", "target"]
    ) {
        let parts = ["home_account_id", "environment"] + members
        let key = parts.map { entry[$0] ?? "" }.joined(separator: "-").lowercased()
        sections[section]?[key] = entry
    }

    private static func account(_ account: StoredAccount) -> Entry {
        [
            "local_account_id": account.account.person.subject, "authority_type": "MSSTS",
            "account_source": "authorization_code", "username": account.userNameOfMSAL,
        ]
    }

    // The segment that the services' own configurations contain. Other providers may use any other.
    private static func realm(of authority: Authority, _ account: StoredAccount) -> String {
        authority.kind.traits.endpointsNameTenantID && !authority.isMultiTenant
            ? account.account.person.tenant.id : authority.base.segments.first ?? ""
    }
}

private func + (left: [String: String], right: [String: String]) -> [String: String] {
    left.merging(right) { $1 }
}
