internal import SusiOAuth
internal import SusiPolicies

/// The accounts that only one person at a time may have: those of the shared applications of a device.
package struct ExclusiveAccounts: Hashable, Sendable {
    /// A client id at the origin of an authority. Client ids are public, so that any file may repeat one for another host.
    package struct Client: Hashable, Sendable {
        /// The scheme, host and port of the authority.
        package let origin: String
        /// The application's (client) ID.
        package let clientID: String

        package init(origin: String, clientID: String) {
            self.origin = origin
            self.clientID = clientID
        }
    }

    /// The clients of the shared applications, whose accounts count in every tenant.
    package let clients: Set<Client>
    /// The scopes of private applications: what they reach is not exclusive.
    package let kept: Set<ApplicationScope>

    /// Makes the accounts of clients without those in the scopes `kept`.
    package init(of clients: Set<Client>, without kept: Set<ApplicationScope> = []) {
        self.clients = clients
        self.kept = kept
    }

    /// No accounts.
    package static let none = ExclusiveAccounts(of: [])

    /// Whether there are no such accounts.
    package var isEmpty: Bool { clients.isEmpty }

    /// Whether an account that is not stored yet may be one of them. The names of its tenant are unknown then, so that one that a
    /// private application reaches counts too.
    func mayContain(_ account: Account, authority: String) -> Bool {
        let origins = [account.person.tenant.origin, (try? WebAddress(authority))?.origin].compactMap(\.self)
        return origins.contains { clients.contains(Client(origin: $0, clientID: account.clientID)) }
    }
}
