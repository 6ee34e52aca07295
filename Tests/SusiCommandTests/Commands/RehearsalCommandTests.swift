import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// Other commands in a rehearsal, and their suggestions.
@Suite("Commands in a rehearsal", .inTurn, .timeLimit(.minutes(5)))
struct RehearsalCommandTests {
    private static func withProduction(_ body: (SusiBinary) async throws -> Void) async throws {
        try await withSusi(policies: RehearsalTests.policies(RehearsalTests.kinds[0], names: "production"), body)
    }

    @Test("a policy of another tenant is not rehearsed in the copy of this one")
    func refusesPolicyOfOtherTenant() async throws {
        let host = "https://login.microsoftonline.com"
        let policies = """
            { "applications": { "work": {
                "kind": "entra", "authority": "\(host)/common", "clientId": "11111111-1111-1111-1111-111111111111",
                "redirectPorts": [0], "knownAuthorities": ["\(host)/common", "\(host)/tailspin.onmicrosoft.com"],
                "policies": {
                    "default": { "kind": "signUpOrSignIn", "default": true },
                    "partner": { "kind": "signUpOrSignIn", "authority": "\(host)/tailspin.onmicrosoft.com" } },
                "apis": { "graph": { "baseUrl": "https://graph.microsoft.com/v1.0", "scopes": ["User.Read"] } } } } }
            """
        try await withSusi(policies: policies) { susi in
            for command in [["sign-in"], ["token"], ["status"], ["call", "graph"]] {
                try await susi.refusal(command + ["-p", "partner", "--rehearse"]).exits(
                    64, saying: "tailspin.onmicrosoft.com")
            }
            try await susi.refusal("token", "--rehearse", environment: ["SUSI_POLICY": "partner"]).exits(64)
            try await susi.run("policies", "list", "--rehearse").exits(0, printing: "default", hiding: "partner")
            let skipped = try await susi.run("policies", "check", "--rehearse", "--json").json()["notChecked"]?.array
            #expect(skipped?.map { $0["policy"]?.string } == ["partner"])
            try await susi.refusal("token", "--tenant", "tailspin.onmicrosoft.com", "--rehearse").exits(64)
        }
    }

    @Test("the folder of a copy: exported, never confused with the own emulator's, reset")
    func exportsAndResetsTheCopy() async throws {
        try await Self.withProduction { susi in
            try await RehearsalTests.withCopy(susi) { _ in }
            for arguments in [["-A", "production"], ["--rehearse"]] {
                let exported = try await susi.command(["emulator", "export"] + arguments).run().exits(0)
                let tenants = try exported.json()["tenants"]?.members
                #expect(tenants?.count == 1 && exported.standardOutput.contains("ana@contoso.example"), "\(exported)")
            }
            for arguments in [["emulator", "reset"], ["store", "rekey", "--drop-damaged"]] {
                let refused = try await susi.refusal(arguments + ["--rehearse"]).exits(
                    64, saying: "next: susi \(arguments[0]) \(arguments[1])")
                #expect(refused.next.contains("--rehearse") && refused.next.contains("--yes"), "\(refused)")
            }
            let folder = susi.home.file("rehearsal/emulator")
            for name in ["emulator.sqlite-wal", "emulator.sqlite-shm"] {
                SmallFile.remove(folder.appending(name).string)
            }
            let database = folder.appending("emulator.sqlite")
            try database.write("not a database")
            try await susi.run("emulator", "run", "-A", "production", "--port", "0").exits(
                6, saying: "susi emulator reset --rehearse")
            // The own emulator has nothing to delete.
            #expect(try await susi.run("emulator", "reset", "--yes").status == 0)
            #expect(database.exists)
            #expect(try await susi.run("emulator", "reset", "--yes", "--rehearse").status == 0)
            #expect(!database.exists)
        }
    }

    @Test("doctor --record asks the copy, with the flag before or after the command, or in the environment")
    func recordsTheCopy() async throws {
        let target = try await withLocalTenant { Int($0.emulator.port) }
        try await ConnectProxy.with(leadingTo: target) { proxy in
            try await Self.withProduction { susi in
                var susi = susi
                susi.environment["HTTPS_PROXY"] = "http://127.0.0.1:\(proxy.port)"
                try await RehearsalTests.withCopy(susi, "-A", "production") { _ in
                    let record = ["doctor", "--record"]
                    for (words, environment) in [
                        (["a.json", "--rehearse", "policies", "check"], [:]),
                        (["b.json", "policies", "check", "--rehearse"], [:]),
                        (["c.json", "policies", "check"], ["SUSI_REHEARSE": "1"]),
                    ] {
                        try await susi.command(record + words, environment: environment).run().exits(
                            0, saying: "Wrote ")
                    }
                }
            }
            #expect(proxy.requestLines.isEmpty)
        }
    }

    @Test("printed commands, commands of exec and completions stay in the rehearsal")
    func staysInTheRehearsal() async throws {
        try await Self.withProduction { susi in
            try await RehearsalTests.withCopy(susi) { _ in
                let (signedIn, on) = (try await RehearsalTests.signIn(susi, "--rehearse"), ["SUSI_REHEARSE": "1"])
                #expect(signedIn.status == 0, "\(signedIn)")
                try await susi.run("call", "orders", "--curl", environment: on).exits(
                    0, printing: "susi token orders -f header --rehearse |")
                let inner = try await susi.run("exec", "--rehearse", "--", "/bin/sh", "-c", "'\(susi.path)' token")
                    .exits(0)
                #expect(try await susi.run("token", "--rehearse").standardOutput == inner.standardOutput)
                let ana = "ana@contoso.example\tAna Lima\n"
                #expect(try await Self.names(susi, ["switch", "--rehearse"]) == ana)
                #expect(try await Self.names(susi, ["switch"], on) == ana)
                #expect(try await !Self.names(susi, ["switch"]).contains("@"))
            }
        }
    }

    private static func names(
        _ susi: SusiBinary, _ words: [String], _ environment: [String: String] = [:]
    ) async throws -> String {
        try await CompletionTests.names(susi, words, "positional@0", environment: environment).standardOutput
    }

    @Test func initContactsNoServer() async throws {
        try await ConnectProxy.with(leadingTo: 9) { proxy in
            try await withSusi { susi in
                try await susi.run(
                    "init", "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi", "--client-id",
                    InitSource.id, environment: ["SUSI_REHEARSE": "1", "HTTPS_PROXY": "http://127.0.0.1:\(proxy.port)"]
                ).exits(0, printing: "not checked")
            }
            #expect(proxy.requestLines.isEmpty)
        }
    }
}
