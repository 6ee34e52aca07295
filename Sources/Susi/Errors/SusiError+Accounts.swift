import SusiOAuth
import SusiPolicies
import SusiStore

// Errors of accounts and profiles.
extension SusiError {
    /// Nothing to sign out. Who wants out is not asked to sign in.
    static func noneSignedIn(place: String, under policies: [String], of applications: [String]) -> SusiError {
        let applications = applications.map { "of “\($0)”" }
        let places = policies.map { "under \($0)" } + applications
        return SusiError(
            .unknownAccount, "no account is signed in under \(place)",
            why: places.isEmpty ? "" : "stored: accounts \(places.joined(separator: ", "))",
            next: places.isEmpty ? "" : .listEverything)
    }

    static func noPrevious(under policy: Policy) -> SusiError {
        SusiError(
            .unknownAccount, "no previous account under \(policy.name)",
            next: .listAccounts(policy.name))
    }

    static func noCurrent(under policy: Policy, why: String, suggested: String, candidates: [String]) -> SusiError {
        SusiError(
            .noCurrentAccount, "no current account under \(policy.name)", why: why,
            next: .switchAccount(to: suggested, policy: policy.name),
            candidates: candidates)
    }

    /// A name that is not complete, where no person saw what it would choose; `nil` if it would choose nothing.
    static func shortened(
        _ text: String, _ meanings: [StoredAccount], place: String, reference: PersonReference?
    ) -> SusiError? {
        let names = meanings.names(inPlaceOf: text)
        guard let first = names.first else { return nil }
        let meant = names.count == 1 ? "is short for \(first)" : "may be short for \(names.count) accounts"
        let next = reference.map { NextStep.correctAccount($0.text) }
        return SusiError(
            names.count == 1 ? .unknownAccount : .ambiguousAccount, "no account “\(text)”\(place)",
            why: "“\(text)” \(meant); \(Self.whereShort)",
            next: next ?? .listAccounts(nil), candidates: names.count == 1 ? [] : names)
    }

    static func displayName(_ text: String, _ policy: Policy) -> SusiError {
        SusiError(
            .unknownAccount, "“\(text)” does not identify a person",
            why: "people choose their display names themselves",
            next: "name an email address, a user name or an identifier, or \(.run(policy))")
    }

    /// Where names may be shortened.
    static let whereShort = "a shortened name is accepted only where a person sees what it means"

    static func ambiguous(_ found: [StoredAccount], _ text: String, place: String = "") -> SusiError {
        let candidates = found.prefix(100).map { account in
            let name = "\(account.title)  \(account.account.policy)"
            let isShared = found.contains {
                $0.label.lowercased() == account.label.lowercased() && $0.account.person != account.account.person
            }
            return isShared ? "\(name)  \(account.distinction)" : name
        }
        return SusiError(
            .ambiguousAccount, "“\(text)” matches \(found.count) accounts\(place)",
            next: text.isCompleteName ? "name the account by its object ID" : .narrowAccount, candidates: candidates)
    }

    /// The same error, which says that a refresh token was sent, if it refuses the person whom the response names.
    package var tellingOfSentToken: SusiError {
        guard code == .differentPerson else { return self }
        return SusiError(
            code, what,
            why: "\(why); only the response shows whose the token is, so it was sent; where it can be used only once, "
                + "its program has to sign in again", next: nextStep, candidates: candidates)
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
                ? NextStep.readClaims(policy.name)
                : "add an API named “graph” with the scope User.Read to policies.json")
    }

    static func noProfile(at address: WebAddress, status: Int, _ policy: Policy) -> SusiError {
        SusiError(
            .refused, "no profile from \(address)", why: "it responded with status \(status)",
            next: .signIn(policy.name))
    }
}

extension [StoredAccount] {
    /// Returns complete names in place of a shortened one, each once: labels, or identifiers where the label is that name.
    fileprivate func names(inPlaceOf text: String) -> [String] {
        reduce(into: []) { names, account in
            let isSame = account.label.lowercased() == text.lowercased()
            let name = isSame ? account.account.person.subject : account.label
            if !names.contains(name) { names.append(name) }
        }
    }
}
