import SusiBase

extension JourneyRun {
    /// Takes the claims of the access token of a user info request (userinfo-endpoint, spec §0 A13). The host has
    /// checked that the token is of this tenant.
    mutating func authorize() throws {
        guard let token = work.token, let journey = policy[.journey, state.places.first?.journey] else { return }
        let path = ["Authorization", "AuthorizationTechnicalProfiles", "AuthorizationTechnicalProfile"]
        for reference in journey.all(path) {
            guard let profile = policy.profile(reference["ReferenceId"]) else {
                throw Failure.policy("the technical profile does not exist", reference)
            }
            let audiences = profile.metadata("audience").map(Self.list) ?? []
            let audience = token["aud"]?.strings ?? []
            guard audiences.isEmpty || audience.contains(where: audiences.contains) else {
                throw Failure.refusal(
                    code: "invalid_token", "The audience of the access token is not one of the policy's.")
            }
            if let issuer = profile.metadata("issuer"), issuer != token["iss"]?.string {
                note(profile.id, "the issuer in the metadata, \(issuer), stands for this tenant's")
            }
            try finish(profile) { token[$0] }
        }
        work.token = nil
    }

    // JSON, or texts between commas.
    private static func list(_ text: String) -> [String] {
        (try? JSONNode(parsing: text.utf8, limit: 100))?.strings
            ?? text.split(separator: ",").map { String($0).trimmed }
    }
}
