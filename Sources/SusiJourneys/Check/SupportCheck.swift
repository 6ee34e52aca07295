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
        for profile in policy.changed(.profile).compactMap({ policy.profile($0["Id"]) })
        where !Self.handlers.contains(profile.handler) {
            add("profiles of \(profile.handler)", at: profile.element, places[profile.id.lowercased()])
        }
        for step in (policy.changed(.journey) + policy.changed(.subJourney)).flatMap(EffectivePolicy.steps)
        where !JourneyRun.stepTypes.contains(step.type) {
            add("steps of type \(step.type)", at: step.element, nil)
        }
        for control in policy.changed(.displayControl) {
            guard let type = control["UserInterfaceControlType"], type != "VerificationControl",
                Schema.values["control"]?.contains(type) ?? false
            else { continue }
            add("display controls of type \(type)", at: control, nil)
        }
        for transformation in policy.changed(.transformation) {
            let method = transformation["TransformationMethod"] ?? ""
            if method.lowercased() == "hash" { problems.add(.differentHash, at: transformation) }
            guard let known = TransformationTable.methods[method.lowercased()], known.run == nil else { continue }
            add("the method \(method)", at: transformation, places[transformation["Id"]?.lowercased() ?? ""])
        }
        for type in policy.changed(.claimType) {
            if let data = type.text(of: "DataType"), Schema.values["data"]?.contains(data) ?? false,
                ClaimDataType(rawValue: data) == nil
            {
                add("the type \(data)", at: type, nil)
            }
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
