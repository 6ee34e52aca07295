import SusiBase

/// Methods that read localized texts (string-transformations).
extension TransformationTable {
    static let localized: [Method] = [
        Method("GetLocalizedStringsTransformation ; > *") { call in
            var outputs: Outputs = [:]
            for output in call.outputs {
                let text = call.localized("LocalizedStrings", "LocalizedString") { string in
                    string["ElementType"] == "GetLocalizedStringsTransformationClaimType"
                        && string["StringId"]?.lowercased() == output.name.lowercased()
                }
                if let text { outputs.updateValue(.string(text.text), forKey: output.name.lowercased()) }
            }
            return outputs
        },
        Method("GetMappedValueFromLocalizedCollection mapFromClaim ; > restrictionValueClaim", mappedValue),
    ]

    // The input is the text of a choice of the output's claim type, and the output is the value of that choice.
    private static func mappedValue(_ call: TransformationCall) -> Outputs {
        let claim = call.outputs.first { $0.name.lowercased() == "restrictionvalueclaim" }?.claim
        guard let text = call.text("mapFromClaim"), let type = call.policy.claimType(claim) else { return [:] }
        let collection = call.localized("LocalizedCollections", "LocalizedCollection") { collection in
            collection["ElementType"] == "ClaimType" && collection["ElementId"]?.lowercased() == type.id.lowercased()
        }
        let choices = collection?.all("Item").map { ClaimType.Choice($0) } ?? type.choices
        let found = choices.first { areEqual($0.text, text, ignoringCase: false) }
        return ["restrictionvalueclaim": found.map { .string($0.value) }]
    }
}

extension TransformationCall {
    // The first one in the resources of the page that runs it, else in those of any page.
    fileprivate func localized(_ list: String, _ item: String, _ isMeant: (Element) -> Bool) -> Element? {
        let own = policy[.contentDefinition, page].map { [$0] } ?? []
        let others = policy.all(.contentDefinition).sorted { $0.place.offset < $1.place.offset }
        for definition in own + others {
            for resources in policy.localizedResources(of: definition, in: facts.language) {
                if let found = resources.all(list, item).first(where: isMeant) { return found }
            }
        }
        return nil
    }
}

extension EffectivePolicy {
    /// Returns the localized texts of a page: those of the language, of the language without a region, of English, in this
    /// order (spec §6.4).
    func localizedResources(of contentDefinition: Element, in language: String) -> [Element] {
        let references = contentDefinition.all("LocalizedResourcesReferences", "LocalizedResourcesReference")
        return [language.lowercased(), Locales.language(language.lowercased()), "en"].compactMap { language in
            let reference = references.first { $0["Language"]?.lowercased() == language }
            return self[.localizedResources, reference?["LocalizedResourcesReferenceId"]]
        }
    }
}
