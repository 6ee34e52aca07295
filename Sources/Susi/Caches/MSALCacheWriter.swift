import FoundationEssentials
import SusiOAuth
import SusiPolicies
import SusiStore

/// Writes the unified schema as MSAL for Python does, which finds entries by members, key and realm.
struct MSALCacheWriter {
    /// An account with its decrypted tokens.
    struct Holder {
        let account: StoredAccount
        let authority: Authority
        /// The first segment of the token endpoint's path in the configuration; `nil` if no configuration is cached.
        let realm: String?
        let access: [StoredToken]
        let refresh: StoredToken?
        let id: StoredToken?
    }

    private typealias Entry = [String: String]
    private var sections: [String: [String: Entry]] = [
        "AccessToken": [:], "Account": [:], "AppMetadata": [:], "IdToken": [:], "RefreshToken": [:],
    ]

    /// Adds an account with its tokens.
    mutating func add(_ holder: Holder) {
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
    }

    func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(sections), as: UTF8.self) + "\n"
    }

    private mutating func add(_ token: StoredToken, of owner: Entry, clientID: String) {
        guard let end = token.info.expiresOn else { return }
        var entry = [
            "credential_type": "AccessToken", "client_id": clientID, "secret": token.secret, "token_type": "Bearer",
            "target": Self.target(token.info).description, "cached_at": "\(token.info.savedOn)", "expires_on": "\(end)",
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
        let claims = try? JSONNode(parsing: account.claims.utf8)
        let userName = (claims?["preferred_username"] ?? claims?["upn"])?.string
        return [
            "local_account_id": account.account.person.subject, "authority_type": "MSSTS",
            "account_source": "authorization_code", "username": userName ?? account.profile.emails.first ?? "",
        ]
    }

    // A token is found by its granted scopes, or by the default scope that was requested.
    private static func target(_ token: StoredTokenInfo) -> ScopeSet {
        if token.granted.isEmpty { return token.scopes }
        return token.granted.union(ScopeSet(token.scopes.scopes.filter { $0.hasSuffix("/.default") }))
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
