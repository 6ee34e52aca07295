/// Localized texts of a policy (localization, spec §6.4).
extension EffectivePolicy {
    /// Returns the localized texts of a page: those of the language, of the language without a region, of English, in this
    /// order.
    func localizedResources(of contentDefinition: Element, in language: String) -> [Element] {
        let references = contentDefinition.all("LocalizedResourcesReferences", "LocalizedResourcesReference")
        return [language.lowercased(), Locales.language(language.lowercased()), "en"].compactMap { language in
            let reference = references.first { $0["Language"]?.lowercased() == language }
            return self[.localizedResources, reference?["LocalizedResourcesReferenceId"]]
        }
    }

    /// Returns the choices of a claim on a page: those of its localized texts, else of the claim type.
    func choices(of type: ClaimType, page: String?, in language: String) -> [ClaimType.Choice] {
        localizedChoices(of: type, page: page, in: language) ?? type.choices
    }

    func localizedChoices(of type: ClaimType, page: String?, in language: String) -> [ClaimType.Choice]? {
        let resources = self[.contentDefinition, page].map { localizedResources(of: $0, in: language) } ?? []
        let collections = resources.flatMap { $0.all("LocalizedCollections", "LocalizedCollection") }
        let own = collections.first {
            $0["ElementType"] == "ClaimType" && $0["ElementId"]?.lowercased() == type.id.lowercased()
        }
        return own?.all("Item").map { ClaimType.Choice($0) }
    }
}
