/// Names regular expressions and formats that do not work here. Patterns of .NET with lookbehind are the usual ones.
struct PatternCheck: PolicyCheck {
    private let policy: EffectivePolicy
    private(set) var problems = ProblemList()

    init(_ policy: EffectivePolicy) { self.policy = policy }

    mutating func check() {
        for type in policy.changed(.claimType) {
            for pattern in type.all("Restriction", "Pattern") {
                check(pattern["RegularExpression"], at: pattern, "RegularExpression")
            }
            if let mask = type.child("Mask"), mask["Type"] == "Regex" { check(mask["Regex"], at: mask, "Regex") }
        }
        for predicate in policy.changed(.predicate) where predicate["Method"]?.lowercased() == "matchesregex" {
            for parameter in predicate.all("Parameters", "Parameter") where parameter["Id"] == "RegularExpression" {
                check(parameter.text, at: parameter)
            }
        }
        for transformation in policy.changed(.transformation) { check(transformation) }
    }

    private mutating func check(_ transformation: Element) {
        let method = transformation["TransformationMethod"]?.lowercased()
        for parameter in transformation.all("InputParameters", "InputParameter") {
            switch (method, parameter["Id"]?.lowercased()) {
            case ("setclaimsifregexmatch", "matchto"): check(parameter["Value"], at: parameter, "Value")
            case ("formatstringclaim", "stringformat"): check(format: parameter, [.text("")])
            case ("formatstringmultipleclaims", "stringformat"): check(format: parameter, [.text(""), .text("")])
            case ("createrandomstring", "stringformat"): check(format: parameter, [.number(0)])
            default: continue
            }
        }
    }

    private mutating func check(_ pattern: String?, at element: Element, _ attribute: String = "") {
        guard let pattern, !pattern.isEmpty, Pattern(pattern) == nil else { return }
        problems.add(.unsupportedPattern(pattern), at: element, attribute)
    }

    private mutating func check(format parameter: Element, _ arguments: [StringFormat.Argument]) {
        let facts = RequestFacts(tenant: "", now: 0) { _ in [] }
        let format = policy.resolve(parameter: parameter, ClaimsBag(), facts, profile: "")
        guard (try? StringFormat.apply(format, arguments)) == nil else { return }
        problems.add(.invalidFormat(parameter["Value"] ?? ""), at: parameter, "Value")
    }
}
