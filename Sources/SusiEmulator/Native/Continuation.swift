import SusiPolicies

/// What a client can ask its user for (native authentication's `challenge_type`).
enum ChallengeType: String, Codable, CaseIterable, Sendable {
    /// A code that comes by mail.
    case oob
    case password
    /// Nothing of this: the client opens a browser.
    case redirect
}

/// What a client can do for a second factor (native authentication's `capabilities`).
enum Capability: String, Codable, Sendable {
    /// Ask for the code of one that is registered.
    case factor = "mfa_required"
    /// Let the user register one.
    case registration = "registration_required"
}

/// How far somebody has come in native authentication. The client names it by a continuation token, which is new with each
/// step and good for one.
struct Continuation: Codable, Sendable {
    /// What is to be reached.
    enum Goal: String, Codable, Sendable { case signIn, signUp, reset }

    /// What was answered last, and with it which requests may come next.
    enum Step: String, Codable, Sendable {
        case started, codeSent, credentialRequired, passwordAsked, attributesRequired, mayReset, wasReset, done
        case factorRequired, factorCodeSent, registrationRequired, registrationCodeSent, preverified, factorShown
    }

    /// Seconds until the next request must have come.
    static let lifetime: Int64 = 600

    let goal: Goal
    let clientID: String
    /// The address, or what else the user signs in with.
    let userName: String
    /// What the client said at first that it can ask for.
    let types: Set<ChallengeType>
    /// What it said that it can do for a second factor.
    let capabilities: Set<Capability>
    var step = Step.started
    /// Who it is, once there is an account.
    var objectID: String?
    /// Goes into the digest of the code that is awaited.
    var secret = randomSecret()
    var code: SentCode?
    var codesSent = 0
    /// Whether a code by mail was the first factor: the same mailbox is no second one.
    var isByMail = false
    /// The method that is being registered.
    var registering: Recipient?
    /// Of an account that is not there yet.
    var password: Password?
    var attributes: [String: String] = [:]

    /// A password as it will be kept.
    struct Password: Codable, Sendable {
        let salt: [UInt8]
        let hash: [UInt8]

        init(_ password: String) throws {
            let hash = try PasswordHash(password)
            (salt, self.hash) = (hash.salt, hash.hash)
        }

        var value: PasswordHash { PasswordHash(salt: salt, hash: hash) }
    }

    /// Where a code goes.
    struct Recipient: Codable, Sendable {
        let channel: OutboxMessage.Channel
        let address: String
    }

    init(
        _ goal: Goal, _ request: NativeRequest, userName: String, types: Set<ChallengeType>, objectID: String? = nil
    ) {
        self.goal = goal
        clientID = request.clientID
        self.userName = userName
        self.types = types
        capabilities = request.capabilities
        self.objectID = objectID
    }
}
