import HTTPTypes
import SusiPolicies

/// Where a person enters the code that a device shows (RFC 8628 section 3.3). The person then signs in and is asked
/// whether the device may go on.
enum DevicePage {
    static func show(_ place: Place, _ visit: Visit) throws -> Answer {
        guard let typed = visit.query["user_code"] else { return page(place, visit.words, typed: "") }
        return try begin(typed, place, visit)
    }

    static func submit(_ place: Place, _ visit: Visit) throws -> Answer {
        try begin(visit.form["user_code"] ?? "", place, visit)
    }

    private static func begin(_ typed: String, _ place: Place, _ visit: Visit) throws -> Answer {
        let device = try UserCode.read(typed).flatMap {
            try place.tenant.database.waitingDevice(userCode: $0, now: visit.now)
        }
        guard let device else {
            return page(place, visit.words, typed: typed, problem: .unknownCode)
        }
        let request = AuthorizationRequest(
            clientID: device.clientID, policy: place.policy.name.spelling, scope: device.scope,
            device: device.userCode)
        return try AuthorizeEndpoint.begin(request, place, visit)
    }

    private static func page(_ place: Place, _ words: Words, typed: String, problem: Word? = nil) -> Answer {
        let field = Field(
            id: "user_code", label: words[.code], autocomplete: "one-time-code", value: typed, hint: words[.codeHint],
            error: words[problem], isFocused: true)
        return Page(
            words: words, title: words[.enterCode], isWrong: problem != nil,
            content: """
                <h1>\(words[.enterTheCode])</h1>
                <p class="lead">\(words[.toSignInOnDevice, words.name(of: place.tenant)])</p>
                <form class="asks" method="post" action="\(place.page("device"))">
                \(field.html(words))
                <button class="main" id="next" type="submit">\(words[.next])</button>
                </form>
                """
        ).answer(note: problem == nil ? nil : "unknown user code")
    }

    /// The end of the person's part.
    static func done(_ words: Words, isSignedIn: Bool) -> Answer {
        let title = words[isSignedIn ? .deviceSignedIn : .deviceDeclined]
        let message = words[isSignedIn ? .deviceGoOn : .deviceNothing]
        return Page(words: words, title: title, content: "<h1>\(title)</h1><p class=\"lead\">\(message)</p>").answer()
    }
}
