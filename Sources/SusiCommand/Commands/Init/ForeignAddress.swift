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
    var reason: String { Self.portals.contains(host) ? "an address of the portal, not of a tenant" : "not a tenant" }

    /// The error, with a command that completes what the address says.
    func refusal(_ again: SuggestedCommand) -> UsageError {
        guard Self.portals.contains(host) else {
            return UsageError(
                "\(host) is not a tenant", why: "it shows the token that a test run of a user flow returned",
                next: "\(again.replacing(arguments: ["ADDRESS"]))")
        }
        var command = again.replacing(arguments: ["ADDRESS"])
        if let id { command = command.replacing("--client-id", id) }
        return UsageError(
            "\(host) is an address of the portal, not of a tenant",
            why: "open the user flow, select “Run user flow” and copy the address at the top; "
                + "for an app registration, select “Endpoints”",
            next: "\(command)")
    }

    // The portal's page of a registration names the client id.
    private var id: String? {
        let parts = text.split { "/?&=#".contains($0) }.map(String.init)
        guard let place = parts.firstIndex(where: { $0.lowercased() == "appid" }), place + 1 < parts.count else {
            return nil
        }
        let id = parts[place + 1]
        return id.lowercased().isGUID ? id : nil
    }
}
