extension DeveloperWord {
    /// The text in every language. This is a table: it is as long as there are words.
    var texts: Texts {
        switch self {
        // MARK: The page
        case .emulatorTitle:
            Texts("Emulator", ja: "エミュレーター", de: "Emulator", es: "Emulador", fr: "Émulateur")
        case .pageTitle:
            Texts(
                "{0} · Local emulator", ja: "{0} · ローカル エミュレーター", de: "{0} · Lokaler Emulator",
                es: "{0} · Emulador local", fr: "{0} · Émulateur local")
        case .tenants:
            Texts("Tenants", ja: "テナント", de: "Mandanten", es: "Inquilinos", fr: "Locataires")
        case .onThisPage:
            Texts("On this page", ja: "このページの内容", de: "Auf dieser Seite", es: "En esta página", fr: "Sur cette page")
        case .address:
            Texts("Address", ja: "アドレス", de: "Adresse", es: "Dirección", fr: "Adresse")
        case .addresses:
            Texts("Addresses", ja: "アドレス", de: "Adressen", es: "Direcciones", fr: "Adresses")
        case .time:
            Texts("Time", ja: "時刻", de: "Zeit", es: "Hora", fr: "Heure")
        case .standsStill:
            Texts("stands still", ja: "停止中", de: "steht still", es: "detenida", fr: "arrêtée")
        case .tenantID:
            Texts(
                "Tenant id", ja: "テナント ID", de: "Mandanten-ID", es: "Id. de inquilino", fr: "Identifiant du locataire")
        case .kindB2C:
            Texts(
                "A local tenant in the manner of Azure AD B2C", ja: "Azure AD B2C 方式のローカル テナント",
                de: "Ein lokaler Mandant nach Art von Azure AD B2C", es: "Un inquilino local al estilo de Azure AD B2C",
                fr: "Un locataire local à la manière d’Azure AD B2C")
        case .kindExternal:
            Texts(
                "A local tenant in the manner of Entra External ID", ja: "Entra External ID 方式のローカル テナント",
                de: "Ein lokaler Mandant nach Art von Entra External ID",
                es: "Un inquilino local al estilo de Entra External ID",
                fr: "Un locataire local à la manière d’Entra External ID")
        case .kindEntra:
            Texts(
                "A local tenant in the manner of Entra ID for a workforce", ja: "従業員向け Entra ID 方式のローカル テナント",
                de: "Ein lokaler Mandant nach Art von Entra ID für eine Belegschaft",
                es: "Un inquilino local al estilo de Entra ID para personal",
                fr: "Un locataire local à la manière d’Entra ID pour le personnel")
        case .kindOpenID:
            Texts(
                "A local OpenID provider", ja: "ローカル OpenID プロバイダー", de: "Ein lokaler OpenID-Anbieter",
                es: "Un proveedor OpenID local", fr: "Un fournisseur OpenID local")
        case .nothing:
            Texts("None.", ja: "ありません。", de: "Keine.", es: "Nada.", fr: "Aucun élément.")
        case .more:
            Texts("{0} more", ja: "ほか {0} 件", de: "{0} weitere", es: "{0} más", fr: "{0} de plus")
        case .copy:
            Texts("Copy", ja: "コピー", de: "Kopieren", es: "Copiar", fr: "Copier")
        case .copyOf:
            Texts("Copy: {0}", ja: "コピー: {0}", de: "Kopieren: {0}", es: "Copiar: {0}", fr: "Copier : {0}")
        case .copied:
            Texts("Copied", ja: "コピーしました", de: "Kopiert", es: "Copiado", fr: "Copié")
        case .copyFailed:
            Texts(
                "The text is selected: copy it with the keyboard.", ja: "テキストを選択しました。キーボードでコピーしてください。",
                de: "Der Text ist markiert: Kopieren Sie ihn mit der Tastatur.",
                es: "El texto está seleccionado: cópielo con el teclado.",
                fr: "Le texte est sélectionné : copiez-le au clavier.")
        case .backToTenants:
            Texts(
                "Back to the tenants", ja: "テナントの一覧に戻る", de: "Zurück zu den Mandanten", es: "Volver a los inquilinos",
                fr: "Retour aux locataires")

        // MARK: Policies
        case .policies:
            Texts("Policies", ja: "ポリシー", de: "Richtlinien", es: "Directivas", fr: "Stratégies")
        case .policy:
            Texts("Policy", ja: "ポリシー", de: "Richtlinie", es: "Directiva", fr: "Stratégie")
        case .kindSignUpOrSignIn:
            Texts(
                "sign-up or sign-in", ja: "サインアップまたはサインイン", de: "Registrierung oder Anmeldung",
                es: "registro o inicio de sesión", fr: "inscription ou connexion")
        case .kindEditProfile:
            Texts(
                "edit profile", ja: "プロフィールの編集", de: "Profil bearbeiten", es: "editar perfil",
                fr: "modification du profil")
        case .kindPasswordReset:
            Texts(
                "password reset", ja: "パスワードのリセット", de: "Kennwort zurücksetzen", es: "restablecer contraseña",
                fr: "réinitialisation du mot de passe")
        case .kindResourceOwner:
            Texts(
                "resource owner password", ja: "リソース所有者のパスワード", de: "Kennwort des Besitzers",
                es: "contraseña del propietario", fr: "mot de passe du propriétaire")
        case .metadata:
            Texts("metadata", ja: "メタデータ", de: "Metadaten", es: "metadatos", fr: "métadonnées")
        case .keys:
            Texts("keys", ja: "キー", de: "Schlüssel", es: "claves", fr: "clés")

        // MARK: Run now
        case .runNow:
            Texts("Run now", ja: "今すぐ実行", de: "Jetzt ausführen", es: "Ejecutar ahora", fr: "Exécuter maintenant")
        case .applicationAndRedirect:
            Texts(
                "Application and redirect address", ja: "アプリケーションとリダイレクト先", de: "Anwendung und Umleitungsadresse",
                es: "Aplicación y dirección de redirección", fr: "Application et adresse de redirection")
        case .thisEmulator:
            Texts("This emulator", ja: "このエミュレーター", de: "Dieser Emulator", es: "Este emulador", fr: "Cet émulateur")
        case .tokenViewer:
            Texts(
                "Token viewer, {0}", ja: "トークン ビューアー、{0}", de: "Token-Ansicht, {0}", es: "Visor de tokens, {0}",
                fr: "Visionneuse de jetons, {0}")
        case .responseType:
            Texts("Response type", ja: "応答の種類", de: "Antworttyp", es: "Tipo de respuesta", fr: "Type de réponse")
        case .prompt:
            Texts(
                "Prompt", ja: "プロンプト (prompt)", de: "Aufforderung (prompt)", es: "Aviso (prompt)", fr: "Invite (prompt)"
            )
        case .unsaid:
            Texts("none said", ja: "指定なし", de: "nicht angegeben", es: "sin indicar", fr: "non précisé")
        case .loginHint:
            Texts(
                "Sign-in name to begin with", ja: "初期表示するサインイン名", de: "Anmeldename zu Beginn",
                es: "Nombre de inicio de sesión inicial", fr: "Nom de connexion proposé")
        case .language:
            Texts("Language", ja: "言語", de: "Sprache", es: "Idioma", fr: "Langue")
        case .asBrowser:
            Texts(
                "as the browser", ja: "ブラウザーの設定", de: "wie der Browser", es: "como el navegador",
                fr: "comme le navigateur")
        case .scopes:
            Texts("Scopes", ja: "スコープ", de: "Bereiche (scopes)", es: "Ámbitos (scopes)", fr: "Étendues (scopes)")
        case .nothingToRun:
            Texts(
                "Nothing to run", ja: "実行できるものがありません", de: "Nichts auszuführen", es: "Nada que ejecutar",
                fr: "Rien à exécuter")
        case .noSuchPlace:
            Texts(
                "No policy of this emulator is at that address.", ja: "このエミュレーターには、そのアドレスのポリシーはありません。",
                de: "Unter dieser Adresse hat der Emulator keine Richtlinie.",
                es: "Este emulador no tiene ninguna directiva en esa dirección.",
                fr: "Aucune stratégie de cet émulateur ne se trouve à cette adresse.")
        case .notFromHere:
            Texts(
                "Not from here", ja: "ここからは利用できません", de: "Nicht von hier aus", es: "No desde aquí",
                fr: "Pas depuis cet endroit")
        case .notFromHereNote:
            Texts(
                "These pages are for the machine that the emulator runs on: {0}.",
                ja: "これらのページは、エミュレーターが動作しているコンピューター専用です: {0}",
                de: "Diese Seiten sind für den Rechner, auf dem der Emulator läuft: {0}.",
                es: "Estas páginas son para el equipo en el que se ejecuta el emulador: {0}.",
                fr: "Ces pages sont réservées à l’ordinateur sur lequel tourne l’émulateur : {0}.")

        // MARK: Registrations
        case .applications:
            Texts("Applications", ja: "アプリケーション", de: "Anwendungen", es: "Aplicaciones", fr: "Applications")
        case .clientID:
            Texts("Client id", ja: "クライアント ID", de: "Client-ID", es: "Id. de cliente", fr: "Identifiant client")
        case .redirectAddresses:
            Texts(
                "Redirect addresses", ja: "リダイレクト先", de: "Umleitungsadressen", es: "Direcciones de redirección",
                fr: "Adresses de redirection")
        case .apis:
            Texts(
                "APIs and scopes", ja: "API とスコープ", de: "APIs und Bereiche", es: "API y ámbitos", fr: "API et étendues")

        // MARK: Users
        case .users:
            Texts("Users", ja: "ユーザー", de: "Benutzer", es: "Usuarios", fr: "Utilisateurs")
        case .searchUsers:
            Texts(
                "Search by name, address or object id", ja: "名前、アドレス、オブジェクト ID で検索",
                de: "Nach Name, Adresse oder Objekt-ID suchen", es: "Buscar por nombre, dirección o id. de objeto",
                fr: "Rechercher par nom, adresse ou identifiant d’objet")
        case .search:
            Texts("Search", ja: "検索", de: "Suchen", es: "Buscar", fr: "Rechercher")
        case .noUser:
            Texts(
                "None that fits “{0}”.", ja: "「{0}」に一致するユーザーはいません。", de: "Keiner, der zu „{0}“ passt.",
                es: "Ninguno que coincida con «{0}».", fr: "Aucun ne correspond à « {0} ».")
        case .moreUsers:
            Texts(
                "And more: search for them.", ja: "ほかにもいます。検索してください。", de: "Und weitere: Suchen Sie nach ihnen.",
                es: "Y más: búsquelos.", fr: "Et d’autres encore : recherchez-les.")
        case .passwordAtFirst:
            Texts(
                "password at first: {0}", ja: "初期パスワード: {0}", de: "Kennwort zu Beginn: {0}",
                es: "contraseña inicial: {0}", fr: "mot de passe initial : {0}")
        case .blocked:
            Texts("blocked", ja: "ブロック済み", de: "gesperrt", es: "bloqueado", fr: "bloqué")
        case .mustChoose:
            Texts(
                "must choose a new password", ja: "新しいパスワードの設定が必要", de: "muss ein neues Kennwort wählen",
                es: "debe elegir otra contraseña", fr: "doit choisir un nouveau mot de passe")

        // MARK: What happens
        case .outbox:
            Texts("Outbox", ja: "送信箱", de: "Postausgang", es: "Bandeja de salida", fr: "Boîte d’envoi")
        case .outboxNote:
            Texts(
                "What a service would send by mail or telephone.", ja: "実際のサービスならメールや電話で送信されるものです。",
                de: "Was ein Dienst per E-Mail oder Telefon senden würde.",
                es: "Lo que un servicio enviaría por correo o teléfono.",
                fr: "Ce qu’un service enverrait par e-mail ou téléphone.")
        case .forVerification:
            Texts("verification", ja: "確認", de: "Bestätigung", es: "verificación", fr: "vérification")
        case .forReset:
            Texts(
                "password reset", ja: "パスワードのリセット", de: "Kennwort zurücksetzen", es: "restablecer contraseña",
                fr: "réinitialisation du mot de passe")
        case .forSecondFactor:
            Texts("second factor", ja: "2 つ目の要素", de: "zweiter Faktor", es: "segundo factor", fr: "second facteur")
        case .requests:
            Texts(
                "Latest requests", ja: "最近の要求", de: "Letzte Anfragen", es: "Últimas solicitudes",
                fr: "Dernières demandes")
        case .noRequests:
            Texts("None yet.", ja: "まだありません。", de: "Noch keine.", es: "Ninguna todavía.", fr: "Aucune pour l’instant.")
        case .client:
            Texts("client", ja: "クライアント", de: "Client", es: "cliente", fr: "client")
        case .updates:
            Texts(
                "The outbox and the requests update themselves.", ja: "送信箱と要求は自動的に更新されます。",
                de: "Postausgang und Anfragen aktualisieren sich selbst.",
                es: "La bandeja de salida y las solicitudes se actualizan solas.",
                fr: "La boîte d’envoi et les demandes s’actualisent d’elles-mêmes.")
        case .paused:
            Texts(
                "Updates are paused.", ja: "更新を一時停止しています。", de: "Die Aktualisierung ist angehalten.",
                es: "Las actualizaciones están en pausa.", fr: "Les mises à jour sont en pause.")
        case .pause:
            Texts("Pause", ja: "一時停止", de: "Anhalten", es: "Pausar", fr: "Suspendre")
        case .resume:
            Texts("Resume", ja: "再開", de: "Fortsetzen", es: "Reanudar", fr: "Reprendre")
        case .reload:
            Texts(
                "Reload for news", ja: "再読み込みして更新", de: "Neu laden für Neues", es: "Recargar para ver novedades",
                fr: "Recharger pour actualiser")

        // MARK: Snippets
        case .useIt:
            Texts("Use it", ja: "使い方", de: "So wird er verwendet", es: "Cómo usarlo", fr: "Utilisation")
        case .registerFirst:
            Texts(
                "Register an application first.", ja: "先にアプリケーションを登録してください。",
                de: "Registrieren Sie zuerst eine Anwendung.", es: "Registre primero una aplicación.",
                fr: "Enregistrez d’abord une application.")

        // MARK: The token viewer
        case .noTokens:
            Texts("No tokens", ja: "トークンはありません", de: "Keine Token", es: "Sin tokens", fr: "Aucun jeton")
        case .tokenViewerTitle:
            Texts(
                "Token viewer", ja: "トークン ビューアー", de: "Token-Ansicht", es: "Visor de tokens",
                fr: "Visionneuse de jetons")
        case .viewerNote:
            Texts(
                "When a policy has run, this page shows what its tokens say, claim by claim. Nothing has come yet: run one.",
                ja: "ポリシーを実行すると、そのトークンの内容がクレームごとにここに表示されます。まだ何も届いていません。ポリシーを実行してください。",
                de:
                    "Wenn eine Richtlinie ausgeführt wurde, zeigt diese Seite Angabe für Angabe, was ihre Token sagen. Noch ist nichts da: Führen Sie eine aus.",
                es:
                    "Cuando se ejecuta una directiva, esta página muestra lo que dicen sus tokens, notificación por notificación. Todavía no ha llegado nada: ejecute una.",
                fr:
                    "Une fois une stratégie exécutée, cette page montre ce que disent ses jetons, revendication par revendication. Rien n’est encore arrivé : exécutez-en une."
            )
        case .notAskedHere:
            Texts(
                "This code was not asked for here, or its tokens were shown already. Run the policy again.",
                ja: "このコードはここから要求されたものではないか、そのトークンは既に表示されています。ポリシーをもう一度実行してください。",
                de:
                    "Dieser Code wurde nicht von hier angefordert, oder seine Token wurden schon gezeigt. Führen Sie die Richtlinie erneut aus.",
                es:
                    "Este código no se ha solicitado desde aquí, o sus tokens ya se han mostrado. Ejecute de nuevo la directiva.",
                fr:
                    "Ce code n’a pas été demandé ici, ou ses jetons ont déjà été affichés. Exécutez de nouveau la stratégie."
            )
        case .tokensOf:
            Texts("Tokens of {0}", ja: "{0} のトークン", de: "Token von {0}", es: "Tokens de {0}", fr: "Jetons de {0}")
        case .runAgain:
            Texts("Run again", ja: "もう一度実行", de: "Erneut ausführen", es: "Ejecutar de nuevo", fr: "Exécuter de nouveau")
        case .idToken:
            Texts("Id token", ja: "ID トークン", de: "ID-Token", es: "Token de id.", fr: "Jeton d’identité")
        case .accessToken:
            Texts("Access token", ja: "アクセス トークン", de: "Zugriffstoken", es: "Token de acceso", fr: "Jeton d’accès")
        case .header:
            Texts("Header", ja: "ヘッダー", de: "Kopf", es: "Encabezado", fr: "En-tête")
        case .claims:
            Texts("Claims", ja: "クレーム", de: "Angaben (claims)", es: "Notificaciones (claims)", fr: "Revendications")
        case .name:
            Texts("Name", ja: "名前", de: "Name", es: "Nombre", fr: "Nom")
        case .value:
            Texts("Value", ja: "値", de: "Wert", es: "Valor", fr: "Valeur")
        case .meaning:
            Texts("Meaning", ja: "意味", de: "Bedeutung", es: "Significado", fr: "Signification")
        case .tokenGood:
            Texts(
                "Signed by a published key of this tenant, and valid now.", ja: "このテナントの公開済みキーで署名されており、現在有効です。",
                de: "Mit einem veröffentlichten Schlüssel dieses Mandanten signiert und jetzt gültig.",
                es: "Firmado con una clave publicada de este inquilino y válido ahora.",
                fr: "Signé par une clé publiée de ce locataire et valable maintenant.")
        case .unreadable:
            Texts(
                "It cannot be read.", ja: "読み取れません。", de: "Es lässt sich nicht lesen.", es: "No se puede leer.",
                fr: "Illisible.")

        // MARK: What claims mean
        case .claimAcr:
            Texts(
                "The policy, in lower case", ja: "ポリシー (小文字)", de: "Die Richtlinie in Kleinbuchstaben",
                es: "La directiva, en minúsculas", fr: "La stratégie, en minuscules")
        case .claimAlg:
            Texts(
                "How it is signed", ja: "署名の方式", de: "Wie es signiert ist", es: "Cómo está firmado",
                fr: "Comment il est signé")
        case .claimAtHash:
            Texts(
                "Ties the access token to this one", ja: "アクセス トークンをこれに結び付けます",
                de: "Bindet das Zugriffstoken an dieses", es: "Vincula el token de acceso a este",
                fr: "Lie le jeton d’accès à celui-ci")
        case .claimAud:
            Texts("Whom it is for", ja: "対象者", de: "Für wen es ist", es: "Para quién es", fr: "À qui il est destiné")
        case .claimAuthTime:
            Texts(
                "When the person signed in", ja: "サインインした時刻", de: "Wann sich die Person angemeldet hat",
                es: "Cuándo inició sesión la persona", fr: "Quand la personne s’est connectée")
        case .claimAzp:
            Texts(
                "The application that got it", ja: "受け取ったアプリケーション", de: "Die Anwendung, die es bekam",
                es: "La aplicación que lo obtuvo", fr: "L’application qui l’a obtenu")
        case .claimEmails:
            Texts(
                "The person’s addresses", ja: "その人のアドレス", de: "Die Adressen der Person",
                es: "Las direcciones de la persona", fr: "Les adresses de la personne")
        case .claimExp:
            Texts(
                "Until when it is valid", ja: "有効期限", de: "Bis wann es gilt", es: "Hasta cuándo es válido",
                fr: "Jusqu’à quand il est valable")
        case .claimFamilyName:
            Texts(
                "The person’s family name", ja: "その人の姓", de: "Der Nachname der Person",
                es: "Los apellidos de la persona", fr: "Le nom de famille de la personne")
        case .claimGivenName:
            Texts(
                "The person’s given name", ja: "その人の名", de: "Der Vorname der Person", es: "El nombre de la persona",
                fr: "Le prénom de la personne")
        case .claimIat:
            Texts(
                "When it was issued", ja: "発行時刻", de: "Wann es ausgestellt wurde", es: "Cuándo se emitió",
                fr: "Quand il a été émis")
        case .claimIdp:
            Texts(
                "Who knows the password", ja: "パスワードを知っている相手", de: "Wer das Kennwort kennt",
                es: "Quién conoce la contraseña", fr: "Qui connaît le mot de passe")
        case .claimIss:
            Texts("Who issued it", ja: "発行者", de: "Wer es ausgestellt hat", es: "Quién lo emitió", fr: "Qui l’a émis")
        case .claimKid:
            Texts(
                "Which key signed it", ja: "署名したキー", de: "Welcher Schlüssel es signiert hat", es: "Qué clave lo firmó",
                fr: "Quelle clé l’a signé")
        case .claimName:
            Texts(
                "The name that is shown", ja: "表示される名前", de: "Der Name, der angezeigt wird",
                es: "El nombre que se muestra", fr: "Le nom affiché")
        case .claimNbf:
            Texts(
                "From when it is valid", ja: "有効期間の開始", de: "Ab wann es gilt", es: "Desde cuándo es válido",
                fr: "À partir de quand il est valable")
        case .claimNewUser:
            Texts(
                "The person signed up just now", ja: "今サインアップしたばかり", de: "Die Person hat sich gerade registriert",
                es: "La persona acaba de registrarse", fr: "La personne vient de s’inscrire")
        case .claimNonce:
            Texts(
                "Ties it to the request", ja: "要求に結び付けます", de: "Bindet es an die Anfrage",
                es: "Lo vincula a la solicitud", fr: "Le lie à la demande")
        case .claimOid:
            Texts(
                "The person, for every application of the tenant", ja: "その人 (テナントの全アプリケーション共通)",
                de: "Die Person, für jede Anwendung des Mandanten",
                es: "La persona, para todas las aplicaciones del inquilino",
                fr: "La personne, pour toutes les applications du locataire")
        case .claimPreferredUsername:
            Texts(
                "What the person calls the account", ja: "その人が使うアカウント名", de: "Wie die Person das Konto nennt",
                es: "Cómo llama la persona a la cuenta", fr: "Comment la personne nomme le compte")
        case .claimScp:
            Texts("What it allows", ja: "許可される内容", de: "Was es erlaubt", es: "Qué permite", fr: "Ce qu’il autorise")
        case .claimSub:
            Texts(
                "The person, for this application", ja: "その人 (このアプリケーション用)", de: "Die Person, für diese Anwendung",
                es: "La persona, para esta aplicación", fr: "La personne, pour cette application")
        case .claimTfp:
            Texts("The policy", ja: "ポリシー", de: "Die Richtlinie", es: "La directiva", fr: "La stratégie")
        case .claimTid:
            Texts("The tenant", ja: "テナント", de: "Der Mandant", es: "El inquilino", fr: "Le locataire")
        case .claimTyp:
            Texts("What it is", ja: "種類", de: "Was es ist", es: "Qué es", fr: "Ce que c’est")
        case .claimVer:
            Texts(
                "The version of its form", ja: "形式のバージョン", de: "Die Version seiner Form",
                es: "La versión de su formato", fr: "La version de son format")

        // MARK: Not found
        case .served:
            Texts(
                "Here is what this emulator serves:", ja: "このエミュレーターが提供しているもの:", de: "Das bietet dieser Emulator an:",
                es: "Esto es lo que ofrece este emulador:", fr: "Voici ce que cet émulateur propose :")
        }
    }
}
