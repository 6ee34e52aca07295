/// A failure that the emulator causes on purpose, to test how a client handles it.
public struct Fault: Hashable, Sendable {
    /// The endpoints that a fault affects.
    public enum Endpoint: String, CaseIterable, Sendable {
        /// All endpoints except the admin API.
        case any
        /// A tenant's metadata, its keys, its authorization endpoint and so on.
        case metadata, keys, authorize, token, logout, revocation
        /// The user-info endpoint (OpenID Connect Core 5.3).
        case userInfo = "userinfo"
        /// The endpoint that issues device codes, and the page for entering one.
        case deviceAuthorization, deviceVerification
        /// Native authentication.
        case native
        /// The pages of a sign-in.
        case page
        /// The sample API.
        case api
    }

    /// When a connection is closed.
    public enum Drop: String, CaseIterable, Sendable {
        /// Before the request is processed.
        case request
        /// After the request is processed, before the response: the client never receives its new tokens.
        case response
        /// In the middle of the response's body.
        case body
    }

    /// How a response is malformed. A response without a body does not change, except for `html`.
    public enum Malformation: String, CaseIterable, Sendable {
        /// An HTML page with status 200 instead, as Azure AD B2C sometimes does.
        case html
        /// Half of the body, with a matching length.
        case cut
        /// The body with the content type `text/plain`.
        case type
        /// Invalid UTF-8 in the middle of the body.
        case encoding
    }

    /// What happens to the requests that a fault hits.
    public enum Kind: Hashable, Sendable {
        /// A response without processing the request. Without a body, 429 and 5xx have the error of the service (AADB2C90244,
        /// AADB2C90035). A number outside of 200 to 599 counts as 500. `retryAfter` is in seconds (RFC 9110 section
        /// 10.2.3).
        case status(Int, body: String? = nil, contentType: String = "application/json", retryAfter: Int? = nil)
        /// A delayed response.
        case delay(milliseconds: Int)
        /// A closed connection.
        case drop(Drop)
        /// A malformed response.
        case malformed(Malformation)
    }

    /// The affected endpoints.
    public var endpoint: Endpoint
    /// What happens to the requests that it hits.
    public var kind: Kind
    /// The affected tenant's name or id; nil for all.
    public var tenant: String?
    /// The affected policy; nil for all.
    public var policy: String?
    /// The client id of the affected requests; nil for all.
    public var clientID: String?
    /// The probability of the fault, from 0 to 1.
    public var probability: Double
    /// The maximum number of times; nil for no limit.
    public var count: Int?
    /// The seed of the random numbers: the same seed hits the same requests. nil for a random seed.
    public var seed: UInt64?

    /// Makes a fault; by default it hits every request of every tenant.
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
