import FoundationEssentials
import HTTPTypes
import HummingbirdCore
import NIOCore
import SusiBase

struct RequestContext: Sendable {
    static let largestBody = 64 * 1_024

    /// The method; GET for HEAD, whose response is the same without a body (RFC 9110 section 9.3.2).
    let method: HTTPRequest.Method
    /// The path as sent, without the query.
    let path: String
    let rawQuery: String
    let query: Parameters
    let body: [UInt8]
    /// The fields of the body if it is a form.
    let form: Parameters
    let isForm: Bool
    let headers: HTTPFields
    /// The Host header (RFC 9110 section 7.2).
    let host: String?
    let port: EmulatorPort
    /// The origin that the response names; nil if the Host header names another machine.
    private let named: String?
    private let reach: ListenOptions
    private let isFromLoopback: Bool
    /// The address that the request comes from.
    let ipAddress: String
    let now: Int64

    init(
        _ request: Request, port: EmulatorPort, reach: ListenOptions, channel: any Channel, now: Int64
    ) async throws {
        method = request.method == .head ? .get : request.method
        path = request.uri.path
        rawQuery = request.uri.query ?? ""
        query = Parameters(rawQuery)
        body = Array(buffer: try await request.body.collect(upTo: Self.largestBody))
        headers = request.headers
        let type = headers[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased()
        isForm = type == "application/x-www-form-urlencoded"
        form = Parameters(isForm ? String(decoding: body, as: UTF8.self) : "")
        // The first Host header is the authority. A second one is a field, and an error (RFC 9112 section 3.2).
        host = headers.contains { $0.name.canonicalName == "host" } ? nil : request.head.authority
        named = reach.origin(host: host, at: port, own: channel.localAddress?.ipAddress)
        isFromLoopback = reach.isPlain || channel.remoteAddress?.isLoopback ?? false
        ipAddress = channel.remoteAddress?.ipAddress ?? ""
        self.port = port
        self.reach = reach
        self.now = now
    }

    /// The form of a POST request, else the query.
    var parameters: Parameters { method == .post ? form : query }

    /// Whether the Host header names the emulator.
    var hasOwnHost: Bool { named != nil }

    /// Scheme, host and port of the emulator in the response.
    var origin: String { named ?? port.origin }

    /// Whether the request comes from this machine: from the loopback, to a loopback host, and without a proxy's headers.
    var isFromHere: Bool {
        let isOwn = host.map { host in
            EmulatorPort.hosts.contains { port.authority(host: $0) == host.lowercased() }
        }
        let isForwarded = ["Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP"].contains { name in
            HTTPField.Name(name).map { headers[$0] != nil } ?? false
        }
        return isFromLoopback && isOwn == true && !isForwarded
    }

    /// Whether the request comes from this machine and the emulator listens on the loopback only.
    var isPrivate: Bool { reach.isPlain && isFromHere }

    /// Whether the request comes from a page of this origin, according to the browser (Fetch Metadata,
    /// `Sec-Fetch-Site`). Cookies do not prove it: other ports of this machine share them.
    var isFromOwnPage: Bool {
        let site = HTTPField.Name("Sec-Fetch-Site").flatMap { headers[$0] }
        return site.map { ["same-origin", "none"].contains($0) } ?? true
    }

    var hostReason: String {
        let own = reach.address == nil ? " with port \(port.number)" : ""
        let names = reach.publicAuthorities + (port.isSecure ? reach.cloudHosts.sorted() : [])
        let given = names.map { ", or \($0)" }.joined()
        let found = host.map { "“\(DisplayText.safe(String($0.prefix(200))))”" } ?? "missing or sent twice"
        let other = reach.isPlain ? "" : "; other names require --public-url"
        return "The Host header must be localhost, 127.0.0.1 or [::1]\(own)\(given), and is \(found)\(other)"
    }

    /// The path's segments, decoded.
    var segments: [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { percentDecoded(String(Substring($0))) }
    }

    func cookie(_ name: String) -> String? {
        cookies.first { $0.count == 2 && $0[0] == name }.map { String($0[1]) }
    }

    func cookies(beginning start: String) -> [String] {
        cookies.compactMap { $0.first.map(String.init) }.filter { $0.hasPrefix(start) }
    }

    // Name and value of each cookie.
    private var cookies: [[Substring]] {
        headers[values: .cookie].flatMap { line in
            line.split(separator: ";").map { $0.drop { $0 == " " }.split(separator: "=", maxSplits: 1) }
        }
    }

    // Ports share cookies (RFC 6265 section 8.5), so the name contains the port: two emulators do not interfere.
    var formCookie: String { "susi_form_\(port.number)" }

    /// User and password of HTTP Basic. RFC 6749 section 2.3.1 encodes them like a form, so “+” is a space in
    /// `userAsInForm` and `asInForm`. Some programs do not encode them, so “+” is itself in `user` and `password`.
    var basicCredentials: (user: String, userAsInForm: String, password: String, asInForm: String)? {
        guard let value = headers[.authorization], value.lowercased().hasPrefix("basic "),
            let bytes = Data(base64Encoded: String(value.dropFirst("basic ".count)))
        else { return nil }
        let parts = String(decoding: bytes, as: UTF8.self).split(
            separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let (user, password) = (String(parts[0]), String(parts[1]))
        return (
            percentDecoded(user), percentDecoded(user.replacing("+", with: " ")), percentDecoded(password),
            percentDecoded(password.replacing("+", with: " "))
        )
    }

    /// The bearer token (RFC 6750 section 2.1); the scheme compares without case.
    var bearerToken: String? {
        guard let value = headers[.authorization] else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        return parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : nil
    }
}
