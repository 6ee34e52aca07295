import Susi

/// The address of a tenant, put together from settings: whole addresses, or hosts and tenants.
struct TenantPlace {
    private typealias Found<T> = (value: T, label: String)

    private let source: String
    private var addresses: [Found<AddressReading>] = []
    private var hosts: [Found<WebAddress>] = []
    private var tenants: [Found<String>] = []

    /// Sorts the settings.
    init(_ found: [(setting: ReadSetting, fact: TenantSetting)], in file: SettingsFile, named source: String) {
        self.source = source
        for (setting, fact) in found {
            switch fact {
            case .address(let address):
                if addresses.count < ApplicationDraft.most { addresses.append((address, setting.label)) }
            case .host(let host): hosts.append((host.withoutPath, setting.label))
            case .tenant(let tenant): tenants.append((tenant, setting.label))
            case .kind, .clientID, .policy, .redirect, .scopes, .api, .secret: continue
            }
        }
        // MSAL's files for Android mark one authority.
        let defaults = Set(file.values.filter { $0.name == "default" && $0.text == "true" }.map(\.outerLabel))
        let isDefault = { (label: String) in defaults.contains { label.hasPrefix("\($0).") } }
        addresses = addresses.filter { isDefault($0.label) } + addresses.filter { !isDefault($0.label) }
    }

    /// Adds the address and the policies of whole addresses to a draft. Adds no address if there is none. Throws if
    /// there are several tenants.
    func fill(_ draft: inout ApplicationDraft) throws {
        guard let kind = draft.kind ?? draft.found.kind else {
            for (address, label) in addresses { draft.take(address: address, from: label) }
            return
        }
        let whole = addresses.filter { [nil, kind].contains($0.value.kind) }
        let others =
            draft.kind == nil && !whole.isEmpty ? addresses.filter { ![nil, kind].contains($0.value.kind) } : []
        try checkIsOne(
            whole.map { ($0.value.authority(of: kind), $0.label) } + others.map { ($0.value.base, $0.label) })
        if whole.isEmpty {
            try fillParts(&draft, kind)
        } else {
            for (address, label) in whole { draft.take(address: address, from: label) }
        }
    }

    private func checkIsOne<T: Equatable>(_ places: [Found<T>]) throws {
        guard let other = places.first(where: { $0.value != places[0].value }) else { return }
        throw UsageError(
            "“\(source)” has several tenants",
            why: "\(places[0].value) in \(places[0].label), \(other.value) in \(other.label)",
            next: "give the address of one of them instead of the file")
    }

    private func fillParts(_ draft: inout ApplicationDraft, _ kind: AuthorityKind) throws {
        let tenant = try self.tenant(kind)
        let host = try self.host(kind)
        if let host, let tenant {
            let labels = host.label == tenant.label ? host.label : "\(host.label), \(tenant.label)"
            try take(host.value.appending(tenant.value), labels, &draft)
        } else if let host {
            // A host of the service may name the tenant.
            let label = host.value.host.split(separator: ".").first.map(String.init) ?? ""
            guard AuthorityKind.ofServiceHost(host.value.secured) == kind,
                let usual = kind.address(ofTenant: "\(label).onmicrosoft.com"), usual.host == host.value.host
            else { return }
            try take(kind.complaint(about: host.value) == nil ? host.value : usual, host.label, &draft)
        } else if let tenant, let usual = kind.address(ofTenant: tenant.value) {
            try take(usual, tenant.label, &draft)
        }
    }

    private func take(_ address: WebAddress, _ label: String, _ draft: inout ApplicationDraft) throws {
        draft.take(address: try AddressReading(address.description, seesOldAddresses: true), from: label)
    }

    // Workforce tenants are in `TenantId`, B2C tenants in `Domain`.
    private func tenant(_ kind: AuthorityKind) throws -> Found<String>? {
        let all = tenants.map { (value: $0.value.lowercased(), label: $0.label) }
        let names = all.filter { AuthorityKind.isTenantName($0.value) }
        let others = all.filter { !AuthorityKind.isTenantName($0.value) }
        let used = kind.hasPolicies && !names.isEmpty || others.isEmpty ? names : others
        try checkIsOne(used)
        return used.first
    }

    private func host(_ kind: AuthorityKind) throws -> Found<WebAddress>? {
        let service = { (host: Found<WebAddress>) in AuthorityKind.ofServiceHost(host.value.secured) }
        let own = hosts.filter { service($0) == kind }
        let used = own.isEmpty ? hosts.filter { service($0) == nil } : own
        try checkIsOne(used)
        // An old host is replaced by one that the tenant's name determines.
        return used.first ?? (kind.hasPolicies ? hosts.first : nil)
    }
}

extension WebAddress {
    /// The address with https, to compare hosts.
    var secured: WebAddress { (try? WebAddress("https://\(authority)\(path)")) ?? self }

    /// Scheme, host and port.
    fileprivate var withoutPath: WebAddress { (try? WebAddress(origin)) ?? self }
}
