import Susi

/// What a sign-in would refuse, checked before a file is written.
enum DraftRules {
    /// Throws if the address, the client id or a policy cannot belong to a tenant of this kind.
    static func check(_ draft: ApplicationDraft, _ kind: AuthorityKind) throws {
        if let authority = draft.authority(kind) { try check(authority, draft, kind) }
        guard !isLocal(draft, kind) else { return }
        if let tenant = draft.authority(kind)?.segments.first, !kind.traits.authorityIsIssuer,
            !AuthorityKind.isTenant(tenant)
        {
            throw UsageError(
                "“\(tenant)” is not a tenant", why: "expected a domain such as contoso.onmicrosoft.com, or a GUID",
                next: "give the address as the portal shows it")
        }
        if let id = draft.clientID, let reason = complaint(aboutClientID: id, kind) {
            let name = draft.origins.first { $0.value == "client ID" }?.name
            throw UsageError(
                "“\(id)”\(name.map { " of \($0)" } ?? "") is not a client ID", why: reason,
                next: "\(draft.again.replacing("--client-id", "ID"))")
        }
        for policy in draft.allPolicies(kind) {
            guard let reason = complaint(aboutPolicy: policy.name.spelling, kind) else { continue }
            let name = draft.origins.first { $0.value == policy.name.spelling }?.name
            throw UsageError(
                "“\(policy.name)”\(name.map { " of \($0)" } ?? "") is not a policy", why: reason,
                next: "give the name as the portal shows it")
        }
    }

    /// Throws if a value is missing. The error names all of them, why a file does not say them, and the options that do.
    static func requireAll(of draft: ApplicationDraft) throws {
        if let kind = draft.certainKind { try check(draft, kind) }
        let missing = draft.missing
        guard !missing.isEmpty else { return }
        let complete = missing.reduce(draft.again) { command, need in
            switch need {
            case .tenant:
                draft.isTyped
                    ? command.replacing(arguments: ["ADDRESS"]) : command.replacing("--tenant", "ADDRESS")
            case .kind: command.option("--kind", "KIND")
            case .clientID: command.option("--client-id", "ID")
            case .policy: command.option("-p", "NAME")
            case .scope: command.option("--scope", "SCOPE")
            }
        }
        var why = "missing: \(missing.map(\.label).joined(separator: ", "))"
        if let tenant = draft.tenant, draft.certainKind == nil {
            let addresses = AuthorityKind.allCases.compactMap { kind in
                kind.address(ofTenant: tenant).map { "\($0) (\(kind.rawValue))" }
            }
            why += "; the address can be \(addresses.joined(separator: ", "))"
        }
        why += draft.reasons.map { "; \($0.why)" }.joined()
        if let file = draft.variablesFile { why += "; the values are in \(file)" }
        let next =
            draft.variablesFile.map { draft.again.replacing(arguments: draft.again.arguments + [$0]) } ?? complete
        throw UsageError("no policies.json was written", why: why, next: "\(next)")
    }

    private static func check(_ authority: WebAddress, _ draft: ApplicationDraft, _ kind: AuthorityKind) throws {
        guard authority.isSecure else {
            let typed = draft.address.map { $0.text.replacing(/^http:/.ignoresCase(), with: "https:") }
            throw UsageError(
                "\(authority) is not encrypted", why: "http only for this machine",
                next: draft.isTyped
                    ? "\(draft.again.replacing(arguments: [typed].compactMap(\.self)))"
                    : "write https in \(draft.sourceName), or give an address instead")
        }
        guard let reason = kind.complaint(about: authority) else { return }
        throw UsageError(
            "\(authority) is not an authority of the kind “\(kind.rawValue)”", why: old(authority, kind) ?? reason,
            next: "give another address, or name the kind with --kind")
    }

    // The address of an old host whose tenant's name is not known.
    private static func old(_ authority: WebAddress, _ kind: AuthorityKind) -> String? {
        guard kind.traits.hasPolicies,
            AuthorityKind.ofServiceHost(authority).map({ $0 != kind && !$0.traits.allowsCustomDomains }) ?? false
        else { return nil }
        return
            "\(authority.host) no longer serves B2C: the tenant is at https://NAME.b2clogin.com\(authority.path), or at its own domain"
    }

    /// Explains why a client id cannot be one; `nil` if it can.
    static func complaint(aboutClientID id: String, _ kind: AuthorityKind) -> String? {
        kind.traits.clientIDIsGUID && !id.lowercased().isGUID
            ? "expected a GUID: the Application (client) ID in the portal's app registrations" : nil
    }

    /// Explains why a policy cannot have that name; `nil` if it can.
    static func complaint(aboutPolicy name: String, _ kind: AuthorityKind) -> String? {
        guard !kind.allows(policy: name), let first = kind.traits.policyPrefixes.first else { return nil }
        let prefixes = kind.traits.policyPrefixes.joined(separator: " or ")
        return "names begin with \(prefixes); did you mean “\(first)\(name)”?"
    }

    /// Whether the tenant is on this machine, where an emulator decides what is valid.
    static func isLocal(_ draft: ApplicationDraft, _ kind: AuthorityKind) -> Bool {
        draft.authority(kind)?.isLoopback ?? false
    }
}
