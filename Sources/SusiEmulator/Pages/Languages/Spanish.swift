extension Language {
    static let spanish = Language(rawValue: "es", spanishText)
}

private func spanishText(_ text: LocalizedText) -> String {
    switch text {
    // MARK: Every page
    case .emulator: "Emulador local"
    case .emulatorNote: "No es un inicio de sesión real. Solo para desarrollo y pruebas."
    case .openIDProvider: "el proveedor de OpenID"
    case .openIDProviderTitle: "Proveedor de OpenID"
    case .errorTitle: "Error: {0}"
    case .continue: "Continuar"
    case .cancel: "Cancelar"
    case .aboutTenant: "Acerca de este inquilino"
    case .neededFields: "Los campos marcados con * son obligatorios."

    // MARK: Signing in
    case .signIn: "Iniciar sesión"
    case .toContinueWith: "para continuar con {0}"
    case .toChangeProfileIn: "para editar su perfil en {0}"
    case .emailAddress: "Dirección de correo electrónico"
    case .password: "Contraseña"
    case .forgotPassword: "¿Ha olvidado la contraseña?"
    case .noAccount: "¿No tiene una cuenta?"
    case .signUpNow: "Regístrese ahora"
    case .wrongPassword: "La dirección de correo electrónico o la contraseña son incorrectas."
    case .accountLocked:
        "Su cuenta está bloqueada temporalmente para evitar un uso no autorizado. Vuelva a intentarlo dentro de {0} min."
    case .accountBlocked:
        "Su cuenta se ha bloqueado. Póngase en contacto con el soporte técnico para desbloquearla y vuelva a intentarlo."
    case .chooseAccount: "Elija una cuenta"
    case .anotherAccount: "Usar otra cuenta"
    case .testUsers: "Iniciar sesión como usuario de prueba"
    case .passwordChanged: "La contraseña de este usuario ha cambiado. Escriba la nueva contraseña."

    // MARK: Signing up, the profile
    case .signUp: "Registrarse"
    case .createYourAccount: "Cree su cuenta"
    case .create: "Crear"
    case .inTenant: "en {0}"
    case .displayName: "Nombre para mostrar"
    case .givenName: "Nombre"
    case .surname: "Apellidos"
    case .editProfile: "Editar perfil"
    case .editYourProfile: "Edite su perfil"
    case .save: "Guardar"
    case .required: "Esta información es obligatoria."
    case .tooLong: "128 caracteres como máximo."
    case .invalidEmail: "Escriba una dirección de correo electrónico válida."
    case .addressTaken: "Ya existe un usuario con esta dirección. Elija otra."

    // MARK: Passwords
    case .resetPassword: "Restablecer contraseña"
    case .resetYourPassword: "Restablezca su contraseña"
    case .mailSkipped: "El servicio enviaría un código a esta dirección. El emulador omite este paso."
    case .unknownAddress: "No se ha encontrado ninguna cuenta con la dirección indicada."
    case .newPassword: "Nueva contraseña"
    case .confirmPassword: "Confirmar nueva contraseña"
    case .chooseNewPassword: "Elija una nueva contraseña"
    case .forPerson: "para {0}"
    case .passwordRule:
        "De 8 a 64 caracteres, con al menos tres de estos tipos: minúsculas, mayúsculas, números y símbolos"
    case .passwordLength: "La contraseña debe tener entre 8 y 64 caracteres."
    case .passwordClasses:
        "La contraseña debe contener al menos tres de estos tipos de caracteres: minúsculas, mayúsculas, números y símbolos."
    case .passwordsDiffer: "Las contraseñas no coinciden."
    case .passwordAgain: "Vuelva a escribir la contraseña. Por motivos de seguridad, nunca se devuelve a la página."
    case .show: "Mostrar"
    case .hide: "Ocultar"
    case .showPassword: "Mostrar contraseña"
    case .hidePassword: "Ocultar contraseña"

    // MARK: Accounts
    case .userName: "Nombre de usuario"
    case .emailOrUserName: "Correo electrónico o nombre de usuario"
    case .wrongUserName: "El nombre de usuario o la contraseña son incorrectos."
    case .userNameTaken: "Este nombre de usuario ya está en uso. Elija otro."
    case .invalidUserName: "Solo letras, números, puntos, guiones y guiones bajos; 64 caracteres como máximo."
    case .optional: "{0} (opcional)"
    case .pleaseChoose: "Elija una opción"
    case .notAChoice: "Elija uno de los valores."
    case .invalidNumber: "Escriba un número entero."
    case .listHint: "Separe los valores con comas."
    case .city: "Ciudad"
    case .state: "Provincia o estado"
    case .country: "País o región"
    case .postalCode: "Código postal"
    case .streetAddress: "Dirección"
    case .jobTitle: "Cargo"
    case .keepMeSignedIn: "Mantener la sesión iniciada"

    // MARK: Another identity provider
    case .signInWith: "Iniciar sesión con {0}"
    case .pretence: "Este proveedor forma parte del emulador. Escriba cualquier dirección; no se necesita contraseña."
    case .knownAccounts: "Cuentas existentes"
    case .socialUnknown: "Todavía no hay ninguna cuenta con esta dirección. Regístrese primero."
    case .noPasswordHere:
        "El inicio de sesión con esta cuenta se realiza mediante otro proveedor. Aquí no tiene contraseña."

    // MARK: Codes
    case .sendCode: "Enviar código de verificación"
    case .sendNewCode: "Enviar nuevo código"
    case .verifyCode: "Verificar código"
    case .verificationCode: "Código de verificación"
    case .changeEmail: "Cambiar correo electrónico"
    case .changeNumber: "Cambiar número"
    case .verifyAddress: "Verifique su dirección de correo electrónico"
    case .verifyAddressNote: "Se enviará un código a esta dirección."
    case .addressVerified: "Esta dirección está verificada."
    case .codeSent: "Se ha enviado un código a {0}."
    case .codeInOutbox: "El emulador no envía mensajes. El código está en su bandeja de salida."
    case .openOutbox: "Abrir la bandeja de salida en una pestaña nueva"
    case .codeWrong: "El código es incorrecto. Inténtelo de nuevo."
    case .codeExpired: "El código ha caducado. Solicite un nuevo código."
    case .codeTries: "Ha realizado demasiados intentos incorrectos. Solicite un nuevo código."
    case .codesTooMany: "Se han solicitado demasiados códigos. Empiece de nuevo en la aplicación."
    case .secondFactor: "Confirme su identidad"
    case .secondFactorNote: "Se enviará un código a {0}."
    case .phoneNeeded: "Este inicio de sesión requiere un segundo factor. Los códigos se enviarán a este número."
    case .phoneNumber: "Número de teléfono"
    case .phoneHint: "Con el prefijo del país, por ejemplo +81 90 1234 5678"
    case .invalidPhone: "Escriba un número de teléfono con el prefijo del país."
    case .noRecipient: "Esta cuenta no tiene ninguna dirección a la que enviar un código."
    case .passwordExpired: "Su contraseña ha caducado. Elija una nueva para continuar."
    case .passwordSame: "La nueva contraseña debe ser distinta de la anterior."

    // MARK: Agreement and devices
    case .permissionsRequested: "Permisos solicitados"
    case .asksIdentity: "La aplicación quiere saber quién es usted."
    case .asksScopes: "La aplicación solicita acceso en su nombre a lo siguiente:"
    case .untickScopes:
        "Desmarque lo que no quiera permitir. Si la aplicación lo vuelve a solicitar, se le preguntará de nuevo."
    case .application: "Aplicación"
    case .accept: "Aceptar"
    case .deviceQuestion: "¿Iniciar sesión en un dispositivo?"
    case .deviceWarning: "Continúe solo si ha iniciado usted este proceso y su dispositivo muestra este código:"
    case .enterCode: "Escriba el código"
    case .enterTheCode: "Escriba el código"
    case .toSignInOnDevice: "para iniciar sesión en un dispositivo con {0}"
    case .code: "Código"
    case .codeHint: "Las ocho letras que muestra su dispositivo"
    case .unknownCode:
        "Ningún dispositivo está esperando con este código. Compruebe el código o empiece de nuevo en el dispositivo."
    case .next: "Siguiente"
    case .deviceSignedIn: "Ha iniciado sesión en su dispositivo"
    case .deviceGoOn: "Puede cerrar esta ventana y continuar en el dispositivo."
    case .deviceDeclined: "No se ha iniciado sesión en su dispositivo"
    case .deviceNothing: "No se ha concedido acceso al dispositivo."

    // MARK: Ends and errors
    case .backToApplication: "Volver a la aplicación"
    case .almostDone: "Casi ha terminado"
    case .goBack: "Seleccione Continuar para volver a la aplicación."
    case .signedOut: "Ha cerrado la sesión"
    case .signedOutNote:
        "Se ha cerrado la sesión en este navegador. Los tokens que ya tienen las aplicaciones siguen siendo válidos hasta que caduquen."
    case .requestRefused: "Solicitud no válida"
    case .requestRefusedNote:
        "La aplicación ha enviado una solicitud que este inquilino no acepta. La aplicación no ha recibido respuesta."
    case .pageEnded: "Esta página ha caducado"
    case .pageEndedNote: "Ya se ha utilizado o ha estado abierta demasiado tiempo. Empiece de nuevo en la aplicación."
    case .beginAgain: "Empezar de nuevo aquí y ver los tokens"
    case .formRefused: "No se ha aceptado este formulario"
    case .formRefusedNote:
        "No procede de una página de este navegador, o las cookies están desactivadas. Empiece de nuevo en la aplicación."
    case .templateUnusable: "No se puede mostrar esta página"
    case .notFound: "No encontrado"
    case .nothingServed: "No hay nada en esta dirección."
    case .served: "Este emulador ofrece:"
    case .run: "Ejecutar"
    case .tenantAndPolicies: "El inquilino es {0}; sus directivas son {1}."
    }
}
