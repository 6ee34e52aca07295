import SusiOAuth
import SusiPolicies
import SusiStore

extension PublicClient {
    /// Returns who is signed in on a shared device, so that a sign-in of another person fails before a page opens.
    ///
    /// Throws ``SusiError/Code/differentPerson`` if one of the texts names another person. The person who signs in is
    /// checked again when the account is stored.
    func holderOfSharedDevice(expecting texts: [String?]) async throws(SusiError) -> StoredAccount? {
        guard application.deviceMode == .shared else { return nil }
        let scopes = context.allScopes
        let first = try await withExistingStore { try $0?.accounts(of: scopes, limit: 1).first }
        guard let holder = first else { return nil }
        let subject = holder.account.person.subject
        for text in texts.compactMap(\.self) where !holder.profile.answers(to: text, subject: subject) {
            throw SusiError.sharedDevice(holder.label, application, wanted: text)
        }
        return holder
    }
}
