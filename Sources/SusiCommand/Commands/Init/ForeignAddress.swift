import Susi

/// Addresses that people copy from a portal although they are not those of their tenant.
enum ForeignAddress {
    /// Returns the error for such an address, recognized by its host, with a command that completes what it says: the
    /// portal's page of a registration names its id.
    static func refusal(_ text: String, _ again: SuggestedCommand) -> UsageError? {
        let whole = text.contains("://") ? text : "https://\(text)"
        guard let host = (try? WebAddress(ignoringQuery: whole))?.host else { return nil }
        let command = again.replacing(arguments: ["ADDRESS"])
        if ["jwt.ms", "jwt.io", "oidcdebugger.com"].contains(host) {
            return UsageError(
                "\(host) is not a tenant", why: "it shows the token that a test run of a user flow returned",
                next: "\(command)")
        }
        let portals = /(?:.+\.)?portal\.azure\.(?:com|us|cn)|(?:entra|admin)\.microsoft\.(?:com|us)/
        guard host.wholeMatch(of: portals) != nil else { return nil }
        let id = text.firstMatch(of: /\bappid[\/=]([0-9a-f-]{36})\b/.ignoresCase()).map { String($0.1) }
        return UsageError(
            "\(host) is an address of the portal, not of a tenant",
            why: "open the user flow, select “Run user flow” and copy the address at the top; "
                + "for an app registration, select “Endpoints”",
            next: "\(id.map { command.replacing("--client-id", $0) } ?? command)")
    }
}
