import SusiPolicies

/// The users who exist from the start, on the sign-in page: each is a button that signs in with the password that the user
/// was made with, through the same checks as if it had been typed. The cloud has nothing like it; what it saves is typing.
struct TestUsers {
    /// How many are offered.
    static let most = 5
    // Some of those who were seeded may be gone, or belong to another tenant.
    private static let mostRead = 20

    private let transaction: Transaction

    /// The test users of a transaction. Returns `nil` where none are offered: to other machines, on a page of one's own, or where the tenant says so.
    init?(_ transaction: Transaction) {
        let endpoint = transaction.endpoint
        guard transaction.context.isPrivate, endpoint.tenant.configuration.listsUsers, endpoint.settings.template == nil
        else {
            return nil
        }
        self.transaction = transaction
    }

    // Whose password is not known here, nobody signs in with a click.
    private var seeds: [SeededUser] {
        transaction.endpoint.tenant.configuration.users.filter { $0.identityProvider == nil && $0.passwordHash == nil }
    }

    /// The buttons; nil when there is nobody.
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

    /// What a click means: the name and the password as they would have been typed. Nil for a user who is not offered.
    func credentials(of objectID: String) throws -> (name: String, password: String)? {
        guard let seed = seeds.prefix(Self.mostRead).first(where: { $0.objectID.lowercased() == objectID }),
            let user = try transaction.endpoint.tenant.database.user(objectID: objectID), let name = name(of: user)
        else { return nil }
        return (name, seed.password)
    }

    // What the page's field would take.
    private func name(of user: User) -> String? {
        switch transaction.endpoint.settings.identifier {
        case .email: user.email
        case .userName: user.userName
        case .either: user.email ?? user.userName
        }
    }
}
