import HTTPTypes
import SusiBase

/// Revokes a token (RFC 7009): a refresh token with everything from its sign-in, or an access token.
enum RevocationEndpoint {
    static func respond(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        do {
            let clientID = try endpoint.client(context.form, context).clientID
            guard let token = context.form["token"] else { throw Refusal.missing("token") }
            if let record = try endpoint.tenant.database.refreshToken(token) {
                guard record.grant.clientID == clientID else { throw otherClient }
                try endpoint.tenant.database.revoke(record.grant)
            } else if let claims = try? endpoint.tenant.verifier(now: context.now).claims(of: token),
                let owner = claims["client_id"]?.string
            {
                guard owner == clientID else { throw otherClient }
                endpoint.tenant.refused.insert(token)
            }
            // Section 2.2: an unknown token is not an error.
            return Response(status: .ok)
        } catch let refusal as Refusal {
            return try endpoint.json(refusal, context)
        }
    }

    private static let otherClient = Refusal(.otherClient, "The token was not issued for this client.")
}
