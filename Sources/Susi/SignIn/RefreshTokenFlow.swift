import SusiOAuth
import SusiPolicies

/// A sign-in by a refresh token of another program: it is redeemed at the policy's authority, and the signed response makes
/// the account.
struct RefreshTokenFlow: DirectSignIn {
    let context: ClientContext
    let policy: Policy
    let refreshToken: String

    var userName: String? { nil }

    func tokens(for scopes: ScopeSet, _ options: AuthorizationOptions) async throws -> TokenGrant {
        try await context.web { web in
            try await context.redeem(refreshToken, under: policy, asking: scopes, through: web)
        }.keeping(refreshToken)
    }
}
