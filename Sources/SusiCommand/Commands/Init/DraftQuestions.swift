import Susi

/// The questions on the terminal for the missing values of a draft. Each answer is checked at once.
struct DraftQuestions {
    let console: Console

    /// Completes a draft, after a person confirmed what was found in text. Throws if the input ends.
    func complete(_ draft: inout ApplicationDraft) async throws {
        if DraftRules.needsPerson(draft) { try await confirm(&draft) }
        var values = try DraftValues(draft)
        for (_, why) in values.reasons { console.err(Terminal.safe(why)) }
        if values.missing.contains(.tenant) {
            draft.tenant = try await askAddress(draft)
            values = try DraftValues(draft)
        }
        if values.kind == nil {
            draft.kind = try await ask(
                "Kind of tenant: \(AuthorityKind.list)", or: "b2c", DraftValue.kind)
            values = try DraftValues(draft)
        }
        guard let kind = values.kind else { return }
        let isLocal = DraftRules.isLocal(values, kind)
        if values.clientID == nil {
            draft.clientID = try await ask("Application (client) ID") { text throws(DraftValue.Refused) in
                isLocal ? try DraftValue.clientID(text) : try DraftValue.clientID(text, kind)
            }
        }
        try DraftRules.check(values, kind)
        if kind.traits.hasPolicies { try await askPolicies(&draft, values, isLocal ? nil : kind) }
        try await askAPI(&draft, values)
    }

    // Shows what was found in text, each value with its place.
    private func confirm(_ draft: inout ApplicationDraft) async throws {
        var confirmed = draft
        confirmed.isConfirmed = true
        let lines = try DraftValues(confirmed).lines
        guard !lines.isEmpty else { return }
        for line in lines { console.err(Terminal.safe("found \(line)")) }
        let isUsed = try await ask("Use these values? [y/N]") { text in ["y", "yes"].contains(text.lowercased()) }
        if isUsed { draft.isConfirmed = true } else { draft.sources.removeAll(where: \.isText) }
    }

    private func askAddress(_ draft: ApplicationDraft) async throws -> String {
        let kind = draft.kind
        return try await ask("Address of the tenant or of a user flow") { text throws(DraftValue.Refused) in
            if AuthorityKind.isTenantName(text) { return text }
            if let foreign = ForeignAddress.refusal(text, draft.again) {
                throw DraftValue.Refused(reason: foreign.what)
            }
            let address = try DraftValue.address(text)
            guard let kind = kind ?? address.kind, let reason = kind.complaint(about: address.authority(of: kind)),
                kind.replacement(for: address.authority(of: kind)) == nil
            else { return text }
            throw DraftValue.Refused(reason: reason)
        }
    }

    private func askPolicies(
        _ draft: inout ApplicationDraft, _ values: DraftValues, _ check: AuthorityKind?
    ) async throws {
        let isOpen = draft.policies.isEmpty && draft.sources.isEmpty && values.policies.count < 2
        var policies = values.policies
        for index in policies.indices { policies[index].kind = try await self.kind(of: policies[index]) }
        while !policies.contains(where: \.signsIn) {
            let question = "Policy that signs in, for example B2C_1_susi"
            if let policy = try await policy(question, policies, check) { policies.append(policy) }
        }
        let question = "Another policy, for example B2C_1_edit_profile (Enter for none)"
        while isOpen, let more = try await policy(question, policies, check) { policies.append(more) }
        draft.policies = policies
    }

    private func policy(
        _ question: String, _ policies: [ApplicationDraft.DraftPolicy], _ tenantKind: AuthorityKind?
    ) async throws -> ApplicationDraft.DraftPolicy? {
        let found: ApplicationDraft.DraftPolicy? = try await ask(question) { text throws(DraftValue.Refused) in
            if text.isEmpty { return nil }
            let policy = try DraftValue.policy(text)
            if let reason = tenantKind.flatMap({ DraftRules.complaint(aboutPolicy: policy.name.spelling, $0) }) {
                throw DraftValue.Refused(reason: reason)
            }
            guard !policies.contains(where: { $0.name == policy.name }) else {
                throw DraftValue.Refused(reason: "“\(policy.name)” is already in the list")
            }
            return policy
        }
        guard var found else { return nil }
        found.kind = try await kind(of: found)
        return found
    }

    private func kind(of policy: ApplicationDraft.DraftPolicy) async throws -> PolicyKind {
        if let kind = policy.kind { return kind }
        let kinds = PolicyKind.allCases.map(\.rawValue).joined(separator: ", ")
        return try await ask(
            "Kind of \(policy.name): \(kinds)", or: PolicyKind.signUpOrSignIn.rawValue, DraftValue.policyKind)
    }

    private func askAPI(_ draft: inout ApplicationDraft, _ values: DraftValues) async throws {
        guard values.scopes.isEmpty else { return }
        if draft.api == nil, draft.sources.isEmpty {
            draft.api = try await ask("Base address of a web API (Enter for none)") { text throws(DraftValue.Refused) in
                text.isEmpty ? nil : try DraftValue.api(text)
            }
        }
        guard let api = draft.api else { return }
        let scope = try await ask("Scope of the API “\(api.name)”", DraftValue.scope)
        draft.scopes = [scope]
    }

    /// Asks until the answer is valid. An empty answer means `usual`, unless that is empty.
    private func ask<T>(
        _ question: String, or usual: String = "", _ parse: (String) throws(DraftValue.Refused) -> T
    ) async throws -> T {
        while true {
            console.ask(Terminal.safe("\(question)\(usual.isEmpty ? "" : " [\(usual)]"): "))
            guard let line = try await StandardInput.firstLine() else {
                console.err("")
                throw SusiError(.cancelled, "nothing was written", why: "standard input ended")
            }
            let text = DraftSource.trimmed(line)
            do { return try parse(text.isEmpty ? usual : text) } catch {
                console.err(console.errStyle.warning(Terminal.safe("  \(error.reason)")))
            }
        }
    }
}
