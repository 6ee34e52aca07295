import Susi

/// Writes the refresh token of one account, without a cache around it.
struct RefreshTokenWriter: CacheWriter {
    private var token: String?

    mutating func add(_ holder: CacheHolder) throws -> Int {
        guard let refresh = holder.refresh else {
            throw SusiError(
                .signInNeeded, "sign-in needed", why: "no refresh token of “\(holder.account.label)” is stored",
                next: .signIn(holder.account.account.policy))
        }
        token = refresh.secret
        return 0
    }

    func text() -> String { token.map { "\($0)\n" } ?? "" }
}
