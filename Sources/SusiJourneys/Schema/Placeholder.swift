/// A text that somebody or a program replaces before an upload.
enum Placeholder {
    /// Whether a text is in one of the usual forms: `{Settings:x}`, `{{x}}`, `${x}`, `#{x}#`, `__x__`, “yourtenant”.
    static func isOne(_ text: String) -> Bool {
        guard
            text.utf8.contains(where: { marks.contains($0) }) || beginnings.contains(where: text.lowercased().hasPrefix)
        else { return text.hasPrefix("__") || known.contains(text) }
        return true
    }

    private static let marks = Set("{}$#<>[] ".utf8)
    private static let beginnings = ["your", "tenant-name", "tenantname"]
    // Of Microsoft's starter packs.
    static let known: Set<String> = [
        "ProxyIdentityExperienceFrameworkAppId", "IdentityExperienceFrameworkAppId", "facebook_clientid",
    ]
}
