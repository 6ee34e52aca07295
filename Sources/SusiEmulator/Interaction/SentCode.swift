import Crypto
import FoundationEssentials

/// A code that was sent to the user. It holds a digest of the code, not the code.
struct SentCode: Codable, Sendable {
    enum Attempt: Sendable { case right, wrong, expired, tooMany }

    /// In seconds.
    static let lifetime: Int64 = 300
    /// The number of attempts until the code is void.
    static let mostTries = 5
    /// Per transaction.
    static let mostCodes = 10

    let purpose: OutboxMessage.Purpose
    let channel: OutboxMessage.Channel
    let recipient: String
    /// The object ID of the account, if it is known.
    let person: String?
    private let digest: [UInt8]
    private let expires: Int64
    private var tries = 0

    init(
        _ code: String, for purpose: OutboxMessage.Purpose, to recipient: String, by channel: OutboxMessage.Channel,
        person: String?, secret: String, now: Int64
    ) {
        self.purpose = purpose
        self.channel = channel
        self.recipient = recipient
        self.person = person
        digest = Array(HMAC<SHA256>.authenticationCode(for: Data(code.utf8), using: Self.key(secret)))
        expires = now + Self.lifetime
    }

    static func make(digits count: Int = 6) -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in "\(Int.random(in: 0...9, using: &generator))" }.joined()
    }

    /// Compares in constant time and counts the attempt.
    mutating func attempt(_ code: String, secret: String, now: Int64) -> Attempt {
        guard now < expires else { return .expired }
        guard tries < Self.mostTries else { return .tooMany }
        let isRight = HMAC<SHA256>.isValidAuthenticationCode(
            digest, authenticating: Data(code.utf8), using: Self.key(secret))
        guard !isRight else { return .right }
        tries += 1
        return tries < Self.mostTries ? .wrong : .tooMany
    }

    // A digest of six digits alone could be reversed, so it includes a secret of the transaction.
    private static func key(_ secret: String) -> SymmetricKey { SymmetricKey(data: Data(secret.utf8)) }
}

extension OutboxMessage.Purpose: Codable {}

extension OutboxMessage.Channel: Codable {}
