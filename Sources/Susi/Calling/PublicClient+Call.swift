public import SusiHTTP
import SusiOAuth
public import SusiPolicies

/// A call of a web API as a person asks for it.
public struct CallRequest: Sendable {
    /// The API's name.
    public var api: String
    /// A path below the API's base, with a query if need be; empty for the base itself.
    public var path: String
    /// The method.
    public var method: String
    /// Headers beside `Authorization`.
    public var headers: [(name: String, value: String)]
    /// The body; nil for none.
    public var body: [UInt8]?

    /// Makes a request.
    public init(
        api: String, path: String = "", method: String = "GET", headers: [(name: String, value: String)] = [],
        body: [UInt8]? = nil
    ) {
        self.api = api
        self.path = path
        self.method = method
        self.headers = headers
        self.body = body
    }
}

extension PublicClient {
    /// Calls an API as an account and hands the answer to `receive` in pieces; returns the head.
    ///
    /// An answer of 401 with `invalid_token` leads to one forced refresh and one more try (RFC 6750 section 3.1). A
    /// status of 400 or above is an answer, not an error.
    public func call(
        _ request: CallRequest, of selection: AccountSelection,
        receive: @escaping @Sendable (APICall.Head, [UInt8]?) async throws -> Void
    ) async throws(SusiError) -> APICall.Head {
        let application = application
        let api = try await explained { try application.chooseAPI(request.api) }
        let call = try Self.apiCall(request, api)
        let token = try await token(api: api.name, of: selection)
        return try await explained(token.policy.name) {
            let first = try await send(call, token, holdsRefusal: true, receive)
            guard first.refusesToken else { return first }
            let fresh = try await renewed(token)
            return try await send(call, fresh, holdsRefusal: false, receive)
        }
    }

    // With `holdsRefusal`, an answer that refuses the token is not handed on: the second try's is.
    private nonisolated func send(
        _ call: APICall, _ token: IssuedToken, holdsRefusal: Bool,
        _ receive: @escaping @Sendable (APICall.Head, [UInt8]?) async throws -> Void
    ) async throws -> APICall.Head {
        try await WebClient.with(limits: limits, trace: trace) { web in
            var seen: APICall.Head?
            try await web.call(call, token: token.secret) { head, piece in
                seen = head
                if holdsRefusal, head.refusesToken { return }
                try await receive(head, piece)
            }
            guard let seen else { throw CancellationError() }
            return seen
        }
    }

    /// The call of a request, within the API's base.
    public static func apiCall(_ request: CallRequest, _ api: API) throws(SusiError) -> APICall {
        let parts = request.path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts.first.map(String.init) ?? ""
        let separator = path.isEmpty || path.hasPrefix("/") ? "" : "/"
        guard let address = try? WebAddress(api.baseURL.description + separator + path),
            let call = APICall(
                base: api.baseURL, address: address,
                // An address has no slash at its end; an API may tell /items from /items/.
                query: (path.hasSuffix("/") ? "/" : "") + (parts.count > 1 ? "?\(parts[1])" : ""),
                method: request.method, headers: request.headers, body: request.body)
        else {
            throw SusiError(
                .outsideAPI, "“\(request.path)” is not a path below \(api.baseURL)",
                why: "the token goes only to the API's own address", next: "susi call \(api.name) /PATH")
        }
        return call
    }
}
