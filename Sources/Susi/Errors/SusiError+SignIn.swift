import SusiOAuth
import SusiPolicies

// Errors of a sign-in, and of what a sign-in has to bring.
extension SusiError {
    static let openedTwiceReason =
        "another user of this machine may have read it from the process list and opened it first"

    static func noSignInPage(_ policy: Policy) -> SusiError {
        SusiError(
            .unknownName, "\(policy.name) has no sign-in page", why: "its kind is “\(policy.kind.label)”",
            next: "\(policy.kind.command(for: policy.name))")
    }

    static func noDeviceCode(_ why: String, _ policy: Policy) -> SusiError {
        let command = policy.kind.command(for: policy.name).without("--device")
        return SusiError(
            .unknownName, "no sign-in on another device under \(policy.name)", why: why,
            next: "\(command)    (with --no-browser, open the page on any device)")
    }

    static let declinedElsewhere = SusiError(
        .cancelled, "cancelled", why: "the sign-in was declined on the other device")

    static func noPasswordAccepted(_ policy: Policy, others: [String]) -> SusiError {
        SusiError(
            .unknownName, "\(policy.name) does not accept a password here",
            why: "its kind is “\(policy.kind.label)”, not “\(PolicyKind.resourceOwner.label)”",
            next: others.first.map { "name a policy with -p, for example -p \($0.shellWord)" }
                ?? "\(policy.kind.command(for: policy.name).without("--username", "--password-stdin"))",
            candidates: others)
    }

    static func passwordRefused(_ refusal: ServerRefusal, why: String, next: NextStep) -> SusiError {
        SusiError(.signInNeeded, "the server refused the sign-in", why: why, next: next, refusal: refusal)
    }

    static func pagesNotFilled(_ failure: BrowserFailure) -> SusiError {
        SusiError(.failed, "the pages could not be filled in", why: failure.reason)
    }

    static func otherPerson(_ found: String, expected: String, next: NextStep) -> SusiError {
        SusiError(
            .differentPerson, "signed in as \(found), not as \(expected)", why: "nothing was stored", next: next)
    }

    static func profileSavedOfOther(_ found: String, expected: String, _ person: PersonReference) -> SusiError {
        SusiError(
            .differentPerson, "the profile of \(found) was edited, not that of \(expected)",
            why: "the browser is signed in as another person; the tenant saved the change, nothing was stored here",
            next: NextStep("sign out in the browser, then \(SuggestedCommand("edit-profile"))").demanding(person))
    }

    static func sharedDevice(_ holder: String, _ application: Application, wanted: String) -> SusiError {
        SusiError(
            .differentPerson, "\(holder) is signed in, and this device is shared",
            why: "“\(application.name)” allows one person at a time here; \(wanted) is another person",
            next: "\(SuggestedCommand("sign-out").without("-a", "-p"))")
    }

    static let signOutOpenedTwice = SusiError(
        .differentPerson, "the sign-out address was opened twice; it is unknown whose session ended",
        why: openedTwiceReason, next: "sign out on the provider's page")

    static let savedAccountUnreadable = SusiError(
        .store, "the new account cannot be read from the store", next: "\(SuggestedCommand("store check"))")

    static func moreClaimsNeeded(next: NextStep) -> SusiError {
        SusiError(.signInNeeded, "sign-in needed", why: "the token does not have all the required claims", next: next)
    }

    static func claimsRequired(_ challenge: ClaimsChallenge, by api: String, next: NextStep) -> SusiError {
        SusiError(
            .signInNeeded, "the API “\(api)” requires another sign-in",
            why: "it requires the claims \(challenge.json.prefix(300))", next: next)
    }

    /// `wishes` are the API's conditions: “at most 5 min old”.
    static func stepUpNeeded(_ wishes: [String], by api: String, next: NextStep) -> SusiError {
        SusiError(
            .signInNeeded, "the API “\(api)” requires another sign-in",
            why: wishes.isEmpty
                ? "the current sign-in is not sufficient"
                : "it requires a sign-in \(wishes.joined(separator: " and "))",
            next: next)
    }

    static func otherListener(status: Int) -> SusiError {
        SusiError(
            .failed, "another program responds on the loopback interface", why: "it responded with status \(status)")
    }
}
