import HTTPTypes

/// Gives a token back (RFC 7009). A refresh token takes its whole sign-in along; an access token is refused from then on.
enum RevocationEndpoint {
    static func answer(_ place: Place, _ visit: Visit) throws -> Answer {
        do {
            let clientID = try place.client(visit.form, visit).clientID
            guard let token = visit.form["token"] else { throw Refusal.missing("token") }
            if let record = try place.tenant.database.refreshToken(token) {
                guard record.grant.clientID == clientID else { throw otherClient }
                try place.tenant.database.revoke(record.grant)
            } else if let claims = try? place.tenant.verifier(now: visit.now).claims(of: token),
                let owner = claims["client_id"]?.string
            {
                guard owner == clientID else { throw otherClient }
                place.tenant.refused.insert(token)
            }
            // Section 2.2: an unknown token is no error, its purpose is reached.
            return Answer(status: .ok)
        } catch let refusal as Refusal {
            return try place.json(refusal, visit)
        }
    }

    private static let otherClient = Refusal(.otherClient, "The token was not issued for this client.")
}
