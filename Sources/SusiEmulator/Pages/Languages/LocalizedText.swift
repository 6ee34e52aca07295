/// A text of the pages. Each language has a file with its texts, in the same order.
enum LocalizedText: CaseIterable, Sendable {
    // Every page.
    case emulator, emulatorNote, openIDProvider, openIDProviderTitle, errorTitle, `continue`, cancel, aboutTenant,
        neededFields

    // Signing in.
    case signIn, toContinueWith, toChangeProfileIn, emailAddress, password, forgotPassword, noAccount, signUpNow
    case wrongPassword, accountLocked, accountBlocked, chooseAccount, anotherAccount, testUsers, passwordChanged

    // Signing up, the profile.
    case signUp, createYourAccount, create, inTenant, displayName, givenName, surname
    case editProfile, editYourProfile, save
    case required, tooLong, invalidEmail, addressTaken

    // Passwords.
    case resetPassword, resetYourPassword, mailSkipped, unknownAddress
    case newPassword, confirmPassword, chooseNewPassword, forPerson
    case passwordRule, passwordLength, passwordClasses, passwordsDiffer, passwordAgain
    case show, hide, showPassword, hidePassword

    // Accounts.
    case userName, emailOrUserName, wrongUserName, userNameTaken, invalidUserName
    case optional, pleaseChoose, notAChoice, invalidNumber, listHint, city, state, country, postalCode, streetAddress,
        jobTitle
    case keepMeSignedIn

    // Another identity provider.
    case signInWith, pretence, knownAccounts, socialUnknown, noPasswordHere
    case furtherClaims, furtherClaimsHint, furtherClaimsWrong

    // Codes.
    case sendCode, sendNewCode, verifyCode, verificationCode, changeEmail, changeNumber, verifyAddress
    case verifyAddressNote, addressVerified, codeSent, codeInOutbox, appCodeInOutbox, openOutbox, codeWrong,
        codeExpired, codeTries
    case codesTooMany, secondFactor, secondFactorNote, phoneNeeded, phoneNumber, phoneHint, invalidPhone
    case noRecipient, passwordExpired, passwordSame
    case addToApp, enterAppCode, accountName, appSecret, openApp, wrongAppCode

    // Agreement and devices.
    case permissionsRequested, asksIdentity, asksScopes, untickScopes, application, accept
    case deviceQuestion, deviceWarning, enterCode, enterTheCode, toSignInOnDevice, code, codeHint, unknownCode, next
    case deviceSignedIn, deviceGoOn, deviceDeclined, deviceNothing

    // Ends and errors.
    case backToApplication, almostDone, goBack, signedOut, signedOutNote
    case requestRefused, requestRefusedNote, pageEnded, pageEndedNote, beginAgain, formRefused, formRefusedNote
    case templateUnusable, notFound, nothingServed, unknownPolicy, served, run, tenantAndPolicies

    /// The text in English, for logs.
    var english: String { Language.english[self] }
}
