import HTTPTypes
import SusiBase
import SusiJourneys
import SusiPolicies

/// The journeys of custom policies that run without a page: for names and passwords, refresh tokens and user information
/// (spec §5.7).
struct JourneyGrant {
    let endpoint: PolicyEndpoint
    let clientID: String
    let now: Int64
    let facts: RequestFacts
    let trace: JourneyTrace

    private func outcome(_ start: Journey.Start, _ policies: CustomPolicies) throws -> Outcome {
        guard let custom = policies.policies[endpoint.policy.name.lowercased] else { throw Self.gone }
        do {
            var journey = try Journey(start, in: custom.policy)
            let host = JourneyHost(
                endpoint: endpoint, policy: custom.policy, facts: facts, clientID: clientID, now: now)
            defer { trace.add(journey.trace) }
            let outcome = try host.runToEnd(&journey)
            if case .policyError(let error) = outcome { throw error }
            return outcome
        } catch let error as PolicyError {
            throw Refusal(.internalError, "The policy failed: \(policies.text(of: error))")
        }
    }

    private static let gone = Refusal(.internalError, "The policy is not in the folder any more.")

    /// The claims for a name and a password. The files of the policy are read again, as for a page.
    func password() throws -> IssuedClaims {
        guard let watched = endpoint.tenant.customPolicies else { throw Self.gone }
        let policies: CustomPolicies
        do throws(WatchedPolicies.Unusable) { policies = try watched.current() } catch {
            throw Refusal(.internalError, "The policies have mistakes: \(error.lines.joined(separator: "; "))")
        }
        switch try outcome(.authorize, policies) {
        case .token(let issued): return issued
        case .error(let code, let text) where code == "AADB2C90225":
            // One text for all, as in captured responses.
            throw Refusal(.wrongPassword, PasswordGrant.wrong).because(text)
        case .error(let code, let text): throw Refusal(journeyCode: code, text)
        default: throw Self.noToken
        }
    }

    private static let noToken = Refusal(.internalError, "The user journey sends no token.")

    /// The claims for a refresh: those of its journey, or the same again (spec §0 A5).
    func refreshed(_ claims: JourneyClaims, issued: Int64) throws -> JourneyClaims {
        guard let policies = endpoint.tenant.customPolicies?.last,
            endpoint.custom?.policy.journey(of: "Token") != nil
        else { return claims }
        var stored = claims.stored
        stored["refreshTokenIssuedOnDateTime"] = .dateTime(issued * 1_000)
        switch try outcome(.refresh(stored), policies) {
        case .token(let issued): return JourneyClaims(issued)
        case .error("AADB2C90128", _): throw Refusal.accountGone
        case .error(let code, let text): throw Refusal(journeyCode: code, text)
        default: throw Self.noToken
        }
    }

    /// The response of the user-info endpoint; `token` has the claims of the access token.
    func userInfo(_ token: JSON) throws -> [String: JSON] {
        guard let policies = endpoint.tenant.customPolicies?.last else { throw Self.gone }
        let claims = (token.members ?? [:]).mapValues { JSONNode($0) }
        switch try outcome(.userInfo(claims), policies) {
        case .userInfo(let claims): return claims.mapValues { JSON($0) }
        case .error(_, let text): throw APIRefusal(.unauthorized, error: "invalid_token", reason: text)
        default: throw Self.noToken
        }
    }
}

extension TokenRequest {
    /// The journeys of the endpoint's custom policy; nil for a user flow.
    var journey: JourneyGrant? {
        facts.map { JourneyGrant(endpoint: endpoint, clientID: clientID, now: now, facts: $0, trace: trace) }
    }

    /// The tokens for a name and a password that the journey of a policy accepts.
    func tokens(for issued: IssuedClaims, scope: String, _ scopes: RequestedScopes) throws -> JSON {
        let found = try issued.objectID.flatMap { try endpoint.tenant.database.user(objectID: $0.lowercased()) }
        let user = found ?? User(objectID: issued.objectID ?? randomGUID())
        guard !user.isBlocked else { throw PasswordGrant.blocked }
        return try issue(
            try newGrant(user, scope: scope, journey: JourneyClaims(issued)), to: user, scopes: scopes)
    }
}
