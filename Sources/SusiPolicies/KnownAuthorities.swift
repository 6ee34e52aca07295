/// The authorities that an application may contact, as its `knownAuthorities` lists them.
public struct KnownAuthorities: Hashable, Sendable {
    /// One entry: a host, a host with a tenant, or a whole authority.
    public struct Entry: Hashable, Sendable, CustomStringConvertible {
        /// The entry as the file has it.
        public let text: String
        fileprivate let address: WebAddress

        /// Parses an entry; without a scheme it means https.
        public init(_ text: String) throws(WebAddress.Invalid) {
            self.text = text
            let isWhole = text.hasPrefix("https://") || text.hasPrefix("http://")
            address = try WebAddress(isWhole ? text : "https://\(text)")
            guard address.segments != ["tfp"] else {
                throw WebAddress.Invalid(text: text, reason: "it ends where the tenant should follow")
            }
        }

        /// The entry as the file has it.
        public var description: String { text }

        // Host alone, host + tenant or host + tenant + policy: whatever the entry says must hold. `/tfp/` is only
        // another way to write the same authority, and the parts compare without case, as the service does.
        fileprivate func allows(_ authority: Authority) -> Bool {
            guard address.origin == authority.base.origin else { return false }
            let asked = [authority.tenant, authority.policy.spelling].map { $0?.lowercased() }
            let allowed = address.segments.dropFirst(address.segments.first == "tfp" ? 1 : 0).map { $0.lowercased() }
            return allowed.count <= asked.count && zip(allowed, asked).allSatisfy { $0 == $1 }
        }
    }

    /// The entries in the file's order.
    public let entries: [Entry]

    /// Makes the list.
    public init(_ entries: [Entry]) { self.entries = entries }

    /// The answer to one authority, with the entry that explains it.
    public enum Decision: Hashable, Sendable {
        /// That entry allows it.
        case allowed(by: Entry)
        /// No entry does; `missing` would.
        case refused(Refusal)
    }

    /// Why an authority may not be contacted.
    public struct Refusal: Error, Hashable, Sendable {
        /// The authority.
        public let authority: Authority
        /// The reason, for a person.
        public let reason: String
        /// The entry that would allow it; nil when none can, because the address is not https.
        public let missing: String?
    }

    /// Decides whether `authority` may be contacted. Pure: nothing is looked up and nothing is sent.
    public func decision(for authority: Authority) -> Decision {
        guard authority.base.isSecure else {
            return .refused(
                Refusal(
                    authority: authority, reason: "plain http is allowed only for this machine's loopback addresses",
                    missing: nil))
        }
        if let entry = entries.first(where: { $0.allows(authority) }) { return .allowed(by: entry) }
        return .refused(
            Refusal(
                authority: authority, reason: "no entry of knownAuthorities allows it",
                missing: authority.base.description))
    }
}
