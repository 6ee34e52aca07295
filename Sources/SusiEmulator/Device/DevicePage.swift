import HTTPTypes
import SusiPolicies

/// Where a person enters the code that a device shows (RFC 8628 section 3.3). The person then signs in and is asked
/// whether the device may go on.
enum DevicePage {
    static func show(_ place: Place, _ visit: Visit) throws -> Answer {
        guard let typed = visit.query["user_code"] else { return page(place, typed: "") }
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
            return page(place, typed: typed, problem: "No device waits with this code. Check it, or start again there.")
        }
        let request = AuthorizationRequest(
            clientID: device.clientID, policy: place.policy.name.spelling, scope: device.scope,
            device: device.userCode)
        return try AuthorizeEndpoint.begin(request, place, visit)
    }

    private static func page(_ place: Place, typed: String, problem: String? = nil) -> Answer {
        let field = Field(
            id: "user_code", label: "Code", autocomplete: "one-time-code", value: typed,
            hint: "Eight letters, as your device shows them", error: problem, isFocused: true)
        return Page(
            title: problem == nil ? "Enter code" : "Enter code: please check",
            content: """
                <h1>Enter the code</h1>
                <p class="lead">to sign in on a device with \(place.tenant.title)</p>
                <form method="post" action="\(place.page("device"))" novalidate>
                \(field.html)
                <button class="main" id="next" type="submit">Next</button>
                </form>
                """
        ).answer(note: problem == nil ? nil : "unknown code")
    }

    /// The end of the person's part.
    static func done(isSignedIn: Bool) -> Answer {
        let title = isSignedIn ? "You have signed in on your device" : "Your device was not signed in"
        let message = isSignedIn ? "You can close this window and go on there." : "Nothing was given to it."
        return Page(title: title, content: "<h1>\(title)</h1><p class=\"lead\">\(message)</p>").answer()
    }
}
