import Susi

/// Cases of responses of the token endpoint to a code.
extension Case {
    private static func bad(
        _ name: String, _ source: String, _ reason: String, _ code: SusiError.Code = .invalidAnswer,
        _ reply: @escaping @Sendable (String) -> Reply
    ) -> Case {
        Case(name, source, .refused(code, reason)) { $0.rewrite = reply }
    }

    private static func member(_ name: String, _ value: String?, _ what: String, _ source: String, _ reason: String)
        -> Case
    {
        Case("\(name) \(what)", source, .refused(.invalidAnswer, reason)) { $0.answer[name] = .some(value) }
    }

    private static func good(_ name: String, _ value: String?, _ what: String, _ source: String) -> Case {
        Case("\(name) \(what)", source, .accepted) { $0.answer[name] = .some(value) }
    }

    static let goodAnswers: [Case] = [
        good("expires_in", "{}", "an object", "RFC 6749 5.1"),
        good("scope", nil, "missing", "RFC 6749 5.1"), good("scope", "\"openid\"", "without the API's", "RFC 6749 3.3"),
        good("refresh_token", nil, "missing", "RFC 6749 5.1"), good("access_token", nil, "missing", "b2c-protocol 4"),
        good("x_new", "[[],{}]", "unknown", "RFC 6749 5.1"),
        Case("tokens with the content type of a page", "RFC 9110 8.3", .accepted) {
            $0.rewrite = { .text($0, type: "text/html") }
        },
        Case("tokens without a content type", "RFC 9110 8.3", .accepted) {
            $0.rewrite = { .answer(body: Array($0.utf8)) }
        },
        Case("a chunked body", "RFC 9112 7.1", .accepted) {
            $0.rewrite = {
                .bytes(Array(Reply.chunkedHead.utf8) + $0.utf8.flatMap { Reply.chunk([$0]) } + Array("0\r\n\r\n".utf8))
            }
        },
    ]

    static let badMembers: [Case] = [
        member("token_type", "\"DPoP\"", "DPoP", "RFC 6749 7.1", "token_type is not Bearer"),
        member(
            "access_token", "\"a\\r\\nX: y\"", "with a line end", "RFC 6749 A.12", "access_token contains characters"),
        member("id_token", nil, "missing", "OpenID Connect Core 3.1.3.3", "no id_token"),
        member("error", "5", "a number beside tokens", "RFC 6749 5.2", "error is not text"),
        Case("an error beside tokens", "RFC 6749 5.2", .refused(.refused, "the server refused the request")) {
            $0.answer["error"] = "\"unsupported_grant_type\""
        },
    ]

    /// The table of bodies is that of the pure rules (`MessageTests`).
    static let bodies: [Case] = [
        bad("a page", "b2c-protocol 4", "a page, not JSON") { _ in
            .text("<!doctype html><html>", type: "text/html")
        },
        bad("a page with status 400", "RFC 6749 5.2", "status 400 without") { _ in .text("<html>", status: 400) },
        bad("tokens with status 403", "RFC 6749 5.2", "status 403 without") { .text($0, status: 403) },
        bad("tokens with status 201", "RFC 6749 5.1", "status 201 without") { .text($0, status: 201) },
        bad("invalid UTF-8", "RFC 8259 8.1", "not valid UTF-8") {
            .answer(body: Array($0.utf8.dropLast()) + [0xff])
        },
        bad("100 nested lists", "RFC 8259 9", "more than 64 nested") { _ in .text(String(repeating: "[", count: 100)) },
        bad("two bodies", "RFC 8259 2", "text after the end") { .text($0 + $0) },
        bad("a compressed body", "RFC 9110 8.4", "not JSON") {
            .text($0.replacing("{", with: "\u{1f}"), ("Content-Encoding", "gzip"))
        },
        Case("a redirect with status 307", "RFC 9700 4.12", .refused(.invalidAnswer, "redirect (status 307)")) {
            script in
            let elsewhere = script.elsewhere
            script.rewrite = {
                .answer(status: 307, headers: [("Location", "\(elsewhere)/token")], body: Array($0.utf8))
            }
        },
    ]

