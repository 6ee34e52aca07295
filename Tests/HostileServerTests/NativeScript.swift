import Susi

/// The responses of native authentication (External ID): a valid sign-in until a case changes them.
struct NativeScript: Sendable {
    enum Endpoint: String, CaseIterable, Sendable { case initiate, challenge, introspect, token }

    enum Flow: CaseIterable, Sendable {
        case password
        /// A code by email.
        case code
        /// A password, then a code.
        case factor
    }

    /// One response for each request to the endpoint; the last one serves all later requests, and nil gives valid tokens.
    private var replies: [Endpoint: [Reply?]]

    init(_ flow: Flow = .password) {
        replies = [.initiate: [Self.step()], .introspect: [Self.step(Self.methods)]]
        replies[.challenge] =
            switch flow {
            case .password: [Self.step(Self.password)]
            case .code: [Self.step(Self.code)]
            case .factor: [Self.step(Self.password), Self.step(Self.code)]
            }
        replies[.token] = flow == .factor ? [Self.factorRequired, nil] : [nil]
    }

    subscript(endpoint: Endpoint) -> [Reply?] {
        get { replies[endpoint] ?? [] }
        set { replies[endpoint] = newValue }
    }

    /// Returns the response to the request with that number, from 0.
    func reply(of endpoint: Endpoint, _ number: Int) -> Reply? {
        let all = self[endpoint]
        return all.isEmpty ? nil : all[min(number, all.count - 1)]
    }

    // MARK: Messages

    static let continuation = "continuation-qX7"
    static let userPassword = "Hostile-Passw0rd-7"
    static let userCode = "86420975"
    /// What no output may show.
    static let secrets = [continuation, userPassword, userCode]
    static let password = #""challenge_type":"password""#
    static let code = delivered()
    static let methods = #""methods":[\#(method())]"#

    /// Returns the members of a challenge for a code.
    static func delivered(label: String = "a***@example.com") -> String {
        #""challenge_type":"oob","binding_method":"prompt","challenge_channel":"email","#
            + #""challenge_target_label":"\#(label)","code_length":8"#
    }

    /// Returns a registered method of a second factor.
    static func method(id: String = "m-1", channel: String = "email", hint: String = "a***@home.example") -> String {
        #"{"id":"\#(id)","challenge_type":"oob","challenge_channel":"\#(channel)","login_hint":"\#(hint)"}"#
    }

    static func credentials(_ flow: Flow) -> NativeCredentials {
        let password: @Sendable () async throws -> String = { userPassword }
        let code: @Sendable (NativeCode, Int) async throws -> String = { _, _ in userCode }
        return NativeCredentials(
            username: "ada@example.com", password: flow == .code ? nil : password, code: flow == .password ? nil : code)
    }

    /// Returns a step with the members and a continuation token.
    static func step(_ members: String...) -> Reply {
        .text("{\((members + [#""continuation_token":"\#(continuation)""#]).joined(separator: ","))}")
    }

    /// Returns an error in the form of the service.
    static func refusal(
        _ error: String, _ number: Int, _ suberror: String? = nil, text: String = "x", status: Int = 400,
        more: String = ""
    ) -> Reply {
        let suberror = suberror.map { #","suberror":"\#($0)""# } ?? ""
        return .text(
            #"{"error":"\#(error)","error_description":"AADSTS\#(number): \#(text)","error_codes":[\#(number)]"#
                + suberror + more + "}", status: status)
    }

    static let factorRequired = refusal(
        "invalid_grant", 50_076, "mfa_required", more: #","continuation_token":"\#(continuation)""#)
}
