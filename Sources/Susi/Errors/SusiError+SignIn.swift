import SusiOAuth
import SusiPolicies

// Errors of a sign-in, and of the conditions that it has to meet.
extension SusiError {
    static let openedTwiceReason =
        "another user of this machine may have read it from the process list and opened it first"

    static func noSignInPage(_ policy: Policy) -> SusiError {
        SusiError(
            .unknownName, "\(policy.name) has no sign-in page", why: "its kind is “\(policy.kind.label)”",
            next: .run(policy))
    }

    static func noSignUpPrompt(_ policy: Policy) -> SusiError {
        SusiError(
            .invalidRequest, "\(policy.name) does not begin with the sign-up on request",
            why: "its metadata do not list “create” in prompt_values_supported", next: .run(policy))
    }

    static func noDeviceCode(_ why: String, _ policy: Policy) -> SusiError {
        SusiError(
            .unknownName, "no sign-in on another device under \(policy.name)", why: why,
            next: .run(PolicyRun(policy.kind, policy.name, means: .thisDevice)))
    }

    static func codeNotEntered(_ policy: Policy) -> SusiError {
        SusiError(
            .timeout, "timed out waiting for the sign-in on the other device", why: "the code was not used in time",
            next: .run(PolicyRun(policy.kind, policy.name, means: .otherDevice)))
    }

    static let declinedElsewhere = SusiError(
        .cancelled, "cancelled", why: "the sign-in was declined on the other device")

    static func noPasswordAccepted(_ policy: Policy, others: [String]) -> SusiError {
        SusiError(
            .unknownName, "\(policy.name) does not accept a password here",
            why: "its kind is “\(policy.kind.label)”, not “\(PolicyKind.resourceOwner.label)”",
            next: others.first.map { .name(.policy, [$0]) } ?? .run(policy),
            candidates: others)
    }

    static func passwordRefused(_ refusal: ServerRefusal, why: String, next: NextStep) -> SusiError {
        SusiError(
            refusal.isWrongPassword ? .wrongPassword : .signInNeeded, "the server refused the sign-in", why: why,
            next: next, refusal: refusal)
    }

    static func pagesNotFilled(_ why: String) -> SusiError {
        SusiError(.failed, "the pages could not be filled in", why: why)
    }

    /// `provider` is the identity provider of the person who came, where it would return the same person again.
    static func otherPerson(
        _ found: String, expected: String, next: NextStep, of provider: String?
    ) -> SusiError {
        let instead: NextStep? = provider.map {
            """
            sign out at \($0) in the browser, or use another profile of the browser, then \(next); for an account of another \
            provider, set \(.parameter("domain_hint"))
            """
        }
        return SusiError(
            .differentPerson, "signed in as \(found), not as \(expected)", why: "nothing was stored",
            next: instead ?? next)
    }

    /// A demanded name that the claims do not tell. The person who came can be demanded by subject.
    static func nameNotSent(
        _ text: String, by name: String?, _ subject: String, _ policy: Policy, of kind: AuthorityKind
    ) -> SusiError {
        let isAddress = text.contains("@")
        let advice =
            isAddress && kind.traits.hasPolicies
            ? "; in the portal, tick “Email Addresses” under “Application claims” of the user flow" : ""
        return SusiError(
            .invalidResponse,
            "cannot tell whether \(name.map { "\($0), \(subject)," } ?? subject) is \(text)",
            why: "\(policy.name) sends no \(isAddress ? "address" : "user name")\(advice); nothing was stored",
            next: .run(PolicyRun(.signUpOrSignIn, policy.name, account: subject)))
    }

    static func profileSavedOfOther(_ found: String, expected: String, _ person: PersonReference) -> SusiError {
        SusiError(
            .differentPerson, "the profile of \(found) was edited, not that of \(expected)",
            why: "the browser is signed in as another person; the tenant saved the change, nothing was stored here",
            next: NextStep("sign out in the browser, then \(.run(PolicyRun(.editProfile, nil)))").demanding(
                person))
    }

    /// An account that the browser did not sign in again after another policy has changed the profile or the password.
    static func notRenewed(_ policy: Policy, after changed: Policy, _ cause: SusiError) -> SusiError {
        SusiError(
            .signInNeeded,
            changed.kind == .passwordReset
                ? "\(policy.name) needs a new sign-in, because the reset has ended its refresh token"
                : "\(policy.name) still has the old claims, which a refresh repeats",
            why: cause.refusal == nil ? cause.what : cause.why, next: .run(policy), refusal: cause.refusal)
    }

    static let noWindow = SusiError(.signInNeeded, "no browser window is waiting", why: "the response was pasted")

    package static let severalPeople = SusiError(
        .differentPerson, "the file names several people, and this store is shared",
        why: "a shared store belongs to one person at a time; nothing was sent", next: .signIn())

    static let signOutOpenedTwice = SusiError(
        .differentPerson, "the sign-out address was opened twice; it is unknown whose session ended",
        why: openedTwiceReason, next: "sign out on the provider's page")

