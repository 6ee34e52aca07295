import SusiBase
import SusiPolicies

/// A challenge that a client supports (native authentication's `challenge_type`).
enum ChallengeType: String, Codable, CaseIterable, Sendable {
    /// A code by email.
    case oob
    case password
    /// The client opens a browser.
    case redirect
}

/// The capabilities of a client for a second factor (native authentication's `capabilities`).
enum Capability: String, Codable, Sendable {
    /// Asks for the code of a registered method.
    case factor = "mfa_required"
    /// Lets the user register a method.
    case registration = "registration_required"
}

/// The progress of a native authentication. The client refers to it by a continuation token, which is new with each step and
/// valid for one request.
struct Continuation: Codable, Sendable {
    enum Goal: String, Codable, Sendable { case signIn, signUp, reset }

    /// The last completed step, which decides what requests may follow.
    enum Step: String, Codable, Sendable {
        case started, codeSent, credentialRequired, passwordAsked, attributesRequired, mayReset, wasReset, done
        case factorRequired, factorCodeSent, registrationRequired, registrationCodeSent, preverified, factorShown
    }

    /// The maximum number of seconds until the next request.
    static let lifetime: Int64 = 600

    let goal: Goal
    let clientID: String
    let userName: String
    /// The challenge types of the first request.
    let types: Set<ChallengeType>
    let capabilities: Set<Capability>
    var step = Step.started
    /// The object ID of the user, once there is an account.
    var objectID: String?
    /// A part of the code's digest.
    var secret = RandomBytes.text()
    var code: SentCode?
    var codesSent = 0
    /// Whether a code by email was the first factor; the same mailbox cannot be the second one.
    var isByMail = false
    /// The second factor to register.
    var registering: Recipient?
    /// The password of the account to create.
    var password: PasswordHash?
    var attributes: [String: String] = [:]

    struct Recipient: Codable, Sendable {
        let channel: OutboxMessage.Channel
        let address: String
    }

    init(_ goal: Goal, _ request: NativeRequest, userName: String, types: Set<ChallengeType>, objectID: String? = nil) {
        self.goal = goal
        clientID = request.clientID
        self.userName = userName
        self.types = types
        capabilities = request.capabilities
        self.objectID = objectID
    }
}
