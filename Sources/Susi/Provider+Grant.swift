import SusiBase
import SusiHTTP
import SusiOAuth
import SusiPolicies
import SusiStore

extension Provider {
    /// Checks a token response of any grant by the rules for id tokens and with the server's keys.
    ///
    /// `unsaid` are the scopes that a response without scopes grants; by default `scopes`. `nonce` is `nil` for grants
    /// without an authorization request: a password, a device code, a refresh. `known` is the account of a refresh.
    func grant(
        _ answer: TokenAnswer, clientID: String, scopes: ScopeSet, unsaid: ScopeSet? = nil, now: Int64,
        nonce: String? = nil, maximumAge: Int64? = nil, acr: [String]? = nil, code: String? = nil,
        known: StoredAccount? = nil
    ) async throws -> TokenGrant {
        let rules = IDTokenRules(
            authority: authority, metadata: metadata, clientID: clientID, nonce: nonce, now: now,
            serverTime: answer.serverTime, maximumAge: maximumAge, acr: acr, code: code,
            previous: known.flatMap { try? JSONNode(parsing: $0.claims.utf8) })
        let keys = try await keys(for: answer.idToken)
        do {
            return try TokenGrant(
                answer: answer, scopes: scopes, unsaid: unsaid, keys: keys, rules: rules, known: known?.homeAccountID)
        } catch { throw hidingSecrets(in: error) }
    }
}
