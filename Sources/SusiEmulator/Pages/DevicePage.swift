import HTTPTypes
import SusiPolicies

/// The page on which a user enters the code of a device (RFC 8628 section 3.3). The user then signs in and confirms the
/// device.
enum DevicePage {
    static func show(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        guard let typed = context.query["user_code"] else { return page(endpoint, context.words, typed: "") }
        return try begin(endpoint, context, typed: typed)
    }

    static func submit(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        try begin(endpoint, context, typed: context.form["user_code"] ?? "")
    }

    private static func begin(
        _ endpoint: PolicyEndpoint, _ context: RequestContext, typed: String
    ) throws -> Response {
        let device = try UserCode.read(typed).flatMap {
            try endpoint.tenant.database.waitingDevice(userCode: $0, now: context.now)
        }
        guard let device else {
            return page(endpoint, context.words, typed: typed, problem: .unknownCode)
        }
        let request = AuthorizationRequest(
            clientID: device.clientID, policy: endpoint.policy.name.spelling, scope: device.scope,
            device: device.userCode)
        return try AuthorizeEndpoint.begin(request, at: endpoint, context)
    }

    private static func page(_ endpoint: PolicyEndpoint, _ words: Words, typed: String, problem: LocalizedText? = nil)
        -> Response
    {
        let field = Field(
            id: "user_code", label: words[.code], autocomplete: "one-time-code", value: typed, hint: words[.codeHint],
            error: words[problem], isFocused: true)
        return Page(
            words: words, title: words[.enterCode], isWrong: problem != nil,
            content: """
                <h1>\(words[.enterTheCode])</h1>
                <p class="lead">\(words[.toSignInOnDevice, words.name(of: endpoint.tenant)])</p>
                <form class="asks" method="post" action="\(endpoint.page("device"))">
                \(field.html(words))
                <button class="main" id="next" type="submit">\(words[.next])</button>
                </form>
                """
        ).response(note: problem == nil ? nil : "unknown user code")
    }

    /// The last page: the user continues on the device.
    static func done(_ words: Words, isSignedIn: Bool) -> Response {
        let title = words[isSignedIn ? .deviceSignedIn : .deviceDeclined]
        let message = words[isSignedIn ? .deviceGoOn : .deviceNothing]
        return Page(words: words, title: title, content: "<h1>\(title)</h1><p class=\"lead\">\(message)</p>").response()
    }
}
