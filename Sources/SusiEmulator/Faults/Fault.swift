/// Something that goes wrong on purpose.
public struct Fault: Hashable, Sendable {
    /// Where it strikes.
    public enum Endpoint: String, CaseIterable, Sendable {
        /// Everywhere but in the admin API.
        case any
        /// A tenant's metadata, its keys, its authorization endpoint and so on.
        case metadata, keys, authorize, token, logout, revocation
        /// The user-info endpoint.
        case userInfo = "userinfo"
        /// The endpoint that gives device codes, and the page on which a person types one.
        case deviceAuthorization, deviceVerification
        /// Sign-in, sign-up and reset without a browser.
        case native
        /// The pages of a sign-in.
        case page
        /// The sample API.
        case api
    }

    /// Where a connection is closed.
    public enum Drop: String, CaseIterable, Sendable {
        /// Before anything was done about the request.
        case request
        /// After everything was done, before anything is answered: the client never learns of its new tokens.
        case answer
        /// In the middle of the answer's body.
        case body
    }

    /// How an answer is spoilt. One without a body stays as it is, except for `html`.
    public enum Malformation: String, CaseIterable, Sendable {
        /// A page with status 200 in its place, as Azure AD B2C sometimes does it.
        case html
        /// Half of the body, as if that were all.
        case cut
        /// The right body with the content type `text/plain`.
        case type
        /// Bytes in the middle that are no UTF-8.
        case encoding
    }

    /// What happens.
    public enum Kind: Hashable, Sendable {
        /// An answer of its own, without the request being looked at. Without a body, 429 and 5xx say what the service says
        /// then (AADB2C90244, AADB2C90035). `retryAfter` is in seconds (RFC 9110 section 10.2.3).
        case status(Int, body: String? = nil, contentType: String = "application/json", retryAfter: Int? = nil)
        /// The answer comes late.
        case delay(milliseconds: Int)
        /// The connection is closed.
        case drop(Drop)
        /// The answer is spoilt.
        case malformed(Malformation)
    }

    /// Where it strikes.
    public var endpoint: Endpoint
    /// What happens.
    public var kind: Kind
    /// The tenant's name or id where it strikes only that one.
    public var tenant: String?
    /// The policy where it strikes only that one.
    public var policy: String?
    /// The client id where it strikes only that one's requests.
    public var clientID: String?
    /// How often it strikes, from 0 to 1.
    public var probability: Double
    /// How often it strikes at most; nil is without end.
    public var count: Int?
    /// What its chance begins with: the same seed strikes the same requests. A random one when it is nil.
    public var seed: UInt64?

    /// Describes a fault.
    public init(
        _ kind: Kind, at endpoint: Endpoint = .any, tenant: String? = nil, policy: String? = nil,
        clientID: String? = nil, probability: Double = 1, count: Int? = nil, seed: UInt64? = nil
    ) {
        self.endpoint = endpoint
        self.kind = kind
        self.tenant = tenant
        self.policy = policy
        self.clientID = clientID
        self.probability = probability
        self.count = count
        self.seed = seed
    }
}

extension Fault.Kind {
    /// For the log and the audit trail.
    var title: String {
        switch self {
        case .status(let code, _, _, _): "status \(code)"
        case .delay(let milliseconds): "delay of \(milliseconds) ms"
        case .drop(let drop): "drop \(drop.rawValue)"
        case .malformed(let form): "malformed \(form.rawValue)"
        }
    }
}
