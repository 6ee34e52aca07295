import FoundationEssentials
package import Susi
import SystemPackage

// Checks for `doctor`: each one performs the operation with its own data and removes it afterwards.
extension StoreKeys {
    /// Checks the files of the store if there is one. Then creates a store next to it, writes, reads and removes a record,
    /// and removes that store.
    package func tryStore() throws(SusiError) {
        do { try folder.checkUse() } catch { throw SusiError(error) }
        let path = FilePath(folder.path.string + "-probe-" + RandomBytes.text().prefix(8))
        defer { try? FileManager.default.removeItem(atPath: path.string) }
        let person = Person(tenant: Tenant(origin: "https://probe.invalid", id: "probe"), subject: "probe")
        let account = Account(person: person, policy: PolicyName("probe"), clientID: "probe")
        let secret = RandomBytes.text()
        let grant = TokenGrant(
            account: account, homeAccountID: HomeAccountID(uid: "probe", utid: "probe"), tenantName: "probe",
            profile: Profile(), claims: "{}", idToken: nil, idTokenExpiresOn: nil, accessToken: nil,
            refreshToken: TokenGrant.RefreshToken(secret: secret), receivedOn: clock())
        do {
            let store = try AccountStore(opening: StoreFolder(path, owner: folder.owner))
            try store.save(
                grant, in: Registration(origin: person.tenant.origin, tenantName: "probe", clientID: "probe"),
                authority: person.tenant.origin, makeCurrent: false)
            let found = try store.secret(.refresh(account))
            guard try store.remove([account]).count == 1, found?.secret == secret else {
                throw SusiError.testStoreFailed
            }
        } catch { throw SusiError(plain: error) }
    }

    /// Stores a key in the kernel keyring, reads it and removes it.
    package func tryKeyring() throws(SusiError) {
        let new = NewKey(for: .secretService, lifetime: 60)
        do {
            try new.record.hold(new.key, lifetime: nil, now: clock())
        } catch {
            throw SusiError.keyringUnavailable(error)
        }
        let isFound = new.record.held()?.key.id == new.key.id
        guard new.record.release(), isFound else {
            throw SusiError.keyringLostKey
        }
    }
}
