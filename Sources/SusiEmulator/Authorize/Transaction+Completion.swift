import SusiPolicies

extension Transaction {
    /// Ends the transaction with everything that was requested, or with `scope` of it: a grant for the device, or a code or
    /// tokens for the application.
    func complete(_ user: User, scope: String? = nil) throws -> Response {
        guard let authTime = progress.authTime, try database.closeTransaction(id) else { throw PageError.ended }
        var grant = try grant(user, authTime: authTime, scope: scope ?? request.scope)
        if let device = request.device {
            grant = try database.add(grant, now: context.now)
            guard try database.answerDevice(device, grant: grant.id) else { throw PageError.ended }
            return DevicePage.done(words, isSignedIn: true)
        }
        var code: String?
        if request.responseTypes.contains(.code) {
            grant = try database.add(grant, now: context.now)
            code = try database.issueCode(
                grant, redirectURI: request.redirectURI, challenge: request.challenge, now: context.now,
                lifetime: endpoint.lifetimes.code)
        }
        let requested = try requestedScopes(grant.scope)
        let scopes = try endpoint.tenant.granted(requested, to: grant.clientID, by: user)
        let issuer = TokenIssuer(
            endpoint: endpoint, grant: grant, user: user, scopes: scopes, now: context.now, type: nil,
            wantsClientInfo: request.wantsClientInfo)
        return ReturnAddress(request, endpoint).response(try issuer.redirectFields(request.responseTypes, code: code))
    }

    private func grant(_ user: User, authTime: Int64, scope: String) throws -> GrantRecord {
        GrantRecord(
            clientID: request.clientID, policy: endpoint.policy.name.spelling, objectID: user.objectID,
            scope: scope, nonce: request.nonce, authTime: authTime, isNewUser: progress.isNew,
            expires: context.now + endpoint.lifetimes.slidingWindow,
            details: GrantRecord.Details(
                claims: request.claims, parameters: request.parameters.isEmpty ? nil : request.parameters,
                isTimed: request.maxAge.map { _ in true }, userClaims: try endpoint.claimsToRepeat(of: user)))
    }

    func refuse(_ refusal: Refusal) throws -> Response {
        guard try database.closeTransaction(id) else { throw PageError.ended }
        if let device = request.device {
            guard try database.answerDevice(device, grant: nil) else { throw PageError.ended }
            return refusal.code == .cancelled
                ? DevicePage.done(words, isSignedIn: false) : ErrorPage.response(refusal, at: endpoint, context)
        }
        return ReturnAddress(request, endpoint).response(refusal, now: context.now)
    }
}
