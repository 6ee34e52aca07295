import ArgumentParser
import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// Options of a sign-in: their parameters, the response mode, and refusals before any request. What the library adds to a request:
/// `SignInRequestTests`.
@Suite("Sign-in options", .inTurn, .timeLimit(.minutes(5)))
struct SignInOptionTests {
    /// Returns the parameters of the address that a command opens; the command is then interrupted.
    static func asked(_ arguments: [String], _ tenant: LocalTenant) async throws -> [String: String] {
        let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
        return try await tenant.susi.command(arguments + ["--browser", browser.command]).start { run in
            let url = try await browser.nextURL()
            try await run.interrupt()
            let outcome = try await run.waitUntilExit()
            #expect(outcome.signal == SIGINT, "\(outcome)")
            return queryFields(url)
        }
    }

    /// Starts a sign-in without a browser, and passes the redirect address and the state of its request to `body`.
    private static func paste(
        _ tenant: LocalTenant, _ body: (_ run: RunningProgram, _ redirect: String, _ state: String) async throws -> Void
    ) async throws {
        try await tenant.susi.start("sign-in", "--no-browser") { run in
            let line = try await run.waitForLine(containing: "authorize?")
            let fields = queryFields(line.trimmingCharacters(in: .whitespaces))
            try await body(run, try #require(fields["redirect_uri"]), try #require(fields["state"]))
        }
    }

    @Test("every option is one parameter")
    func sendsEachOptionOnce() async throws {
        try await withLocalTenant { tenant in
            let file = tenant.susi.home.work("claims.json")
            try file.write(#"{ "id_token": { "auth_time": { "essential": true } } }"#)
            let asked = try await Self.asked(
                [
                    "sign-in", "--login-hint", "ana@contoso.example", "--domain-hint", "facebook.com", "--ui-locales",
                    "ja,en-GB", "--prompt", "login", "--max-age", "10m", "--claims", "@claims.json", "--extra",
                    "campaign=spring & summer", "--extra", "empty=",
                ], tenant)
            let expected = [
                "login_hint": "ana@contoso.example", "domain_hint": "facebook.com", "ui_locales": "ja en-GB",
                "prompt": "login", "max_age": "600", "claims": #"{"id_token":{"auth_time":{"essential":true}}}"#,
                "campaign": "spring & summer", "empty": "", "response_mode": "query",
            ]
            for (name, value) in expected { #expect(asked[name] == value, "\(name)") }
            // The id token then has the time of the sign-in, which is checked.
            try await tenant.interact(["sign-in", "--max-age", "10m"], as: .ana).exits(0)
            let automatic = try await Self.asked(
                ["sign-in", "-a", "ana@contoso.example", "--prompt", "auto", "--response-mode", "form_post"], tenant)
            #expect(automatic["login_hint"] == "ana@contoso.example" && automatic["prompt"] == nil)
            #expect(automatic["response_mode"] == "form_post")
            for command in ["edit-profile", "reset-password"] {
                let asked = try await Self.asked([command, "--ui-locales", "ja", "--extra", "a=b"], tenant)
                #expect(asked["ui_locales"] == "ja" && asked["a"] == "b" && asked["prompt"] == nil)
            }
        }
    }

    @Test("an id token hint is read from a file, which must contain a token and nothing else")
    func readsIDTokenHint() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending("hint")
            let hint = { try await PageOptions.parse(["--id-token-hint", "@\(file)"]).options().idTokenHint }
            let token = try Signer.curve.token(#"{"email":"ana@contoso.example"}"#)
            try file.write(" \(token)\n")
            #expect(try await hint() == token)
            for text in ["", "root:*:19000:", String(repeating: "\n", count: 16_384) + token] {
                try file.write(text)
                let error = await #expect(throws: UsageError.self) { _ = try await hint() }
                #expect(error.map { "\($0)" }?.contains("contains no signed token") == true)
            }
            #expect(throws: (any Error).self) { try PageOptions.parse(["--id-token-hint", token]) }
        }
    }

    @Test("a posted response passes the checks of a query, and its origin must be the authority's")
    func checksPostedResponse() async throws {
        try await withLocalTenant { tenant in
            let arguments = ["sign-in", "--no-input", "--response-mode", "form_post"]
            try await ResultPageTests.start(tenant, arguments) { run, redirect, state in
                let own = tenant.emulator.origin
                #expect(try await Self.post("code=c&state=wrong", to: redirect, from: own) == 400)
                #expect(try await Self.post("code=c", to: redirect, from: own) == 400)
                #expect(try await Self.post("code=c&state=\(state)", to: redirect, from: "https://evil.example") == 400)
                #expect(try await Self.post("code=c&state=\(state)", to: redirect + "other", from: own) == 404)
                try await run.waitForLine(containing: "it was posted by https://evil.example")
                #expect(await run.text(.error).contains("Still waiting"))
                // The response of the right page is accepted; its code is not valid.
                let last = try await Self.post("error=access_denied&state=\(state)", to: redirect, from: own)
                #expect(last == 303)
                #expect(try await run.waitUntilExit().status == 2)
            }
        }
    }

    @Test("a posted response cannot be pasted")
    func refusesPastedFormResponse() async throws {
        try await withLocalTenant { tenant in
            try await tenant.susi.start("sign-in", "--no-browser", "--response-mode", "form_post") { run in
                try await run.waitForLine(containing: "cannot be pasted")
                try await run.type("http://localhost:1/?code=c\n")
                try await run.waitForLine(containing: "the response is posted, not in the address")
                try await run.interrupt()
                #expect(try await run.waitUntilExit().signal == SIGINT)
            }
        }
    }

    @Test("a pasted address may be longer than a line of a terminal")
    func acceptsLongPastedAddress() async throws {
        try await withLocalTenant { tenant in
            try await Self.paste(tenant) { run, redirect, state in
                let description = String(repeating: "x", count: 30_000)
                try await run.type("\(redirect)?error_description=\(description)&error=access_denied&state=\(state)\n")
                // A rest of the address would be the next line.
                try await run.type("\(redirect)?no=response\n")
                let outcome = try await run.waitUntilExit()
                // The server gives a reason, so that it is no cancellation.
                #expect(outcome.status == 1, "\(outcome)")
                #expect(!outcome.standardError.contains("does not start with"), "\(outcome)")
            }
        }
    }

    @Test("a pasted address may be in quotes and over several lines")
    func acceptsBrokenPastedAddress() async throws {
        try await withLocalTenant { tenant in
            try await Self.paste(tenant) { run, redirect, state in
                let half = state.index(state.startIndex, offsetBy: 20)
                try await run.type("“\(redirect)?error=access_denied&state=\(state[..<half])\n  \(state[half...])”\n")
                let outcome = try await run.waitUntilExit().exits(2, hiding: "Not the address")
                #expect(outcome.standardError.contains("cancelled"), "\(outcome)")
            }
        }
    }

    @Test("a response at another policy's redirect address is refused (RFC 8252 section 8.10)")
    func refusesResponseAtAnotherPolicysAddress() async throws {
        let edit = { (text: String) in
            text.replacing(
                "\"kind\": \"passwordReset\"", with: "\"kind\": \"passwordReset\", \"redirectPath\": \"/reset\"")
        }
        try await withLocalTenant(policies: edit) { tenant in
            try await Self.paste(tenant) { run, redirect, state in
                let visit = { (address: String) in
                    try await WebClient.with { try await $0.get(Endpoint(address)) }.status
                }
                #expect(try await visit("\(redirect)reset?error=access_denied&state=\(state)") == 400)
                try await run.waitForLine(containing: "it arrived at \(redirect)reset")
                #expect(try await visit("\(redirect)?error=access_denied&state=\(state)") == 303)
                #expect(try await run.waitUntilExit().status == 2)
            }
        }
    }

    /// Posts a form as a page of `origin` lets a browser do. Returns the status.
    private static func post(_ body: String, to address: String, from origin: String?) async throws -> Int {
        let address = try WebAddress(address)
        let base = try WebAddress(address.origin)
        let headers =
            [(name: "Content-Type", value: "application/x-www-form-urlencoded")]
            + (origin.map { [(name: "Origin", value: $0)] } ?? [])
        let call = try #require(
            APICall(base: base, address: address, method: "POST", headers: headers, body: .bytes(Array(body.utf8))))
        return try await WebClient.with { web in try await web.call(call, token: "none") { _, _ in .more }.status }
    }

    @Test("an id token that a policy requires as a hint is in no output and no arguments")
    func keepsIDTokenHintSecret() async throws {
        let edit = { (text: String) in
            text.replacing("\"kind\": \"editProfile\"", with: "\"kind\": \"editProfile\", \"idTokenHint\": true")
        }
        try await withLocalTenant(policies: edit, signedIn: [.ana]) { tenant in
            try await tenant.interact(
                ["edit-profile"], as: .ana, typing: ["displayName": "Ana L", "givenName": "Ana", "surname": "L"]
            ).exits(0, saying: "/go/", hiding: "eyJ", "authorize?")
            let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
            try await tenant.susi.command(["edit-profile", "--browser", browser.command]).start { run in
                let url = try await browser.nextArgument()
                #expect(url.contains("/go/") && !url.contains("?"))
                try await run.interrupt()
                _ = try await run.waitUntilExit()
            }
        }
    }

    @Test("a policy without a sign-in page suggests the password sign-in")
    func suggestsPasswordSignIn() async throws {
        try await withLocalTenant(policies: { addingPasswordPolicy(to: $0) }) { tenant in
            let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
            try await tenant.susi.run("sign-in", "-p", "B2C_1_ropc", "--browser", browser.command).exits(
                5, saying: "next: susi sign-in -p B2C_1_ropc --username NAME")
            try await tenant.susi.run("token", "-p", "B2C_1_ropc").exits(
                4, saying: "susi sign-in -p B2C_1_ropc --username NAME")
            try await tenant.susi.run(
                "sign-in", "-p", "B2C_1_susi", "--username", "a", "--password-stdin", input: "x\n"
            ).exits(5, saying: "-p B2C_1_ropc")
            try await tenant.susi.run("sign-in", "--device").exits(5, saying: "--no-browser")
            #expect(browser.openedURLs.isEmpty && tenant.requestLines.isEmpty)
        }
    }

    @Test("a chosen text browser uses the terminal, and the result is printed after it ends")
    func textBrowserUsesTerminal() async throws {
        try await withLocalTenant { tenant in
            let capture = try await BrowserCommand.capture(in: tenant.susi.home.folder)
            let opener = capture.command.replacing(" %u", with: "")
            let script = tenant.susi.home.folder.appending("w3m")
            try script.write(
                "#!/bin/sh\n[ -t 0 ] && [ -t 1 ] || exit 9\n\(opener) \"$1\"\nread key && echo \"left by $key\"\n",
                mode: 0o700)
            let arguments = ["sign-in", "--browser", script.string, "--no-color"]
            try await tenant.susi.command(arguments).inTerminal().start { run in
                let form = FormBrowser(answers: LocalTenant.Person.ana.answers)
                try await form.open(try await capture.nextURL())
                try await run.type("q\n")
                let outcome = try await run.waitUntilExit().exits(0)
                let text = outcome.standardOutput
                let left = try #require(text.firstRange(of: "left by q"), "\(outcome)")
                #expect(text[left.upperBound...].contains("Signed in as Ana Lima"), "\(outcome)")
            }
            // Without a terminal it is not started.
            try await tenant.susi.run("sign-in", "--browser", script.string).exits(1, saying: "cannot be started")
        }
    }
}
