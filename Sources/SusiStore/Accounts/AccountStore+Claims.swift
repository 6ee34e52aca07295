package import SusiOAuth
internal import SusiPolicies
internal import SusiSQLite

extension AccountStore {
    /// Stores the claims that a server demands of an account's tokens, and replaces an older demand. Throws `.missing` if the
    /// account is not stored.
    package func remember(_ claims: ClaimsRequest, for account: Account) throws(StoreError) {
        try write {
            _ = try upsert(
                "pending_claims", key: ["account"],
                ["account": .integer(ids(of: account).account), "claims": .text(claims.text)])
        }
    }

    /// Returns the claims that a server demanded of an account's tokens; `nil` without an open demand.
    package func pendingClaims(of account: Account) throws(StoreError) -> ClaimsRequest? {
        let query = "SELECT claims FROM pending_claims WHERE account = (\(AccountQuery.id))"
        let text = try guarded { try database.text(query, account.values) }
        return try? text.map { try ClaimsRequest(parsing: $0.utf8) }
    }

    /// Removes the demand on an account if it is still this one: another process may have stored a newer one meanwhile.
    package func forgetClaims(of account: Account, ifStill claims: ClaimsRequest) throws(StoreError) {
        try write {
            // Compared as read, not as text: an earlier version may have written the same demand in other characters.
            guard try pendingClaims(of: account) == claims else { return }
            _ = try database.execute(
                "DELETE FROM pending_claims WHERE account = (\(AccountQuery.id))", account.values)
        }
    }
}
