import SusiOAuth
public import SusiPolicies
public import SusiStore

extension PublicClient {
    /// Returns the accounts that a text may mean, under one policy or under all. Those of edit-profile and password-reset
    /// policies come last.
    ///
    /// An account with exactly this address, name or identifier wins. If only an imported token has it, the result is
    /// empty, because the token is not an account yet. Otherwise a typed text may be the beginning of one.
    public func find(
        _ text: String, _ policy: Policy?, matching: AccountStore.Matching = .typed
    ) async throws(SusiError) -> [StoredAccount] {
        let exact = try await stored(text, under: policy, matching: .exactly)
        guard exact.isEmpty, matching == .typed else { return exact }
        guard try await imported(text, policy: policy?.name, matching: .exactly).isEmpty else { return [] }
        return try await stored(text, under: policy, matching: .typed)
    }

    private func stored(
        _ text: String, under policy: Policy?, matching: AccountStore.Matching
    ) async throws(SusiError) -> [StoredAccount] {
        let (utilities, context) = (utilities, context)
        let scopes = policy.map { [context.scope(of: $0)] } ?? context.scopes
        return try await withExistingStore { store in
            let all = try store?.find(text, in: scopes, policy: policy?.name, matching: matching) ?? []
            let found = all.filter(context.isInReach)
            let isUtility = { (account: StoredAccount) in utilities.contains(account.account.policy) }
            return found.filter { !isUtility($0) } + found.filter(isUtility)
        }
    }

    /// Returns the account that a shortened name means before a sign-in; `nil` if the text is a whole name, which may belong to
    /// a person who has not signed in here yet.
    public func account(shortenedTo text: String) async throws(SusiError) -> StoredAccount? {
        guard !text.isWholeAddress, try await stored(text, under: nil, matching: .exactly).isEmpty else { return nil }
        let found = try await stored(text, under: nil, matching: .typed)
        guard Set(found.map(\.account.person)).count > 1 else { return found.first }
        throw SusiError.ambiguous(found, text)
    }

    /// The policies that only edit a profile or reset a password.
    nonisolated var utilities: Set<PolicyName> {
        Set(application.policies.filter(\.kind.isUtility).map(\.name))
    }

    /// Returns the only account of a search; throws if there is none or several. With `maySignIn`, the error suggests a sign-in
    /// for an address that no account has.
    public func single(
        _ found: [StoredAccount], named text: String, under policy: Policy?, maySignIn: Bool = false
    ) async throws(SusiError) -> StoredAccount {
        if found.count == 1 { return found[0] }
        let place = policy.map { " under \($0.name)" } ?? ""
        guard found.isEmpty else { throw SusiError.ambiguous(found, text, place: place) }
        if let waiting = try await imported(text, policy: policy?.name).first {
            throw SusiError.notYetAccount(waiting, text: text)
        }
        throw try await unknown(text, policy, place: place, maySignIn: maySignIn)
    }

    private func unknown(
        _ text: String, _ policy: Policy?, place: String, maySignIn: Bool
    ) async throws(SusiError) -> SusiError {
        if let tenant = try await tenant(ofAccount: text, policy) {
            return .inOtherTenant(text, tenant, place: place)
        }
        let labels = NearMatch.nearestFirst(text, in: try await labels(near: text, policy))
        let meant = Self.meant(text, labels)
        // An address that resembles no stored label may belong to a person who has not signed in here yet.
        let newcomer = policy.flatMap { policy in
            maySignIn && text.contains("@") && policy.kind == .signUpOrSignIn
                ? PolicyRun(policy.kind, policy.name, account: text) : nil
        }
        let next: NextStep.Intent =
            meant.map { .correctAccount($0, insteadOf: text) } ?? newcomer.map { .run($0) }
            ?? .listAccounts(policy: nil)
        return SusiError(
            .unknownAccount, "no account “\(text)”\(place)", why: meant.map { "did you mean “\($0)”?" } ?? "",
            next: NextStep(next), candidates: labels)
    }

    private func labels(near text: String, _ policy: Policy?) async throws(SusiError) -> [String] {
        let hidden = policy == nil ? utilities : []
        let scopes = policy.map { [context.scope(of: $0)] } ?? context.scopes
        return try await withExistingStore(unlocks: false) { store in
            try store?.labels(near: text, in: scopes, policy: policy?.name, hidden: hidden) ?? []
        }
    }

    // Returns the label nearest to a misspelled text; `nil` if none is near, or if several are equally near.
    private static func meant(_ text: String, _ labels: [String]) -> String? {
        let local = { (address: String) in String(address.prefix { $0 != "@" }) }
        guard text.contains("@") else {
            let meant = NearMatch.only(text, in: labels.map(local))
            let found = labels.filter { local($0) == meant }
            return found.count == 1 ? found[0] : nil
        }
        // People of one domain share most of their address, so the part before the “@” must be near by itself.
        return NearMatch.only(text, in: labels.filter { NearMatch.of(local(text), in: [local($0)]) != nil })
    }
}

extension String {
    // “ana@contoso.com” is not short for “ana@contoso.com.br”.
    var isWholeAddress: Bool { split(separator: "@").dropFirst().contains { $0.contains(".") } }
}

extension StoredAccount {
    /// The account's name and label: "Ana Lima <ana@contoso.example>".
    public var title: String {
        guard let name = profile.name, name != label else { return label }
        return "\(name) <\(label)>"
    }
}
