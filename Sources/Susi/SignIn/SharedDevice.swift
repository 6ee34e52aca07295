import SusiOAuth
import SusiPolicies
package import SusiStore

extension PublicClient {
    /// Returns every account on a shared device: of all applications that are shared, in every tenant, without those that a
    /// private application reaches. Empty if the application is not shared.
    package func accountsOnSharedDevice() async throws(SusiError) -> [StoredAccount] {
        let exclusive = context.exclusive
        if exclusive.isEmpty { return [] }
        return try await withExistingStore { try $0?.accounts(exclusive) ?? [] }
    }

    /// Returns the people with an account on a shared device, one account for each: several only if the device was private before.
    package func peopleOnSharedDevice() async throws(SusiError) -> [StoredAccount] {
        let accounts = try await accountsOnSharedDevice()
        if accounts.isEmpty { return [] }
        return try await withExistingStore { store in
            try accounts.reduce(into: []) { people, next in
                let isKnown = try people.contains {
                    try store?.areOfSamePerson($0.account.person, next.account.person) ?? false
                }
                if !isKnown { people.append(next) }
            }
        }
    }

    /// Returns who is signed in on a shared device, so that a sign-in of another person fails before a page opens.
    ///
    /// Throws ``SusiError/Code/differentPerson`` if one of the people is another person. The person who signs in is checked
    /// again when the account is stored.
    func holderOfSharedDevice(expecting people: [ExpectedPerson?]) async throws(SusiError) -> StoredAccount? {
        guard let holder = try await accountsOnSharedDevice().first else { return nil }
        for person in people.compactMap(\.self) {
            let isHolder = try await finding { try $0.isPerson(person, of: holder) }
            guard isHolder else { throw SusiError.sharedDevice(holder.label, application, wanted: person.label) }
        }
        return holder
    }

    /// Throws ``SusiError/Code/differentPerson`` if another person than that of an account is signed in on a shared device, as
    /// may be after `deviceMode` was changed.
    func checkIsAlone(_ account: StoredAccount) async throws(SusiError) {
        let exclusive = context.exclusive
        if exclusive.isEmpty { return }
        let other = try await withExistingStore { try $0?.first(exclusive, notOf: account.account) }
        if let other { throw SusiError.sharedDevice(other.label, application, wanted: account.label) }
    }
}
