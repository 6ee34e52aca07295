import SusiPolicies
import SusiStore

/// Accounts that belong together: those of one policy, or of all, at some authorities.
struct AccountArea {
    /// `nil` for every policy.
    let policy: Policy?
    let scopes: Set<ApplicationScope>
    /// A suffix for errors, such as “ under B2C_1_susi”.
    var place = ""
    /// Whether an account there can be used.
    let has: (StoredAccount) -> Bool
}

extension ClientContext {
    /// The accounts that can belong to the authority of a policy, or of any one.
    func area(of policy: Policy?) -> AccountArea {
        let place = policy.map { " under \(application.place(of: $0))" } ?? ""
        return AccountArea(
            policy: policy, scopes: policy.map { [scope(of: $0)] } ?? scopes, place: place, has: isInReach)
    }

    /// The accounts in lists: those of one policy, or everything of the application.
    func listedArea(of policy: Policy?) -> AccountArea {
        policy.map(area) ?? AccountArea(policy: nil, scopes: listedScopes) { _ in true }
    }

    /// The accounts of the policies whose sign-ins also serve a policy in its tenant.
    func homes(of policy: Policy) -> [AccountArea] {
        application.homePolicies(of: policy).map { home in
            let scope = ApplicationScope(application.homeAuthority(for: home), clientID: application.clientID)
            return AccountArea(policy: home, scopes: [scope]) { !scope.spansTenants || $0.isAtHome }
        }
    }
}

extension AccountStore {
    /// Returns the accounts of an area that `choose` picks (`AccountStore.accounts(of:policy:choosing:)`).
    func accounts(
        in area: AccountArea, choosing choose: ([StoredAccount]) -> [StoredAccount] = { $0 }
    ) throws(StoreError) -> [StoredAccount] {
        try accounts(of: area.scopes, policy: area.policy?.name) { choose($0.filter(area.has)) }
    }
}
