/// Everything that a page says to a developer. The texts stand in `DeveloperWord+Texts.swift`, in the same order.
enum DeveloperWord: String, CaseIterable, Sendable {
    // The page.
    case emulatorTitle, pageTitle, tenants, onThisPage, address, addresses, time, standsStill, tenantID, kindB2C
    case kindExternal, kindEntra, kindOpenID, nothing, more, copy, copyOf, copied, copyFailed, backToTenants

    // Policies.
    case policies, policy, kindSignUpOrSignIn, kindEditProfile, kindPasswordReset, kindResourceOwner, metadata, keys

    // Run now.
    case runNow, applicationAndRedirect, thisEmulator, tokenViewer, responseType, prompt, unsaid, loginHint
    case language, asBrowser, scopes, nothingToRun, noSuchPlace, notFromHere, notFromHereNote

    // Registrations.
    case applications, clientID, redirectAddresses, apis

    // Users.
    case users, searchUsers, search, noUser, moreUsers, passwordAtFirst, blocked, mustChoose

    // What happens.
    case outbox, outboxNote, forVerification, forReset, forSecondFactor, requests, noRequests, client, updates
    case paused, pause, resume, reload

    // Snippets.
    case useIt, registerFirst

    // The token viewer.
    case noTokens, tokenViewerTitle, viewerNote, notAskedHere, tokensOf, runAgain, idToken, accessToken, header
    case claims, name, value, meaning, tokenGood, unreadable

    // What claims mean.
    case claimAcr, claimAlg, claimAtHash, claimAud, claimAuthTime, claimAzp, claimEmails, claimExp, claimFamilyName
    case claimGivenName, claimIat, claimIdp, claimIss, claimKid, claimName, claimNbf, claimNewUser, claimNonce
    case claimOid, claimPreferredUsername, claimScp, claimSub, claimTfp, claimTid, claimTyp, claimVer

    // Not found.
    case served

    /// What a claim or a member of a token's header means; nil of one that is not known.
    init?(claim: String) {
        guard let word = Self.meanings[claim] else { return nil }
        self = word
    }

    private static let meanings: [String: DeveloperWord] = [
        "acr": .claimAcr, "alg": .claimAlg, "at_hash": .claimAtHash, "aud": .claimAud, "auth_time": .claimAuthTime,
        "azp": .claimAzp, "emails": .claimEmails, "exp": .claimExp, "family_name": .claimFamilyName,
        "given_name": .claimGivenName, "iat": .claimIat, "idp": .claimIdp, "iss": .claimIss, "kid": .claimKid,
        "name": .claimName, "nbf": .claimNbf, "newUser": .claimNewUser, "nonce": .claimNonce, "oid": .claimOid,
        "preferred_username": .claimPreferredUsername, "scp": .claimScp, "sub": .claimSub, "tfp": .claimTfp,
        "tid": .claimTid, "typ": .claimTyp, "ver": .claimVer,
    ]
}
