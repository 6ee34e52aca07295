import HTTPTypes
import SusiPolicies

extension PolicyEndpoint {
    /// Authenticates the client of a direct request (RFC 6749 section 2.3). A confidential client sends one of its secrets in the
    /// form or by HTTP Basic; a public client sends none, or an empty one. The type of the redirect address decides which one it is.
    func client(_ form: Parameters, _ context: RequestContext) throws -> RegisteredApplication {
        if let repeated = form.repeated { throw Refusal.repeated(repeated) }
        let basic = context.basicCredentials
        let user = basic.map { registered($0.user) == nil ? $0.userAsInForm : $0.user }
        if let user, let named = form["client_id"], named.lowercased() != user.lowercased() {
            throw Refusal(.badParameter, "The request names two clients: '\(named)' and '\(user)'.")
        }
        let application = try application(form["client_id"] ?? user)
        let secrets = [form["client_secret"], basic?.password].compactMap { $0 }.filter { !$0.isEmpty }
        let type = try redirectType(form, of: application)
        if let type { try checkOrigin(context.headers[.origin], of: type) }
        guard application.isConfidential(at: type) else {
            guard secrets.isEmpty else { throw Refusal.secretOfPublicClient(type) }
            return application
        }
        guard let secret = secrets.first else { throw Refusal.secretMissing(form, type) }
        guard secrets.count == 1 else {
            throw Refusal(
                .badParameter,
                "The request contains the client secret twice. Send it in the form or in the Authorization header.")
        }
        let other = form["client_secret"] == nil ? basic?.asInForm : nil
        guard application.hasSecret(secret) || other.map(application.hasSecret) ?? false else {
            throw Refusal.secretWrong
        }
        return application
    }

    // The type of the address to which the code was sent, or that of the sign-in of a refresh token.
    private func redirectType(_ form: Parameters, of application: RegisteredApplication) throws -> RedirectType? {
        guard !application.redirectTypes.isEmpty else { return nil }
        var grant: GrantRecord?
        if let code = form["code"] { grant = try tenant.database.code(code)?.grant }
        if let token = form["refresh_token"] {
            grant = try tenant.database.refreshToken(token)?.grant
            if dialect.traits.acceptsForeignRefreshTokens {
                grant = try grant ?? tenant.database.foreignRefreshToken(token)?.record.grant
            }
        }
        return grant?.clientID == application.clientID ? grant?.details.redirectType : nil
    }

    // Only browsers send an origin.
    private func checkOrigin(_ origin: String?, of type: RedirectType) throws(Refusal) {
        guard dialect.traits.redirectTypes == .secretAndOrigin else { return }
        if let origin, type != .spa {
            throw Refusal(
                .redeemedByPage,
                """
                Cross-origin token redemption is permitted only for the 'Single-Page Application' client-type. Request \
                origin: '\(origin)'.
                """
            ).because("The redirect address is listed under “\(type.rawValue)”; a page needs “spa”")
        }
        if origin == nil, type == .spa {
            throw Refusal(
                .redeemedByServer,
                "Tokens issued for the 'Single-Page Application' client-type may only be redeemed via cross-origin requests."
            ).because("The redirect address is listed under “spa”, and the request has no Origin header")
        }
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
    fileprivate static func secretOfPublicClient(_ type: RedirectType?) -> Refusal {
        let reason =
            type.map { "The redirect address is listed under “\($0.rawValue)”" }
            ?? "The application has no “secrets” in the tenant file, so it is a public client"
        return Refusal(
            .secretOfPublicClient,
            "Public clients should not send a client_secret when redeeming a publicly acquired grant."
        ).because("\(reason); omit client_secret")
    }

    /// AADB2C90079: a confidential client sent no secret.
    static func secretMissing(_ form: Parameters, _ type: RedirectType? = nil) -> Refusal {
        let refusal = Refusal(
            .secretMissing, "Clients must send a client_secret when redeeming a confidential grant.")
        if form["client_assertion"] != nil {
            return refusal.because("client_assertion is not supported; send client_secret")
        }
        return type == .web
            ? refusal.because("The redirect address is listed under “web”; a page needs “spa”, a program “native”")
            : refusal
    }

    /// AADB2C90081: the secret is wrong.
    fileprivate static let secretWrong = Refusal(
        .secretWrong,
        """
        The specified client_secret does not match the expected value for this client. \
        Please correct the client_secret and try again.
        """)
}
