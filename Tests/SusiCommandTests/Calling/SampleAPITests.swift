import Susi
import SusiEmulator
import SusiTestSupport
import Testing

/// `call` with the emulator's APIs: Graph, and a sample API with slow, large and refused responses.
@Suite("Sample APIs", .inTurn, .timeLimit(.minutes(5)))
struct SampleAPITests {
    @Test(
        "call graph /me in workforce and external tenants, with and without Graph in the scope",
        arguments: ["entra", "external"],
        ["User.Read", "https://graph.microsoft.com/User.Read", "https://graph.microsoft.com/.default"])
    func callsGraphInEveryKind(kind: String, scope: String) async throws {
        let edit = onlyApplication(kind, "contoso.onmicrosoft.com", more: graphAPI.replacing("User.Read", with: scope))
        try await withLocalTenant(policies: edit, signedIn: [.ana]) { tenant in
            let called = try await tenant.susi.run("call", "graph", "/me")
            let me = try called.json()
            #expect(me["displayName"]?.string == "Ana Lima" && me["userPrincipalName"]?.string == "ana@contoso.example")
            let origin = "http://localhost:\(tenant.emulator.port)"
            let cached = tenant.requests("POST", "/token")
            #expect(try await tenant.susi.run("call", "\(origin)/v1.0/me").standardOutput == called.standardOutput)
            #expect(tenant.requests("POST", "/token") == cached, "a call requested another token")
            #expect(try await tenant.susi.refusal("call", "\(origin)/v2.0/me").status == 7)
        }
    }

    @Test("after a claims challenge, the next sign-in lets the call succeed")
    func callSucceedsAfterClaimsChallenge() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            try await tenant.susi.refusal("call", "hello", "/protected").exits(4, saying: "acrs")
            try await tenant.signIn(.ana)
            try await tenant.susi.run("call", "hello", "/protected").exits(0, printing: "Hello, Ana Lima")
        }
    }

    @Test("a slow response has a spinner on a terminal, erased before the response; elsewhere there is none")
    func showsSpinnerOnTerminalOnly() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let slow = ["call", "hello", "/slow?milliseconds=400"]
            let plain = try await tenant.susi.command(slow).run()
            #expect(plain.status == 0 && plain.standardError.isEmpty && plain.standardOutput.hasPrefix("{"))
            for more in [[:], ["NO_COLOR": "1"]] {
                let shown = try await tenant.susi.command(slow, environment: more).inTerminal().run().standardOutput
                let beforeAnswer = shown.split(separator: "200 OK").first ?? ""
                #expect(beforeAnswer.contains("\r⠋ calling hello") && beforeAnswer.contains("  \r"), "\(shown)")
                #expect(shown.split(separator: "200 OK").last?.contains("⠋") == false)
                if !more.isEmpty { #expect(!shown.contains("\u{1b}")) }
            }
            for more in [["-v"], []] {
                let environment = more.isEmpty ? ["TERM": "dumb"] : [:]
                try await tenant.susi.command(slow + more, environment: environment).inTerminal().run().exits(
                    0, hiding: "⠋")
            }
        }
    }
}
