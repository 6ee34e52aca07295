import NIOHTTP1
import SusiBase
import SusiPolicies
import Testing

@testable import SusiHTTP

@Suite("Form visitor", .timeLimit(.minutes(5)))
struct FormVisitorTests {
    static let away = "a page led away from this machine"

    static func form(_ action: String, _ more: String = "") -> Reply {
        .response(
            status: 200,
            body: """
                <form method="post" action="\(action)"><input type="hidden" name="csrf" value="a&amp;&quot;b">
                <input name="user" value=""><input type="checkbox" name="off"><input type="checkbox" name="on" value="1" checked>
                <button type="button" id="show" name="press" value="show">Show</button>
                <button id="ok" name="press" value="ok">OK</button><button id="no" name="press" value="no">No</button></form>\(more)
                """)
    }

    static func visit(_ url: String, presses: [String] = []) async throws -> String {
        try await WebClient.with { client in
            try await FormVisitor(answers: ["user": "ada"], presses: presses, client: client).visit(url)
        }
    }

    @Test func submitsForms() async throws {
        try await Server.with { asked in
            switch asked.target {
            case "/": .redirect("/form", headers: [("Set-Cookie", "s=1; Path=/; HttpOnly")])
            case "/form": Self.form("/submit?a=b")
            case "/submit?a=b": .redirect("/end", status: 303)
            default: .response(status: 200, body: "welcome")
            }
        } _: { server async throws in
            #expect(try await Self.visit(server.origin + "/") == "welcome")
            #expect(server.asked.map(\.method) == ["GET", "GET", "POST", "GET"])
            #expect(server.asked[2].body == "csrf=a%26%22b&user=ada&on=1&press=ok")
            #expect(server.asked[2].headers["Origin"] == [server.origin])
            #expect(server.asked.dropFirst().allSatisfy { $0.headers["Cookie"] == ["s=1"] })
        }
    }

    @Test(arguments: [("no", "POST"), ("forgot", "GET")])
    func pressesNamedButtons(press: String, method: String) async throws {
        try await Server.with { asked in
            asked.target == "/"
                ? Self.form("/submit", "<a id='forgot' href='/reset'>") : .response(status: 200, body: "end")
        } _: { server async throws in
            #expect(try await Self.visit(server.origin + "/", presses: [press]) == "end")
            #expect(server.asked.map(\.method) == ["GET", method])
            #expect(method == "GET" || server.asked[1].body.hasSuffix("&press=no"))
        }
    }

    @Test(arguments: ["http://example.com/", "https://example.com/a?b=c", "http://0127.0.0.1/"])
    func staysOnThisMachine(target: String) async throws {
        let start = try await #require(throws: InvalidInput.self) { try await Self.visit(target) }
        #expect(start.reason == Self.away)
        for reply in [Reply.redirect(target), Self.form(target)] {
            try await Server.with(reply) { server async throws in
                let stuck = try await #require(throws: InvalidInput.self) { try await Self.visit(server.origin) }
                #expect(stuck.reason == Self.away)
                #expect(server.asked.count == 1)
            }
        }
    }

    @Test func endsVisitThatCannotContinue() async throws {
        for (reply, reason) in [
            (Self.form("/"), "did not accept the answers"), (.redirect("/"), "too many redirects"),
            (.response(status: 500), "responded with status 500"),
        ] {
            try await Server.with(reply) { server async throws in
                let stuck = try await #require(throws: InvalidInput.self) { try await Self.visit(server.origin) }
                #expect(stuck.reason.contains(reason), "\(stuck.reason)")
            }
        }
    }
}
