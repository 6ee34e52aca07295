import SusiBase
import SusiPolicies

/// The buttons on the sign-in page that sign in as one of the seeded users. A button uses the user's first password and goes
/// through the same checks as a typed one. The service has no such buttons.
struct TestUsers {
    /// The maximum number of buttons on the page.
    static let most = 5
    // Some seeded users may be deleted, or belong to another tenant.
    private static let mostRead = 20

    private let transaction: Transaction

    /// The test users of a transaction. Returns `nil` if none are offered: to other machines, on a custom page, for an
    /// invitation, or if the tenant turns them off.
    init?(_ transaction: Transaction) {
        let endpoint = transaction.endpoint
        guard transaction.context.isPrivate, endpoint.tenant.configuration.listsUsers,
            endpoint.settings.template == nil,
            transaction.progress.invitedEmail == nil
        else {
            return nil
        }
        self.transaction = transaction
    }

    // The users with a known password.
    private var seeds: [User] {
        transaction.endpoint.tenant.configuration.users.filter { $0.identityProvider == nil && $0.passwordHash == nil }
    }

    /// The buttons. Returns `nil` if there are no users.
    func html() throws -> HTML? {
        let words = transaction.words
        let ids = seeds.prefix(Self.mostRead).map { $0.objectID.lowercased() }
        let known = try transaction.endpoint.tenant.database.users(objectIDs: ids)
        let users = ids.compactMap { id in known.first { $0.objectID == id && name(of: $0) != nil } }
            .filter { transaction.endpoint.dialect.refusal(of: $0, at: transaction.endpoint) == nil }
        guard !users.isEmpty else { return nil }
        let buttons = users.prefix(Self.most).map { user in
            HTML(
                """
                <button class="quiet" name="user" value="\(user.objectID)" type="submit">\
                <bdi>\(DisplayText.safe(user.displayName.isEmpty ? user.signInName : user.displayName))</bdi></button>
                """)
        }
        return """
            <h2 class="part">\(words[.testUsers])</h2>
            <form id="testUsers" method="post" class="asks people" action="\(transaction.endpoint.page("sign-in"))">
            \(transaction.hiddenFields)
            \(HTML(buttons))
            </form>
            """
    }

    /// The name and the password for a button. Returns `nil` for a user without a button.
    func credentials(of objectID: String) throws -> (name: String, password: String)? {
        guard let seed = seeds.prefix(Self.mostRead).first(where: { $0.objectID.lowercased() == objectID }),
            let user = try transaction.endpoint.tenant.database.user(objectID: objectID), let name = name(of: user)
        else { return nil }
        return (name, seed.password)
    }

    // The name for the sign-in field.
    private func name(of user: User) -> String? {
        switch transaction.endpoint.settings.identifier {
        case .email: user.email
        case .userName: user.userName
        case .either: user.email ?? user.userName
        }
    }
}
