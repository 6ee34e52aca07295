import SusiPolicies
import SusiStore

// A sign-in of Microsoft Entra ID also serves other tenants, where the person has another account.
extension AccountFinder {
    /// Returns the account of the person who is meant at home: the one under the policy, or none yet.
    func findAtHome(
        _ selection: AccountSelection, under policy: Policy, insteadOf here: AccountArea
    ) throws -> Found? {
        guard let home = try selected(selection, in: context.homes(of: policy)),
            try usesHome(selection, insteadOf: here)
        else { return nil }
        if let found = try account(ofSamePersonAs: home, in: [here]) {
            return Found(account: found, home: home)
        }
        return try hasSignedOut(home, under: policy) ? nil : Found(account: home, home: home, isHere: false)
    }

    /// Returns the account of the same person in the first of some areas that has one.
    func account(ofSamePersonAs account: StoredAccount, in areas: [AccountArea]) throws -> StoredAccount? {
        for area in areas {
            let found = try store?.accounts(in: area) { $0.filter { $0.personAtHome == account.personAtHome } }
            if let account = found?.first { return account }
        }
        return nil
    }

    // A policy at another tenant that has accounts does not use the one that is current at home.
    private func usesHome(_ selection: AccountSelection, insteadOf area: AccountArea) throws -> Bool {
        if !selection.isCurrent || context.application.tenant != nil { return true }
        return try store?.count(of: area.registrations, policy: area.policy?.name) ?? 0 == 0
    }

    // A sign-out lasts until the next sign-in, in the policy's tenant or at home. Only a current account leaves a note: one that was
    // only fetched for `tenant` is removed by a sign-out, and fetched again.
    private func hasSignedOut(_ home: StoredAccount, under policy: Policy) throws -> Bool {
        guard let note = try store?.signedOut(policy.name, in: context.registration(of: policy)) else { return false }
        return note.label.lowercased() == home.label.lowercased() && note.on >= home.signedInOn
    }
}

extension ClientContext {
    /// The accounts of the policies whose sign-ins also serve a policy in its tenant.
    func homes(of policy: Policy) -> [AccountArea] {
        application.homePolicies(of: policy).map { home in
            let registration = Registration(application.homeAuthority(for: home), clientID: application.clientID)
            return AccountArea(policy: home, registrations: [registration]) {
                !registration.spansTenants || $0.isAtHome
            }
        }
    }
}
