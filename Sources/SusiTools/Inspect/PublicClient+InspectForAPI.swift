package import Susi

extension PublicClient {
    /// Goes through the rules that an API applies to a token, and returns what it does with it.
    ///
    /// The metadata is read from the authority that the settings name, and its keys from where the metadata of that authority may
    /// have them; the token is sent nowhere. With `unread`, the reason, nothing is read. `isAsCloud` tells that the names of the
    /// cloud lead to a copy. Throws ``SusiError/Code/cancelled``.
    package func verdict(
        on token: String, of settings: APISettings, unread: String? = nil, isAsCloud: Bool = false
    ) async throws(SusiError) -> APIVerdict {
        guard case .signed(let header, let claims) = DecodedToken(token) else {
            return APIVerdict(rules: [APICheck.noToken], failure: nil)
        }
        let context = context
        return try await mappingErrors {
            var (reading, failure) = (APICheck.Reading.unread(reason: unread ?? ""), SusiError?.none)
            for address in unread == nil ? settings.authorities(issuer: claims["iss"]?.string ?? "") : [] {
                (reading, failure) = try await self.reading(at: address)
                if case .read = reading { break }
            }
            let check = APICheck(
                settings: settings, header: header, claims: claims, signed: try? SignedToken(parsing: token),
                metadata: reading, application: context.application, now: context.clock(), isAsCloud: isAsCloud)
            return APIVerdict(rules: check.rules, failure: failure)
        }
    }

    private func reading(at authority: WebAddress) async throws -> (APICheck.Reading, SusiError?) {
        guard authority.isSecure else {
            return (.unread(reason: "plain http is allowed only for loopback addresses"), nil)
        }
        let address = Endpoint(authority.appending(".well-known", "openid-configuration"))
        let known = context.application.knownAuthorities
        do {
            return try await context.web { web in
                let document = try await web.get(address)
                let node = try? JSONNode(parsing: document.body)
                guard let issuer = node?["issuer"]?.string,
                    let endpoint = (node?["jwks_uri"]?.string).flatMap({ try? Endpoint($0) })
                else {
                    let reason = "it has no issuer or no jwks_uri; the server responded with \(document.status)"
                    return (.absent(reason: reason), nil)
                }
                guard
                    Authority.mayUse(
                        .keys, at: endpoint.address, namedAt: authority, issuer: issuer, known: known)
                else {
                    let places = "at \(endpoint.address.origin), not at \(authority.origin)"
                    return (.unread(reason: "its jwks_uri is \(places)"), nil)
                }
                let keys = try await web.get(endpoint)
                guard let set = try? KeySet(parsing: keys.body) else {
                    return (.absent(reason: "there are no keys at \(endpoint)"), nil)
                }
                return (.read(at: authority, issuer: issuer, keys: set), nil)
            }
        } catch let failure as NetworkFailure {
            let error = SusiError(failure, application: application, policy: nil)
            return (.unread(reason: error.description), error)
        }
    }
}
