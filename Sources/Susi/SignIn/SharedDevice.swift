import SusiOAuth
import SusiPolicies
public import SusiStore

extension PublicClient {
    /// Returns every account on a shared device: of all applications that are shared, in every tenant. Empty if the application
    /// is not shared.
    public func accountsOnSharedDevice() async throws(SusiError) -> [StoredAccount] {
        let clients = context.exclusiveClients
        if clients.isEmpty { return [] }
        return try await withExistingStore { try $0?.accounts(ofClients: clients) ?? [] }
    }

    /// Returns who is signed in on a shared device, so that a sign-in of another person fails before a page opens.
    ///
    /// Throws ``SusiError/Code/differentPerson`` if one of the people is another person. The person who signs in is checked
    /// again when the account is stored.
    func holderOfSharedDevice(expecting people: [ExpectedPerson?]) async throws(SusiError) -> StoredAccount? {
        guard let holder = try await accountsOnSharedDevice().first else { return nil }
        for person in people.compactMap(\.self) where !person.isPerson(of: holder) {
            // In another tenant the same person has another subject.
            if case .account(let account) = person, account.isOfSamePerson(as: holder) { continue }
            throw SusiError.sharedDevice(holder.label, application, wanted: person.label)
        }
        return holder
    }

    /// Throws ``SusiError/Code/differentPerson`` if another person than that of an account is signed in on a shared device, as
    /// may be after `deviceMode` was changed.
    func checkIsAlone(_ account: StoredAccount) async throws(SusiError) {
        let all = try await accountsOnSharedDevice()
        guard let other = all.first(where: { !$0.isOfSamePerson(as: account) }) else { return }
        throw SusiError.sharedDevice(other.label, application, wanted: account.label)
    }
}

extension StoredAccount {
    /// Returns whether two accounts belong to one person, who may have them in two tenants.
    public func isOfSamePerson(as other: StoredAccount) -> Bool {
        if account.person == other.account.person || homeAccountID.isSame(as: other.homeAccountID) { return true }
        guard account.person.tenant != other.account.person.tenant else { return false }
        let names = { (profile: Profile) in
            Set((profile.emails + [profile.username].compactMap(\.self)).map { $0.lowercased() })
        }
        return !names(profile).isDisjoint(with: names(other.profile))
    }
}
