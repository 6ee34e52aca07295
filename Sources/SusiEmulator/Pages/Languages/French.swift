extension Language {
    static let french = Language(rawValue: "fr", frenchText)
}

private func frenchText(_ text: LocalizedText) -> String {
    switch text {
    // MARK: Every page
    case .emulator: "Émulateur local"
    case .emulatorNote: "Ceci n’est pas une vraie connexion. Pour le développement et les tests uniquement."
    case .openIDProvider: "le fournisseur OpenID"
    case .openIDProviderTitle: "Fournisseur OpenID"
    case .errorTitle: "Erreur\u{a0}: {0}"
    case .continue: "Continuer"
    case .cancel: "Annuler"
    case .aboutTenant: "À propos de ce locataire"
    case .neededFields: "Les champs marqués d’un * sont obligatoires."

    // MARK: Signing in
    case .signIn: "Se connecter"
    case .toContinueWith: "pour continuer avec {0}"
    case .toChangeProfileIn: "pour modifier votre profil sur {0}"
    case .emailAddress: "Adresse e-mail"
    case .password: "Mot de passe"
    case .forgotPassword: "Mot de passe oublié\u{202f}?"
    case .noAccount: "Vous n’avez pas de compte\u{202f}?"
    case .signUpNow: "Inscrivez-vous maintenant"
    case .wrongPassword: "Votre adresse e-mail ou votre mot de passe est incorrect."
    case .accountLocked:
        "Votre compte est temporairement verrouillé pour empêcher toute utilisation non autorisée. Réessayez dans {0} min."
    case .accountBlocked:
        "Votre compte a été verrouillé. Contactez votre support technique pour le déverrouiller, puis réessayez."
    case .chooseAccount: "Choisir un compte"
    case .anotherAccount: "Utiliser un autre compte"
    case .testUsers: "Se connecter en tant qu’utilisateur de test"
    case .passwordChanged: "Le mot de passe de cet utilisateur a été modifié. Saisissez le nouveau mot de passe."

    // MARK: Signing up, the profile
    case .signUp: "S’inscrire"
    case .createYourAccount: "Créez votre compte"
    case .create: "Créer"
    case .inTenant: "sur {0}"
    case .displayName: "Nom d’affichage"
    case .givenName: "Prénom"
    case .surname: "Nom de famille"
    case .editProfile: "Modifier le profil"
    case .editYourProfile: "Modifiez votre profil"
    case .save: "Enregistrer"
    case .required: "Cette information est obligatoire."
    case .tooLong: "128 caractères au maximum."
    case .invalidEmail: "Saisissez une adresse e-mail valide."
    case .addressTaken: "Un utilisateur avec cette adresse existe déjà. Choisissez-en une autre."

    // MARK: Passwords
    case .resetPassword: "Réinitialiser le mot de passe"
    case .resetYourPassword: "Réinitialisez votre mot de passe"
    case .mailSkipped: "Le service enverrait un code à cette adresse. L’émulateur ignore cette étape."
    case .unknownAddress: "Aucun compte ne correspond à l’adresse indiquée."
    case .newPassword: "Nouveau mot de passe"
    case .confirmPassword: "Confirmer le nouveau mot de passe"
    case .chooseNewPassword: "Choisissez un nouveau mot de passe"
    case .forPerson: "pour {0}"
    case .passwordRule:
        "De 8 à 64 caractères, d’au moins trois types parmi\u{a0}: minuscules, majuscules, chiffres et symboles"
    case .passwordLength: "Le mot de passe doit comporter de 8 à 64 caractères."
    case .passwordClasses:
        "Le mot de passe doit contenir au moins trois de ces types de caractères\u{a0}: minuscules, majuscules, chiffres et symboles."
    case .passwordsDiffer: "Les mots de passe ne correspondent pas."
    case .passwordAgain: "Saisissez à nouveau le mot de passe. Par sécurité, il n’est jamais renvoyé à la page."
    case .show: "Afficher"
    case .hide: "Masquer"
    case .showPassword: "Afficher le mot de passe"
    case .hidePassword: "Masquer le mot de passe"

    // MARK: Accounts
    case .userName: "Nom d’utilisateur"
    case .emailOrUserName: "Adresse e-mail ou nom d’utilisateur"
    case .wrongUserName: "Votre nom d’utilisateur ou votre mot de passe est incorrect."
    case .userNameTaken: "Ce nom d’utilisateur est déjà pris. Choisissez-en un autre."
    case .invalidUserName:
        "Uniquement des lettres, chiffres, points, tirets et traits de soulignement\u{202f}; 64 caractères au maximum."
    case .optional: "{0} (facultatif)"
    case .pleaseChoose: "Choisissez une option"
    case .notAChoice: "Choisissez l’une des valeurs."
    case .invalidNumber: "Saisissez un nombre entier."
    case .listHint: "Séparez les valeurs par des virgules."
    case .city: "Ville"
    case .state: "État ou région"
    case .country: "Pays ou région"
    case .postalCode: "Code postal"
    case .streetAddress: "Numéro et rue"
    case .jobTitle: "Fonction"
    case .keepMeSignedIn: "Maintenir la connexion"

    // MARK: Another identity provider
    case .signInWith: "Se connecter avec {0}"
    case .pretence:
        "Ce fournisseur fait partie de l’émulateur. Saisissez une adresse quelconque\u{202f}; aucun mot de passe n’est nécessaire."
    case .knownAccounts: "Comptes existants"
    case .socialUnknown: "Il n’existe pas encore de compte pour cette adresse. Inscrivez-vous d’abord."
    case .noPasswordHere: "La connexion à ce compte se fait avec un autre fournisseur. Il n’a pas de mot de passe ici."

    // MARK: Codes
    case .sendCode: "Envoyer le code de vérification"
    case .sendNewCode: "Envoyer un nouveau code"
    case .verifyCode: "Vérifier le code"
    case .verificationCode: "Code de vérification"
    case .changeEmail: "Modifier l’adresse e-mail"
    case .changeNumber: "Modifier le numéro"
    case .verifyAddress: "Vérifiez votre adresse e-mail"
    case .verifyAddressNote: "Un code sera envoyé à cette adresse."
    case .addressVerified: "Cette adresse est vérifiée."
    case .codeSent: "Un code a été envoyé à {0}."
    case .codeInOutbox: "L’émulateur n’envoie aucun message. Le code se trouve dans sa boîte d’envoi."
    case .appCodeInOutbox: "Le prochain code de l’application se trouve dans la boîte d’envoi de l’émulateur."
    case .openOutbox: "Ouvrir la boîte d’envoi dans un nouvel onglet"
    case .codeWrong: "Ce code est incorrect. Réessayez."
    case .codeExpired: "Ce code a expiré. Demandez un nouveau code."
    case .codeTries: "Vous avez effectué trop de tentatives incorrectes. Demandez un nouveau code."
    case .codesTooMany: "Trop de codes ont été demandés. Recommencez dans votre application."
    case .secondFactor: "Confirmez votre identité"
    case .secondFactorNote: "Un code sera envoyé à {0}."
    case .phoneNeeded: "Cette connexion nécessite un second facteur. Les codes seront envoyés à ce numéro."
    case .phoneNumber: "Numéro de téléphone"
    case .phoneHint: "Avec l’indicatif du pays, par exemple +81 90 1234 5678"
    case .invalidPhone: "Saisissez un numéro de téléphone avec l’indicatif du pays."
    case .noRecipient: "Ce compte n’a aucune adresse à laquelle envoyer un code."
    case .passwordExpired: "Votre mot de passe a expiré. Choisissez-en un nouveau pour continuer."
    case .passwordSame: "Le nouveau mot de passe doit être différent de l’ancien."
    case .addToApp: "Ajoutez ce compte à l’application d’authentification de votre choix, puis entrez le code affiché."
    case .enterAppCode: "Entrez le code de vérification de votre application d’authentification."
    case .accountName: "Nom du compte"
    case .appSecret: "Clé secrète"
    case .openApp: "Ouvrir dans une application d’authentification"
    case .wrongAppCode: "Le code entré est incorrect. Réessayez."

    // MARK: Agreement and devices
    case .permissionsRequested: "Autorisations demandées"
    case .asksIdentity: "Votre application souhaite savoir qui vous êtes."
    case .asksScopes: "Votre application demande les accès suivants en votre nom\u{a0}:"
    case .untickScopes:
        "Décochez ce que vous ne souhaitez pas autoriser. Si l’application le demande à nouveau, la question vous sera reposée."
    case .application: "Application"
    case .accept: "Accepter"
    case .deviceQuestion: "Se connecter sur un appareil\u{202f}?"
    case .deviceWarning:
        "Continuez uniquement si vous êtes à l’origine de cette demande et que votre appareil affiche ce code\u{a0}:"
    case .enterCode: "Saisir le code"
    case .enterTheCode: "Saisissez le code"
    case .toSignInOnDevice: "pour vous connecter sur un appareil avec {0}"
    case .code: "Code"
    case .codeHint: "Les huit lettres affichées sur votre appareil"
    case .unknownCode: "Aucun appareil n’attend avec ce code. Vérifiez le code ou recommencez sur l’appareil."
    case .next: "Suivant"
    case .deviceSignedIn: "Connexion réussie sur votre appareil"
    case .deviceGoOn: "Vous pouvez fermer cette fenêtre et continuer sur l’appareil."
    case .deviceDeclined: "Votre appareil n’a pas été connecté"
    case .deviceNothing: "Aucun accès n’a été accordé à l’appareil."

    // MARK: Ends and errors
    case .backToApplication: "Retour à votre application"
    case .almostDone: "Presque terminé"
    case .goBack: "Sélectionnez Continuer pour revenir à votre application."
    case .signedOut: "Déconnexion effectuée"
    case .signedOutNote:
        "Ce navigateur n’est plus connecté. Les jetons que les applications possèdent déjà restent valides jusqu’à leur expiration."
    case .requestRefused: "Demande non valide"
    case .requestRefusedNote:
        "Votre application a envoyé une demande que ce locataire n’accepte pas. L’application n’a reçu aucune réponse."
    case .pageEnded: "Cette page a expiré"
    case .pageEndedNote:
        "Elle a déjà été utilisée ou est restée ouverte trop longtemps. Recommencez dans votre application."
    case .beginAgain: "Recommencer ici et voir les jetons"
    case .formRefused: "Ce formulaire n’a pas été accepté"
    case .formRefusedNote:
        "Il ne provient pas d’une page de ce navigateur, ou les cookies sont désactivés. Recommencez dans votre application."
    case .templateUnusable: "Impossible d’afficher cette page"
    case .notFound: "Introuvable"
    case .nothingServed: "Il n’y a rien à cette adresse."
    case .unknownPolicy: "{0} n’a pas de stratégie {1}."
    case .served: "Cet émulateur propose\u{a0}:"
    case .run: "Exécuter"
    case .tenantAndPolicies: "Le locataire est {0}\u{202f}; ses stratégies sont {1}."
    }
}
