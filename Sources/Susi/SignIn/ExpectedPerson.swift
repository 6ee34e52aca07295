import SusiOAuth
import SusiPolicies
public import SusiStore

/// The person who must sign in.
public enum ExpectedPerson: Hashable, Sendable {
    /// The person of a stored account, compared by tenant and subject and by nothing else.
    case account(StoredAccount)
    /// The person of an account at home, in another tenant, where the person has another subject that is not known yet: compared
    /// by the addresses and user names in the signed claims, and refused if the response names another home account.
    case home(StoredAccount)
    /// Somebody who is not stored, by an address, a user name or the subject.
    case named(String)

    /// The name in messages.
    var label: String {
        switch self {
        case .account(let account), .home(let account): account.label
        case .named(let text): text
        }
    }

    /// The login hint; `nil` if only an identifier is known. A page would fill it into its field for an address.
    package var hint: String? {
        switch self {
        case .account(let account), .home(let account): account.profile.hint
        case .named(let text): text.contains("@") ? text : nil
        }
    }

    /// Whether the person is known in another tenant only.
    var isAtHome: Bool { if case .home = self { true } else { false } }

    /// Returns whether a sign-in brought this person.
    func isPerson(of grant: TokenGrant) -> Bool {
        switch self {
        case .account(let account): grant.account.person == account.account.person
        case .home(let home):
            grant.account.person == home.account.person
                || grant.homeAccountID.isSame(as: home.homeAccountID) && grant.profile.sharesName(with: home.profile)
        case .named(let text): grant.profile.answers(to: text, subject: grant.account.person.subject)
        }
    }
}

extension PublicClient {
    /// Returns the person whom a selection means for a sign-in: a known one by identity, else any person with the name; `nil` for a
    /// current account, unless its person is known at home and the application was made for another tenant.
    ///
    /// The policy is that of the API if none is named. Throws ``SusiError/Code/unknownAccount`` for a name that is not complete,
    /// and for a display name, which does not identify a person; ``SusiError/Code/ambiguousAccount`` if several people have the
    /// name.
    package func expectedPerson(
        _ selection: AccountSelection, api: String? = nil
    ) async throws(SusiError) -> ExpectedPerson? {
        let policy = try choose { try $0.target(api: api, policy: selection.policy).policy }
        if application.tenant != nil, let home = try await homeAccount(selection, for: policy) {
            return try await account(of: home, under: policy).map { .account($0) } ?? .home(home)
        }
        switch selection.means {
        case .current: return nil
        case .account(let account):
            return try await withExistingStore { try $0?.account(account) }.map { .account($0) }
        case .name(let text):
            let found = try await stored(.name(text), in: [context.scope(of: policy)], nil)
            guard let known = found.first(where: { $0.account.policy == policy.name }) ?? found.first else {
                try await checkIdentifies(text, under: policy)
                return .named(text)
            }
            guard Set(found.map(\.account.person)).count == 1 else { throw SusiError.ambiguous(found, text) }
            return .account(known)
        }
    }

    // A display name, or a part of a name, cannot be compared with the person who signs in.
    private func checkIdentifies(_ text: String, under policy: Policy) async throws(SusiError) {
        guard !text.isCompleteName else { return }
        let meanings = try await meanings(of: text, under: nil)
        let known = meanings.ofOnePerson.map { reference(to: $0) }
        if let error = SusiError.shortened(text, meanings, place: "", reference: known) { throw error }
        if text.contains(where: \.isWhitespace) { throw SusiError.displayName(text, policy) }
    }
}
