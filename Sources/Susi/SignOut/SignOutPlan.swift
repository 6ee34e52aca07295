import SusiHTTP
import SusiOAuth
package import SusiPolicies
package import SusiStore

/// What a removal or a sign-out does at providers, decided by the store and the policies file alone: a preview shows it, and the
/// act carries it out.
package struct SignOutPlan: Sendable {
    /// The accounts to remove.
    package let accounts: [StoredAccount]
    /// What happens to the tokens of each account; `nil` if the provider is asked to revoke them.
    package var revocations: [Revocation?] { tokens.map(\.planned) }
    /// The browser's sessions of these accounts that can be ended, in the order of the applications and their policies.
    package let visits: [Visit]
    /// The accounts whose session no policy of the file can end.
    package let unreachable: [StoredAccount]

    let tokens: [RevocableTokens]

    /// The end of the browser's session under one policy.
    package struct Visit: Sendable {
        package var application: String { context.application.name }
        package let policy: Policy
        /// Whether an account signed in under the policy. Another policy of its tenant may leave a session of its own.
        package let isOwn: Bool
        /// Why the authority is not contacted; `nil` if it is.
        package let refusal: SusiError?
        let context: ClientContext
        let idTokenHint: String?
        /// Whether the provider sends the browser back.
        let comesBack: Bool

        init(
            _ policy: Policy, isOwn: Bool, of account: StoredAccount? = nil, in store: AccountStore?,
            _ context: ClientContext
        ) {
            let application = context.application
            let stays = application.kind.traits.tenantKeepingBrowser
            (self.policy, self.isOwn, self.context) = (policy, isOwn, context)
            idTokenHint = store.flatMap { context.idTokenHint(from: account, for: policy, in: $0) }
            comesBack = stays == nil || account?.account.person.tenant.id != stays
            if case .refused(let refusal) = application.knownAuthorities.decision(
                for: application.authority(for: policy))
            {
                self.refusal = SusiError(refusal, application: application, policy: policy.name)
            } else {
                self.refusal = nil
            }
        }
    }
}

extension SignOutPlan {
    /// Plans nothing, where nothing is stored.
    init() { (accounts, tokens, visits, unreachable) = ([], [], [], []) }

    /// Plans the removal of accounts. In a shared store, policies that keep no account are visited too, because no account names
    /// them.
    init(_ accounts: [StoredAccount], isShared: Bool = false, in store: AccountStore, _ context: ClientContext) throws {
        self.accounts = accounts
        tokens = accounts.map { RevocableTokens(of: $0, in: store, context) }
        let contexts = context.ofEveryApplication
        let owners = try AccountOwners(contexts, store)
        var (found, unreachable) = ([Visit](), [StoredAccount]())
        for account in accounts {
            if let number = owners.owner(of: account.account) {
                guard let policy = contexts[number].application.policy(account.account.policy), policy.kind.hasPage
                else {
                    continue
                }
                found.append(Visit(policy, isOwn: true, of: account, in: store, contexts[number]))
            } else if let visit = contexts.lazy.compactMap({ $0.visit(endingSessionOf: account, in: store) }).first {
                found.append(visit)
            } else {
                unreachable.append(account)
            }
        }
        if isShared {
            let visited = Set(found.map(\.application))
            found += contexts.filter { visited.contains($0.application.name) }.flatMap {
                $0.visitsToChangingPolicies(in: store)
            }
        }
        // One visit to each policy, with a hint if there is one.
        visits = contexts.flatMap { context in
            context.application.policies.compactMap { policy in
                let same = found.filter { $0.application == context.application.name && $0.policy.name == policy.name }
                return same.first { $0.idTokenHint != nil } ?? same.first
            }
        }
        self.unreachable = unreachable
    }

    /// Plans the end of the session of one policy, for the sign-out of a shared store with those of policies that keep no account.
    /// Nothing is removed.
    init(endingSessionOf policy: Policy, endingShared: Bool, _ context: ClientContext) {
        (accounts, tokens, unreachable) = ([], [], [])
        let others = endingShared ? context.visitsToChangingPolicies(in: nil) : []
        visits = [Visit(policy, isOwn: true, in: nil, context)] + others.filter { $0.policy.name != policy.name }
    }
}

extension ClientContext {
    // A policy of the account's tenant for an account that belongs to no application: the one of its name, else one that signs in.
    fileprivate func visit(endingSessionOf account: StoredAccount, in store: AccountStore) -> SignOutPlan.Visit? {
        let policies = application.policies.filter { $0.kind.hasPage && belongs(account, to: $0, in: store) }
        if let own = policies.first(where: { $0.name == account.account.policy }) {
            return SignOutPlan.Visit(own, isOwn: true, of: account, in: store, self)
        }
        let other = policies.first(where: application.isDefault) ?? policies.first(where: \.kind.keepsAccounts)
        return (other ?? policies.first).map { SignOutPlan.Visit($0, isOwn: false, of: account, in: store, self) }
    }

    fileprivate func visitsToChangingPolicies(in store: AccountStore?) -> [SignOutPlan.Visit] {
        application.policies.filter { !$0.kind.keepsAccounts && $0.kind.hasPage }.map {
            SignOutPlan.Visit($0, isOwn: true, in: store, self)
        }
    }
}
