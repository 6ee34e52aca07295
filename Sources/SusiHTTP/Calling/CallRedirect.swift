import SusiPolicies

/// The target of a redirect (RFC 9110 section 15.4), and whether the token may be sent there.
struct CallRedirect: Sendable {
    /// The URL as the server sent it.
    let url: String
    /// The address without a query; only the origin if the path is not a valid one.
    let address: WebAddress
    /// Whether the target is at or below the API's base.
    let isBelowBase: Bool

    /// Parses the header `Location` of a response from `address`; returns `nil` if the redirect is not followed,
    /// because the target is neither a path of the same origin nor a secure address.
    init?(_ location: String, from address: WebAddress, base: WebAddress) {
        let target: WebAddress?
        if location.hasPrefix("https://") || location.hasPrefix("http://") {
            target = try? WebAddress(ignoringQuery: location)
            guard let target, target.isSecure else { return nil }
            url = location
            self.address = target
        } else {
            guard location.hasPrefix("/"), !location.hasPrefix("//"), let origin = try? WebAddress(address.origin)
            else {
                return nil
            }
            url = address.origin + location
            target = try? WebAddress(ignoringQuery: url)
            self.address = target ?? origin
        }
        isBelowBase = target.map(base.contains) ?? false
    }
}
