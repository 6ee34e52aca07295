import Susi
import SusiTestSupport
import SystemPackage
import Testing

@Suite("emulator ready", .inTurn, .timeLimit(.minutes(5)))
struct EmulatorReadyTests {
    @Test("asks once, or waits until the emulator answers, at the address that it has then")
    func waitsForEmulator() async throws {
        try await withSusi { susi in
            let port = "\(try await freePort())"
            try await susi.start("emulator", "run", "--port", port, "--tls") { program in
                _ = try await program.waitForLine(containing: "next ")
                try await susi.run("emulator", "ready", "-v").exits(
                    0, output: "https://localhost:\(port)\n", saying: "GET https://localhost:\(port)/health")
                let log = await program.text(.output) + program.text(.error)
                #expect(!log.contains("health"), "\(log)")
            }
            try await susi.run("emulator", "ready").exits(3, saying: "next: susi emulator run")
            try await susi.start("emulator", "ready", "--timeout", "100s", "-v") { waiting in
                _ = try await waiting.waitForLine(containing: "https://localhost:\(port)/health connection refused")
                // Without --tls, the address is another one.
                try await susi.start("emulator", "run", "--port", port) { program in
                    _ = try await program.waitForLine(containing: "next ")
                    try await waiting.waitUntilExit().exits(0, output: "http://localhost:\(port)\n")
                    // The emulator of another home, at the address of one's own.
                    try await withSusi { other in
                        try other.home.writePolicies(PoliciesFile.builtInText.replacing(":8480", with: ":\(port)"))
                        let json = try await other.run("emulator", "ready", "--json").exits(0).json()
                        #expect(json["address"]?.string == "http://localhost:\(port)")
                        #expect(json["authority"]?.string == "http://localhost:\(port)/contoso.onmicrosoft.com")
                        try await other.start("emulator", "run", "--port", "0") { own in
                            _ = try await own.waitForLine(containing: "next ")
                        }
                        try await other.run("emulator", "ready").exits(3, saying: "is another one")
                    }
                }
            }
        }
    }

    @Test("asks the copy of a tenant elsewhere, and never the tenant")
    func asksCopy() async throws {
        try await withSusi { susi in
            try susi.home.writePolicies(
                """
                { "applications": { "production": {
                  "kind": "b2c", "authority": "https://contoso.b2clogin.com/contoso.onmicrosoft.com", "clientId": "one",
                  "policies": { "B2C_1_susi": { "kind": "signUpOrSignIn" } }, "knownAuthorities": ["contoso.b2clogin.com"]
                } } }
                """)
            let port = try await freePort()
            try await susi.start("emulator", "run", "--port", "\(port)") { program in
                _ = try await program.waitForLine(containing: "copy of")
                try await susi.run("emulator", "ready", "--timeout", "30s").exits(
                    0, output: "http://localhost:\(port)\n")
            }
            try await susi.run("emulator", "ready", "--timeout", "1s", "-v").exits(3, hiding: "b2clogin.com")
        }
    }

    @Test(
        "in a system without certificates, only those of the emulator are trusted",
        .enabled(if: TestEnvironment.mayMount, "mounting is not permitted here"))
    func needsNoCertificatesOfSystem() async throws {
        try await withSusi { susi in
            let port = try await freePort()
            let script = """
                for folder in /etc/ssl /etc/pki; do [ ! -d $folder ] || mount -t tmpfs tmpfs $folder; done
                "$0" emulator ready
                "$0" init https://localhost:\(port)/contoso.onmicrosoft.com/B2C_1_susi --client-id one --offline >/dev/null
                SUSI_HOME=$PWD/other "$0" policies check
                """
            try await susi.start("emulator", "run", "--tls", "--port", "\(port)") { program in
                _ = try await program.waitForLine(containing: "next ")
                let outcome = try await SusiTestSupport.Program(
                    "/usr/bin/env", ["unshare", "-m", "sh", "-c", script, susi.path.string],
                    environment: susi.home.environment, workingFolder: susi.home.workingFolder
                ).run()
                #expect(outcome.standardOutput.hasPrefix("https://localhost:\(port)\n"), "\(outcome)")
                #expect(outcome.standardOutput.contains("this system has no certificates to trust"), "\(outcome)")
            }
        }
    }

    @Test("another server is not an emulator")
    func refusesOtherServer() async throws {
        for response in [ScriptedServer.Response.status("404 Not Found", "no"), .ok(#"{"status":"UP"}"#)] {
            try await ScriptedServer.with { _ in
                response
            } _: { server in
                try await withSusi { susi in
                    let policies = PoliciesFile.builtInText.replacing(":8480", with: ":\(server.port)")
                    try susi.home.writePolicies(policies)
                    try await susi.run("emulator", "ready").exits(3, saying: "is not an emulator")
                }
            }
        }
    }
}
