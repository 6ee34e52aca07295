/// Cases of native authentication: the steps before the tokens.
extension NativeCase {
    private typealias Native = NativeScript
    private static let reference = "Native authentication API"

    /// A flow in which the endpoint is requested.
    private static func flow(_ endpoint: Native.Endpoint) -> Native.Flow {
        endpoint == .introspect ? .factor : .password
    }

    static let bodies: [NativeCase] = Native.Endpoint.allCases.flatMap { endpoint in
        [
            ("a page", 7, "a page, not JSON", .text("<html>", type: "text/html")),
            ("a list", 7, "found a list", .text("[]")),
            ("a truncated body", 7, "not JSON", .text(#"{"continuation_token":"contin"#)),
            ("100 nested lists", 7, "more than 64 nested", .text(String(repeating: "[", count: 100))),
            ("two mebibytes", 7, "larger than 1048576 bytes", .answer(body: Array(repeating: 0x20, count: 2 << 20))),
            (
                "a connection that closes within the body", 3, "broke",
                .bytes("HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n{")
            ),
            ("status 500", 3, "status 500", .text("<html>", status: 500)),
            ("status 429", 3, "try again in 2 min", .text("{}", status: 429, ("Retry-After", "120"))),
            ("an empty object with status 400", 7, "status 400 without", .text("{}", status: 400)),
        ].map { (name: String, status: Int32, text: String, reply: Reply) in
            NativeCase("\(endpoint): \(name)", reference, .refused(status, text), flow(endpoint), endpoint, reply)
        }
    }

    /// Redirects, which are not followed: the next request has the password or the code.
    static let httpRedirects: [NativeCase] = Native.Endpoint.allCases.flatMap { endpoint in
        [301, 302, 303, 307, 308].map { status in
            NativeCase(
                "\(endpoint): a redirect with status \(status)", "RFC 9700 4.12",
                .refused(7, "redirect (status \(status))"), flow(endpoint)
            ) { script in
                let place = [("Location", "\(script.elsewhere)/\(endpoint)")]
                script.native[endpoint] = [.answer(status: status, headers: place)]
            }
        }
    }

    /// Continuation tokens.
    static let continuations: [NativeCase] = [Native.Endpoint.initiate, .challenge, .introspect].flatMap { endpoint in
        [
            ("no continuation token", "no continuation_token", #""x":1"#),
            ("an empty continuation token", "no continuation_token", #""continuation_token":"""#),
            ("a continuation token that is a number", "no continuation_token", #""continuation_token":5"#),
            (
                "two continuation tokens", "duplicate key",
                #""continuation_token":"evil","continuation_token":"continuation-qX7""#
            ),
            (
                "a continuation token of 900 kB", "continuation_token",
                #""continuation_token":"\#(String(repeating: "x", count: 900_000))""#
            ),
            (
                "a continuation token with a line end", "continuation_token",
                #""continuation_token":"a\r\nHost: evil.example""#
            ),
        ].map { (name: String, text: String, member: String) in
            let asked = endpoint == .initiate ? "\"y\":1" : endpoint == .challenge ? Native.password : Native.methods
            return NativeCase(
                "\(endpoint): \(name)", reference, .refused(7, text), flow(endpoint), endpoint,
                .text("{\(asked),\(member)}"))
        }
    }

    /// What the server asks for.
    static let challenges: [NativeCase] = [
        challenge("an unknown challenge type", #""challenge_type":"carrier_pigeon""#, 7, "challenge_type"),
        challenge("no challenge type", #""x":1"#, 7, "challenge_type"),
        challenge("a challenge type that is a list", #""challenge_type":["password"]"#, 7, "challenge_type"),
        challenge(
            "two challenge types", #""challenge_type":"redirect","challenge_type":"password""#, 7, "duplicate key"),
        NativeCase("a password asked for as second factor", reference, .refused(7, "after the second factor"), .factor)
        {
            $0.native[.challenge] = [Native.step(Native.password)]
        },
        NativeCase("a second factor asked for twice", reference, .refused(7, "a second factor again"), .factor) {
            $0.native[.token] = [Native.factorRequired]
        },
        NativeCase(
            "a second factor without a continuation token", reference, .refused(7, "continuation_token"), .factor
        ) {
            $0.native[.token] = [Native.refusal("invalid_grant", 50_076, "mfa_required")]
        },
        NativeCase("a code length that is text", reference, .accepted, .code) {
            $0.native[.challenge] = [Native.step(Native.code.replacing(":8", with: ":\"8\""))]
        },
        NativeCase("a code length out of range", reference, .accepted, .code) {
            $0.native[.challenge] = [Native.step(Native.code.replacing(":8", with: ":99999999999999999999"))]
        },
        NativeCase("a code without a label", reference, .accepted, .code) {
            $0.native[.challenge] = [Native.step(#""challenge_type":"oob","binding_method":"prompt""#)]
        },
        NativeCase("steps with the content type of a page", "RFC 9110 8.3", .accepted) {
            $0.native[.initiate] = [.text(#"{"continuation_token":"continuation-qX7"}"#, type: "text/html")]
        },
    ]

    private static func challenge(_ name: String, _ members: String, _ status: Int32, _ text: String) -> NativeCase {
        NativeCase(name, reference, .refused(status, text), .password, .challenge, Native.step(members))
    }

    /// The methods of a second factor.
    static let methods: [NativeCase] = [
        introspect("no methods", #""methods":[]"#, .refused(4, "browser")),
        introspect("methods that are text", #""methods":"email""#, .refused(7, "methods")),
        introspect("a method without an id", #""methods":[{"challenge_type":"oob"}]"#, .refused(4, "browser")),
        introspect(
            "a method whose id is a number", #""methods":[{"id":7,"challenge_type":"oob"}]"#, .refused(4, "browser")),
        introspect(
            "a method with control characters in its id",
            #""methods":[\#(NativeScript.method(id: #"m\u001b]0;x\u0007\r\n\u202e&grant_type=x"#))]"#,
            .refused(4, "browser")),
        introspect(
            "an unknown method beside the email address",
            #""methods":[{"id":"m-0","challenge_type":"fido"},\#(NativeScript.method())]"#, .accepted),
        introspect(
            "5,000 methods",
            #""methods":[\#(Array(repeating: NativeScript.method(), count: 5_000).joined(separator: ","))]"#, .accepted),
    ]

    private static func introspect(_ name: String, _ members: String, _ expected: Outcome) -> NativeCase {
        NativeCase(name, reference, expected, .factor, .introspect, Native.step(members))
    }
}
