import Susi
import SusiStartup

// Which accounts a removal means.
extension RemoveCommand {
    /// Returns the accounts to remove: those of the application in use, by names that a person may shorten; else others with exactly
    /// that name. Where no person confirms, these belong to no application, and a client ID or a policy that the application in use
    /// does not have names them: a repeated command removes nothing more.
    func chosen(
        under name: PolicyName?, of places: AccountPlaces, _ context: Context
    ) async throws -> [StoredAccount] {
        let policy = name.flatMap { context.application.policy($0) }
        let isHere = clientID == nil && (name == nil || policy?.kind.keepsAccounts ?? false)
        if isHere {
            let found = try await context.accounts(named: account, under: policy, exactly: yes)
            if person, let first = found.ofOnePerson { return try await context.client.accounts(ofPersonOf: first) }
            if !found.isEmpty { return [try await only(found, under: policy, context)] }
        }
        let isConfirmed = !yes && !context.noInput && ProcessEnvironment.current.canAsk
        let others = places.accounts.filter { isMeant($0, under: name, of: places, context) }
        let found = isConfirmed ? others : isHere ? [] : others.filter(places.isInNoApplication)
        // At an address that moved, a person has the same identifier.
        if person, Set(found.map(\.account.person.subject)).count == 1 { return found }
        if found.count == 1 { return found }
        if !others.isEmpty { throw ambiguous(found.isEmpty ? others : found, isElsewhere: found.isEmpty, places) }
        let known = try name.map { try context.client.policy($0) }
        return [try await context.client.finding { [account] in try $0.only([], named: account, under: known) }]
    }

    private func isMeant(
        _ stored: StoredAccount, under name: PolicyName?, of places: AccountPlaces, _ context: Context
    ) -> Bool {
        guard stored.isNamed(account), name == nil || name == stored.account.policy else { return false }
        let isUnowned = places.isInNoApplication(stored)
        if let clientID {
            return isUnowned && stored.account.clientID.lowercased() == clientID.lowercased()
                && (authority ?? stored.authority).lowercased() == stored.authority.lowercased()
        }
        if global.namedApplication != nil || policy.tenant.text != nil {
            return isUnowned
                ? stored.account.clientID == context.application.clientID
                : places.application(of: stored) == context.application.name
                    // That of another tenant is removed where it belongs.
                    && context.application.otherTenant(of: stored) == nil
        }
        return context.application.otherTenant(of: stored) == nil
    }

    private func only(
        _ found: [StoredAccount], under policy: Policy?, _ context: Context
    ) async throws -> StoredAccount {
        if found.count > 1, found.ofOnePerson != nil {
            let again = SuggestedCommand("remove", account).option("-p", found[0].account.policy.spelling)
            throw SusiError(
                .ambiguousAccount, "\(found[0].title) has accounts under \(found.count) policies",
                next: "\(again), or --person for all of them",
                candidates: found.map { "\($0.label)  \($0.account.policy)" })
        }
        return try await context.client.finding { [account] in try $0.only(found, named: account, under: policy) }
    }

    // The error for accounts that another command removes, or of which only one can be meant.
    private func ambiguous(_ found: [StoredAccount], isElsewhere: Bool, _ places: AccountPlaces) -> SusiError {
        SusiError(
            isElsewhere ? .unknownAccount : .ambiguousAccount,
            isElsewhere
                ? "no account “\(account)” in the application in use" : "“\(account)” matches \(found.count) accounts",
            why: isElsewhere
                ? "\(Count.text(found.count, "account")) elsewhere \(found.count == 1 ? "has" : "have") it" : "",
            next: "\(command(removing: found[0], of: found, places))",
            candidates: found.map { stored in
                let command = command(removing: stored, of: found, places)
                return "\(stored.title)  \(places.text(stored)): \(command)"
            })
    }

    // The command that removes only this one of several accounts.
    private func command(
        removing stored: StoredAccount, of found: [StoredAccount], _ places: AccountPlaces
    ) -> SuggestedCommand {
        let name = found.ofOnePerson == nil ? stored.account.person.subject : account
        let command = SuggestedCommand("remove", name).option("-p", stored.account.policy.spelling)
        if let application = places.application(of: stored) { return command.option("-A", application) }
        return command.option("--client-id", stored.account.clientID).option("--authority", stored.authority)
    }
}
