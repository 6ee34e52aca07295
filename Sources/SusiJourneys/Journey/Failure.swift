/// Why a step cannot go on (spec §3.2).
enum Failure: Error {
    /// A text for the user: on the page that asked, or else with the code to the application.
    case message(String, code: String)
    /// The journey ends with a code of the service.
    case refusal(code: String, String)
    case policy(PolicyError)
}

extension PolicyError {
    init(_ reason: String, _ subject: String, _ place: Element.Place) {
        (self.reason, self.subject, self.place) = (reason, subject, place)
    }
}

extension Failure {
    static func policy(_ reason: String, _ element: Element) -> Failure {
        .policy(
            PolicyError(reason, element["Id"] ?? element["Order"].map { "step \($0)" } ?? element.name, element.place))
    }

    static func policy(_ reason: String, _ profile: Profile) -> Failure { policy(reason, profile.element) }
}

/// The service's texts for users, by key (localization-string-ids).
enum Messages {
    static let defaults: [String: String] = [
        "UserMessageIfInvalidPassword": "Your password is incorrect.",
        "UserMessageIfPasswordExpired": "Your password has expired.",
        "UserMessageIfClaimsPrincipalDoesNotExist": "We can't seem to find your account.",
        "UserMessageIfUserAccountDisabled":
            "Your account has been locked. Contact your support person to unlock it, then try again.",
        "UserMessageIfUserAccountLocked":
            "Your account is temporarily locked to prevent unauthorized use. Try again later.",
        "UserMessageIfClaimsPrincipalAlreadyExists":
            "A user with the specified ID already exists. Please choose a different one.",
        "UserMessageIfClaimNotVerified": "Claim not verified: {0}",
        "UserMessageIfVerificationControlClaimsNotVerified":
            "The claims for verification control have not been verified.",
        "UserMessageIfInvalidInput": "{0} has invalid input.",
        "error_fieldIncorrect":
            "One or more fields are filled out incorrectly. Please check your entries and try again.",
        "error_requiredFieldMissing": "A required field is missing. Please fill out all required fields and try again.",
        "error_passwordEntryMismatch":
            "The password entry fields do not match. Please enter the same password in both fields and try again.",
        "required_field": "This information is required.",
        "ver_fail_retry": "That code is incorrect. Please try again.",
        "ver_fail_no_retry": "You've made too many incorrect attempts. Please try again later.",
        "ver_fail_code_expired": "That code is expired. Please request a new code.",
        "ver_fail_throttled":
            "There have been too many requests to verify this email address. Please wait a while, then try again.",
        "DefaultUserMessageIfRequestFailed":
            "Failed to establish connection to restful service end point. Restful service URL: {0}",
        "UserMessageIfCircuitOpen": "Unable to connect to the restful service end point. Restful Service URL: {0}",
        "UserMessageIfDnsResolutionFailed":
            "Failed to resolve the hostname of the restful service endpoint. Restful service URL: {0}",
        "UserMessageIfRequestTimeout":
            "Failed to establish connection to restful service end point within timeout limit. Restful service URL: {0}",
        "UserMessageIfInvalidFormat":
            "Your phone number is not in a valid format, please correct it and try again.",
        "UserMessageIfMaxAllowedCodeRetryReached": "Wrong code entered too many times, please try again later.",
        "UserMessageIfWrongCodeEntered": "Wrong code entered, please try again.",
        "UserMessageIfThrottled": "You have sent too many requests, please try again later.",
        "UserMessageIfChallengeExpired": "The code has expired.",
        "UserMessageIfVerificationFailedNoRetry": "You have exceeded maximum number of verification attempts.",
        "UserMessageIfVerificationFailedRetryAllowed": "The verification has failed, please try again.",
        "UserMessageIfSessionDoesNotExist": "You have exceeded the maximum time allowed.",
        "UserMessageIfMaxRetryAttempted": "You have exceeded the number of retries allowed.",
        "UserMessageIfMaxNumberOfCodeGenerated": "You have exceeded the number of code generation attempts allowed.",
        "UserMessageIfInvalidCode": "You have entered the wrong code.",
    ]
}

extension JourneyRun {
    /// Returns a text for the user: that of the page, of the profile that asks, of the one that failed, or the
    /// service's own (spec §3.2).
    func message(_ key: String, of profile: Profile?, _ values: String...) -> String {
        let page = state.page.flatMap { policy.profile($0.profile) }
        let found =
            string("ErrorMessage", nil, key) ?? string("UxElement", nil, key)
            ?? [page, profile].lazy.compactMap { $0?.metadata(key) }.first { !$0.isEmpty }
            ?? Messages.defaults[key] ?? key
        return values.enumerated().reduce(found) { $0.replacing("{\($1.offset)}", with: $1.element) }
    }

    /// A text of the localized resources of the page that is open (spec §6.4).
    func string(_ type: String, _ element: String?, _ id: String) -> String? {
        guard let page = policy[.contentDefinition, state.page?.contentDefinition] else { return nil }
        let resources = policy.localizedResources(of: page, in: facts.language)
        return resources.lazy.flatMap { $0.all("LocalizedStrings", "LocalizedString") }.first {
            $0["ElementType"] == type && (element == nil || $0["ElementId"]?.lowercased() == element?.lowercased())
                && $0["StringId"] == id
        }?.text
    }
}
