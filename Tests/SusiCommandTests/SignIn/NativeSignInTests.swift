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
            try await stage.signIn(Self.ana, password: NativeStage.password).exits(
                0, printing: "Ana Lima <\(Self.ana)> under default")
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
            try await susi.run("inspect").exits(0, printing: "Ana Lima")
            #expect(stage.openedURLs.isEmpty)
        }
    }

    @Test("a code that a command prints signs in a user without a password; the command runs once")
    func signsInWithCodeOfCommand() async throws {
        try await NativeStage.with { stage in
            try await stage.signIn(Self.mia, code: "sh code.sh").exits(0, printing: "Signed in as Mia Berg")
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
            let outcome = try await stage.signIn(Self.ana, password: password, code: code, "--debug").exits(0)
            let sent = stage.read("code").trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(sent.count == 8 && stage.read("seen").contains("--password-stdin"))
            let database = try #require(stage.tenant.emulator.site.tenants.first?.database)
            #expect(try database.outbox(limit: 1).first?.code == sent)
            for secret in [password, sent] {
                #expect(!"\(outcome)".contains(secret) && !stage.read("seen").contains(secret))
                // The emulator's own files are not those of the program.
                let files = try stage.tenant.susi.home.folder.files(containing: secret)
                #expect(files.filter { !$0.hasPrefix("work/code") && !$0.hasPrefix("emulator") } == [])
            }
            #expect(outcome.standardError.contains("/oauth2/v2.0/introspect") && !"\(outcome)".contains("eyJ"))
            let continuations = outcome.standardError.matches(of: #/continuation_token[^\s,&]{0,3}[=:] ?"?([^\s,&"]+)/#)
            #expect(!continuations.isEmpty && continuations.allSatisfy { $0.1.count < 16 }, "\(continuations.map(\.0))")
        }
    }

    @Test("the next step after a redirect to a browser works")
    func suggestsBrowserThatWorks() async throws {
        try await NativeStage.with(configure: { $0.users[0].mustResetPassword = true }) { stage in
            let outcome = try await stage.signIn(Self.ana, password: NativeStage.password, "--api", "hello")
            let next = try #require(outcome.standardError.firstMatch(of: #/next: susi (sign-in[^\n]*)/#)?.1)
            #expect(!next.contains("--username") && !next.contains("--password-stdin"), "\(outcome)")
            let arguments = next.split(separator: " ").map(String.init)
            try await stage.tenant.interact(
                arguments, as: .ana, typing: ["newPassword": "Anas-Passw0rd", "reenterPassword": "Anas-Passw0rd"]
            ).exits(0)
        }
    }

    @Test("an overloaded or failing server is a network error; nothing is stored")
    func reportsFailingServer() async throws {
        try await NativeStage.with { stage async throws in
            let faults = stage.tenant.emulator.faults
            for endpoint in [Fault.Endpoint.native, .token] {
                for kind in [Fault.Kind.status(429, retryAfter: 90), .status(503), .drop(.response)] {
                    faults.add(Fault(kind, at: endpoint))
                    await expectRefusal(.network) {
                        try await stage.client(signsIn: Self.ana, password: NativeStage.password)
                    }
                    #expect(faults.all.last.map { $0.hits > 0 } == true, "\(kind) at \(endpoint)")
                    faults.removeAll()
                }
            }
            #expect(try await stage.tenant.client().accounts().isEmpty)
        }
    }
}
