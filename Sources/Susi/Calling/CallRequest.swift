import SusiBase
public import SusiHTTP
package import SusiPolicies

/// A call of a web API as the user writes it.
public struct CallRequest: Sendable {
    /// The API's name, or a whole address at or below the base of one API, with a query if needed.
    package var api: String
    /// A path below it, with a query if needed; empty for none.
    package var path: String
    package var method: String
    /// The headers except `Authorization`.
    package var headers: [(name: String, value: String)]
    package var body: APICall.Body?
    /// Scopes that the token must have in addition to those of the API.
    package var scopes: [String]

    /// Makes a request; by default a GET without a body.
    public init(
        api: String, path: String = "", method: String = "GET", headers: [(name: String, value: String)] = [],
        body: APICall.Body? = nil, scopes: [String] = []
    ) {
        self.api = api
        self.path = path
        self.method = method
        self.headers = headers
        self.body = body
        self.scopes = scopes
    }
}

/// A call with the API that it belongs to, without a token.
package struct ResolvedCall: Sendable {
    package let api: API
    package let call: APICall
    /// Scopes that the token must have in addition to those of the API.
    package let scopes: [String]

    package func with(headers: [(name: String, value: String)], body: APICall.Body?) -> ResolvedCall {
        ResolvedCall(api: api, call: call.with(headers: headers, body: body), scopes: scopes)
    }
}

extension CallRequest {
    /// Returns the API and the call.
    ///
    /// Throws ``SusiError/Code/outsideAPI`` for an address or a path outside of every API, ``SusiError/Code/unknownName`` for
    /// an unknown name, or for an address that belongs to several APIs.
    package func resolved(in application: Application) throws(SusiError) -> ResolvedCall {
        do {
            try Self.checkSpelling(api)
            try Self.checkSpelling(path)
            guard api.contains("://") else {
                try checkHasNoPath(in: application)
                let api = try application.chooseAPI(api)
                return try call(api, below: api.baseURL.description)
            }
            let address = try address(in: application)
            guard let chosen = try application.chooseAPI(containing: address) else {
                throw Self.outside(address, application)
            }
            return try call(chosen, below: api)
        } catch let error as SusiError { throw error } catch { throw SusiError(error, application: application) }
    }

    // “hello/items” for the API “hello” and the path “/items”.
    private func checkHasNoPath(in application: Application) throws(SusiError) {
        guard let slash = api.firstIndex(of: "/"), path.isEmpty, application.api(api) == nil,
            let meant = application.api(String(api[..<slash]))
        else { return }
        throw SusiError(
            .unknownName, "no API “\(api)” in the application “\(application.name)”",
            why: "a path is a word of its own", next: .callAPI(meant.name, path: String(api[slash...])))
    }

    private func address(in application: Application) throws(SusiError) -> WebAddress {
        do { return try WebAddress(Self.encoded(String(api.prefix { $0 != "?" }))) } catch {
            throw SusiError(
                .outsideAPI, "invalid address “\(api)”", why: error.reason,
                next: .listPolicies, candidates: application.apis.map(\.baseURL.description))
        }
    }

    private func call(_ api: API, below start: String) throws(SusiError) -> ResolvedCall {
        let separator = path.isEmpty || path.hasPrefix("/") || path.hasPrefix("?") ? "" : "/"
        let parts = (start + separator + path)
            .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let query = parts.count > 1 ? "?\(parts[1])" : ""
        guard let address = try? WebAddress(Self.encoded(parts[0])),
            let call = APICall(
                base: api.baseURL, address: address,
                // An address has no trailing slash, but an API may distinguish /items from /items/.
                query: (parts[0].hasSuffix("/") ? "/" : "") + query, method: method, headers: headers, body: body)
        else {
            throw SusiError(
                .outsideAPI, "“\(path.isEmpty ? start : path)” is not below \(api.baseURL)",
                why: "the token is sent only to addresses of the API",
                next: .callAPI(api.name))
        }
        return ResolvedCall(api: api, call: call, scopes: scopes)
    }

    // Encodes spaces, quotes, angle brackets and everything outside ASCII. A backslash is not encoded but refused,
    // because some servers treat it as a slash.
    private static func encoded(_ written: String) -> String {
        PercentEncoding.encode(written) { $0 > 0x20 && $0 < 0x7f && !"\"<>".utf8.contains($0) }
    }

    // Other characters are percent-encoded when they are sent (``APICall/url``). A fragment is never sent, and a control
    // character is a mistake.
    private static func checkSpelling(_ written: String) throws(SusiError) {
        if written.utf8.contains(UInt8(ascii: "#")) {
            throw SusiError(
                .invalidRequest, "invalid address “\(written)”", why: "“#” starts a fragment, which is never sent",
                next: "remove the fragment, or write %23 for the character")
        }
        if written.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) {
            throw SusiError(
                .invalidRequest, "invalid address “\(written)”", why: "it contains a control character",
                next: "remove the character, or percent-encode it")
        }
    }

    private static func outside(_ address: WebAddress, _ application: Application) -> SusiError {
        // Only as many segments as the base has are compared.
        let meant = application.apis.map(\.baseURL).first { base in
            let head = "/" + address.segments.prefix(base.segments.count).joined(separator: "/")
            return NearMatch.of(address.origin + head, in: [base.origin + "/" + base.segments.joined(separator: "/")])
                != nil
        }
        return SusiError(
            .outsideAPI, "\(address) is outside of the APIs of “\(application.name)”",
            why: meant.map { "did you mean \($0)?" } ?? "tokens are sent only to the APIs in policies.json",
            next: .listPolicies, candidates: application.apiList)
    }
}

extension Application {
    fileprivate var apiList: [String] { apis.map { "\($0.name)  \($0.baseURL)" } }
}

extension SusiError {
    static func tooLong(_ api: String, _ limit: Int) -> SusiError {
        SusiError(
            .invalidResponse, "the response of “\(api)” is longer than \(limit) bytes",
            next: "raise the limit of the call, or receive the response in pieces")
    }
}
