import ArgumentParser
import Susi

/// An account of `compare`, typed as ACCOUNT or [APPLICATION][/POLICY]:[ACCOUNT].
///
/// The first colon ends the prefix. Names of applications and policies have no colon and no slash, so that every word has
/// one meaning; a colon in front makes the rest an account, even one with colons.
struct AccountOperand: ExpressibleByArgument {
    /// The application; `nil` for that of the command line.
    let application: String?
    /// The policy, as it was typed; `nil` for the default one.
    let policy: PolicyName?
    /// The account, as it was typed; `nil` for the current one.
    let account: String?

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        guard let colon = argument.firstIndex(of: ":") else {
            self.init(application: nil, policy: nil, account: argument)
            return
        }
        let prefix = argument[..<colon]
        let names = prefix.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let policy = names.count > 1 ? names[1] : ""
        let account = String(argument[argument.index(after: colon)...])
        self.init(
            application: names[0].isEmpty ? nil : names[0], policy: policy.isEmpty ? nil : PolicyName(policy),
            account: account.isEmpty ? nil : account)
    }

    private init(application: String?, policy: PolicyName?, account: String?) {
        self.application = application
        self.policy = policy
        self.account = account
    }

    /// Returns the same with another account.
    func naming(_ account: String) -> AccountOperand {
        AccountOperand(application: application, policy: policy, account: account)
    }

    /// Returns the same with another policy.
    func under(_ policy: String) -> AccountOperand {
        AccountOperand(application: application, policy: PolicyName(policy), account: account)
    }

    /// The word on the command line.
    var text: String {
        let prefix = (application ?? "") + (policy.map { "/\($0)" } ?? "")
        let needsColon = !prefix.isEmpty || account?.contains(":") ?? true
        return (needsColon ? "\(prefix):" : "") + (account ?? "")
    }
}
