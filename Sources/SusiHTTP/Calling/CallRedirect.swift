import SusiPolicies

/// Where an API's answer sends a request (RFC 9110 section 15.4), and whether the token may go along.
struct CallRedirect: Sendable {
    /// The whole address, as the server wrote it.
    let url: String
    /// What it says of the place, without a query; the origin alone for a path that no address may have.
    let address: WebAddress
    /// Whether the place is at or below the API's base.
    let isBelowBase: Bool

    /// Reads the header `Location` of an answer that came from `address`; nil when it is not followed: it is neither a path of
    /// the same origin nor a secure address.
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
