import SusiBase

/// A request of native authentication. Every request but the first one contains the continuation token of the response before.
package enum NativeRequest: Hashable, Sendable {
    case initiate(username: String)
    /// Asks for the next challenge; `method` is the ID of a method of the second factor.
    case challenge(method: String?, continuation: String)
    /// Asks for the methods of the second factor.
    case introspect(continuation: String)
    /// Requests tokens for what the user entered.
    case token(Proof, scopes: ScopeSet, continuation: String)

    /// What the user entered. It is a secret.
    package enum Proof: Hashable, Sendable {
        case password(String)
        /// A code that was sent to the user.
        case code(String)
        case factorCode(String)
    }

    package var step: NativeStep {
        switch self {
        case .initiate: .initiate
        case .challenge: .challenge
        case .introspect: .introspect
        case .token: .token
        }
    }

    /// Returns the form-encoded body. It contains secrets: it is sent and never shown.
    package func body(clientID: String) -> String {
        FormEncoding.encode([(name: "client_id", value: clientID)] + fields)
    }

    // `redirect` must always be among them: the server may demand a browser.
    private static let challengeTypes = (name: "challenge_type", value: "password oob redirect")

    private var fields: [(name: String, value: String)] {
        switch self {
        case .initiate(let username):
            [(name: "username", value: username), Self.challengeTypes, (name: "capabilities", value: "mfa_required")]
        case .challenge(let method, let continuation):
            [Self.challengeTypes] + (method.map { [(name: "id", value: $0)] } ?? []) + [Self.field(continuation)]
        case .introspect(let continuation): [Self.field(continuation)]
        case .token(let proof, let scopes, let continuation):
            proof.fields + [
                (name: "scope", value: scopes.union(.openID).description), Self.field(continuation),
                (name: "client_info", value: "1"),
            ]
        }
    }

    private static func field(_ continuation: String) -> (name: String, value: String) {
        (name: "continuation_token", value: continuation)
    }
}

extension NativeRequest.Proof {
    fileprivate var fields: [(name: String, value: String)] {
        switch self {
        case .password(let password):
            [(name: "grant_type", value: "password"), (name: "password", value: password)]
        case .code(let code): [(name: "grant_type", value: "oob"), (name: "oob", value: code)]
        case .factorCode(let code): [(name: "grant_type", value: "mfa_oob"), (name: "oob", value: code)]
        }
    }
}

/// The steps of a sign-in by native authentication, in which the client itself asks for password and codes. Each has an
/// endpoint of that name below the authority.
///
/// Names and values are those of Microsoft's “Native authentication API reference” for External ID, version 1. Where the
/// reference and Microsoft's libraries differ, those of the libraries are used.
package enum NativeStep: String, CaseIterable, Sendable {
    /// Names the user.
    case initiate
    /// Asks what the user has to enter, and has a code sent.
    case challenge
    /// Lists the methods of the user's second factor.
    case introspect
    /// Exchanges what the user entered for tokens.
    case token
}
