import SusiHTTP
import SusiOAuth
import SusiPolicies

extension PublicClient {
    /// Goes through the rules that an API applies to a token, and returns what it does with it.
    ///
    /// The metadata is read from the authority that the settings name, and its keys from where the metadata of that authority may
    /// have them; the token is sent nowhere. With `isOffline` nothing is read. Throws ``SusiError/Code/cancelled``.
    package func verdict(
        on token: String, of settings: APISettings, isOffline: Bool = false
    ) async throws(SusiError) -> APIVerdict {
        guard case .signed(let header, let claims) = DecodedToken(token) else {
            return APICheck.noToken(settings, reason: "not a signed JWT")
        }
        let context = context
        return try await mappingErrors {
            let (reading, failure) = try await reading(at: settings.authority, isOffline: isOffline)
            // Version 1 tokens have the issuer of the metadata without `/v2.0`.
            let isFirst = !APICheck.isSecondVersion(claims["iss"]?.string ?? "")
            var first: (APICheck.Reading, SusiError?)?
            if isFirst, let authority = settings.firstVersion {
                first = try await self.reading(at: authority, isOffline: isOffline)
            }
            return APICheck(
                settings: settings, header: header, claims: claims, signed: try? SignedToken(parsing: token),
                metadata: reading, firstVersion: first?.0, applicationID: context.application.clientID,
                now: context.clock()
            ).verdict(failure: failure ?? first?.1)
        }
    }

    private func reading(
        at authority: WebAddress, isOffline: Bool
    ) async throws -> (APICheck.Reading, SusiError?) {
        if isOffline { return (.unread(reason: "--offline"), nil) }
        guard authority.isSecure else {
            return (.unread(reason: "plain http is allowed only for loopback addresses"), nil)
        }
        let address = Endpoint(authority.appending(".well-known", "openid-configuration"))
        let known = context.application.knownAuthorities
        do {
            return try await context.web { web in
                let document = try await web.get(address)
                guard document.status == 200, let node = try? JSONNode(parsing: document.body) else {
                    return (.absent(reason: "the server responded with \(document.status)"), nil)
                }
                guard let issuer = node["issuer"]?.string,
                    let endpoint = (node["jwks_uri"]?.string).flatMap({ try? Endpoint($0) })
                else { return (.absent(reason: "it has no issuer or no jwks_uri"), nil) }
                guard
                    Authority.mayUse(
                        .keys, at: endpoint.address, namedAt: authority, issuer: issuer, known: known)
                else {
                    return (
                        .unread(reason: "its jwks_uri is at \(endpoint.address.origin), not at \(authority.origin)"),
                        nil
                    )
                }
                let keys = try await web.get(endpoint)
                guard keys.status == 200, let set = try? KeySet(parsing: keys.body) else {
                    return (.absent(reason: "there are no keys at \(endpoint)"), nil)
                }
                return (.read(APICheck.Metadata(issuer: issuer, keys: set)), nil)
            }
        } catch let failure as NetworkFailure {
            let error = SusiError(failure, application: application, policy: nil)
            return (.unread(reason: error.description), error)
        }
    }
}
