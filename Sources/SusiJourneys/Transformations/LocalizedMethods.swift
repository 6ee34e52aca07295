/// Methods that read localized texts (string-transformations).
extension TransformationTable {
    static let localized: [Method] = [
        Method("GetLocalizedStringsTransformation ; > *") { call in
            var outputs: Outputs = [:]
            for output in call.outputs {
                if let text = call.localizedText(output.name) { outputs[output.name.lowercased()] = .string(text) }
            }
            return outputs
        },
        // The input is the text of a choice of the output's claim type, and the output is the value of that choice.
        Method("GetMappedValueFromLocalizedCollection mapFromClaim ; > restrictionValueClaim") { call in
            guard let text = call.text("mapFromClaim"), let type = call.outputType("restrictionValueClaim") else {
                return [:]
            }
            let localized = call.pages.lazy.compactMap {
                call.policy.localizedChoices(of: type, page: $0, in: call.facts.language)
            }.first
            let found = (localized ?? type.choices).first { areEqual($0.text, text, ignoringCase: false) }
            return ["restrictionvalueclaim": found.map { .string($0.value) }]
        },
    ]
}

extension TransformationCall {
    // The page that runs it, else any page of the policy.
    fileprivate var pages: [String] {
        let others = policy.all(.contentDefinition).sorted {
            ($0.place.file, $0.place.offset) < ($1.place.file, $1.place.offset)
        }
        return page.map { [$0] } ?? others.compactMap { $0["Id"] }
    }

    fileprivate func localizedText(_ id: String) -> String? {
        let pages = pages.compactMap { policy[.contentDefinition, $0] }
        let resources = pages.lazy.flatMap { policy.localizedResources(of: $0, in: facts.language) }
        return resources.flatMap { $0.all("LocalizedStrings", "LocalizedString") }.first {
            $0["ElementType"] == "GetLocalizedStringsTransformationClaimType"
                && $0["StringId"]?.lowercased() == id.lowercased()
        }?.text
    }
}