    static let transports: [Case] = [
        bad("two mebibytes", "susi's own limit", "larger than 1048576 bytes") { _ in
            .answer(body: Array(repeating: 0x20, count: 2 << 20))
        },
        bad("a Content-Length of 100 MB", "susi's own limit", "larger than 1048576 bytes") { _ in
            .bytes("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n{")
        },
        bad("a body without an end", "susi's own limit", "larger than 1048576 bytes") { _ in
            .endless(start: Reply.chunkedHead, piece: Reply.chunk(Array(repeating: 0x20, count: 65_536)), pause: 0)
        },
        bad("a slow body without an end", "susi's own limit", "did not respond in time", .timeout) { _ in
            .endless(start: Reply.chunkedHead, piece: Reply.chunk([0x20]), pause: 50)
        },
        bad("headers without an end", "susi's own limit", "", .network) { _ in
            .endless(
                start: "HTTP/1.1 200 OK\r\n", piece: Array("X-Y: \(String(repeating: "z", count: 9_000))\r\n".utf8),
                pause: 0)
        },
        bad("no response", "susi's own limit", "did not respond in time", .timeout) { _ in .silence },
        bad("a connection that closes before the response", "RFC 9112 9.6", "broke", .network) { _ in .bytes("") },
        bad("a connection that closes within the body", "RFC 9112 8", "broke", .network) {
            .bytes("HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n" + $0)
        },
        bad("a connection that closes before the last chunk", "RFC 9112 8", "broke", .network) {
            .bytes(Array(Reply.chunkedHead.utf8) + Reply.chunk(Array($0.utf8)))
        },
        bad("a chunk with an invalid size", "RFC 9112 7.1", "broke", .network) {
            .bytes(Reply.chunkedHead + "zz\r\n\($0)\r\n")
        },
        bad("a protocol other than HTTP", "RFC 9112 2.1", "broke", .network) { _ in .bytes("SSH-2.0-hostile\r\n") },
        bad("two Content-Length headers", "RFC 9112 6.3", "broke", .network) {
            .bytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 9\r\n\r\n" + $0)
        },
    ]

    static let busy: [Case] = [
        bad("status 500", "RFC 9110 15.6.1", "status 500", .network) { _ in .text("<html>", status: 500) },
        bad("Retry-After in seconds", "RFC 9110 10.2.3", "try again in 2 min", .network) { _ in
            .text("", status: 503, ("Retry-After", "120"))
        },
        bad("Retry-After with a date", "RFC 9110 10.2.3", "try again in 10 min", .network) { _ in
            .text(
                "", status: 429, ("Date", "Fri, 15 Jan 2027 08:00:00 GMT"),
                ("Retry-After", "Fri, 15 Jan 2027 08:10:00 GMT"))
        },
        bad("an invalid Retry-After", "RFC 9110 10.2.3", "try again later", .network) { _ in
            .text("", status: 429, ("Retry-After", "a while"))
        },
        bad("status 429 with an error code", "AADB2C90244", "AADB2C90244: too many", .network) { _ in
            .text(#"{"error":"server_error","error_description":"AADB2C90244: too many"}"#, status: 429)
        },
        bad("a refusal with status 503", "RFC 9110 15.6.4", "status 503", .network) { _ in
            .text(#"{"error":"invalid_grant"}"#, status: 503)
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
        says("invalid_grant", "AADB2C90080: x", "AADB2C90080", .signInNeeded, "sign in under"),
        says("invalid_grant", "AADB2C90088: x", "AADB2C90088", .refused, "a bug in susi"),
        says("invalid_client", "AADSTS7000218: x", "AADSTS7000218", .refused, "allow public client flows", status: 401),
        says("invalid_grant", "AADSTS900941: x", "AADSTS900941", .consentNeeded, "administrator"),
        says("invalid_grant", "no code", "AADSTS50173", .signInNeeded, "revoked", more: ",\"error_codes\":[50173]"),
        says(
            "invalid_grant", "", "MSAL, suberror", .consentNeeded, "consent is missing",
            more: ",\"suberror\":\"consent_required\""
        ),
        says("access_denied", "", "RFC 6749 5.2", .cancelled, "cancelled", status: 403),
    ]
}