    static let savedAccountUnreadable = SusiError(
        .store, "the new account cannot be read from the store", next: .checkStore)

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
}

extension String {
    /// Where an account is that a policy does not have.
    static func thereIsOne(under policies: [PolicyName]) -> String {
        "there is one under \(policies.map(\.spelling).joined(separator: " and "))"
    }
}

// Errors of tokens without a page.
extension SusiError {
    static func signInNeeded(
        _ policy: Policy, _ reason: SilentPlan.Reason, place: String? = nil, elsewhere: [PolicyName] = []
    ) -> SusiError {
        let why =
            switch reason {
            case .noAccount:
                "no account is signed in under \(place ?? policy.name.spelling)"
                    + (elsewhere.isEmpty ? "" : "; \(String.thereIsOne(under: elsewhere))")
            case .noRefreshToken:
                "the sign-in has ended: its refresh token was revoked or refused, or the provider issued none"
            case .refreshTokenExpired: "the token and the refresh token have expired"
            }
        let signIn = NextStep.run(policy)
        return SusiError(
            .signInNeeded, "sign-in needed", why: why,
            next: elsewhere.first.map { "\(.underPolicy($0)), or \(signIn)" } ?? signIn)
    }

    /// `api` is the API for which the next sign-in has to be, if the refusal is about its scopes.
    static func refreshTokenRefused(
        _ policy: Policy, why: String, api: String? = nil, refusal: ServerRefusal?
    ) -> SusiError {
        SusiError(
            .signInNeeded, "sign-in needed", why: "the server refused the refresh token: \(why)",
            next: .run(PolicyRun(.signUpOrSignIn, policy.name, api: api)), refusal: refusal)
    }

    /// A refresh that brought no access token. A refresh token may be good for the API of its sign-in only, so that a sign-in
    /// for this API comes first, whose refresh token is kept beside the others; one that fails as well tells what to fix.
    static func noTokenOfAPI(_ wanted: ScopeSet, _ api: String?, _ policy: Policy) -> SusiError {
        let none = ScopeOutcome(asked: wanted, granted: ScopeSet([]))
        return SusiError(
            .scopesDeclined, "no scope of the API was granted", why: "the refresh brought no access token; \(none)",
            next: .run(PolicyRun(policy.kind, policy.name, api: api)), scopes: none)
    }

    /// A refresh that brought no ID token, which is optional there (OpenID Connect Core 12.2).
    static func noIDTokenOfRefresh(_ policy: Policy) -> SusiError {
        SusiError(
            .signInNeeded, "sign-in needed", why: "the provider issues ID tokens only at a sign-in",
            next: .signIn(policy.name)
        )
    }

    static func scopesDeclined(
        _ scopes: ScopeOutcome, _ policy: Policy, of kind: AuthorityKind, hasToken: Bool = true
    ) -> SusiError {
        let run = PolicyRun(policy.kind, policy.name)
        // A sign-in by password has no page, and B2C has no page for consent. B2C answers without a token, and without an error,
        // for each of three reasons.
        let next: NextStep =
            if kind.traits.hasPolicies {
                """
                in the portal, compare the scope with “Expose an API” of the API, add it under “API permissions” of the \
                application, and grant the administrator's consent; then \(.run(run))
                """
            } else if policy.kind == .resourceOwner {
                "give the application permission for the API in the tenant, then \(.run(run))"
            } else {
                NextStep.run(run.asking(.consent))
            }
        return SusiError(
            .scopesDeclined, "no scope of the API was granted",
            why: hasToken ? "\(scopes)" : "no access token was issued; \(scopes)",
            next: next, scopes: scopes)
    }

    static func refreshTokenOfOtherTenant(_ policy: Policy, _ application: Application) -> SusiError {
        SusiError(
            .unknownAuthority, "the refresh token was not sent to \(application.authority(for: policy).address)",
            why: "the account belongs to another tenant", next: .signIn(policy.name))
    }

    static func refreshedOtherPerson(_ policy: Policy) -> SusiError {
        SusiError(
            .differentPerson, "the refreshed tokens belong to another person", why: "nothing was stored",
            next: .signIn(policy.name))
    }

    static func lifetimeTooShort(_ seconds: Int64, minimum: Int64) -> SusiError {
        SusiError(
            .refused, "a new token is valid for \(seconds) s, not for \(minimum) s",
            why: "the tenant's token lifetime is shorter",
            next: "request less, or raise the token lifetime of the policy")
    }

    static func noAPI(under policy: Policy, of application: Application) -> SusiError {
        let apis = application.apis.filter { !$0.scopes.isEmpty }.map(\.name)
        return SusiError(
            apis.count > 1 ? .ambiguousName : .unknownName, "no API to request a token for under \(policy.name)",
            why: "an access token is issued for an API",
            next: apis.first.map { NextStep.name(.api, [$0]) } ?? "add an API to the application in policies.json",
            candidates: apis)
    }
}
