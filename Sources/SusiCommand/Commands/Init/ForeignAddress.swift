import Susi

/// An address that people copy from a portal although it is not an address of their tenant.
struct ForeignAddress {
    private static let portals = [
        "portal.azure.com", "ms.portal.azure.com", "aad.portal.azure.com", "portal.azure.us", "portal.azure.cn",
        "entra.microsoft.com", "entra.microsoft.us", "admin.microsoft.com",
    ]
    // They show the token of a test run.
    private static let viewers = ["jwt.ms", "jwt.io", "oidcdebugger.com"]

    private let text: String
    private let host: String
    private var isPortal: Bool { Self.portals.contains(host) }

    /// Recognizes the address by its host; returns `nil` for any other.
    init?(_ text: String) {
        let whole = text.contains("://") ? text : "https://\(text)"
        guard let address = try? WebAddress(ignoringQuery: whole),
            (Self.portals + Self.viewers).contains(address.host)
        else { return nil }
        self.text = text
        host = address.host
    }

    /// The reason for an answer on the terminal.
    var reason: String { isPortal ? "an address of the portal, not of a tenant" : "not a tenant" }

    /// The error, with a command that completes what the address says: the portal's page of a registration names its id.
    func refusal(_ again: SuggestedCommand) -> UsageError {
        let command = again.replacing(arguments: ["ADDRESS"])
        guard isPortal else {
            return UsageError(
                "\(host) is not a tenant", why: "it shows the token that a test run of a user flow returned",
                next: "\(command)")
        }
        let id = text.firstMatch(of: /\bappid[\/=]([0-9a-f-]{36})\b/.ignoresCase()).map { String($0.1) }
        return UsageError(
            "\(host) is an address of the portal, not of a tenant",
            why: "open the user flow, select “Run user flow” and copy the address at the top; "
                + "for an app registration, select “Endpoints”",
            next: "\(id.map { command.replacing("--client-id", $0) } ?? command)")
    }
}
