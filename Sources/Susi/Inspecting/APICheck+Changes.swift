import SusiPolicies

/// What to change, and where: in the API's settings, in the portal, or in the client.
extension APICheck {
    /// The settings that make the authority.
    var places: String {
        let names = [settings.host, settings.tenant, settings.policy].compactMap { $0?.name }
        return Set(names).count == 1
            ? names[0] : names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
    }

    /// The policy in the token of an API that names none: only with it is the API one of Azure AD B2C.
    private var missingPolicy: String? {
        isIdentityWeb && settings.policy == nil ? claims["tfp"]?.string : nil
    }

    var metadataChange: String {
        missingPolicy.map { "write “\($0)” as SignUpSignInPolicyId beside \(settings.host.name)" }
            ?? "correct \(places)"
    }

    var keyChange: String {
        guard let expected = settings.policy, let found = (claims["tfp"] ?? claims["acr"])?.string,
            PolicyName(found) != PolicyName(expected.value)
        else {
            return "the token is of another authority: compare \(places) with the client’s"
        }
        return "write “\(found)” as \(expected.name): user flows and custom policies have different keys"
    }

    var signatureChange: String {
        header["nonce"] != nil
            ? "a token of Microsoft Graph, which only Graph can check: request a scope of this API in the client"
            : "send the token unchanged, as the authority issued it"
    }

    func issuerChange(_ found: String, _ allowed: [String]) -> String {
        guard isIdentityWeb else {
            let name = settings.issuers.first?.name ?? "--issuer"
            return "write “\(found)” as \(name), with every slash"
        }
        let (own, other) = (allowed.last.flatMap { try? WebAddress($0) }, try? WebAddress(found))
        guard let own, let other, own.origin != other.origin else {
            return "the token is of another tenant: compare \(places) with the client’s"
        }
        return versionChange
            ?? "write “\(other.origin)” in \(settings.host.name), or let the client sign in at \(own.origin)"
    }

    // Entra ID and External ID issue version 1 tokens to an API until its registration asks for version 2.
    private var versionChange: String? {
        guard claims["ver"]?.string == "1.0", !Self.isSecondVersion(claims["iss"]?.string ?? "") else { return nil }
        return "portal: manifest of the API’s registration: set requestedAccessTokenVersion to 2, for version 2 tokens"
    }

    var issuerFormChange: String {
        """
        portal: user flow, Properties, Token compatibility settings, Issuer (iss) claim: choose the form with the tenant ID
        """
    }

    func audienceChange(_ found: [String], _ accepted: [APISettings.Setting]) -> String {
        let first = accepted.first?.value ?? ""
        let place = accepted.first?.name ?? "--audience"
        if found.contains(applicationID), !accepted.contains(where: { $0.value == applicationID }) {
            return
                "the token is for the client itself, as each id token is: request a scope of the API, and send the access token"
        }
        if found.contains(where: Self.graph.contains) {
            return "the token is for Microsoft Graph: request a scope of this API in the client"
        }
        let name = found.first ?? ""
        if Self.identifier(name) == Self.identifier(first) {
            if let missingPolicy { return "write “\(missingPolicy)” as SignUpSignInPolicyId beside \(place)" }
            // The client ID stays; it only implies another audience.
            let isImplied = isIdentityWeb && settings.audiences.isEmpty
            let isOther = isImplied && (name.hasPrefix("api:") || first != settings.clientID?.value)
            let change = "write “\(name)” as \(isOther ? "Audience, beside \(place)" : place)"
            return versionChange.map { "\(change); or in the \($0)" } ?? change
        }
        return "request a scope of “\(first)” in the client; or, if the API is “\(name)”, write that as \(place)"
    }

    // The GUID or the address, without what differs between versions.
    private static func identifier(_ audience: String) -> String {
        let text = audience.lowercased()
        return text.hasPrefix("api://") ? String(text.dropFirst("api://".count)) : text
    }

    private static let graph = [
        "00000003-0000-0000-c000-000000000000", "https://graph.microsoft.com", "https://graph.microsoft.com/",
        "00000002-0000-0000-c000-000000000000",
    ]

    var noScopeChange: String {
        claims["nonce"] != nil || claims["at_hash"] != nil
            ? "this is an id token: send the access token"
            : "request a scope of the API in the client; portal: API permissions, then grant consent"
    }

    func scopeChange(_ found: [String], _ missing: [APISettings.Setting]) -> String {
        for setting in missing {
            let short = setting.value.split(separator: "/").last.map(String.init) ?? setting.value
            if let same = found.first(where: { $0.lowercased() == short.lowercased() }) {
                return "write “\(same)” as \(setting.name), as tokens spell this scope"
            }
        }
        let names = Self.list(missing.map(\.value))
        return "request \(names) in the client; portal: API permissions, then grant consent"
    }
}
