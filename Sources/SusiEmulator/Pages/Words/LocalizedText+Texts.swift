extension LocalizedText {
    /// The text in every language. This is a table: it is as long as there are words.
    var texts: Texts {
        switch self {
        // MARK: Every page
        case .emulator:
            Texts(
                "Local emulator", ja: "ローカル エミュレーター", de: "Lokaler Emulator", es: "Emulador local",
                fr: "Émulateur local")
        case .emulatorNote:
            Texts(
                "Not a real sign-in. For development and tests only.", ja: "実際のサインインではありません。開発とテスト専用です。",
                de: "Keine echte Anmeldung. Nur für Entwicklung und Tests.",
                es: "No es un inicio de sesión real. Solo para desarrollo y pruebas.",
                fr: "Ceci n’est pas une vraie connexion. Pour le développement et les tests uniquement.")
        case .openIDProvider:
            Texts(
                "the OpenID provider", ja: "OpenID プロバイダー", de: "dem OpenID-Anbieter", es: "el proveedor de OpenID",
                fr: "le fournisseur OpenID")
        case .openIDProviderTitle:
            Texts(
                "OpenID provider", ja: "OpenID プロバイダー", de: "OpenID-Anbieter", es: "Proveedor de OpenID",
                fr: "Fournisseur OpenID")
        case .errorTitle:
            Texts("Error: {0}", ja: "エラー: {0}", de: "Fehler: {0}", es: "Error: {0}", fr: "Erreur\u{a0}: {0}")
        case .continue:
            Texts("Continue", ja: "続行", de: "Weiter", es: "Continuar", fr: "Continuer")
        case .cancel:
            Texts("Cancel", ja: "キャンセル", de: "Abbrechen", es: "Cancelar", fr: "Annuler")
        case .aboutTenant:
            Texts(
                "About this tenant", ja: "このテナントについて", de: "Über diesen Mandanten", es: "Acerca de este inquilino",
                fr: "À propos de ce locataire")
        case .neededFields:
            Texts(
                "Fields marked * are required.", ja: "* の付いた項目は必須です。",
                de: "Mit * gekennzeichnete Felder sind Pflichtfelder.",
                es: "Los campos marcados con * son obligatorios.",
                fr: "Les champs marqués d’un * sont obligatoires.")

        // MARK: Signing in
        case .signIn:
            Texts("Sign in", ja: "サインイン", de: "Anmelden", es: "Iniciar sesión", fr: "Se connecter")
        case .toContinueWith:
            Texts(
                "to continue with {0}", ja: "{0} に進むにはサインインしてください", de: "Weiter mit {0}",
                es: "para continuar con {0}", fr: "pour continuer avec {0}")
        case .toChangeProfileIn:
            Texts(
                "to change your profile in {0}", ja: "{0} のプロフィールを変更するにはサインインしてください",
                de: "Zum Bearbeiten Ihres Profils bei {0}", es: "para editar su perfil en {0}",
                fr: "pour modifier votre profil sur {0}")
        case .emailAddress:
            Texts(
                "Email address", ja: "メール アドレス", de: "E-Mail-Adresse", es: "Dirección de correo electrónico",
                fr: "Adresse e-mail")
        case .password:
            Texts("Password", ja: "パスワード", de: "Kennwort", es: "Contraseña", fr: "Mot de passe")
        case .forgotPassword:
            Texts(
                "Forgot your password?", ja: "パスワードを忘れた場合", de: "Kennwort vergessen?",
                es: "¿Ha olvidado la contraseña?", fr: "Mot de passe oublié\u{202f}?")
        case .noAccount:
            Texts(
                "Don’t have an account?", ja: "アカウントをお持ちでない場合", de: "Sie haben noch kein Konto?",
                es: "¿No tiene una cuenta?", fr: "Vous n’avez pas de compte\u{202f}?")
        case .signUpNow:
            Texts(
                "Sign up now", ja: "今すぐサインアップ", de: "Jetzt registrieren", es: "Regístrese ahora",
                fr: "Inscrivez-vous maintenant")
        case .wrongPassword:
            Texts(
                "Your email address or your password is incorrect.", ja: "メール アドレスまたはパスワードが正しくありません。",
                de: "Ihre E-Mail-Adresse oder Ihr Kennwort ist falsch.",
                es: "La dirección de correo electrónico o la contraseña son incorrectas.",
                fr: "Votre adresse e-mail ou votre mot de passe est incorrect.")
        case .accountLocked:
            Texts(
                "Your account is temporarily locked to prevent unauthorized use. Try again later.",
                ja: "不正な使用を防ぐため、アカウントは一時的にロックされています。しばらくしてからもう一度お試しください。",
                de:
                    "Ihr Konto ist vorübergehend gesperrt, um unbefugte Nutzung zu verhindern. Versuchen Sie es später erneut.",
                es:
                    "Su cuenta está bloqueada temporalmente para evitar un uso no autorizado. Vuelva a intentarlo más tarde.",
                fr:
                    "Votre compte est temporairement verrouillé pour empêcher toute utilisation non autorisée. Réessayez plus tard."
            )
        case .accountBlocked:
            Texts(
                "Your account has been locked. Contact your support person to unlock it, then try again.",
                ja: "アカウントがロックされました。サポート担当者に連絡してロックを解除してから、もう一度お試しください。",
                de: "Ihr Konto wurde gesperrt. Lassen Sie es vom Support entsperren, und versuchen Sie es dann erneut.",
                es:
                    "Su cuenta se ha bloqueado. Póngase en contacto con el soporte técnico para desbloquearla y vuelva a intentarlo.",
                fr:
                    "Votre compte a été verrouillé. Contactez votre support technique pour le déverrouiller, puis réessayez."
            )
        case .chooseAccount:
            Texts(
                "Choose an account", ja: "アカウントを選択", de: "Konto auswählen", es: "Elija una cuenta",
                fr: "Choisir un compte")
        case .anotherAccount:
            Texts(
                "Use another account", ja: "別のアカウントを使用する", de: "Ein anderes Konto verwenden", es: "Usar otra cuenta",
                fr: "Utiliser un autre compte")
        case .testUsers:
            Texts(
                "Sign in as a test user", ja: "テスト ユーザーとしてサインイン", de: "Als Testbenutzer anmelden",
                es: "Iniciar sesión como usuario de prueba", fr: "Se connecter en tant qu’utilisateur de test")
        case .passwordChanged:
            Texts(
                "This user’s password has been changed. Enter the new password.",
                ja: "このユーザーのパスワードは変更されています。新しいパスワードを入力してください。",
                de: "Das Kennwort dieses Benutzers wurde geändert. Geben Sie das neue Kennwort ein.",
                es: "La contraseña de este usuario ha cambiado. Escriba la nueva contraseña.",
                fr: "Le mot de passe de cet utilisateur a été modifié. Saisissez le nouveau mot de passe.")

        // MARK: Signing up, the profile
        case .signUp:
            Texts("Sign up", ja: "サインアップ", de: "Registrieren", es: "Registrarse", fr: "S’inscrire")
        case .createYourAccount:
            Texts(
                "Create your account", ja: "アカウントの作成", de: "Konto erstellen", es: "Cree su cuenta",
                fr: "Créez votre compte")
        case .create:
            Texts("Create", ja: "作成", de: "Erstellen", es: "Crear", fr: "Créer")
        case .inTenant:
            Texts("in {0}", ja: "テナント: {0}", de: "bei {0}", es: "en {0}", fr: "sur {0}")
        case .displayName:
            Texts("Display name", ja: "表示名", de: "Anzeigename", es: "Nombre para mostrar", fr: "Nom d’affichage")
        case .givenName:
            Texts("Given name", ja: "名", de: "Vorname", es: "Nombre", fr: "Prénom")
        case .surname:
            Texts("Surname", ja: "姓", de: "Nachname", es: "Apellidos", fr: "Nom de famille")
        case .editProfile:
            Texts(
                "Edit profile", ja: "プロフィールの編集", de: "Profil bearbeiten", es: "Editar perfil", fr: "Modifier le profil")
        case .editYourProfile:
            Texts(
                "Edit your profile", ja: "プロフィールの編集", de: "Profil bearbeiten", es: "Edite su perfil",
                fr: "Modifiez votre profil")
        case .save:
            Texts("Save", ja: "保存", de: "Speichern", es: "Guardar", fr: "Enregistrer")
        case .required:
            Texts(
                "This information is required.", ja: "この情報は必須です。", de: "Diese Angabe ist erforderlich.",
                es: "Esta información es obligatoria.", fr: "Cette information est obligatoire.")
        case .tooLong:
            Texts(
                "At most 128 characters.", ja: "128 文字以内で入力してください。", de: "Höchstens 128 Zeichen.",
                es: "128 caracteres como máximo.", fr: "128 caractères au maximum.")
        case .invalidEmail:
            Texts(
                "Please enter a valid email address.", ja: "有効なメール アドレスを入力してください。",
                de: "Bitte geben Sie eine gültige E-Mail-Adresse ein.",
                es: "Escriba una dirección de correo electrónico válida.", fr: "Saisissez une adresse e-mail valide.")
        case .addressTaken:
            Texts(
                "A user with this address already exists. Please choose a different one.",
                ja: "このアドレスのユーザーは既に存在します。別のアドレスを指定してください。",
                de: "Ein Benutzer mit dieser Adresse ist bereits vorhanden. Bitte geben Sie eine andere Adresse ein.",
                es: "Ya existe un usuario con esta dirección. Elija otra.",
                fr: "Un utilisateur avec cette adresse existe déjà. Choisissez-en une autre.")

        // MARK: Passwords
        case .resetPassword:
            Texts(
                "Reset password", ja: "パスワードのリセット", de: "Kennwort zurücksetzen", es: "Restablecer contraseña",
                fr: "Réinitialiser le mot de passe")
        case .resetYourPassword:
            Texts(
                "Reset your password", ja: "パスワードのリセット", de: "Kennwort zurücksetzen",
                es: "Restablezca su contraseña", fr: "Réinitialisez votre mot de passe")
        case .mailSkipped:
            Texts(
                "The service would send a code to this address. The emulator skips this step.",
                ja: "実際のサービスではこのアドレスにコードが送信されますが、エミュレーターではこの手順を省略します。",
                de: "Der Dienst würde einen Code an diese Adresse senden. Der Emulator überspringt diesen Schritt.",
                es: "El servicio enviaría un código a esta dirección. El emulador omite este paso.",
                fr: "Le service enverrait un code à cette adresse. L’émulateur ignore cette étape.")
        case .unknownAddress:
            Texts(
                "An account could not be found for the provided address.", ja: "入力されたアドレスのアカウントが見つかりませんでした。",
                de: "Für die angegebene Adresse wurde kein Konto gefunden.",
                es: "No se ha encontrado ninguna cuenta con la dirección indicada.",
                fr: "Aucun compte ne correspond à l’adresse indiquée.")
        case .newPassword:
            Texts(
                "New password", ja: "新しいパスワード", de: "Neues Kennwort", es: "Nueva contraseña",
                fr: "Nouveau mot de passe")
        case .confirmPassword:
            Texts(
                "Confirm new password", ja: "新しいパスワードの確認", de: "Neues Kennwort bestätigen",
                es: "Confirmar nueva contraseña", fr: "Confirmer le nouveau mot de passe")
        case .chooseNewPassword:
            Texts(
                "Choose a new password", ja: "新しいパスワードの設定", de: "Neues Kennwort festlegen",
                es: "Elija una nueva contraseña", fr: "Choisissez un nouveau mot de passe")
        case .forPerson:
            Texts("for {0}", ja: "アカウント: {0}", de: "für {0}", es: "para {0}", fr: "pour {0}")
        case .passwordRule:
            Texts(
                "8 to 64 characters with at least three of: lowercase, uppercase, digit, symbol",
                ja: "8 ～ 64 文字で、小文字、大文字、数字、記号のうち 3 種類以上を含めてください",
                de: "8 bis 64 Zeichen aus mindestens drei Arten: Kleinbuchstaben, Großbuchstaben, Ziffern, Symbole",
                es:
                    "De 8 a 64 caracteres, con al menos tres de estos tipos: minúsculas, mayúsculas, números y símbolos",
                fr:
                    "De 8 à 64 caractères, d’au moins trois types parmi\u{a0}: minuscules, majuscules, chiffres et symboles"
            )
        case .passwordLength:
            Texts(
                "The password must have 8 to 64 characters.", ja: "パスワードは 8 ～ 64 文字で入力してください。",
                de: "Das Kennwort muss 8 bis 64 Zeichen lang sein.",
                es: "La contraseña debe tener entre 8 y 64 caracteres.",
                fr: "Le mot de passe doit comporter de 8 à 64 caractères.")
        case .passwordClasses:
            Texts(
                "The password must contain at least three of these: a lowercase letter, an uppercase letter, a digit, a symbol.",
                ja: "パスワードには、小文字、大文字、数字、記号のうち 3 種類以上を含めてください。",
                de:
                    "Das Kennwort muss mindestens drei dieser Zeichenarten enthalten: Kleinbuchstaben, Großbuchstaben, Ziffern, Symbole.",
                es:
                    "La contraseña debe contener al menos tres de estos tipos de caracteres: minúsculas, mayúsculas, números y símbolos.",
                fr:
                    "Le mot de passe doit contenir au moins trois de ces types de caractères\u{a0}: minuscules, majuscules, chiffres et symboles."
            )
        case .passwordsDiffer:
            Texts(
                "The passwords do not match.", ja: "パスワードが一致しません。", de: "Die Kennwörter stimmen nicht überein.",
                es: "Las contraseñas no coinciden.", fr: "Les mots de passe ne correspondent pas.")
        case .passwordAgain:
            Texts(
                "Enter the password again. For your security, it is never sent back to the page.",
                ja: "お手数ですが、パスワードをもう一度入力してください。セキュリティ上の理由により、ページには保持されません。",
                de:
                    "Bitte geben Sie das Kennwort erneut ein. Aus Sicherheitsgründen wird es nie an die Seite zurückgesendet.",
                es: "Vuelva a escribir la contraseña. Por motivos de seguridad, nunca se devuelve a la página.",
                fr: "Saisissez à nouveau le mot de passe. Par sécurité, il n’est jamais renvoyé à la page.")
        case .show:
            Texts("Show", ja: "表示", de: "Anzeigen", es: "Mostrar", fr: "Afficher")
        case .hide:
            Texts("Hide", ja: "非表示", de: "Ausblenden", es: "Ocultar", fr: "Masquer")
        case .showPassword:
            Texts(
                "Show password", ja: "パスワードを表示する", de: "Kennwort anzeigen", es: "Mostrar contraseña",
                fr: "Afficher le mot de passe")
        case .hidePassword:
            Texts(
                "Hide password", ja: "パスワードを非表示にする", de: "Kennwort ausblenden", es: "Ocultar contraseña",
                fr: "Masquer le mot de passe")

        // MARK: Accounts
        case .userName:
            Texts(
                "User name", ja: "ユーザー名", de: "Benutzername", es: "Nombre de usuario", fr: "Nom d’utilisateur")
        case .emailOrUserName:
            Texts(
                "Email address or user name", ja: "メール アドレスまたはユーザー名", de: "E-Mail-Adresse oder Benutzername",
                es: "Correo electrónico o nombre de usuario", fr: "Adresse e-mail ou nom d’utilisateur")
        case .wrongUserName:
            Texts(
                "Your user name or your password is incorrect.", ja: "ユーザー名またはパスワードが正しくありません。",
                de: "Ihr Benutzername oder Ihr Kennwort ist falsch.",
                es: "El nombre de usuario o la contraseña son incorrectos.",
                fr: "Votre nom d’utilisateur ou votre mot de passe est incorrect.")
        case .userNameTaken:
            Texts(
                "This user name is taken. Please choose a different one.", ja: "このユーザー名は既に使用されています。別の名前を選んでください。",
                de: "Dieser Benutzername ist vergeben. Bitte wählen Sie einen anderen.",
                es: "Este nombre de usuario ya está en uso. Elija otro.",
                fr: "Ce nom d’utilisateur est déjà pris. Choisissez-en un autre.")
        case .invalidUserName:
            Texts(
                "Only letters, digits, dots, hyphens and underscores; at most 64 characters.",
                ja: "使用できるのは文字、数字、ピリオド、ハイフン、アンダースコアのみです (64 文字以内)。",
                de: "Nur Buchstaben, Ziffern, Punkte, Bindestriche und Unterstriche; höchstens 64 Zeichen.",
                es: "Solo letras, números, puntos, guiones y guiones bajos; 64 caracteres como máximo.",
                fr:
                    "Uniquement des lettres, chiffres, points, tirets et traits de soulignement\u{202f}; 64 caractères au maximum."
            )
        case .optional:
            Texts(
                "{0} (optional)", ja: "{0} (任意)", de: "{0} (optional)", es: "{0} (opcional)", fr: "{0} (facultatif)"
            )
        case .pleaseChoose:
            Texts(
                "Please choose", ja: "選択してください", de: "Bitte auswählen", es: "Elija una opción",
                fr: "Choisissez une option")
        case .notAChoice:
            Texts(
                "Please choose one of the values.", ja: "値を 1 つ選択してください。", de: "Bitte wählen Sie einen der Werte aus.",
                es: "Elija uno de los valores.", fr: "Choisissez l’une des valeurs.")
        case .city:
            Texts(
                "City", ja: "市区町村", de: "Ort", es: "Ciudad", fr: "Ville")
        case .state:
            Texts(
                "State or province", ja: "都道府県", de: "Bundesland oder Kanton", es: "Provincia o estado",
                fr: "État ou région")
        case .country:
            Texts(
                "Country or region", ja: "国または地域", de: "Land oder Region", es: "País o región", fr: "Pays ou région")
        case .postalCode:
            Texts(
                "Postal code", ja: "郵便番号", de: "Postleitzahl", es: "Código postal", fr: "Code postal")
        case .streetAddress:
            Texts(
                "Street address", ja: "町名・番地", de: "Straße und Hausnummer", es: "Dirección", fr: "Numéro et rue")
        case .jobTitle:
            Texts(
                "Job title", ja: "役職", de: "Position", es: "Cargo", fr: "Fonction")
        case .keepMeSignedIn:
            Texts(
                "Keep me signed in", ja: "サインインしたままにする", de: "Angemeldet bleiben", es: "Mantener la sesión iniciada",
                fr: "Maintenir la connexion")

        // MARK: Another identity provider
        case .signInWith:
            Texts(
                "Sign in with {0}", ja: "{0} でサインイン", de: "Mit {0} anmelden", es: "Iniciar sesión con {0}",
                fr: "Se connecter avec {0}")
        case .pretence:
            Texts(
                "This provider is part of the emulator. Enter any address; no password is needed.",
                ja: "このプロバイダーはエミュレーターの一部です。任意のアドレスを入力してください。パスワードは不要です。",
                de:
                    "Dieser Anbieter gehört zum Emulator. Geben Sie eine beliebige Adresse ein; ein Kennwort ist nicht nötig.",
                es: "Este proveedor forma parte del emulador. Escriba cualquier dirección; no se necesita contraseña.",
                fr:
                    "Ce fournisseur fait partie de l’émulateur. Saisissez une adresse quelconque\u{202f}; aucun mot de passe n’est nécessaire."
            )
        case .knownAccounts:
            Texts(
                "Existing accounts", ja: "既存のアカウント", de: "Vorhandene Konten", es: "Cuentas existentes",
                fr: "Comptes existants"
            )
        case .socialUnknown:
            Texts(
                "There is no account with this address yet. Sign up first.",
                ja: "このアドレスのアカウントはまだありません。先にサインアップしてください。",
                de: "Zu dieser Adresse gibt es noch kein Konto. Registrieren Sie sich zuerst.",
                es: "Todavía no hay ninguna cuenta con esta dirección. Regístrese primero.",
                fr: "Il n’existe pas encore de compte pour cette adresse. Inscrivez-vous d’abord.")
        case .noPasswordHere:
            Texts(
                "This account signs in with another provider and has no password here.",
                ja: "このアカウントは別のプロバイダーでサインインするため、ここにはパスワードがありません。",
                de: "Die Anmeldung mit diesem Konto erfolgt über einen anderen Anbieter. Hier hat es kein Kennwort.",
                es: "El inicio de sesión con esta cuenta se realiza mediante otro proveedor. Aquí no tiene contraseña.",
                fr: "La connexion à ce compte se fait avec un autre fournisseur. Il n’a pas de mot de passe ici.")

        // MARK: Codes
        case .sendCode:
            Texts(
                "Send verification code", ja: "確認コードを送信", de: "Prüfcode senden", es: "Enviar código de verificación",
                fr: "Envoyer le code de vérification")
        case .sendNewCode:
            Texts(
                "Send new code", ja: "新しいコードを送信", de: "Neuen Code senden", es: "Enviar nuevo código",
                fr: "Envoyer un nouveau code")
        case .verifyCode:
            Texts(
                "Verify code", ja: "コードを確認", de: "Code überprüfen", es: "Verificar código", fr: "Vérifier le code")
        case .verificationCode:
            Texts(
                "Verification code", ja: "確認コード", de: "Prüfcode", es: "Código de verificación",
                fr: "Code de vérification")
        case .changeEmail:
            Texts(
                "Change email", ja: "メール アドレスを変更", de: "E-Mail-Adresse ändern", es: "Cambiar correo electrónico",
                fr: "Modifier l’adresse e-mail")
        case .changeNumber:
            Texts(
                "Change number", ja: "電話番号を変更", de: "Nummer ändern", es: "Cambiar número", fr: "Modifier le numéro")
        case .verifyAddress:
            Texts(
                "Verify your email address", ja: "メール アドレスの確認", de: "E-Mail-Adresse bestätigen",
                es: "Verifique su dirección de correo electrónico", fr: "Vérifiez votre adresse e-mail")
        case .verifyAddressNote:
            Texts(
                "A code will be sent to this address.", ja: "このアドレスにコードを送信します。",
                de: "An diese Adresse wird ein Code gesendet.", es: "Se enviará un código a esta dirección.",
                fr: "Un code sera envoyé à cette adresse.")
        case .addressVerified:
            Texts(
                "This address is verified.", ja: "このアドレスは確認済みです。", de: "Diese Adresse ist bestätigt.",
                es: "Esta dirección está verificada.", fr: "Cette adresse est vérifiée.")
        case .codeSent:
            Texts(
                "A code was sent to {0}.", ja: "{0} にコードを送信しました。", de: "Ein Code wurde an {0} gesendet.",
                es: "Se ha enviado un código a {0}.", fr: "Un code a été envoyé à {0}.")
        case .codeInOutbox:
            Texts(
                "The emulator does not send messages. The code is in its outbox.",
                ja: "エミュレーターはメッセージを送信しません。コードは送信トレイにあります。",
                de: "Der Emulator versendet keine Nachrichten. Sie finden den Code in seinem Postausgang.",
                es: "El emulador no envía mensajes. El código está en su bandeja de salida.",
                fr: "L’émulateur n’envoie aucun message. Le code se trouve dans sa boîte d’envoi.")
        case .openOutbox:
            Texts(
                "Open the outbox in a new tab", ja: "新しいタブで送信トレイを開く", de: "Postausgang in einem neuen Tab öffnen",
                es: "Abrir la bandeja de salida en una pestaña nueva",
                fr: "Ouvrir la boîte d’envoi dans un nouvel onglet")
        case .codeWrong:
            Texts(
                "That code is incorrect. Please try again.", ja: "コードが正しくありません。もう一度お試しください。",
                de: "Dieser Code ist falsch. Bitte versuchen Sie es erneut.",
                es: "El código es incorrecto. Inténtelo de nuevo.", fr: "Ce code est incorrect. Réessayez.")
        case .codeExpired:
            Texts(
                "That code has expired. Please request a new code.", ja: "コードの有効期限が切れています。新しいコードを要求してください。",
                de: "Dieser Code ist abgelaufen. Bitte fordern Sie einen neuen Code an.",
                es: "El código ha caducado. Solicite un nuevo código.",
                fr: "Ce code a expiré. Demandez un nouveau code.")
        case .codeTries:
            Texts(
                "You have made too many incorrect attempts. Please request a new code.",
                ja: "試行回数が多すぎます。新しいコードを要求してください。",
                de: "Sie haben zu viele falsche Codes eingegeben. Bitte fordern Sie einen neuen Code an.",
                es: "Ha realizado demasiados intentos incorrectos. Solicite un nuevo código.",
                fr: "Vous avez effectué trop de tentatives incorrectes. Demandez un nouveau code.")
        case .codesTooMany:
            Texts(
                "Too many codes were requested. Start again in your application.",
                ja: "要求されたコードが多すぎます。アプリケーションからやり直してください。",
                de: "Es wurden zu viele Codes angefordert. Beginnen Sie in Ihrer Anwendung von vorn.",
                es: "Se han solicitado demasiados códigos. Empiece de nuevo en la aplicación.",
                fr: "Trop de codes ont été demandés. Recommencez dans votre application.")
        case .secondFactor:
            Texts(
                "Verify your identity", ja: "本人確認", de: "Bestätigen Sie Ihre Identität",
                es: "Confirme su identidad", fr: "Confirmez votre identité")
        case .secondFactorNote:
            Texts(
                "A code will be sent to {0}.", ja: "{0} にコードを送信します。", de: "Ein Code wird an {0} gesendet.",
                es: "Se enviará un código a {0}.", fr: "Un code sera envoyé à {0}.")
        case .phoneNeeded:
            Texts(
                "This sign-in requires a second factor. Codes will be sent to this number.",
                ja: "このサインインには多要素認証が必要です。コードはこの番号に送信されます。",
                de: "Für diese Anmeldung ist ein zweiter Faktor erforderlich. Codes werden an diese Nummer gesendet.",
                es: "Este inicio de sesión requiere un segundo factor. Los códigos se enviarán a este número.",
                fr: "Cette connexion nécessite un second facteur. Les codes seront envoyés à ce numéro.")
        case .phoneNumber:
            Texts(
                "Phone number", ja: "電話番号", de: "Telefonnummer", es: "Número de teléfono", fr: "Numéro de téléphone")
        case .phoneHint:
            Texts(
                "With the country code, for example +81 90 1234 5678", ja: "国番号付き (例: +81 90 1234 5678)",
                de: "Mit Landesvorwahl, zum Beispiel +81 90 1234 5678",
                es: "Con el prefijo del país, por ejemplo +81 90 1234 5678",
                fr: "Avec l’indicatif du pays, par exemple +81 90 1234 5678")
        case .invalidPhone:
            Texts(
                "Please enter a phone number with its country code.", ja: "国番号付きの電話番号を入力してください。",
                de: "Bitte geben Sie eine Telefonnummer mit Landesvorwahl ein.",
                es: "Escriba un número de teléfono con el prefijo del país.",
                fr: "Saisissez un numéro de téléphone avec l’indicatif du pays.")
        case .noRecipient:
            Texts(
                "This account has no address to send a code to.", ja: "このアカウントにはコードの送信先がありません。",
                de: "Für dieses Konto ist keine Adresse hinterlegt, an die ein Code gesendet werden kann.",
                es: "Esta cuenta no tiene ninguna dirección a la que enviar un código.",
                fr: "Ce compte n’a aucune adresse à laquelle envoyer un code.")
        case .passwordExpired:
            Texts(
                "Your password has expired. Choose a new one to continue.",
                ja: "パスワードの有効期限が切れています。続行するには新しいパスワードを設定してください。",
                de: "Ihr Kennwort ist abgelaufen. Legen Sie ein neues fest, um fortzufahren.",
                es: "Su contraseña ha caducado. Elija una nueva para continuar.",
                fr: "Votre mot de passe a expiré. Choisissez-en un nouveau pour continuer.")
        case .passwordSame:
            Texts(
                "The new password must differ from the old one.", ja: "新しいパスワードは以前のものと異なる必要があります。",
                de: "Das neue Kennwort muss sich vom alten unterscheiden.",
                es: "La nueva contraseña debe ser distinta de la anterior.",
                fr: "Le nouveau mot de passe doit être différent de l’ancien.")

        // MARK: Agreement and devices
        case .permissionsRequested:
            Texts(
                "Permissions requested", ja: "要求されているアクセス許可", de: "Angeforderte Berechtigungen",
                es: "Permisos solicitados", fr: "Autorisations demandées")
        case .asksIdentity:
            Texts(
                "Your application wants to know who you are.", ja: "アプリケーションが、サインインしているユーザーの確認を求めています。",
                de: "Ihre Anwendung möchte wissen, wer Sie sind.", es: "La aplicación quiere saber quién es usted.",
                fr: "Votre application souhaite savoir qui vous êtes.")
        case .asksScopes:
            Texts(
                "Your application requests access on your behalf:", ja: "アプリケーションが、ユーザーに代わって次のアクセスを求めています。",
                de: "Ihre Anwendung fordert in Ihrem Namen folgenden Zugriff an:",
                es: "La aplicación solicita acceso en su nombre a lo siguiente:",
                fr: "Votre application demande les accès suivants en votre nom\u{a0}:")
        case .untickScopes:
            Texts(
                "Clear the checkbox of anything that you do not want to allow. If the application requests it again, you will be asked again.",
                ja: "許可しない項目のチェックを外してください。アプリケーションが再び要求した場合は、もう一度確認します。",
                de:
                    "Deaktivieren Sie, was Sie nicht zulassen möchten. Wenn die Anwendung es erneut anfordert, werden Sie wieder gefragt.",
                es:
                    "Desmarque lo que no quiera permitir. Si la aplicación lo vuelve a solicitar, se le preguntará de nuevo.",
                fr:
                    "Décochez ce que vous ne souhaitez pas autoriser. Si l’application le demande à nouveau, la question vous sera reposée."
            )
        case .application:
            Texts("Application", ja: "アプリケーション", de: "Anwendung", es: "Aplicación", fr: "Application")
        case .accept:
            Texts("Accept", ja: "承諾", de: "Akzeptieren", es: "Aceptar", fr: "Accepter")
        case .deviceQuestion:
            Texts(
                "Sign in on a device?", ja: "デバイスにサインインしますか?", de: "Auf einem Gerät anmelden?",
                es: "¿Iniciar sesión en un dispositivo?", fr: "Se connecter sur un appareil\u{202f}?")
        case .deviceWarning:
            Texts(
                "Continue only if you started this yourself and your device shows this code:",
                ja: "ご自身で操作を開始し、デバイスに次のコードが表示されている場合にのみ続行してください。",
                de:
                    "Fahren Sie nur fort, wenn Sie den Vorgang selbst gestartet haben und Ihr Gerät diesen Code anzeigt:",
                es: "Continúe solo si ha iniciado usted este proceso y su dispositivo muestra este código:",
                fr:
                    "Continuez uniquement si vous êtes à l’origine de cette demande et que votre appareil affiche ce code\u{a0}:"
            )
        case .enterCode:
            Texts("Enter code", ja: "コードの入力", de: "Code eingeben", es: "Escriba el código", fr: "Saisir le code")
        case .enterTheCode:
            Texts(
                "Enter the code", ja: "コードを入力してください", de: "Geben Sie den Code ein", es: "Escriba el código",
                fr: "Saisissez le code")
        case .toSignInOnDevice:
            Texts(
                "to sign in on a device with {0}", ja: "{0} を使ってデバイスにサインインします",
                de: "Zur Anmeldung mit {0} auf einem Gerät", es: "para iniciar sesión en un dispositivo con {0}",
                fr: "pour vous connecter sur un appareil avec {0}")
        case .code:
            Texts("Code", ja: "コード", de: "Code", es: "Código", fr: "Code")
        case .codeHint:
            Texts(
                "The eight letters shown on your device", ja: "デバイスに表示されている 8 文字",
                de: "Die acht Buchstaben, die Ihr Gerät anzeigt", es: "Las ocho letras que muestra su dispositivo",
                fr: "Les huit lettres affichées sur votre appareil")
        case .unknownCode:
            Texts(
                "No device is waiting with this code. Check the code, or start again on the device.",
                ja: "このコードで待機しているデバイスはありません。コードを確認するか、デバイスでやり直してください。",
                de:
                    "Es wartet kein Gerät mit diesem Code. Prüfen Sie den Code, oder beginnen Sie auf dem Gerät von vorn.",
                es:
                    "Ningún dispositivo está esperando con este código. Compruebe el código o empiece de nuevo en el dispositivo.",
                fr: "Aucun appareil n’attend avec ce code. Vérifiez le code ou recommencez sur l’appareil.")
        case .next:
            Texts("Next", ja: "次へ", de: "Weiter", es: "Siguiente", fr: "Suivant")
        case .deviceSignedIn:
            Texts(
                "You have signed in on your device", ja: "デバイスにサインインしました", de: "Sie sind auf Ihrem Gerät angemeldet",
                es: "Ha iniciado sesión en su dispositivo", fr: "Connexion réussie sur votre appareil")
        case .deviceGoOn:
            Texts(
                "You can close this window and continue on the device.", ja: "このウィンドウを閉じて、デバイスで続けてください。",
                de: "Sie können dieses Fenster schließen und auf dem Gerät fortfahren.",
                es: "Puede cerrar esta ventana y continuar en el dispositivo.",
                fr: "Vous pouvez fermer cette fenêtre et continuer sur l’appareil.")
        case .deviceDeclined:
            Texts(
                "Your device was not signed in", ja: "デバイスにサインインしませんでした", de: "Ihr Gerät wurde nicht angemeldet",
                es: "No se ha iniciado sesión en su dispositivo", fr: "Votre appareil n’a pas été connecté")
        case .deviceNothing:
            Texts(
                "The device was not granted access.", ja: "デバイスにはアクセス権が付与されていません。",
                de: "Das Gerät hat keinen Zugriff erhalten.",
                es: "No se ha concedido acceso al dispositivo.", fr: "Aucun accès n’a été accordé à l’appareil.")

        // MARK: Ends and errors
        case .backToApplication:
            Texts(
                "Back to your application", ja: "アプリケーションに戻る", de: "Zurück zu Ihrer Anwendung",
                es: "Volver a la aplicación", fr: "Retour à votre application")
        case .almostDone:
            Texts("Almost done", ja: "あと少しで完了です", de: "Fast fertig", es: "Casi ha terminado", fr: "Presque terminé")
        case .goBack:
            Texts(
                "Select Continue to return to your application.", ja: "[続行] を選択すると、アプリケーションに戻ります。",
                de: "Wählen Sie „Weiter“, um zu Ihrer Anwendung zurückzukehren.",
                es: "Seleccione Continuar para volver a la aplicación.",
                fr: "Sélectionnez Continuer pour revenir à votre application.")
        case .signedOut:
            Texts(
                "You have signed out", ja: "サインアウトしました", de: "Sie sind abgemeldet", es: "Ha cerrado la sesión",
                fr: "Déconnexion effectuée")
        case .signedOutNote:
            Texts(
                "This browser is no longer signed in. Tokens that applications already have stay valid until they expire.",
                ja: "このブラウザーからサインアウトしました。アプリケーションが保持しているトークンは、有効期限まで有効です。",
                de:
                    "Dieser Browser ist nicht mehr angemeldet. Token, die Anwendungen bereits haben, bleiben bis zu ihrem Ablauf gültig.",
                es:
                    "Se ha cerrado la sesión en este navegador. Los tokens que ya tienen las aplicaciones siguen siendo válidos hasta que caduquen.",
                fr:
                    "Ce navigateur n’est plus connecté. Les jetons que les applications possèdent déjà restent valides jusqu’à leur expiration."
            )
        case .requestRefused:
            Texts(
                "Invalid request", ja: "無効な要求", de: "Ungültige Anfrage",
                es: "Solicitud no válida", fr: "Demande non valide")
        case .requestRefusedNote:
            Texts(
                "Your application sent a request that this tenant does not accept. The application received no response.",
                ja: "アプリケーションから、このテナントで受け付けられない要求が送信されました。アプリケーションに応答は返されていません。",
                de:
                    "Ihre Anwendung hat eine Anfrage gesendet, die dieser Mandant nicht akzeptiert. Die Anwendung hat keine Antwort erhalten.",
                es:
                    "La aplicación ha enviado una solicitud que este inquilino no acepta. La aplicación no ha recibido respuesta.",
                fr:
                    "Votre application a envoyé une demande que ce locataire n’accepte pas. L’application n’a reçu aucune réponse."
            )
        case .pageEnded:
            Texts(
                "This page has expired", ja: "このページの有効期限が切れました", de: "Diese Seite ist abgelaufen",
                es: "Esta página ha caducado", fr: "Cette page a expiré")
        case .pageEndedNote:
            Texts(
                "It was already used or was open for too long. Start again in your application.",
                ja: "既に使用されたか、長時間開いたままでした。アプリケーションからやり直してください。",
                de: "Sie wurde bereits verwendet oder war zu lange geöffnet. Beginnen Sie in Ihrer Anwendung von vorn.",
                es: "Ya se ha utilizado o ha estado abierta demasiado tiempo. Empiece de nuevo en la aplicación.",
                fr:
                    "Elle a déjà été utilisée ou est restée ouverte trop longtemps. Recommencez dans votre application."
            )
        case .beginAgain:
            Texts(
                "Start again here and see the tokens", ja: "ここからやり直してトークンを表示",
                de: "Hier neu beginnen und die Token ansehen",
                es: "Empezar de nuevo aquí y ver los tokens", fr: "Recommencer ici et voir les jetons")
        case .formRefused:
            Texts(
                "This form was not accepted", ja: "このフォームは受け付けられませんでした", de: "Dieses Formular wurde nicht akzeptiert",
                es: "No se ha aceptado este formulario", fr: "Ce formulaire n’a pas été accepté")
        case .formRefusedNote:
            Texts(
                "It did not come from a page of this browser, or cookies are disabled. Start again in your application.",
                ja: "このブラウザーのページから送信されたものではないか、Cookie が無効になっています。アプリケーションからやり直してください。",
                de:
                    "Es stammt nicht von einer Seite dieses Browsers, oder Cookies sind deaktiviert. Beginnen Sie in Ihrer Anwendung von vorn.",
                es:
                    "No procede de una página de este navegador, o las cookies están desactivadas. Empiece de nuevo en la aplicación.",
                fr:
                    "Il ne provient pas d’une page de ce navigateur, ou les cookies sont désactivés. Recommencez dans votre application."
            )
        case .templateUnusable:
            Texts(
                "This page cannot be shown", ja: "このページを表示できません", de: "Diese Seite kann nicht angezeigt werden",
                es: "No se puede mostrar esta página", fr: "Impossible d’afficher cette page")
        case .notFound:
            Texts("Not found", ja: "見つかりません", de: "Nicht gefunden", es: "No encontrado", fr: "Introuvable")
        case .nothingServed:
            Texts(
                "There is nothing at this address.", ja: "このアドレスにはページがありません。",
                de: "Unter dieser Adresse gibt es nichts.",
                es: "No hay nada en esta dirección.", fr: "Il n’y a rien à cette adresse.")
        case .served:
            Texts(
                "This emulator serves:", ja: "このエミュレーターで利用できるもの:", de: "Dieser Emulator bietet:",
                es: "Este emulador ofrece:", fr: "Cet émulateur propose\u{a0}:")
        case .run:
            Texts("Run", ja: "実行", de: "Ausführen", es: "Ejecutar", fr: "Exécuter")
        case .tenantAndPolicies:
            Texts(
                "The tenant is {0}; its policies are {1}.", ja: "テナントは {0}、ポリシーは {1} です。",
                de: "Der Mandant ist {0}; seine Richtlinien sind {1}.",
                es: "El inquilino es {0}; sus directivas son {1}.",
                fr: "Le locataire est {0}\u{202f}; ses stratégies sont {1}.")
        }
    }
}
