import SusiBase
import SusiJourneys
import SusiPolicies

/// Verifies the `id_token_hint` of a request by the rules of a policy (id-token-hint, spec §0 B7).
struct JourneyHint {
    let host: JourneyHost

    func claims(_ call: TokenCall) throws -> TokenAnswer {
        let tenant = host.endpoint.tenant
        var rules = PolicySettings.Invitations()
        (rules.issuer, rules.audience, rules.secret, rules.metadata) = (call.issuer, call.audience, call.secret, nil)
        do {
            guard (call.secret == nil) != (call.metadata == nil) else {
                throw Refusal.hintSignature.because("The profile needs either METADATA or the key client_secret")
            }
            if call.secret == nil { rules.metadata = call.metadata }
            if let address = rules.metadata, !tenant.configuration.mayCall(address) {
                throw Refusal.hintSignature.because(
                    "The host of METADATA is another machine, not in “allowedHosts”; name another one with --settings")
            }
            let claims = try Invitation.claims(
                call.token, rules, tenant, clientID: host.clientID, now: host.now)
            guard claims["nbf"]?.integer != nil else { throw Refusal.hintSignature.because("It has no nbf") }
            return .claims((claims.members ?? [:]).mapValues { JSONNode($0) })
        } catch let refusal as Refusal {
            return .refused(code: "AADB2C\(refusal.code.b2c.number)", text: refusal.text)
        }
    }
}
