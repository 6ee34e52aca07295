import SusiOAuth
import SusiPolicies
import SusiStore

extension PublicClient {
    /// On a shared device: who is signed in, so that a sign-in of somebody else ends before a page opens.
    ///
    /// Throws ``SusiError/Code/differentPerson`` when one of the texts names somebody else. Who really comes back is
    /// checked again when the account is stored.
    func holderOfSharedDevice(expecting texts: [String?]) async throws(SusiError) -> StoredAccount? {
        guard application.deviceMode == .shared, let holder = try await firstAccount() else { return nil }
        let subject = holder.account.person.subject
        for text in texts.compactMap(\.self) where !holder.profile.answers(to: text, subject: subject) {
            throw SusiError.sharedDevice(holder.label, application, wanted: text)
        }
        return holder
    }

    private func firstAccount() async throws(SusiError) -> StoredAccount? {
        let scopes = scopes
        return try await explained { try existingStore()?.accounts(of: scopes, limit: 1).first }
    }
}
