import Foundation
import Susi
import SusiTestSupport
import Testing

@testable import SusiEmulator

/// Sign-ins without a browser at a tenant of External ID (native authentication).
@Suite("Native sign-in", .inTurn, .enabled("curl is missing", { NativeStage.canReadOutbox }), .timeLimit(.minutes(5)))
struct NativeSignInTests {
    private static let ana = LocalTenant.Person.ana.email
    private static let mia = NativeStage.mia.signInName

    @Test("a password signs in without a browser; the token then comes from the cache, and is refreshed later")
    func signsInWithPassword() async throws {
        try await NativeStage.with { stage in
            let outcome = try await stage.signIn(Self.ana, password: NativeStage.password)
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.standardOutput.contains("Ana Lima <\(Self.ana)> under default"), "\(outcome)")
            #expect(
                stage.steps().sorted() == ["challenge", "initiate", "keys", "openid-configuration", "token"],
                "\(stage.tenant.requestLines)")
            let susi = stage.tenant.susi
            let before = stage.tenant.requestLines.count
            let token = try await susi.run("token", "hello")
            #expect(token.status == 0 && stage.tenant.requestLines.count == before, "\(token)")
            stage.tenant.emulator.clock.advance(by: 60)
            let refreshed = try await susi.run("token", "hello", "--refresh")
            #expect(refreshed.status == 0 && refreshed.standardOutput != token.standardOutput, "\(refreshed)")
            #expect(stage.steps(after: before) == ["token"])
            #expect(try await susi.run("call", "hello").standardOutput.contains("Ana Lima"))
            let inspected = try await susi.run("inspect")
            #expect(inspected.status == 0 && inspected.standardOutput.contains("Ana Lima"), "\(inspected)")
            #expect(stage.openedURLs.isEmpty)
        }
    }

    @Test("a code that a command prints signs in a user without a password; the command runs once")
    func signsInWithCodeOfCommand() async throws {
        try await NativeStage.with { stage in
            let outcome = try await stage.signIn(Self.mia, code: "sh code.sh")
            #expect(outcome.status == 0 && outcome.standardOutput.contains("Signed in as Mia Berg"), "\(outcome)")
            #expect(stage.codesAsked == 1)
            // With a password nothing asks for a code.
            let other = try await stage.signIn(Self.ana, password: NativeStage.password, code: "sh code.sh")
            #expect(other.status == 0 && stage.codesAsked == 1, "\(other)")
            let accounts = try await stage.accounts()
            #expect(accounts.contains("Mia Berg") && accounts.contains("Ana Lima"), "\(accounts)")
            #expect(stage.openedURLs.isEmpty)
        }
    }

    @Test("password and code are in no file, no argument list, no output, and not in --debug")
    func hidesPasswordAndCode() async throws {
        // Other tests show the usual password in their arguments.
        let password = "Hidden-Passw0rd-9"
        try await NativeStage.with(configure: {
            $0.changeSettings { $0.multiFactor = .always }
            $0.users[0].factorEmail = "ana@home.example"
            $0.users[0].password = password
        }) { stage in
            // The command sees what other users of the machine see.
            let seen =
                "for f in /proc/[0-9]*/cmdline; do tr '\\0' ' ' < $f >> seen 2> /dev/null; done; tee code < code.out"
            let code = "sh code.sh > code.out; \(seen)"
            let outcome = try await stage.signIn(Self.ana, password: password, code: code, "--debug")
            #expect(outcome.status == 0, "\(outcome)")
            let sent = stage.read("code").trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(sent.count == 8 && stage.read("seen").contains("--password-stdin"))
            let database = try #require(stage.tenant.emulator.site.tenants.first?.database)
            #expect(try database.outbox(limit: 1).first?.code == sent)
            for secret in [password, sent] {
                #expect(!"\(outcome)".contains(secret) && !stage.read("seen").contains(secret))
                let files = try stage.files(containing: secret).filter { !$0.hasPrefix("work/code") }
                #expect(files.isEmpty, "\(files)")
            }
            #expect(outcome.standardError.contains("/oauth2/v2.0/introspect") && !"\(outcome)".contains("eyJ"))
            let continuations = outcome.standardError.matches(of: #/continuation_token[^\s,&]{0,3}[=:] ?"?([^\s,&"]+)/#)
            #expect(!continuations.isEmpty && continuations.allSatisfy { $0.1.count < 16 }, "\(continuations.map(\.0))")
        }
    }

    /// A refusal of the server.
    struct Refusal: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var user = NativeSignInTests.ana
        var password: String? = NativeStage.password
        var code: String?
        let status: Int32
        /// A text of the error.
        let text: String
        /// The beginning of the next step.
        let next: String
        var configure: @Sendable (inout TenantConfiguration) -> Void = { _ in }
    }

    static let refusals: [Refusal] = [
        Refusal(
            testDescription: "wrong password", password: "Wrong-1-password", status: 4, text: "AADSTS50126",
            next: "susi sign-in --username \(ana)"),
        Refusal(
            testDescription: "unknown user", user: "eve@contoso.example", status: 4, text: "AADSTS1003034",
            next: "susi sign-in"),
        Refusal(
            testDescription: "locked account", password: "Wrong-1-password", status: 3, text: "AADSTS50053", next: "",
            configure: { $0.changeSettings { $0.lockoutFailures = 1 } }),
        Refusal(
            testDescription: "blocked account", status: 1, text: "AADSTS50057", next: "",
            configure: { $0.users[0].isBlocked = true }),
        Refusal(
            testDescription: "wrong code", user: mia, password: nil, code: "echo 00000000", status: 4,
            text: "AADSTS50181", next: "susi sign-in"),
        Refusal(
            testDescription: "application without native authentication", status: 1, text: "AADSTS7000218",
            next: "", configure: { $0.applications[0].allowsNativeAuthentication = false }),
        Refusal(
            testDescription: "new password needed", status: 4, text: "AADSTS50142", next: "susi sign-in --api hello",
            configure: { $0.users[0].mustResetPassword = true }),
        Refusal(
            testDescription: "no second factor registered", status: 4, text: "browser", next: "susi sign-in",
            configure: { $0.changeSettings { $0.multiFactor = .always } }),
        Refusal(
            testDescription: "user of a social provider", user: "kim@contoso.example", status: 4,
            text: "AADSTS1003034", next: "susi sign-in",
            configure: {
                $0.users.append(
                    User(objectID: "e0", email: "kim@contoso.example", identityProvider: "social.example"))
            }),
    ]

    @Test("a refusal has its own exit code and next step; nothing is stored, and no browser opens", arguments: refusals)
    func reportsRefusal(row: Refusal) async throws {
        try await NativeStage.with(configure: row.configure) { stage in
            if row.text.contains("50053") {
                _ = try await stage.signIn(row.user, password: row.password)
            }
            let outcome = try await stage.signIn(row.user, password: row.password, code: row.code, "--api", "hello")
            #expect(outcome.status == row.status && outcome.standardError.contains(row.text), "\(outcome)")
            #expect(outcome.standardError.contains("\n  next: \(row.next)"), "\(outcome)")
            #expect(outcome.standardOutput.isEmpty && !"\(outcome)".contains(NativeStage.password))
            #expect(try await stage.accounts().isEmpty && stage.openedURLs.isEmpty)
            // A code is sent once, and so is a password.
            #expect(stage.steps().count { $0 == "token" } <= (row.text.contains("50053") ? 2 : 1))
        }
    }

    @Test("the next step after a redirect to a browser keeps policy, API and scopes, and works")
    func suggestsBrowserThatWorks() async throws {
        try await NativeStage.with(configure: { $0.users[0].mustResetPassword = true }) { stage in
            let outcome = try await stage.signIn(Self.ana, password: NativeStage.password, "--api", "hello")
            let next = try #require(outcome.standardError.firstMatch(of: #/next: susi (sign-in [^\n]*)/#)?.1)
            #expect(next.contains("--api hello") && !next.contains("--password-stdin"), "\(outcome)")
            let arguments = next.split(separator: " ").map(String.init)
            let page = try await stage.tenant.interact(
                arguments, as: .ana, typing: ["newPassword": "Anas-Passw0rd", "reenterPassword": "Anas-Passw0rd"])
            #expect(page.status == 0, "\(page)")
        }
    }

    @Test("an overloaded or failing server is a network error; nothing is stored")
    func reportsFailingServer() async throws {
        try await NativeStage.with { stage in
            let faults = stage.tenant.emulator.faults
            for endpoint in [Fault.Endpoint.native, .token] {
                for kind in [Fault.Kind.status(429, retryAfter: 90), .status(503), .drop(.answer)] {
                    faults.add(Fault(kind, at: endpoint))
                    let outcome = try await stage.signIn(Self.ana, password: NativeStage.password)
                    #expect(outcome.status == 3 && outcome.standardError.contains("next: "), "\(kind): \(outcome)")
                    #expect(faults.all.last.map { $0.hits > 0 } == true, "\(kind) at \(endpoint)")
                    faults.removeAll()
                }
            }
            #expect(try await stage.accounts().isEmpty)
        }
    }

    @Test("another person than --account is refused, and nothing is stored")
    func refusesAnotherPerson() async throws {
        try await NativeStage.with { stage in
            let outcome = try await stage.signIn(
                Self.ana, password: NativeStage.password, "-a", "ben@contoso.example")
            #expect(outcome.status == 7 && outcome.standardError.contains("not as ben@"), "\(outcome)")
            #expect(try await stage.accounts().isEmpty)
        }
    }

    @Test("a session that expired while the code was awaited is reported")
    func reportsExpiredSession() async throws {
        try await NativeStage.with { stage in
            let advance = """
                sh code.sh; printf 'Authorization: Bearer %s' "$SUSI_EMULATOR_SECRET" |
                curl -sS -o advanced -H @- -H 'Content-Type: application/json' "$SUSI_EMULATOR_ADMIN/clock/advance" \
                -d '{ "seconds": 700 }'
                """
            let outcome = try await stage.signIn(Self.mia, code: advance)
            #expect(outcome.status == 4 && outcome.standardError.contains("AADSTS552003"), "\(outcome)")
            #expect(outcome.standardError.contains("next: susi sign-in"), "\(outcome)")
            #expect(try await stage.accounts().isEmpty)
        }
    }

    @Test("--no-switch keeps the current account")
    func keepsCurrentAccount() async throws {
        try await NativeStage.with { stage in
            #expect(try await stage.signIn(Self.ana, password: NativeStage.password).status == 0)
            let kept = try await stage.signIn(
                "ben@contoso.example", password: NativeStage.password, "--no-switch")
            #expect(kept.status == 0, "\(kept)")
            #expect(try await stage.tenant.susi.run("call", "hello").standardOutput.contains("Ana Lima"))
        }
    }
}
