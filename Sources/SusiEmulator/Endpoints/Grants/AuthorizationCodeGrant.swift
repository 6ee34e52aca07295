import SusiBase

/// `grant_type=authorization_code` with PKCE (RFC 6749 section 4.1.3, RFC 7636 section 4.6).
enum AuthorizationCodeGrant {
    static func tokens(for request: TokenRequest) throws -> JSON {
        guard let code = request.form["code"] else { throw Refusal.missing("code") }
        guard let record = try request.endpoint.tenant.database.code(code) else {
            throw Refusal.revoked.because("The code was not issued by this tenant, or it expired more than a day ago")
        }
        try request.check(record.grant)
        guard !record.isUsed else { throw try revoke(record, request) }
        guard request.now < record.expires else {
            throw request.expired(issued: record.issued, at: record.expires)
        }
        guard request.form["redirect_uri"] == record.redirectURI else {
            throw Refusal(
                .redirectNotRegistered,
                """
                The redirect URI '\(request.form["redirect_uri"] ?? "")' provided in the request is not registered for \
                the client id '\(request.clientID)'.
                """
            ).because(
                "redirect_uri \(request.form["redirect_uri"] ?? "is missing"); the code was issued for \(record.redirectURI)"
            )
        }
        try record.challenge.check(request.form["code_verifier"])
        let user = try request.user(of: record.grant)
        guard try request.endpoint.tenant.database.use(code: code) else { throw try revoke(record, request) }
        var grant = record.grant
        let isOfPage = grant.details.redirectType.map { $0 == .spa } ?? request.isOfPage
        if isOfPage, request.endpoint.dialect.traits.redirectTypes != .unsupported {
            grant.expires = min(grant.expires, request.now + Lifetimes.singlePageWindow)
            try request.endpoint.tenant.database.shorten(grant)
        }
        return try request.issue(grant, to: user, scopes: request.scopes(grant.scope))
    }

    // A repeated code may be stolen: also revoke the tokens issued for it (RFC 6749 section 4.1.2).
    private static func revoke(_ record: CodeRecord, _ request: TokenRequest) throws -> Refusal {
        try request.endpoint.tenant.database.revoke(record.grant)
        return Refusal(.codeRedeemed, Refusal.revoked.text).because(
            "The code was already used; all tokens of its sign-in are revoked")
    }
}
