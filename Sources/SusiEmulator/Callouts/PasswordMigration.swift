import SusiBase

/// The move of a password at the first sign-in (Microsoft, “Just-In-Time Password Migration to Microsoft Entra External ID”).
extension CalloutCall {
    // Stores the password if it is right. A weak one has to be replaced at once.
    func movePassword(_ password: String, name: String) throws {
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
