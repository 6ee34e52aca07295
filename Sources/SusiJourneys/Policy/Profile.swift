import SusiBase

/// A technical profile with what it includes.
struct Profile: Sendable {
    let element: Element

    init(_ element: Element) { self.element = element }

    var id: String { element["Id"] ?? "" }

    /// The class that runs it, or its protocol.
    var handler: String {
        guard let `protocol` = element.child("Protocol") else { return "" }
        let name = `protocol`["Handler"]?.prefix { $0 != "," } ?? ""
        return name.split(separator: ".").last.map { String($0).trimmed } ?? `protocol`["Name"] ?? ""
    }

    var isSelfAsserted: Bool { handler == "SelfAssertedAttributeProvider" }
    var isDirectory: Bool { handler == "AzureActiveDirectoryProvider" }

    var items: [Element] { element.all("Metadata", "Item") }

    func item(_ key: String) -> Element? { items.first { $0["Key"]?.lowercased() == key.lowercased() } }

    func metadata(_ key: String) -> String? { item(key)?.text.trimmed }

    func isTrue(_ key: String) -> Bool { metadata(key)?.lowercased() == "true" }

    var inputClaims: [Element] { element.all("InputClaims", "InputClaim") }
    var outputClaims: [Element] { element.all("OutputClaims", "OutputClaim") }
    var persistedClaims: [Element] { element.all("PersistedClaims", "PersistedClaim") }

    /// The profiles that check what a page asks for.
    var validations: [Element] { element.all("ValidationTechnicalProfiles", "ValidationTechnicalProfile") }
}

extension Element {
    /// The claim that it names, in lower case.
    var claim: String? { self["ClaimTypeReferenceId"]?.lowercased() }
}

extension EffectivePolicy {
    func profile(_ id: String?) -> Profile? { self[.profile, id].map(Profile.init) }

    /// The claims that a profile makes, in lower case: its outputs, and those of all that runs with it.
    func outputs(of profile: Profile) -> Set<String> {
        others(of: profile).union(profile.outputClaims.compactMap(\.claim))
    }

    /// The claims that a profile makes but for its own outputs.
    func others(of profile: Profile) -> Set<String> {
        var claims: Set<String> = []
        claims.formUnion(transformed(by: profile, "InputClaimsTransformation"))
        claims.formUnion(transformed(by: profile, "OutputClaimsTransformation"))
        for control in controls(of: profile) {
            claims.formUnion(control.all("OutputClaims", "OutputClaim").compactMap(\.claim))
        }
        let session = profile.element.child("UseTechnicalProfileForSessionManagement")?["ReferenceId"]
        for other in inner(of: profile) + [session].compactMap({ self.profile($0) }) {
            claims.formUnion(other.outputClaims.compactMap(\.claim))
            claims.formUnion(transformed(by: other, "OutputClaimsTransformation"))
        }
        return claims
    }

    private func controls(of profile: Profile) -> [Element] {
        profile.element.all("DisplayClaims", "DisplayClaim").compactMap {
            self[.displayControl, $0["DisplayControlReferenceId"]]
        }
    }

    /// The profiles that a page runs: those that check it, and those of its display controls.
    func inner(of profile: Profile) -> [Profile] {
        let path = ["Actions", "Action", "ValidationClaimsExchange", "ValidationClaimsExchangeTechnicalProfile"]
        let controls = controls(of: profile).flatMap { $0.all(path) }.map { $0["TechnicalProfileReferenceId"] }
        return (profile.validations.map { $0["ReferenceId"] } + controls).compactMap { self.profile($0) }
    }

    /// The profiles that a journey may run, each once.
    func reached(by journey: Element) -> [Profile] {
        let steps = allSteps(of: journey)
        let own = steps.flatMap(\.profiles).compactMap { profile($0) }
        let issuers = steps.compactMap { profile($0.element["CpimIssuerTechnicalProfileReferenceId"]) }
        var seen: Set<String> = []
        return (own + own.flatMap(inner) + issuers).filter { seen.insert($0.id.lowercased()).inserted }
    }

    /// The claims that the transformations of a profile make.
    func transformed(by profile: Profile, _ list: String) -> [String] {
        profile.element.all("\(list)s", list).flatMap { reference in
            self[.transformation, reference["ReferenceId"]]?.all("OutputClaims", "OutputClaim").compactMap(\.claim)
                ?? []
        }
    }
}
