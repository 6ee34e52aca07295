import SusiBase

/// A claim type of a policy (claimsschema, spec §2.1–2.4).
struct ClaimType: Sendable {
    let element: Element

    var id: String { element["Id"] ?? "" }
    /// A type that is not supported is named at the start; its claims are texts.
    var dataType: ClaimDataType { element.text(of: "DataType").flatMap(ClaimDataType.init) ?? .string }
    var displayName: String { element.text(of: "DisplayName") ?? id }
    var helpText: String { element.text(of: "UserHelpText") ?? "" }
    /// How a page asks for it: `TextBox`, `Password` and others; `nil` if no page does.
    var inputType: String? { element.text(of: "UserInputType") }
    var isPassword: Bool { inputType == "Password" }

    /// What a person chooses from.
    var choices: [Choice] { element.all("Restriction", "Enumeration").map { Choice($0) } }

    struct Choice: Hashable, Sendable {
        let text: String
        let value: String
        let isSelected: Bool

        init(_ element: Element) {
            (text, value) = (element["Text"] ?? "", element["Value"] ?? "")
            isSelected = ["true", "1"].contains(element["SelectByDefault"])
        }
    }

    /// The name that a protocol has for the claim unless a profile names another one.
    func partnerName(in protocol: String) -> String? {
        element.all("DefaultPartnerClaimTypes", "Protocol").first { $0["Name"] == `protocol` }?["PartnerClaimType"]
    }

    /// Returns a text as a page shows it: its beginning is hidden, or what a pattern matches.
    func masked(_ text: String) -> String {
        guard let mask = element.child("Mask") else { return text }
        guard mask["Type"] == "Regex" else { return mask.text + text.dropFirst(mask.text.count) }
        // What cannot be masked is not shown.
        guard let pattern = Pattern(mask["Regex"] ?? "") else { return String(repeating: "*", count: text.count) }
        return pattern.replace(in: text, with: mask.text)
    }
}

extension EffectivePolicy {
    func claimType(_ id: String?) -> ClaimType? { self[.claimType, id].map(ClaimType.init) }

    /// Returns the name of a claim towards a party: that of the profile, of the protocol, or its id. `Proprietary` and
    /// `None` have no names of their own (spec §0 C4).
    func partnerName(of claim: Element, in protocol: String) -> String {
        let type = claimType(claim["ClaimTypeReferenceId"])
        let own = ["Proprietary", "None"].contains(`protocol`) ? nil : type?.partnerName(in: `protocol`)
        return claim["PartnerClaimType"] ?? own ?? type?.id ?? claim["ClaimTypeReferenceId"] ?? ""
    }

    /// Returns the DefaultValue of a claim in a list of a profile; `nil` if it has none, or if its claim resolvers find
    /// nothing. The caller decides when it is used (spec §0 A8).
    func defaultValue(
        of claim: Element, in profile: Profile, _ bag: ClaimsBag, _ facts: RequestFacts
    ) throws(ClaimConversionError) -> ClaimValue? {
        guard let text = claim["DefaultValue"] else { return nil }
        let value = resolve(text, bag, facts, scope(of: profile, facts))
        if value.isEmpty, !text.isEmpty { return nil }
        return try ClaimValue.make(value, as: claimType(claim["ClaimTypeReferenceId"])?.dataType ?? .string)
    }

    private func scope(of profile: Profile, _ facts: RequestFacts) -> ClaimResolver.Scope {
        if profile.resolvesClaims || profile.element === relyingParty?.child("TechnicalProfile") { return .all }
        return facts.parameters["grant_type"] == "password" ? .tokenRequest : .names
    }
}

extension Profile {
    /// Whether DefaultValue may have claim resolvers; those of the relying party always may.
    var resolvesClaims: Bool {
        isTrue("IncludeClaimResolvingInClaimsHandling") || handler.hasPrefix("AzureApplicationInsights")
            || handler.hasPrefix("ApplicationInsights")
    }
}
