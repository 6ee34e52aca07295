extension ErrorCode {
    /// The usual cause, as the program's way to continue implies it.
    package var cause: String {
        if isOfAPI { return "the settings of the API and the token do not match" }
        return switch consequence {
        case .resetPassword: "the user chose “Forgot your password?” on the sign-in page"
        case .cancelled: "the user left a page without finishing it, or refused"
        case .signIn: "the refresh token or the code can no longer be used: it expired, was used up or was revoked"
        case .interact where remedy == .tryAgain:
            "the service failed, or it no longer accepts the refresh token or the code"
        case .interact: "the provider needs the user on its page; nothing can be done without one"
        case .consent: "neither the user nor an administrator has allowed this use of the API"
        case .adminConsent: "only an administrator of the tenant can allow this"
        case .pending: "the user has not finished on the other device"
        case .misconfigured where remedy == .policy: "a mistake in a custom policy; susi sends what it requires"
        case .misconfigured: "the registration, the tenant's policies and policies.json do not match"
        case .retryLater: "the service is busy, or it limits how often it is asked"
        case .failed:
            switch remedy {
            case .clientsMistake: "susi sent a request that the service does not accept"
            case .administrator: "a rule or the state of the tenant; another try has the same result"
            default: "the service cannot complete the request"
            }
        }
    }
}
