import Susi

/// What a sign-in would refuse, checked before a file is written.
enum DraftRules {
    /// Throws if the address, the client id or a policy cannot belong to a tenant of this kind.
    static func check(_ values: DraftValues, _ kind: AuthorityKind) throws {
        if let authority = values.authority(kind) { try check(authority, values, kind) }
        guard !isLocal(values, kind) else { return }
        if let tenant = values.authority(kind)?.segments.first, !kind.traits.authorityIsIssuer,
            !AuthorityKind.isTenant(tenant)
        {
            throw UsageError(
                "“\(tenant)” is not a tenant", why: "expected a domain such as contoso.onmicrosoft.com, or a GUID",
                next: "give the address as the portal shows it")
        }
        if let id = values.clientID, let reason = complaint(aboutClientID: id, kind) {
            throw UsageError(
                "“\(id)” is not a client ID", why: reason,
                next: "\(values.draft.again.replacing("--client-id", "ID"))")
        }
        for policy in values.policies {
            guard let reason = complaint(aboutPolicy: policy.name.spelling, kind) else { continue }
            throw UsageError(
                "“\(policy.name)” is not a policy", why: reason,
                next: "give the name as the portal shows it")
        }
    }

    /// Returns the file of a draft that no person completes. Throws if a value is missing, or is from text alone. The error
    /// names everything: the values, why a file does not say them, what was found, and the command with all options.
    static func file(of draft: ApplicationDraft) throws -> DraftFile {
        var confirmed = draft
        confirmed.isConfirmed = true
        let all = try DraftValues(confirmed)
        if let kind = all.kind { try check(all, kind) }
        guard all.missing.isEmpty else { throw refusal(all) }
        let file = try DraftFile(all)
        let own = draft.isConfirmed ? file : try? DraftFile(DraftValues(draft))
        guard own?.text == file.text else { throw refusal(all) }
        return own ?? file
    }

    /// Whether a person has to confirm values of text.
    static func needsPerson(_ draft: ApplicationDraft) -> Bool {
        draft.sources.contains { $0.isText && !$0.facts.isEmpty } && (try? file(of: draft)) == nil
    }

    private static func refusal(_ values: DraftValues) -> UsageError {
        let (draft, missing) = (values.draft, values.missing)
        var why = ["missing: \(missing.map(\.label).joined(separator: ", "))"]
        if let tenant = draft.tenant, values.address == nil, values.kind == nil {
            let addresses = AuthorityKind.allCases.compactMap { kind in
                kind.address(ofTenant: tenant).map { "\($0) (\(kind.rawValue))" }
            }
            why.append("the address can be \(addresses.joined(separator: ", "))")
        }
        why += values.reasons.map(\.why)
        if let file = draft.variablesFile { why.append("the values are in \(file)") }
        if missing.isEmpty {
            why = ["values from source code or other text need your confirmation: compare them, and run the command"]
        }
        let found = values.lines.map { "found \($0)" }
        let next = draft.variablesFile.map { draft.again.replacing(arguments: draft.again.arguments + [$0]) }
        return UsageError(
            "no policies.json was written", why: why.joined(separator: "; "), next: "\(next ?? command(values))",
            candidates: found + draft.sources.flatMap(\.hints)
                + values.leftOut.map { "not used: \($0)" })
    }

    /// Returns the command that gives the values of text by options, and has a word for each one that is missing.
    private static func command(_ values: DraftValues) -> SuggestedCommand {
        var (command, draft) = (values.draft.again, values.draft)
        draft.isConfirmed = false
        guard let own = try? DraftValues(draft) else { return command }
        let missing = Set(values.missing)
        if let kind = values.kind, let authority = values.authority(kind), own.address != values.address {
            let text = kind.traits.authorityIsIssuer ? authority.spelling : authority.description
            let isAlone = !draft.isCopied && draft.sources.allSatisfy { $0.isText && $0.redirects.isEmpty }
            command =
                isAlone
                ? command.replacing(arguments: [text]).leavingOut("--tenant") : command.replacing("--tenant", text)
            if (try? AddressReading(text))?.kind == nil, !kind.traits.authorityIsIssuer {
                command = command.replacing("--kind", kind.rawValue)
            }
        } else if missing.contains(.tenant) {
            command =
                draft.sources.isEmpty
                ? command.replacing(arguments: ["ADDRESS"]) : command.replacing("--tenant", "ADDRESS")
        }
        if missing.contains(.kind) { command = command.option("--kind", "KIND") }
        if missing.contains(.clientID) { command = command.option("--client-id", "ID") }
        if let id = values.clientID, id != own.clientID { command = command.replacing("--client-id", id) }
        if values.policies != own.policies, !values.mayBeOfAnotherTenant {
            command = values.policies.reduce(command.leavingOut("--policy")) { $0.option("-p", $1.option) }
        }
        if missing.contains(.policy) { command = command.option("-p", "NAME") }
        if let api = values.api, own.api == nil { command = command.option("--api", "\(api.name)=\(api.baseURL)") }
        if missing.contains(.scope) { command = command.option("--scope", "SCOPE") }
        for scope in values.scopes where !own.scopes.contains(scope) { command = command.option("--scope", scope) }
        return command
    }

    private static func check(_ authority: WebAddress, _ values: DraftValues, _ kind: AuthorityKind) throws {
        guard authority.isSecure else {
            let typed = values.address.map { $0.text.replacing(/^http:/.ignoresCase(), with: "https:") }
            throw UsageError(
                "\(authority) is not encrypted", why: "http only for this machine",
                next: "\(values.draft.again.replacing(arguments: [typed].compactMap(\.self)))")
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
    static func isLocal(_ values: DraftValues, _ kind: AuthorityKind) -> Bool {
        values.authority(kind)?.isLoopback ?? false
    }
}
