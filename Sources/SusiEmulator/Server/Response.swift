import HTTPTypes
import HummingbirdCore
import NIOCore
import SusiBase

/// A response of the emulator, before it becomes HTTP.
struct Response: Sendable {
    var status: HTTPResponse.Status
    var headers = Self.usualHeaders
    var body: [UInt8] = []
    /// The streamed body, which is sent instead of `body`.
    var filler: StreamedBody?
    /// Where a fault closes the connection.
    var drop: Fault.Drop?
    var delay: Duration?
    /// The note for the request log: the AADB2C code and the reason of a refusal. Contains nothing secret.
    var note: String?
    var facts = AuditFacts()

    // The headers of every response.
    private static let usualHeaders: HTTPFields = {
        var headers: HTTPFields = [.cacheControl: "no-store", .xContentTypeOptions: "nosniff"]
        set("Referrer-Policy", "no-referrer", in: &headers)
        return headers
    }()

    init(status: HTTPResponse.Status, body: [UInt8] = [], type: String? = nil, note: String? = nil) {
        self.status = status
        self.body = body
        self.note = note
        if let type { headers[.contentType] = type }
    }

    static func json(_ value: JSON, status: HTTPResponse.Status = .ok, note: String? = nil) -> Response {
        Response(status: status, body: value.encoded, type: "application/json; charset=utf-8", note: note)
    }

    /// A redirect; 303 so that a submitted form is not submitted again (RFC 9700 section 4.12).
    static func redirect(to address: String, note: String? = nil) -> Response {
        var response = Response(status: .seeOther, note: note)
        response.headers[.location] = address
        return response
    }

    /// The response with a cookie; an empty value removes it. It ends with the browser, or after `seconds`. With
    /// `isShared` browsers also send it from pages of other sites, which requires https.
    func settingCookie(_ name: String, _ value: String, seconds: Int64? = nil, isShared: Bool = false) -> Response {
        var copy = self
        let end = value.isEmpty ? "; Max-Age=0" : seconds.map { "; Max-Age=\($0)" } ?? ""
        copy.headers.append(
            HTTPField(
                name: .setCookie,
                value: "\(name)=\(value); Path=/; HttpOnly; SameSite=\(isShared ? "None" : "Lax")\(end)"))
        return copy
    }

    /// The response with its cookies limited to https (RFC 6265 section 4.1.2.5).
    func securingCookies() -> Response {
        var copy = self
        copy.headers[values: .setCookie] = copy.headers[values: .setCookie].map { "\($0); Secure" }
        return copy
    }

    /// The response with a header that has no constant of its own.
    func setting(_ name: String, _ value: String) -> Response {
        var copy = self
        Self.set(name, value, in: &copy.headers)
        return copy
    }

    private static func set(_ name: String, _ value: String, in headers: inout HTTPFields) {
        if let name = HTTPField.Name(name) { headers[name] = value }
    }

    var http: HummingbirdCore.Response {
        guard drop == nil else { return HummingbirdCore.Response(status: status, headers: headers, body: brokenBody) }
        // Clients take a body of these for the beginning of the next response (RFC 9110 sections 15.3.5 and 15.4.5).
        if [.noContent, .notModified].contains(status) {
            return HummingbirdCore.Response(status: status, headers: headers, body: ResponseBody())
        }
        return HummingbirdCore.Response(
            status: status, headers: headers, body: filler?.body ?? ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }

    /// The response to HEAD: no body, but its length (RFC 9110 section 8.6).
    var headHTTP: HummingbirdCore.Response {
        let whole = http
        guard drop == nil else { return whole }
        let body = ResponseBody(contentLength: whole.body.contentLength) { writer in try await writer.finish(nil) }
        return HummingbirdCore.Response(status: status, headers: headers, body: body)
    }

    // Sends half of the body, or nothing. The error closes the connection.
    private var brokenBody: ResponseBody {
        let half = drop == .body ? ByteBuffer(bytes: body.prefix(body.count / 2)) : ByteBuffer()
        return ResponseBody(contentLength: body.count) { writer in
            try await writer.write(half)
            throw CancellationError()
        }
    }
}
