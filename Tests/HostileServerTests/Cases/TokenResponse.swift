import Susi

/// Cases of responses of the token endpoint to a code.
extension Case {
    private static func bad(
        _ name: String, _ source: String, _ reason: String, _ code: SusiError.Code = .invalidResponse,
        _ reply: @escaping @Sendable (String) -> Reply
    ) -> Case {
        Case(name, source, .refused(code, reason)) { $0.rewrite = reply }
    }

    private static func good(_ name: String, _ value: String?, _ what: String, _ source: String) -> Case {
        Case("\(name) \(what)", source, .accepted) { $0.response[name] = .some(value) }
    }

    static let goodAnswers: [Case] = [
        good("expires_in", "{}", "an object", "RFC 6749 5.1"),
        good("scope", nil, "missing", "RFC 6749 5.1"), good("scope", "\"openid\"", "without the API's", "RFC 6749 3.3"),
        good("refresh_token", nil, "missing", "RFC 6749 5.1"), good("access_token", nil, "missing", "b2c-protocol 4"),
        Case("tokens with the content type of a page", "RFC 9110 8.3", .accepted) {
            $0.rewrite = { .text($0, type: "text/html") }
        },
    ]

    /// The table of bodies is that of the pure rules (`MessageTests`), that of transports is of `WebClientTests`.
    static let bodies: [Case] = [
        Case("no id token", "OpenID Connect Core 3.1.3.3", .refused(.invalidResponse, "no id_token")) {
            $0.response["id_token"] = .some(nil)
        },
        bad("a page", "b2c-protocol 4", "a page, not JSON") { _ in
            .text("<!doctype html><html>", type: "text/html")
        },
        Case("a redirect with status 307", "RFC 9700 4.12", .refused(.invalidResponse, "redirect (status 307)")) {
            script in
            let elsewhere = script.elsewhere
            script.rewrite = {
                .response(status: 307, headers: [("Location", "\(elsewhere)/token")], body: Array($0.utf8))
            }
        },
        bad("a body without an end", "susi's own limit", "larger than 1048576 bytes") { _ in
            .endless(start: Reply.chunkedHead, piece: Reply.chunk(Array(repeating: 0x20, count: 65_536)), pause: 0)
        },
        bad("headers without an end", "susi's own limit", "", .network) { _ in
            .endless(
                start: "HTTP/1.1 200 OK\r\n", piece: Array("X-Y: \(String(repeating: "z", count: 9_000))\r\n".utf8),
                pause: 0)
        },
        bad("no response", "susi's own limit", "did not respond in time", .timeout) { _ in .silence },
        bad("a connection that closes within the body", "RFC 9112 8", "broke", .network) {
            .bytes("HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n" + $0)
        },
        bad("two Content-Length headers", "RFC 9112 6.3", "broke", .network) {
            .bytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 9\r\n\r\n" + $0)
        },
    ]

    static let busy: [Case] = [
        bad("Retry-After in seconds", "RFC 9110 10.2.3", "try again in 2 min", .network) { _ in
            .text("", status: 503, ("Retry-After", "120"))
        },
        bad("Retry-After with a date", "RFC 9110 10.2.3", "try again in 10 min", .network) { _ in
            .text(
                "", status: 429, ("Date", "Fri, 15 Jan 2027 08:00:00 GMT"),
                ("Retry-After", "Fri, 15 Jan 2027 08:10:00 GMT"))
        },
        bad("status 429 with an error code", "AADB2C90244", "AADB2C90244: too many", .network) { _ in
            .text(#"{"error":"server_error","error_description":"AADB2C90244: too many"}"#, status: 429)
        },
    ]

    private static func says(
        _ error: String, _ description: String, _ source: String, _ code: SusiError.Code, _ text: String,
        status: Int = 400,
        more: String = ""
    ) -> Case {
        Case("\(error) \(description) \(more)", source, .refused(code, text)) {
            $0.refuseToken(error, description, status: status, more: more)
        }
    }

    static let tokenRefusals: [Case] = [
        says("invalid_grant", "AADB2C90088: x", "AADB2C90088", .refused, "name the policy that issued it"),
        says("invalid_client", "AADSTS7000218: x", "AADSTS7000218", .refused, "allow public client flows", status: 401),
        says("invalid_grant", "AADSTS900941: x", "AADSTS900941", .consentNeeded, "administrator"),
        says(
            "invalid_grant", "", "MSAL, suberror", .consentNeeded, "consent is missing",
            more: ",\"suberror\":\"consent_required\""
        ),
    ]
}
