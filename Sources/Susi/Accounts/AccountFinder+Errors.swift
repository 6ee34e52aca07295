import SusiBase
import SusiOAuth
import SusiPolicies
import SusiStore

// Why an account was not found, and what to type instead.
extension AccountFinder {
    private static let mostCandidates = 20

    /// Returns the error for a selection that means no account.
    func missing(_ selection: AccountSelection, under policy: Policy, suggestingSignIn: Bool) throws -> SusiError {
        if selection.isCurrent { return noCurrent(policy) }
        return try missing([], named: selection.text, under: policy, suggestingSignIn: suggestingSignIn)
    }

    /// Returns the error for a name of none or several of the accounts. With `suggestingSignIn`, it suggests a sign-in for an address
    /// that no account has.
    func missing(
        _ found: [StoredAccount], named text: String, under policy: Policy?, suggestingSignIn: Bool
    ) throws -> SusiError {
        let area = context.area(of: policy)
        let place = area.place
        guard found.isEmpty else { return .ambiguous(found, text, place: place) }
        if let tenant = try otherTenant(ofAccount: text, policy) { return .inOtherTenant(text, tenant, place: place) }
        if let error = try shortened(text, under: policy, place: place) { return error }
        let labels = NearMatch.nearestFirst(text, in: try labels(near: text, in: area))
        let meant = Self.meant(text, labels)
        // An address that resembles no stored label may belong to a person who has not signed in here yet.
        let newcomer = policy.flatMap { policy in
            suggestingSignIn && text.contains("@") && policy.kind == .signUpOrSignIn
                ? PolicyRun(policy.kind, policy.name, account: text) : nil
        }
        // A similar label may be another person's: it is no next step.
        let list: NextStep = try store?.facts().accounts ?? 0 == 0 ? "" : .listAccounts(nil)
        let next = meant == nil ? newcomer.map { .run($0) } ?? list : list
        let elsewhere = policy == nil ? [] : try policies(ofAccount: text)
        return SusiError(
            .unknownAccount, "no account “\(text)”\(place)",
            why: elsewhere.isEmpty ? meant.map { "did you mean “\($0)”?" } ?? "" : .thereIsOne(under: elsewhere),
            next: elsewhere.first.map { "\(.underPolicy($0)), or \(next)" } ?? next, candidates: labels)
    }

    private func policies(ofAccount text: String) throws -> [PolicyName] {
        let found = Set(try named(text, .exactly, in: context.area(of: nil)).map(\.account.policy))
        return context.application.policies.map(\.name).filter(found.contains)
    }

    /// Throws for a display name, or a part of a name: neither can be compared with the person who signs in.
    func checkIdentifies(_ text: String, under policy: Policy) throws {
        guard !text.isCompleteName else { return }
        if let error = try shortened(text, under: nil, place: "") { throw error }
        if text.contains(where: \.isWhitespace) { throw SusiError.displayName(text, policy) }
    }

    // The error for a name that is not complete, where no person sees what it would choose.
    private func shortened(_ text: String, under policy: Policy?, place: String) throws -> SusiError? {
        let meanings = try meanings(of: text, under: policy)
        return .shortened(text, meanings, place: place, reference: meanings.ofOnePerson.map(reference))
    }

    /// Returns the tenant in which only one account has that name, if it is not the policy's own.
    private func otherTenant(ofAccount text: String, _ policy: Policy?) throws -> String? {
        let found = try named(
            text, .exactly, in: AccountArea(policy: policy, registrations: context.allRegistrations) { _ in true })
        return found.count == 1 ? context.application.otherTenant(of: found[0]) : nil
    }

    private func labels(near text: String, in area: AccountArea) throws -> [String] {
        var labels: [String] = []
        _ = try store?.accounts(in: area) { accounts in
            labels = accounts.labels(near: text)
            return []
        }
        return labels
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

// MARK: No current account

extension AccountFinder {
    private func noCurrent(_ policy: Policy) -> SusiError {
        let others = try? store?.accounts(in: context.area(of: policy)) { Array($0.prefix(Self.mostCandidates)) }
        guard let others, let first = others.first else {
            var error = SusiError.signInNeeded(
                policy, .noAccount, place: context.application.place(of: policy), elsewhere: policiesInUse())
            if isOfStranger { error.nextStep = .listEverything }
            return error
        }
        let before = try? current(policy).previous
        return .noCurrent(
            under: policy, why: whyNoneIsCurrent(policy, before), suggested: reference(to: before ?? first).text,
            candidates: others.map(\.label))
    }

    // Whether a shared store belongs to somebody whom no policy of the file can sign in: a sign-in would be refused.
    private var isOfStranger: Bool {
        guard let store, let holder = try? store.holder() else { return false }
        let tenants = try? store.tenants(of: context.registrations)
        return tenants?.contains(holder.account.person.tenant) == false
    }

    // The policies with a current account: the same command succeeds under each of them.
    private func policiesInUse() -> [PolicyName] {
        context.application.policies.filter { policy in
            policy.kind.keepsAccounts
                && (try? store?.current(policy.name, in: context.registration(of: policy))) != nil
        }.map(\.name)
    }

    // The store has only two hints: the note of a sign-out, and the previous account, which is kept when the current
    // one is removed.
    private func whyNoneIsCurrent(_ policy: Policy, _ before: StoredAccount?) -> String {
        if let note = try? store?.signedOut(policy.name, in: context.registration(of: policy)) {
            return "\(note.label) signed out; choose another account"
        }
        if let before { return "the current account was removed; the one before it was \(before.label)" }
        return "accounts are stored, but none is chosen"
    }
}
