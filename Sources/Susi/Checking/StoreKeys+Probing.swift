import FoundationEssentials
import SusiOAuth
package import SusiPolicies
import SusiStore
import SystemPackage

// Checks for `doctor`: each one performs the operation with its own data and removes it afterwards.
extension StoreKeys {
    /// Checks the files of the store if there is one. Then creates a store next to it, writes, reads and removes a record,
    /// and removes that store.
    package func tryStore() throws(SusiError) {
        do { try folder.checkUse() } catch { throw SusiError(error) }
        let path = FilePath(folder.path.string + "-probe-" + RandomText.make().prefix(8))
        defer { try? FileManager.default.removeItem(atPath: path.string) }
        let key = ImportedToken.Key(
            scope: ApplicationScope(origin: "https://probe.invalid", tenantName: "probe", clientID: "probe"),
            policy: PolicyName("probe"), home: HomeAccountID(uid: "probe", utid: "probe"))
        let token = ImportedToken(key: key, subject: nil, label: "probe", source: "probe", importedOn: clock())
        let secret = RandomText.make()
        do {
            let store = try AccountStore(opening: StoreFolder(path, owner: folder.owner))
            _ = try store.keepImported([(token: token, secret: secret)])
            let found = try store.importedSecret(key)
            guard try store.removeImported(key), found == secret else {
                throw SusiError.testStoreFailed
            }
        } catch { throw SusiError(plain: error) }
    }

    /// Stores a key in the kernel keyring, reads it and removes it.
    package func tryKeyring() throws(SusiError) {
        let new = NewKey(for: .memory, lifetime: 60)
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

    /// Asks the key service of a source for a key that does not exist; with `writing`, also stores, reads and removes a key.
    /// Succeeds for sources without a service.
    package func tryService(_ source: KeySource, writing: Bool) async throws(SusiError) {
        let key = SealingKey()
        do {
            guard let service = try service(source) else { return }
            guard writing else {
                _ = try await service.read(key.id)
                return
            }
            try await service.keep(key)
            let found = try await service.read(key.id)
            try await service.remove(key.id)
            guard found?.id == key.id else { throw service.refused("it did not return the test key") }
        } catch { throw SusiError(plain: error) }
    }
}
