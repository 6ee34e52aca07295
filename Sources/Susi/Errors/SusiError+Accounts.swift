import SusiOAuth
import SusiPolicies
import SusiStore

// Errors of accounts, their profiles, and of what is imported and exported.
extension SusiError {
    static let nothingToExport = SusiError(
        .unknownAccount, "nothing was exported", why: "no account is signed in",
        next: "\(SuggestedCommand("sign-in"))")

    static func severalImported(_ waiting: [ImportedToken], _ policy: Policy) -> SusiError {
        SusiError(
            .ambiguousAccount, "\(waiting.count) imported accounts under \(policy.name), none of them current",
            why: "none has been used yet",
            next: "name one: -p \(policy.name.spelling.shellWord) -a \(waiting[0].label.shellWord)",
            candidates: waiting.map { "\($0.label)  \($0.key.home)" })
    }

    static func importedTokenOfOther(_ token: ImportedToken, _ policy: Policy, subject: String) -> SusiError {
        SusiError(
            .differentPerson, "the imported token of \(token.label) belongs to another person",
            why:
                "the cache names \(token.subject ?? token.key.home.uid), the server names \(subject); nothing was stored",
            next: "\(SuggestedCommand("remove", token.label).option("-p", policy.name.spelling))")
    }

    static func profileOfOther(_ label: String, next: NextStep) -> SusiError {
        SusiError(
            .differentPerson, "the profile does not belong to \(label)",
            why: "its sub does not match (OpenID Connect Core 5.3.2)", next: next)
    }

    static func noUserInfo(_ policy: Policy, isB2C: Bool) -> SusiError {
        SusiError(
            .unknownName, "\(policy.name) has no userinfo endpoint",
            why: isB2C ? "in B2C, only custom policies can have one" : "the provider's metadata names none",
            next: isB2C
                ? "\(SuggestedCommand("status").flag("--claims").option("-p", policy.name.spelling))"
                : "add an API named “graph” with the scope User.Read to policies.json")
    }

    static func noProfile(at address: WebAddress, status: Int, _ policy: Policy) -> SusiError {
        SusiError(
            .refused, "no profile from \(address)", why: "it responded with status \(status)",
            next: "\(SuggestedCommand.signIn(policy.name))")
    }
}
