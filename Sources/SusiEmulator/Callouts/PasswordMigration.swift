import SusiBase

/// The move of a password at the first sign-in (Microsoft, “Just-In-Time Password Migration to Microsoft Entra External ID”).
extension PolicyEndpoint {
    /// Checks a local account's password. The developer's code decides about one that is not the stored one, until the user's
    /// password has been moved.
    func check(
        _ password: String, of name: String, clientID: String, locale: String = Language.english.rawValue, now: Int64
    ) throws -> PasswordCheck {
        let database = tenant.database
        let user = try database.user(signInName: name, settings.identifier)
        let call = user.flatMap { self.call(at: .password, $0, clientID: clientID, locale: locale, now: now) }
        guard let call, let property = call.callout.migrationProperty, call.user.attributes[property] == .bool(true)
        else { return try database.check(password, of: name, self, now: now) }
        let isOpen = !call.user.isBlocked && call.user.lockEnd(now: now) == nil
        if isOpen, try !database.isPassword(password, of: call.user.objectID) {
            try call.movePassword(password, name: name)
        }
        let outcome = try database.check(password, of: name, self, now: now)
        if case .accepted(let user) = outcome {
            try database.change(user.objectID) { $0.attributes[property] = .bool(false) }
        }
        return outcome
    }
}

extension CalloutCall {
    // Stores the password if it is right. A weak one has to be replaced at once.
    fileprivate func movePassword(_ password: String, name: String) throws {
        let action = try ask(password, name: name)
        switch action.name {
        case "migratepassword", "updatepassword":
            let isWeak = action.name == "updatepassword" || passwordProblem(password, longest: 256) != nil
            try endpoint.tenant.database.change(user.objectID, password: try PasswordHash(password)) {
                $0.mustResetPassword = isWeak
            }
        case "retry": break
        case "block": throw action.block
        default: throw failure(1_003_012, "unknown action “\(action.name)”")
        }
    }

    private func ask(_ password: String, name: String) throws -> Action {
        guard password.utf8.count <= 1_024, let certificate = try? callout.passwordCertificate() else {
            throw failure(1_003_001, "cannot read “certificate”, or the password is longer than 1024 bytes")
        }
        let (nonce, appID) = (randomGUID(), callout.appID ?? "")
        let claims: JSON = [
            "aud": .string(appID), "iss": .string("api://\(configuration.name)/\(appID)"), "iat": .integer(now),
            "nbf": .integer(now), "exp": .integer(now + 600), "user-password": .string(password),
            "username": .string(name), "nonce": .string(nonce),
        ]
        let action = try act(["encryptedPasswordContext": .string(try EncryptedToken.make(claims, for: certificate))])
        guard action.nonce == nonce else { throw failure(1_003_003, "the response has another nonce") }
        return action
    }
}
