import SusiBase

/// Looks for common mistakes in an address and a list of known authorities.
struct Hints {
    let reading: AddressReading
    let asked: Authority
    let application: Application
    let isUsed: Bool

    private var entries: [KnownAuthorities.Entry] { application.knownAuthorities.entries }
    private var address: WebAddress { asked.base }

    /// Returns the hints that apply, the most likely cause first.
    func all(_ decision: KnownAuthorities.Decision) -> [String] {
        let ofKind = [wrongKind, policyAtWork, spelling].compactMap(\.self)
        guard case .refused = decision else { return ofKind + unused }
        return ofKind + policyInEntry + otherTenant + otherOrigin + [lookalike ?? customDomain].compactMap(\.self)
            + unused
    }

    // For example a workforce authority in a B2C application.
    private var wrongKind: String? {
        guard let kind = reading.kind, kind != application.kind else { return nil }
        return "the kind of this address is “\(kind.rawValue)”; the kind of the application “\(application.name)” is "
            + "“\(application.kind.rawValue)”"
    }

    // A policy after the tenant of a service without policies.
    private var policyAtWork: String? {
        guard reading.kind?.traits.hasPolicies == false, reading.rest.count > 1,
            reading.rest[1].lowercased().hasPrefix("b2c_1")
        else { return nil }
        return "“\(reading.rest[1])” looks like a B2C policy: a B2C tenant is at NAME.b2clogin.com or at its own domain"
    }

    private var spelling: String? {
        let base = application.authority
        guard asked.kind.traits.authorityIsIssuer, reading.role == .authority || reading.role == .issuer,
            base == address,
            base.spelling != address.spelling
        else { return nil }
        return "the file has this issuer as “\(base.spelling)”; every character counts"
    }

    // An entry with a policy allows only that policy.
    private var policyInEntry: [String] {
        guard asked.kind.traits.hasPolicies else { return [] }
        return entries.filter { $0.address.origin == address.origin }.compactMap { entry in
            let path = entry.address.segments.dropFirst(entry.address.segments.first == "tfp" ? 1 : 0)
            guard path.count > 1, path.first?.lowercased() == asked.tenant?.lowercased() else { return nil }
            let base = entry.address.segments.dropLast(path.count - 1).joined(separator: "/")
            return
                "the entry “\(entry)” names one policy; “\(entry.address.authority)/\(base)” allows the whole tenant"
        }
    }

    private var otherTenant: [String] {
        guard let tenant = asked.tenant, !asked.kind.traits.authorityIsIssuer else { return [] }
        return entries.filter { $0.address.origin == address.origin }.compactMap { entry in
            let path = entry.address.segments.drop { $0 == "tfp" }
            guard let named = path.first, named.lowercased() != tenant.lowercased() else { return nil }
            let isOtherForm = named.lowercased().isGUID != tenant.lowercased().isGUID
            return "\(entry.label) names the tenant “\(named)”"
                + (isOtherForm ? ": names and GUIDs are compared as they are written" : meant(tenant, asTenant: named))
        }
    }

    // A similar host. The refusal itself mentions the same host with another port or scheme.
    private var otherOrigin: [String] {
        guard !entries.contains(where: { $0.address.origin == address.origin }) else { return [] }
        let hosts = entries.map(\.address.host)
        guard !hosts.contains(address.host) else { return [] }
        return NearMatch.of(address.host, in: hosts).map { ["the host looks like “\($0)”, but is another one"] } ?? []
    }

    // A host that contains the name of the service but belongs to another domain.
    private var lookalike: String? {
        guard isForeign, let name = Self.serviceNames.first(where: address.host.contains) else { return nil }
        return "“\(address.host)” is not a host of “\(name)”: the end of a host name decides who owns it"
    }

    private static let serviceNames =
        B2CRules.serviceNames + [ExternalRules.serviceName, "microsoftonline.com"] + EntraCloud.all.flatMap(\.hosts)

    // A custom domain of the tenant needs a separate entry. The name does not show whose domain it is.
    private var customDomain: String? {
        guard isForeign, asked.kind.traits.allowsCustomDomains else { return nil }
        return
            "“\(address.host)” is not a host of the service; if it is a custom domain of the tenant, add an entry for it"
    }

    /// Whether the host is outside the service's domains and the application's entries.
    private var isForeign: Bool {
        !address.isLoopback && !Self.serviceNames.contains { address.host == $0 || address.host.hasSuffix("." + $0) }
            && !entries.contains { $0.address.origin == address.origin }
    }

    // No policy of the file has this address.
    private var unused: [String] {
        guard !isUsed else { return [] }
        var found = ["no policy of the application “\(application.name)” has this authority"]
        if let policy = reading.policy, asked.kind == application.kind,
            asked.base.origin == application.authority.origin, application.policy(policy) == nil
        {
            let names = application.policies.map(\.name.spelling)
            found = [
                "“\(policy)” is not a policy of the application “\(application.name)”" + meant(policy.spelling, names)
            ]
        }
        return found
    }

    // Tenants of one domain share most of their names.
    private func meant(_ text: String, asTenant named: String) -> String {
        let own = { (name: String) in String(name.prefix { $0 != "." }) }
        return NearMatch.of(own(text), in: [own(named)]) == nil ? "" : "; did you mean “\(named)”?"
    }

    private func meant(_ text: String, _ candidates: [String]) -> String {
        NearMatch.of(text, in: candidates).map { "; did you mean “\($0)”?" } ?? ""
    }
}
