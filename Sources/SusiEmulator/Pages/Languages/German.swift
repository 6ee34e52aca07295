func germanText(_ text: LocalizedText) -> String {
    switch text {
    // MARK: Every page
    case .emulator: "Lokaler Emulator"
    case .emulatorNote: "Keine echte Anmeldung. Nur für Entwicklung und Tests."
    case .openIDProvider: "dem OpenID-Anbieter"
    case .openIDProviderTitle: "OpenID-Anbieter"
    case .errorTitle: "Fehler: {0}"
    case .continue: "Weiter"
    case .cancel: "Abbrechen"
    case .aboutTenant: "Über diesen Mandanten"
    case .neededFields: "Mit * gekennzeichnete Felder sind Pflichtfelder."

    // MARK: Signing in
    case .signIn: "Anmelden"
    case .toContinueWith: "Weiter mit {0}"
    case .toChangeProfileIn: "Zum Bearbeiten Ihres Profils bei {0}"
    case .emailAddress: "E-Mail-Adresse"
    case .password: "Kennwort"
    case .forgotPassword: "Kennwort vergessen?"
    case .noAccount: "Sie haben noch kein Konto?"
    case .signUpNow: "Jetzt registrieren"
    case .wrongPassword: "Ihre E-Mail-Adresse oder Ihr Kennwort ist falsch."
    case .accountLocked:
        "Ihr Konto ist vorübergehend gesperrt, um unbefugte Nutzung zu verhindern. Versuchen Sie es in {0} Min. erneut."
    case .accountBlocked:
        "Ihr Konto wurde gesperrt. Lassen Sie es vom Support entsperren, und versuchen Sie es dann erneut."
    case .chooseAccount: "Konto auswählen"
    case .anotherAccount: "Ein anderes Konto verwenden"
    case .testUsers: "Als Testbenutzer anmelden"
    case .passwordChanged: "Das Kennwort dieses Benutzers wurde geändert. Geben Sie das neue Kennwort ein."

    // MARK: Signing up, the profile
    case .signUp: "Registrieren"
    case .createYourAccount: "Konto erstellen"
    case .create: "Erstellen"
    case .inTenant: "bei {0}"
    case .displayName: "Anzeigename"
    case .givenName: "Vorname"
    case .surname: "Nachname"
    case .editProfile: "Profil bearbeiten"
    case .editYourProfile: "Profil bearbeiten"
    case .save: "Speichern"
    case .required: "Diese Angabe ist erforderlich."
    case .tooLong: "Höchstens 128 Zeichen."
    case .invalidEmail: "Bitte geben Sie eine gültige E-Mail-Adresse ein."
    case .addressTaken:
        "Ein Benutzer mit dieser Adresse ist bereits vorhanden. Bitte geben Sie eine andere Adresse ein."

    // MARK: Passwords
    case .resetPassword: "Kennwort zurücksetzen"
    case .resetYourPassword: "Kennwort zurücksetzen"
    case .mailSkipped: "Der Dienst würde einen Code an diese Adresse senden. Der Emulator überspringt diesen Schritt."
    case .unknownAddress: "Für die angegebene Adresse wurde kein Konto gefunden."
    case .newPassword: "Neues Kennwort"
    case .confirmPassword: "Neues Kennwort bestätigen"
    case .chooseNewPassword: "Neues Kennwort festlegen"
    case .forPerson: "für {0}"
    case .passwordRule: "8 bis 64 Zeichen aus mindestens drei Arten: Kleinbuchstaben, Großbuchstaben, Ziffern, Symbole"
    case .passwordLength: "Das Kennwort muss 8 bis 64 Zeichen lang sein."
    case .passwordClasses:
        "Das Kennwort muss mindestens drei dieser Zeichenarten enthalten: Kleinbuchstaben, Großbuchstaben, Ziffern, Symbole."
    case .passwordsDiffer: "Die Kennwörter stimmen nicht überein."
    case .passwordAgain:
        "Bitte geben Sie das Kennwort erneut ein. Aus Sicherheitsgründen wird es nie an die Seite zurückgesendet."
    case .show: "Anzeigen"
    case .hide: "Ausblenden"
    case .showPassword: "Kennwort anzeigen"
    case .hidePassword: "Kennwort ausblenden"

    // MARK: Accounts
    case .userName: "Benutzername"
    case .emailOrUserName: "E-Mail-Adresse oder Benutzername"
    case .wrongUserName: "Ihr Benutzername oder Ihr Kennwort ist falsch."
    case .userNameTaken: "Dieser Benutzername ist vergeben. Bitte wählen Sie einen anderen."
    case .invalidUserName: "Nur Buchstaben, Ziffern, Punkte, Bindestriche und Unterstriche; höchstens 64 Zeichen."
    case .optional: "{0} (optional)"
    case .pleaseChoose: "Bitte auswählen"
    case .notAChoice: "Bitte wählen Sie einen der Werte aus."
    case .invalidNumber: "Bitte geben Sie eine ganze Zahl ein."
    case .listHint: "Trennen Sie mehrere Werte durch Kommas."
    case .city: "Ort"
    case .state: "Bundesland oder Kanton"
    case .country: "Land oder Region"
    case .postalCode: "Postleitzahl"
    case .streetAddress: "Straße und Hausnummer"
    case .jobTitle: "Position"
    case .keepMeSignedIn: "Angemeldet bleiben"

    // MARK: Another identity provider
    case .signInWith: "Mit {0} anmelden"
    case .pretence:
        "Dieser Anbieter gehört zum Emulator. Geben Sie eine beliebige Adresse ein; ein Kennwort ist nicht nötig."
    case .knownAccounts: "Vorhandene Konten"
    case .socialUnknown: "Zu dieser Adresse gibt es noch kein Konto. Registrieren Sie sich zuerst."
    case .noPasswordHere:
        "Die Anmeldung mit diesem Konto erfolgt über einen anderen Anbieter. Hier hat es kein Kennwort."

    // MARK: Codes
    case .sendCode: "Prüfcode senden"
    case .sendNewCode: "Neuen Code senden"
    case .verifyCode: "Code überprüfen"
    case .verificationCode: "Prüfcode"
    case .changeEmail: "E-Mail-Adresse ändern"
    case .changeNumber: "Nummer ändern"
    case .verifyAddress: "E-Mail-Adresse bestätigen"
    case .verifyAddressNote: "An diese Adresse wird ein Code gesendet."
    case .addressVerified: "Diese Adresse ist bestätigt."
    case .codeSent: "Ein Code wurde an {0} gesendet."
    case .codeInOutbox: "Der Emulator versendet keine Nachrichten. Sie finden den Code in seinem Postausgang."
    case .appCodeInOutbox: "Den nächsten Code der App finden Sie im Postausgang des Emulators."
    case .openOutbox: "Postausgang in einem neuen Tab öffnen"
    case .codeWrong: "Dieser Code ist falsch. Bitte versuchen Sie es erneut."
    case .codeExpired: "Dieser Code ist abgelaufen. Bitte fordern Sie einen neuen Code an."
    case .codeTries: "Sie haben zu viele falsche Codes eingegeben. Bitte fordern Sie einen neuen Code an."
    case .codesTooMany: "Es wurden zu viele Codes angefordert. Beginnen Sie in Ihrer Anwendung von vorn."
    case .secondFactor: "Bestätigen Sie Ihre Identität"
    case .secondFactorNote: "Ein Code wird an {0} gesendet."
    case .phoneNeeded: "Für diese Anmeldung ist ein zweiter Faktor erforderlich. Codes werden an diese Nummer gesendet."
    case .phoneNumber: "Telefonnummer"
    case .phoneHint: "Mit Landesvorwahl, zum Beispiel +81 90 1234 5678"
    case .invalidPhone: "Bitte geben Sie eine Telefonnummer mit Landesvorwahl ein."
    case .noRecipient: "Für dieses Konto ist keine Adresse hinterlegt, an die ein Code gesendet werden kann."
    case .passwordExpired: "Ihr Kennwort ist abgelaufen. Legen Sie ein neues fest, um fortzufahren."
    case .passwordSame: "Das neue Kennwort muss sich vom alten unterscheiden."
    case .addToApp:
        "Fügen Sie dieses Konto einer Authentifizierungs-App Ihrer Wahl hinzu, und geben Sie dann den angezeigten Code ein."
    case .enterAppCode: "Geben Sie den Prüfcode aus Ihrer Authentifizierungs-App ein."
    case .accountName: "Kontoname"
    case .appSecret: "Geheimnis"
    case .openApp: "In einer Authentifizierungs-App öffnen"
    case .wrongAppCode: "Der eingegebene Code ist falsch. Bitte versuchen Sie es erneut."

    // MARK: Agreement and devices
    case .permissionsRequested: "Angeforderte Berechtigungen"
    case .asksIdentity: "Ihre Anwendung möchte wissen, wer Sie sind."
    case .asksScopes: "Ihre Anwendung fordert in Ihrem Namen folgenden Zugriff an:"
    case .untickScopes:
        "Deaktivieren Sie, was Sie nicht zulassen möchten. Wenn die Anwendung es erneut anfordert, werden Sie wieder gefragt."
    case .application: "Anwendung"
    case .accept: "Akzeptieren"
    case .deviceQuestion: "Auf einem Gerät anmelden?"
    case .deviceWarning:
        "Fahren Sie nur fort, wenn Sie den Vorgang selbst gestartet haben und Ihr Gerät diesen Code anzeigt:"
    case .enterCode: "Code eingeben"
    case .enterTheCode: "Geben Sie den Code ein"
    case .toSignInOnDevice: "Zur Anmeldung mit {0} auf einem Gerät"
    case .code: "Code"
    case .codeHint: "Die acht Buchstaben, die Ihr Gerät anzeigt"
    case .unknownCode:
        "Es wartet kein Gerät mit diesem Code. Prüfen Sie den Code, oder beginnen Sie auf dem Gerät von vorn."
    case .next: "Weiter"
    case .deviceSignedIn: "Sie sind auf Ihrem Gerät angemeldet"
    case .deviceGoOn: "Sie können dieses Fenster schließen und auf dem Gerät fortfahren."
    case .deviceDeclined: "Ihr Gerät wurde nicht angemeldet"
    case .deviceNothing: "Das Gerät hat keinen Zugriff erhalten."

    // MARK: Ends and errors
    case .backToApplication: "Zurück zu Ihrer Anwendung"
    case .almostDone: "Fast fertig"
    case .goBack: "Wählen Sie „Weiter“, um zu Ihrer Anwendung zurückzukehren."
    case .signedOut: "Sie sind abgemeldet"
    case .signedOutNote:
        "Dieser Browser ist nicht mehr angemeldet. Token, die Anwendungen bereits haben, bleiben bis zu ihrem Ablauf gültig."
    case .requestRefused: "Ungültige Anfrage"
    case .requestRefusedNote:
        "Ihre Anwendung hat eine Anfrage gesendet, die dieser Mandant nicht akzeptiert. Die Anwendung hat keine Antwort erhalten."
    case .pageEnded: "Diese Seite ist abgelaufen"
    case .pageEndedNote:
        "Sie wurde bereits verwendet oder war zu lange geöffnet. Beginnen Sie in Ihrer Anwendung von vorn."
    case .beginAgain: "Hier neu beginnen und die Token ansehen"
    case .formRefused: "Dieses Formular wurde nicht akzeptiert"
    case .formRefusedNote:
        "Es stammt nicht von einer Seite dieses Browsers, oder Cookies sind deaktiviert. Beginnen Sie in Ihrer Anwendung von vorn."
    case .templateUnusable: "Diese Seite kann nicht angezeigt werden"
    case .notFound: "Nicht gefunden"
    case .nothingServed: "Unter dieser Adresse gibt es nichts."
    case .unknownPolicy: "{0} hat keine Richtlinie {1}."
    case .served: "Dieser Emulator bietet:"
    case .run: "Ausführen"
    case .tenantAndPolicies: "Der Mandant ist {0}; seine Richtlinien sind {1}."
    }
}
