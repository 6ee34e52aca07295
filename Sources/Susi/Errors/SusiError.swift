public import SusiOAuth

/// The error type of the library: what failed, why, and the next step.
///
/// Texts may quote what a server sent: escape them before they reach a terminal.
public struct SusiError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of errors that a program handles differently.
    public enum Code: String, CaseIterable, Sendable {
        /// The person or the caller cancelled.
        case cancelled
        /// No response from a server.
        case network
        /// The time ran out.
        case timeout
        /// Only an interactive sign-in helps.
        case signInNeeded
        /// The user name or the password is wrong. Sent again, it may lock the account.
        case wrongPassword
        /// Accounts are signed in, but none of them is the current one of the policy.
        case noCurrentAccount
        /// The user or an administrator has to consent to what was requested.
        case consentNeeded
        /// None of the scopes was granted.
        case scopesDeclined
        /// No such account, or no account that fits is signed in.
        case unknownAccount
        /// Several accounts fit.
        case ambiguousAccount
        /// No such policy, application or API.
        case unknownName
        /// Several policies or APIs fit.
        case ambiguousName
        /// The policies file cannot be used.
        case invalidConfiguration
        /// The store is locked, unreadable or damaged.
        case store
        /// Another user could have written a file or folder that settings or secrets are taken from.
        case unsafeFile
        /// The authority is not a known one.
        case unknownAuthority
        /// Something a server sent breaks a rule.
        case invalidResponse
        /// Another person signed in than the one expected.
        case differentPerson
        /// The address is outside the API.
        case outsideAPI
        /// The request cannot be sent as it is written.
        case invalidRequest
        /// The server refused.
        case refused
        /// Anything else.
        case failed
    }

    /// What a program decides by; the texts are for people.
    public let code: Code
    /// What failed: one clause without a full stop.
    public let what: String
    /// Why; empty if `what` is sufficient.
    public let why: String
    /// What to do; empty if there is nothing to do.
    package var nextStep: NextStep
    /// The prompt that the next sign-in has to use; `nil` if none is demanded.
    public internal(set) var prompt: Prompt?
    /// The names that could have been meant.
    public let candidates: [String]
    /// The server's error response: its codes, its id and time for the event, a claims challenge.
    public let refusal: ServerRefusal?

    /// The scopes that were granted and those that were not, where that is the error.
    public let scopes: ScopeOutcome?
    /// What broke a rule of the protocol; `nil` for other errors.
    var violated: ProtocolViolation.Subject?

    /// The server's id for the event, to give to its support.
    public var correlationID: String? { refusal?.correlationID }

    /// What to do in words, without a command line.
    public var next: String { nextStep.description }

    /// Makes an error without a next step.
    public init(_ code: Code, _ what: String, why: String = "") { self.init(code, what, why: why, next: "") }

    package init(
        _ code: Code, _ what: String, why: String = "", next: NextStep = "", candidates: [String] = [],
        refusal: ServerRefusal? = nil, scopes: ScopeOutcome? = nil
    ) {
        self.code = code
        self.what = what
        self.why = why
        nextStep = next
        self.candidates = candidates
        self.refusal = refusal
        self.scopes = scopes
    }

    /// What and why on one line.
    public var description: String { why.isEmpty ? what : "\(what): \(why)" }

    /// The description as a sentence. An address or an identifier at its start keeps its spelling.
    var sentence: String {
        let isWord = description.prefix { !$0.isWhitespace }.allSatisfy { $0.isLetter || "-,:’'".contains($0) }
        return (isWord ? description.prefix(1).uppercased() + description.dropFirst() : description) + "."
    }
}
