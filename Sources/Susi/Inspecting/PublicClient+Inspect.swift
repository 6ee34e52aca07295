import SusiHTTP
import SusiOAuth
public import SusiPolicies

extension PublicClient {
    /// Decodes a token and checks its signature with the keys of the application's authority that issues such tokens.
    ///
    /// Nothing is thrown for a bad token: the inspection says what is wrong with it. With `isOffline` nobody is asked.
    public func inspect(_ token: String, isOffline: Bool = false) async -> TokenInspection {
        let decoded = DecodedToken(token)
        guard case .signed(let header, let claims) = decoded else {
            let code = Self.error(in: token).map { [TokenInspection.Finding.error($0)] } ?? []
            return TokenInspection(
                token: decoded, signature: .unchecked(.notReadable), policy: nil, findings: code)
        }
        let policy = issuingPolicy(claims)
        return TokenInspection(
            token: decoded, signature: await check(token, header, claims, policy, isOffline: isOffline),
            policy: policy.flatMap { application.kind.hasPolicies ? $0.name : nil },
            findings: TokenInspection.findings(header, claims, clientID: application.clientID, now: clock()))
    }

    /// The id token of an account, as it came. It is a secret.
    public func idToken(of selection: AccountSelection) async throws(SusiError) -> (token: String, policy: PolicyName) {
        let stored = try await account(selection)
        let account = stored.account
        let application = application
        return try await withExistingStore(policy: account.policy, of: stored) { store in
            guard let token = try store?.secret(.id(account)) else {
                throw SusiError.signInNeeded(try application.choosePolicy(exactly: account.policy), .noAccount)
            }
            return (token.secret, account.policy)
        }
    }

    private func check(
        _ token: String, _ header: JSONNode, _ claims: JSONNode, _ policy: Policy?, isOffline: Bool
    ) async -> TokenInspection.SignatureCheck {
        if isOffline { return .unchecked(.offline) }
        // Microsoft Graph's tokens are signed over another header than the one they carry.
        if header["nonce"] != nil { return .unchecked(.onlyTheAPI) }
        guard let policy else { return .unchecked(.unknownIssuer(claims["iss"]?.string ?? "")) }
        let authority = application.authority(for: policy)
        do {
            let signed = try SignedToken(parsing: token)
            let context = context
            let (metadata, keys) = try await context.web { web in
                let provider = try await context.provider(for: policy, web)
                return (provider.metadata, try await provider.keys(for: token))
            }
            // Tenants of one cloud sign with the same keys: the signature alone says nothing of the issuer.
            let issuer = claims["iss"]?.string ?? ""
            guard try issuer == IDTokenRules.issuer(of: claims, authority, metadata) else {
                return .unchecked(.unknownIssuer(issuer))
            }
            try keys.verify(signed)
            return .valid(authority: authority.address.description)
        } catch let violation as ProtocolViolation where violation.subject == .idToken {
            return .wrong(reason: violation.reason)
        } catch {
            return .unchecked(.failed(SusiError(error, application: application, policy: policy.name)))
        }
    }

    // Of B2C's policies the one that the token names; the issuer is the same for all of them.
    private func issuingPolicy(_ claims: JSONNode) -> Policy? {
        guard let issuer = claims["iss"]?.string else { return nil }
        let named = (claims["tfp"] ?? claims["acr"])?.string.map { PolicyName($0) }
        return application.policies.first { policy in
            (!application.kind.hasPolicies || policy.name == named)
                && application.authority(for: policy).mayIssue(as: issuer, tenantID: claims["tid"]?.string)
        }
    }

    private static func error(in text: String) -> ErrorCode? {
        for prefix in ["AADB2C", "AADSTS"] {
            let found = text.firstRange(of: prefix).flatMap { ErrorCode.name(in: String(text[$0.lowerBound...])) }
            if let row = found.flatMap(ErrorCode.row) { return row }
        }
        return nil
    }
}

extension Authority {
    /// Whether tokens of that issuer may come from here; an authority of several tenants needs the token's own.
    fileprivate func mayIssue(as issuer: String, tenantID: String?) -> Bool {
        if (try? tenant(ofIssuer: issuer)) != nil { return true }
        guard let tenantID, !tenantID.isEmpty else { return false }
        let template = issuer.replacing(tenantID, with: "{tenantid}")
        return (try? tenant(ofIssuer: template)) != nil && self.issuer(template: template, tenantID: tenantID) == issuer
    }
}
