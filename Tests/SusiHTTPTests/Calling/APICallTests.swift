import NIOHTTP1
import SusiPolicies
import Testing

@testable import SusiHTTP

@Suite("Calling an API", .timeLimit(.minutes(5)))
struct APICallTests {
    struct Answered: Equatable {
        let status: Int
        let body: String
    }

    /// Sends a call and returns the status and the body.
    static func call(
        _ server: Server, _ path: String = "/api", method: String = "GET", headers: [(String, String)] = []
    ) async throws -> Answered {
        let call = try #require(
            APICall(
                base: WebAddress(server.origin + "/api"), address: WebAddress(server.origin + path), method: method,
                headers: headers, body: method == "POST" ? .bytes(Array("{}".utf8)) : nil))
        let answers = Trace()
        try await WebClient.with { client in
            try await client.call(call, token: "t") { head, piece in
                if let piece {
                    answers.add(String(decoding: piece, as: UTF8.self))
                } else {
                    answers.add("\(head.status)")
                }
                return .more
            }
        }
        return Answered(status: Int(answers.lines.first ?? "") ?? 0, body: answers.lines.dropFirst().joined())
    }

    static func tokens(_ server: Server) -> [[String]] { server.asked.map { $0.headers["Authorization"] } }

    @Test(arguments: ["https://h/apix", "https://h/", "http://h/api", "https://h:8443/api", "https://h.evil.com/api"])
    func rejectsAddressOutsideBase(address: String) throws {
        let base = try WebAddress("https://h/api")
        #expect(try APICall(base: base, address: WebAddress(address), method: "GET") == nil)
        #expect(APICall(base: base, address: base.appending("x"), method: "GET") != nil)
    }

    @Test func sendsTokenHeadersAndBody() async throws {
        try await Server.with(.response(status: 201, body: "done")) { server async throws in
            let response = try await Self.call(
                server, "/api/x", method: "POST",
                headers: [("X-A", "1"), ("Authorization", "Basic x"), ("Accept", "a/b")])
            #expect(response == Answered(status: 201, body: "done"))
            let asked = try #require(server.asked.first)
            #expect(asked.method == "POST" && asked.target == "/api/x" && asked.body == "{}")
            #expect(asked.headers["Authorization"] == ["Bearer t"])
            #expect(asked.headers["X-A"] == ["1"] && asked.headers["Accept"] == ["a/b"])
        }
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func keepsTokenBelowBase(status: Int) async throws {
        try await Server.with {
            $0.target == "/api" ? .redirect("/api/new?x=1", status: status) : .response(status: 200, body: "new")
        } _: { server async throws in
            #expect(try await Self.call(server) == Answered(status: 200, body: "new"))
            #expect(server.asked.map(\.target) == ["/api", "/api/new?x=1"])
            #expect(Self.tokens(server) == [["Bearer t"], ["Bearer t"]])
        }
    }

    @Test(arguments: [
        "/other", "/apix", "/", "/api/../other", "/api/%2e%2e/other", "/api/..;/other", "/api/..%3b/other",
    ])
    func dropsTokenOutsideBase(location: String) async throws {
        try await Server.with {
            $0.target == "/api" ? .redirect(location) : .response(status: 200)
        } _: { server async throws in
            #expect(try await Self.call(server).status == 200)
            #expect(Self.tokens(server) == [["Bearer t"], []])
        }
    }

    @Test("a server elsewhere gets no secret, and redirects back to the base without a token")
    func dropsTokenOnOtherOrigin() async throws {
        let origins = Trace()
        try await Server.with {
            $0.target == "/api" ? .redirect("\(origins.lines.last ?? "")/x") : .response(status: 200)
        } _: { server async throws in
            let back = server.origin
            try await Server.with(.redirect("\(back)/api/secret")) { other async throws in
                origins.add(other.origin)
                let headers = [("Authorization", "Basic mine"), ("Cookie", "a=b")]
                #expect(try await Self.call(server, headers: headers).status == 200)
                #expect(server.asked.map(\.target) == ["/api", "/api/secret"])
                #expect(Self.tokens(server) == [["Bearer t"], []] && Self.tokens(other) == [[]])
                #expect((other.asked + server.asked.dropFirst()).allSatisfy { $0.headers["Cookie"].isEmpty })
            }
        }
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func passesOnRedirectOfPost(status: Int) async throws {
        try await Server.with(.redirect("/api/new", status: status)) { server async throws in
            #expect(try await Self.call(server, method: "POST").status == status)
            #expect(server.asked.count == 1)
        }
    }

    @Test(arguments: ["http://example.com/api", "//example.com/api", "new", "ftp://h/", "javascript:x", "https://a@b/"])
    func passesOnInvalidRedirect(location: String) async throws {
        try await Server.with(.redirect(location)) { server async throws in
            #expect(try await Self.call(server).status == 302)
            #expect(server.asked.count == 1)
        }
    }

    @Test func endsCircleOfRedirects() async throws {
        try await Server.with(.redirect("/api")) { server async throws in
            let failure = try await #require(throws: NetworkFailure.self) { _ = try await Self.call(server) }
            #expect(failure.kind == .broken)
            #expect(server.asked.count == 6)
        }
    }

    @Test(
        arguments: [
            (401, ["Bearer error=\"invalid_token\""], true), (401, ["Bearer"], false), (401, [], false),
            (403, ["Bearer error=\"invalid_token\""], false),
            (401, ["Basic realm=\"x\"", "Bearer error=invalid_token"], true),
            (401, ["Bearer error_description=\"no invalid_token\""], false),
            (401, ["Basic error=\"invalid_token\""], false),
        ] as [(Int, [String], Bool)])
    func recognizesRefusedToken(status: Int, lines: [String], expected: Bool) {
        let headers = lines.map { (name: "www-authenticate", value: $0) }
        #expect(APICall.Head(status: status, headers: headers, reason: "", isFromAPI: true).refusesToken == expected)
        #expect(!APICall.Head(status: status, headers: headers, reason: "", isFromAPI: false).refusesToken)
    }
}
