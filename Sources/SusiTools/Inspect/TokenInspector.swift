import Susi

/// Decodes a token and checks it with the keys of the authority that issued it.
struct TokenInspector: Sendable {
    let context: ClientContext

    private var application: Application { context.application }

    /// Returns what can be read and checked. With `isOffline` no server is contacted.
    func inspect(_ token: String, isOffline: Bool) async -> TokenInspection {
        let decoded = DecodedToken(token)
        guard case .signed(let header, let claims) = decoded else {
            let findings = Self.error(in: token).map { [TokenInspection.Finding.error($0)] } ?? []
            return TokenInspection(
                token: decoded, signature: .unchecked(.notReadable), policy: nil, findings: findings)
        }
        let policy = issuingPolicy(of: claims)
        let signature: TokenInspection.SignatureCheck =
            if isOffline {
                .unchecked(.offline)
            } else if header["nonce"] != nil {
                // Microsoft Graph's tokens are signed over another header than the one they contain.
                .unchecked(.onlyTheAPI)
            } else if let policy {
                await signature(of: token, claims: claims, issuedUnder: policy)
            } else {
                .unchecked(.unknownIssuer(claims["iss"]?.string ?? ""))
            }
        return TokenInspection(
            token: decoded, signature: signature,
            policy: policy.flatMap { application.kind.traits.hasPolicies ? $0.name : nil },
            findings: TokenInspection.findings(
                header, claims, of: application, now: context.clock()))
    }

    private func signature(
        of token: String, claims: JSONNode, issuedUnder policy: Policy
    ) async -> TokenInspection.SignatureCheck {
        let authority = application.authority(for: policy)
        do {
            let signed = try SignedToken(parsing: token)
            let (metadata, keys) = try await context.withProvider(for: policy) { provider, _ in
                (provider.metadata, try await provider.keys(for: token))
            }
            // Tenants of one cloud sign with the same keys: the signature alone does not prove the issuer.
            let issuer = claims["iss"]?.string ?? ""
            guard try issuer == IDTokenRules.issuer(of: claims, authority, metadata) else {
                return .unchecked(.unknownIssuer(issuer))
            }
            try keys.verify(signed)
            return .valid(authority: authority.address.description)
        } catch let violation as ProtocolViolation where violation.subject == .idToken {
            return .wrong(reason: violation.reason)
        } catch {
            return .unchecked(.failed(context.explained(error, under: policy.name)))
        }
    }

    // Returns the policy that may have issued the token. All policies of B2C have the same issuer, so the token must
    // name it.
    private func issuingPolicy(of claims: JSONNode) -> Policy? {
        guard let issuer = claims["iss"]?.string else { return nil }
        let named = (claims["tfp"] ?? claims["acr"])?.string.map { PolicyName($0) }
        return application.policies.first { policy in
            (!application.kind.traits.hasPolicies || policy.name == named)
                && application.authority(for: policy).mayIssue(
                    as: issuer, tenantID: claims["tid"]?.string, known: application.knownAuthorities)
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
    /// Whether it may issue tokens with that issuer; an authority of several tenants needs the token's own.
    fileprivate func mayIssue(as issuer: String, tenantID: String?, known: KnownAuthorities) -> Bool {
        if (try? tenant(ofIssuer: issuer, known: known)) != nil { return true }
        guard let tenantID, !tenantID.isEmpty else { return false }
        let template = issuer.replacing(tenantID, with: "{tenantid}")
        return (try? tenant(ofIssuer: template)) != nil && self.issuer(template: template, tenantID: tenantID) == issuer
    }
}
