import Susi

/// Writes accounts as another library keeps them.
protocol CacheWriter {
    /// Adds an account with its tokens. Returns the number of access tokens added.
    mutating func add(_ holder: CacheHolder) throws -> Int

    func text() -> String
}

struct CacheHolder {
    let account: StoredAccount
    let authority: Authority
    /// The first segment of the token endpoint's path in the configuration; `nil` if no configuration is cached.
    let realm: String?
    let access: [StoredToken]
    let refresh: StoredToken?
    let id: StoredToken?
}

extension StoredToken {
    /// The scopes by which a library finds the token: the granted ones, and the default scope that was requested.
    var target: ScopeSet {
        if info.granted.isEmpty { return info.scopes }
        return info.granted.union(ScopeSet(info.scopes.scopes.filter { $0.hasSuffix("/.default") }))
    }
}

extension StoredAccount {
    /// The user name as Microsoft's libraries take it from the claims; empty if there is none.
    var userNameOfMSAL: String {
        let claims = try? JSONNode(parsing: claims.utf8)
        return (claims?["preferred_username"] ?? claims?["upn"])?.string ?? profile.emails.first ?? ""
    }
}
