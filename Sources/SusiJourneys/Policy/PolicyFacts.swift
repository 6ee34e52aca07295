import SusiBase

/// What a server has to know of a policy before it runs a journey of it.
extension EffectivePolicy {
    /// The PolicyId.
    package var name: String { file.policyID }
    /// The path of its file below the folder.
    package var path: String { file.path }
    /// TenantId, the name of its tenant.
    package var tenant: String { file.root["TenantId"] ?? "" }

    private var journeySteps: [JourneyStep] { journey.map(allSteps) ?? [] }

    /// Whether its journey signs users in and up on one page.
    package var isCombined: Bool { journeySteps.contains { $0.type == "CombinedSignInAndSignUp" } }

    /// Whether its journey may need a page. One without can serve the password grant (add-ropc-policy).
    package var hasPages: Bool {
        journeySteps.contains { step in
            step.isSelection || step.profiles.compactMap { profile($0) }.contains(where: \.hasPage)
        }
    }

    /// Whether its journey reads the `id_token_hint` (id-token-hint).
    package var readsHint: Bool { journeySteps.contains { $0.type == "GetClaims" } }

    /// The metadata of its token issuer by name in lower case (jwt-issuer-technical-profile).
    package var issuerItems: [String: String] {
        let issuers = journeySteps.filter { $0.type == "SendClaims" }.compactMap { issuer(of: $0, journey) }
        return issuers.first { !$0.items.isEmpty }?.itemsByName ?? [:]
    }

    /// The names of the claims in its tokens.
    package var tokenClaims: [String] {
        (partyProfile?.outputClaims ?? []).map { partnerName(of: $0, in: "OpenIdConnect") }
    }

    /// The elements of UserJourneyBehaviors (relyingparty) by name: the text of each, and its attributes as
    /// `SingleSignOn/Scope`.
    package var behaviors: [String: String] {
        var found: [String: String] = [:]
        for element in relyingParty?.child("UserJourneyBehaviors")?.children ?? [] {
            found[element.name] = element.text.trimmed
            for attribute in element.attributes { found["\(element.name)/\(attribute.name)"] = attribute.value }
        }
        return found
    }

    /// The LoadUri of a content definition as the policy writes it.
    package func loadURI(of contentDefinition: String?) -> String? {
        self[.contentDefinition, contentDefinition]?.text(of: "LoadUri")
    }
}

extension Profile {
    var itemsByName: [String: String] {
        Dictionary(items.map { ($0["Key"]?.lowercased() ?? "", $0.text.trimmed) }) { $1 }
    }

    /// Whether users see a page: its own, or that of a provider.
    fileprivate var hasPage: Bool {
        let providers: Set<String> = ["OpenIdConnect", "OAuth2", "OAuth1", "SAML2"]
        return handler == Self.selfAsserted || handler == Self.phoneFactor
            || providers.contains(handler) && !checksPassword
    }

    /// Whether it checks a password instead of asking a provider (add-ropc-policy).
    var checksPassword: Bool {
        metadata("grant_type") == "password"
            || inputClaims.contains {
                ($0["PartnerClaimType"] ?? $0.claim)?.lowercased() == "grant_type" && $0["DefaultValue"] == "password"
            }
    }
}
