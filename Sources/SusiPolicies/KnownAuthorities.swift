/// The authorities that an application may contact: those in `knownAuthorities`, or only its own without such a list.
package struct KnownAuthorities: Hashable, Sendable {
    /// One entry: a host, a host with a tenant, or a whole authority.
    package struct Entry: Hashable, Sendable, CustomStringConvertible {
        /// The entry as the file has it.
        package let text: String
        let address: WebAddress
        /// Whether the entry contains a scheme.
        let isWhole: Bool
        /// Whether it is the application's own authority, in a file without a list.
        package let isOwn: Bool

        /// Parses an entry. The default scheme is https.
        package init(_ text: String) throws(InvalidAddress) { try self.init(text, isOwn: false) }

        fileprivate init(_ text: String, isOwn: Bool) throws(InvalidAddress) {
            self.text = text
            self.isOwn = isOwn
            isWhole = text.hasPrefix("https://") || text.hasPrefix("http://")
            address = try WebAddress(isWhole ? text : "https://\(text)")
            guard address.segments != ["tfp"] else {
                throw InvalidAddress(text: text, reason: "the tenant after the host is missing")
            }
        }

        package var description: String { text }

        /// The entry as part of a sentence.
        package var label: String { isOwn ? "the application's own authority “\(text)”" : "the entry “\(text)”" }

        var isHost: Bool { address.segments.isEmpty }

        fileprivate func allows(_ authority: Authority) -> Bool {
            address.origin == authority.base.origin && authority.kind.rules.isCovered(authority, by: address.segments)
        }

        fileprivate func names(_ place: WebAddress) -> Bool { address.contains(place) }
    }

    /// The entries in the file's order.
    package let entries: [Entry]
    /// Whether an entry that is only a host allows nothing.
    private var demandsTenant = false

    package init(_ entries: [Entry]) { self.entries = entries }

    /// Allows only the application's own authority, host and tenant.
    package init(own authority: Authority) {
        let text = authority.kind.rules.entry(for: authority)
        entries = [try? Entry(text, isOwn: true)].compactMap(\.self)
    }

    /// Whether the file has no list.
    var isOwn: Bool { entries.contains(where: \.isOwn) }

    /// The same list, but an entry that is only a host allows nothing.
    package var namingTenants: KnownAuthorities {
        var known = self
        known.demandsTenant = true
        return known
    }

    func tenants(at origin: String) -> [TenantName] {
        entries.filter { $0.address.origin == origin && $0.address.segments.count == 1 }
            .compactMap { try? TenantName($0.address.segments[0]) }
    }

    /// Returns the addition to an application of policies.json that allows an entry: to its list, or a new list that
    /// keeps the application's own authority.
    package func addition(of entry: String, to application: String) -> String {
        Self.addition(of: entry, beside: entries.first(where: \.isOwn)?.text, to: application)
    }

    private static func addition(of entry: String, beside own: String?, to application: String) -> String {
        guard let own else { return "\"\(entry)\" to knownAuthorities of \(application)" }
        return "\"knownAuthorities\": [\"\(own)\", \"\(entry)\"] to \(application)"
    }

    func names(_ place: WebAddress) -> Bool { entries.contains { $0.names(place) } }

    /// The decision about one authority, with the entry that explains it.
    package enum Decision: Hashable, Sendable {
        case allowed(by: Entry)
        /// Refused by all entries.
        case refused(Refusal)
    }

    /// The refusal to contact an authority.
    package struct Refusal: Error, Hashable, Sendable {
        package let authority: Authority
        package let reason: String
        /// The entry that would allow it; `nil` if the address is not https.
        package let missing: String?
        /// The application's own authority, which a new list must keep; `nil` if the file has a list.
        let own: String?

        package init(authority: Authority, reason: String, missing: String?) {
            self.init(authority: authority, reason: reason, missing: missing, own: nil)
        }

        init(authority: Authority, reason: String, missing: String?, own: String?) {
            self.authority = authority
            self.reason = reason
            self.missing = missing
            self.own = own
        }

        /// Returns the addition to policies.json that allows it; `nil` if it cannot be allowed.
        package func addition(to application: String) -> String? {
            missing.map { KnownAuthorities.addition(of: $0, beside: own, to: application) }
        }
    }

    /// Decides whether `authority` may be contacted, without any I/O.
    package func decision(for authority: Authority) -> Decision {
        guard authority.base.isSecure else {
            return .refused(
                Refusal(
                    authority: authority, reason: "plain http is allowed only for loopback addresses",
                    missing: nil))
        }
        // An entry with a tenant explains more than a host.
        let host = entries.first { $0.isHost && $0.allows(authority) }
        let entry = entries.first { !$0.isHost && $0.allows(authority) } ?? (demandsTenant ? nil : host)
        if let entry { return .allowed(by: entry) }
        let own = entries.first(where: \.isOwn)
        let rule =
            host.map { "\($0.label) names only the host, not the tenant" }
            ?? own.map { "without knownAuthorities, only \($0.label) is allowed" }
            ?? "no entry of knownAuthorities allows it"
        let reason = [rule, otherOrigin(than: authority.base)].compactMap(\.self)
        return .refused(
            Refusal(
                authority: authority, reason: reason.joined(separator: ": "),
                missing: authority.kind.rules.entry(for: authority), own: own?.text))
    }

    // Finds an entry with the same host but another scheme or port; often a loopback entry without a scheme.
    private func otherOrigin(than address: WebAddress) -> String? {
        guard !isOwn, !entries.contains(where: { $0.address.origin == address.origin }),
            let entry = entries.first(where: { $0.address.host == address.host })
        else { return nil }
        let means = entry.isWhole ? "is for" : "has no scheme and means"
        return "the entry “\(entry)” \(means) \(entry.address.origin), not \(address.origin)"
    }
}
