import SusiBase

extension JourneyRun {
    /// Ends the journey with what its issuer makes (spec §5.5, §9).
    mutating func sendClaims(_ step: JourneyStep) throws -> Need? {
        guard let issuer = policy.issuer(of: step, policy[.journey, state.places.first?.journey]) else {
            throw Failure.policy("the step names no token issuer", step.element)
        }
        try transform("InputClaimsTransformation", of: issuer)
        switch issuer.element.text(of: "OutputTokenFormat") {
        case "OAuth2Error":
            let inputs = try inputs(issuer.inputClaims, of: issuer)
            let (code, text) = (inputs["errorCode"]?.text ?? "", inputs["errorMessage"]?.text ?? "")
            return end("sent an error", .error(code: code, text: text))
        case "JSON":
            return end("sent user information", .userInfo(try inputs(issuer.inputClaims, of: issuer).json))
        default:
            let issued = try issuedClaims(issuer)
            return end("sent a token", .token(issued))
        }
    }

    // Only what the relying party lists.
    private func issuedClaims(_ issuer: Profile) throws -> IssuedClaims {
        var issued = IssuedClaims()
        guard let party = policy.partyProfile else { return issued }
        let naming = party.element.child("SubjectNamingInfo")?["ClaimType"] ?? "sub"
        for entry in party.outputClaims {
            guard let id = entry.claim else { continue }
            guard let value = try inputValue(of: entry, party) else {
                guard state.redeemed != nil, entry["Required"] == "true" else { continue }
                throw Failure.refusal(
                    code: "AADB2C90085", "The service has an internal error: the claim “\(id)” is missing.")
            }
            let name = policy.partnerName(of: entry, in: "OpenIdConnect")
            issued.claims[name] = value.tokenJSON
            if name == naming { issued.subject = value.text }
            if !state.unstored.contains(id) { issued.stored[id] = value }
        }
        issued.issuer = issuer.itemsByName
        let identity = issued.issuer["issuer_refresh_token_user_identity_claim_type"] ?? "objectId"
        issued.objectID = (claims[identity] ?? claims["objectId"])?.text
        if let id = claims["objectId"] { issued.stored["objectId"] = id }
        issued.stored["refreshTokenIssuedOnDateTime"] = .dateTime(Int64(facts.now * 1_000))
        issued.session = sessionAfterwards
        issued.keepsSignedIn = facts.keepsSignedIn
        return issued
    }
}
