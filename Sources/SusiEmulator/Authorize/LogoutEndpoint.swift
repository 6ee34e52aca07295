import HTTPTypes

/// Ends the browser's session (OpenID Connect RP-Initiated Logout).
enum LogoutEndpoint {
    static func answer(_ place: Place, _ visit: Visit) throws -> Answer {
        let parameters = visit.method == .post ? visit.form : visit.query
        if let secret = visit.cookie(visit.sessionCookie) { try place.tenant.database.endSession(secret) }
        return try landing(parameters, place, visit).settingCookie(visit.sessionCookie, "")
    }

    // Without a hint the service redirects anywhere; with one, only to an address registered for the token's client.
    private static func landing(_ parameters: Parameters, _ place: Place, _ visit: Visit) throws -> Answer {
        guard let address = parameters["post_logout_redirect_uri"] else { return SignedOutPage.answer() }
        guard address.hasPrefix("http://") || address.hasPrefix("https://"),
            address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
        else { return ErrorPage.answer(title: "Not redirected", message: "The address is no web address.") }
        if let hint = parameters["id_token_hint"] {
            guard let client = client(of: hint, place), let application = place.tenant.application(client),
                application.allows(redirect: address, ports: place.tenant.configuration.redirectPorts)
            else {
                return ErrorPage.answer(
                    Refusal(
                        .redirectNotRegistered,
                        "The redirect URI '\(address)' provided in the request is not registered for the id token's client."
                    ), now: visit.now)
            }
        }
        let state =
            parameters["state"].map { (address.contains("?") ? "&" : "?") + "state=" + percentEncoded($0) } ?? ""
        return .redirect(to: address + state)
    }

    // A hint may have expired (RP-Initiated Logout section 2); its signature must be right all the same.
    private static func client(of hint: String, _ place: Place) -> String? {
        let parts = hint.split(separator: ".")
        guard parts.count == 3, let payload = bytes(base64URL: parts[1]).flatMap({ try? JSON(parsing: $0) }),
            let start = payload["nbf"]?.integer
        else { return nil }
        let verifier = TokenVerifier(keys: place.tenant.keySet, now: start)
        return (try? verifier.claims(of: hint))?["aud"]?.string
    }
}
