import SusiBase

/// Names what susi does not run, with the first step that reaches it.
struct SupportCheck: PolicyCheck {
    private let policy: EffectivePolicy
    private(set) var problems = ProblemList()

    private static let handlers = Set(Profile.handlers.keys).union([
        Profile.selfAsserted, Profile.phoneFactor, "DefaultSSOSessionProvider", "NoopSSOSessionProvider",
        "ExternalLoginSSOSessionProvider", "OAuthSSOSessionProvider", "SamlSSOSessionProvider",
    ])

    init(_ policy: EffectivePolicy) { self.policy = policy }

    mutating func check() {
        let places = reached()
        for profile in policy.changed(.profile).compactMap({ policy.profile($0["Id"]) }) {
            check(profile, places[profile.id.lowercased()])
        }
        for transformation in policy.changed(.transformation) {
            let method = transformation["TransformationMethod"] ?? ""
            if method.lowercased() == "hash" { problems.add(.differentHash, at: transformation) }
            guard let known = TransformationTable.methods[method.lowercased()], known.run == nil else { continue }
            add("the method \(method)", at: transformation, places[transformation["Id"]?.lowercased() ?? ""])
        }
        for step in (policy.changed(.journey) + policy.changed(.subJourney)).flatMap(EffectivePolicy.steps)
        where !JourneyRun.stepTypes.contains(step.type) {
            add("steps of type \(step.type)", at: step.element, nil)
        }
        // A value that the schema does not know is its mistake.
        for control in policy.changed(.displayControl)
        where control["UserInterfaceControlType"] != "VerificationControl" {
            addKnown(control["UserInterfaceControlType"], "control", "display controls of type", at: control)
        }
        for type in policy.changed(.claimType)
        where ClaimDataType(rawValue: type.text(of: "DataType") ?? "string") == nil {
            addKnown(type.text(of: "DataType"), "data", "the type", at: type)
        }
        nameSAML()
    }

    private mutating func nameSAML() {
        var found: [Element] = []
        policy.file.root.forEach { element in
            if element["DefaultValue"]?.lowercased().contains("{saml:") ?? false { found.append(element) }
        }
        for claim in found { add("the claim resolver \(claim["DefaultValue"] ?? "")", at: claim, nil) }
    }

    private mutating func check(_ profile: Profile, _ place: String?) {
        if !Self.handlers.contains(profile.handler) {
            add("profiles of \(profile.handler)", at: profile.element, place)
        }
        guard ["AzureMfaProtocolProvider", "AadSsprProtocolProvider"].contains(profile.handler),
            let item = profile.item("Operation"), CodeRules.operations[item.text.trimmed.lowercased()] == nil
        else { return }
        add("the operation \(item.text.trimmed)", at: item, place)
    }

    private mutating func addKnown(_ value: String?, _ values: String, _ what: String, at element: Element) {
        guard let value, Schema.values[values]?.contains(value) ?? false else { return }
        add("\(what) \(value)", at: element, nil)
    }

    private mutating func add(_ what: String, at element: Element, _ place: String?) {
        problems.add(.unsupported(what, reached: place), at: element)
    }

    // By profile or transformation, the first step of the relying party's journey that reaches it.
    private func reached() -> [String: String] {
        guard let journey = policy.journey else { return [:] }
        var found: [String: String] = [:]
        for step in policy.allSteps(of: journey) {
            let own = step.profiles.compactMap { policy.profile($0) }
            for profile in own + own.flatMap(policy.inner) {
                let lists = ["InputClaimsTransformation", "OutputClaimsTransformation"]
                let transformations = lists.flatMap { profile.element.all("\($0)s", $0) }.compactMap {
                    $0["ReferenceId"]
                }
                for id in [profile.id] + transformations where found[id.lowercased()] == nil {
                    found[id.lowercased()] = "journey \(journey["Id"] ?? ""), step \(step.number)"
                }
            }
        }
        return found
    }
}
