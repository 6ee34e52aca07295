import SusiPolicies

extension PolicyEndpoint {
    /// Authenticates the client of a direct request (RFC 6749 section 2.3). A confidential client sends one of its secrets in the
    /// form or by HTTP Basic; a public client sends none, or an empty one.
    func client(_ form: Parameters, _ context: RequestContext) throws(Refusal) -> RegisteredApplication {
        if let repeated = form.repeated { throw .repeated(repeated) }
        let basic = context.basicCredentials
        let user = basic.map { registered($0.user) == nil ? $0.userAsInForm : $0.user }
        if let user, let named = form["client_id"], named.lowercased() != user.lowercased() {
            throw Refusal(.badParameter, "The request names two clients: '\(named)' and '\(user)'.")
        }
        let application = try application(form["client_id"] ?? user)
        let secrets = [form["client_secret"], basic?.password].compactMap { $0 }.filter { !$0.isEmpty }
        guard application.isConfidential else {
            guard secrets.isEmpty else { throw .secretOfPublicClient }
            return application
        }
        guard let secret = secrets.first else { throw .secretMissing(form) }
        guard secrets.count == 1 else {
            throw Refusal(
                .badParameter,
                "The request contains the client secret twice. Send it in the form or in the Authorization header.")
        }
        let other = form["client_secret"] == nil ? basic?.asInForm : nil
        guard application.hasSecret(secret) || other.map(application.hasSecret) ?? false else { throw .secretWrong }
        return application
    }
}

extension RegisteredApplication {
    /// Returns whether `text` is one of the secrets. Compares all of them, so that the time does not reveal which one matches.
    fileprivate func hasSecret(_ text: String) -> Bool {
        secrets.reduce(false) { isSameSecret($1, text) || $0 }
    }
}

extension Refusal {
    /// AADB2C90084: a public client sent a secret.
    fileprivate static let secretOfPublicClient = Refusal(
        .secretOfPublicClient,
        "Public clients should not send a client_secret when redeeming a publicly acquired grant."
    ).because("The application has no “secrets” in the tenant file, so it is a public client; omit client_secret")

    /// AADB2C90079: a confidential client sent no secret.
    static func secretMissing(_ form: Parameters) -> Refusal {
        let refusal = Refusal(
            .secretMissing, "Clients must send a client_secret when redeeming a confidential grant.")
        return form["client_assertion"] == nil
            ? refusal : refusal.because("client_assertion is not supported; send client_secret")
    }

    /// AADB2C90081: the secret is wrong.
    fileprivate static let secretWrong = Refusal(
        .secretWrong,
        """
        The specified client_secret does not match the expected value for this client. \
        Please correct the client_secret and try again.
        """)
}
