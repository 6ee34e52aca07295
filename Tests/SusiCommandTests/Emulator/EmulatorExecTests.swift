import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// `susi emulator exec`: a command with its own emulator.
@Suite("An emulator for one command", .inTurn, .timeLimit(.minutes(5)))
struct EmulatorExecTests {
    private static let standard =
        "for name in ORIGIN AUTHORITY POLICY CLIENT_ID; do eval echo \\$SUSI_EMULATOR_$name; done"

    private func exec(_ susi: SusiBinary, options: [String] = [], _ script: String) -> SusiTestSupport.Program {
        susi.command(["emulator", "exec"] + options + ["--", "sh", "-c", script])
    }

    // The folder of temporary homes, to see what a command leaves there.
    private func temporary(_ home: Home) throws -> FilePath {
        let folder = home.folder.appending("temporary")
        try folder.makeFolder()
        return folder
    }

    @Test("the command finds the emulator and keeps streams and exit status; nothing is left behind")
    func commandFindsEmulatorAndKeepsStreams() async throws {
        try await withSusi { susi in
            let folder = try temporary(susi.home)
            let script = """
                \(Self.standard); echo "$SUSI_HOME/policies.json $SUSI_CONFIG"; cat; echo "[$SUSI_APPLICATION$SUSI_KEY_SOURCE]"
                '\(susi.path)' policies check | grep -c "allowed by"; echo told >&2; exit 7
                """
            var program = exec(susi, script)
            program.environment.merge(
                [
                    "TMPDIR": folder.string, "SUSI_APPLICATION": "local", "SUSI_KEY_SOURCE": "command",
                ]
            ) { $1 }
            program.input = .text("typed\n")
            let ran = try await program.run().exits(7, error: "told\n")
            let lines = ran.standardOutput.split(separator: "\n").map(String.init)
            try #require(lines.count == 8, "\(ran)")
            #expect(lines[0].hasPrefix("http://localhost:") && lines[1] == "\(lines[0])/contoso.onmicrosoft.com")
            #expect(lines[2...3] == ["B2C_1_susi", "11111111-1111-1111-1111-111111111111"])
            let files = lines[4].split(separator: " ")
            #expect(files.count == 2 && files[0] == files[1] && files[0].hasPrefix(folder.string), "\(files)")
            #expect(lines[5...7] == ["typed", "[]", "5"])
            #expect(try folder.names().isEmpty)
            #expect(!susi.home.susiHome.exists)
            #expect(try susi.home.userHome.names().isEmpty)
        }
    }

    @Test("a command that cannot start is reported as by exec")
    func reportsCommandThatCannotStart() async throws {
        try await withSusi { susi in
            try await susi.run("emulator", "exec", "--", "no-such-command").exits(127, saying: "no such command")
            #expect(try await susi.run("emulator", "exec", "--", susi.home.folder.string).status == 126)
            #expect(try await susi.run("emulator", "exec").status == 64)
        }
    }

    @Test("the command is the first file of its name on PATH that can be executed")
    func findsCommandOnPath() async throws {
        try await withSusi { susi in
            for (name, mode) in [("first", 0o644), ("second", 0o755)] {
                let folder = susi.home.folder.appending(name)
                try folder.makeFolder()
                _ = FileManager.default.createFile(
                    atPath: folder.appending("tool").string, contents: Data("#!/bin/sh\necho \(name) $0\n".utf8),
                    attributes: [.posixPermissions: mode])
            }
            var program = susi.command(["emulator", "exec", "--", "tool"])
            let folders = ["first", "second"].map { susi.home.folder.appending($0).string }
            program.environment["PATH"] = (folders + ["/usr/bin", "/bin"]).joined(separator: ":")
            try await program.run().exits(0, printing: "second \(folders[1])/tool")
        }
    }

    @Test("the command gets the signals; its end by one has the exit status of a shell; nothing is left behind")
    func passesSignalsToCommand() async throws {
        try await withSusi { susi in
            let folder = try temporary(susi.home)
            let script = "trap 'echo caught; exit 9' TERM INT HUP; echo ready; while :; do sleep 0.05; done"
            for (body, interrupts, status) in [
                (script, true, 9), (script, false, 9), ("echo ready; exec sleep 60", false, 143),
                ("echo ready; exec sleep 60", true, 130),
            ] {
                var program = exec(susi, body)
                program.environment["TMPDIR"] = folder.string
                let outcome = try await program.start { running in
                    try await running.waitForLine(containing: "ready")
                    if interrupts { try await running.interrupt() } else { try await running.terminate() }
                    return try await running.waitUntilExit()
                }
                #expect(outcome.status == Int32(status) && outcome.standardError.isEmpty, "\(outcome)")
                #expect(outcome.standardOutput == (status == 9 ? "ready\ncaught\n" : "ready\n"))
                #expect(try folder.names().isEmpty)
            }
        }
    }

    @Test("every signal that terminates susi reaches the command", arguments: ["HUP", "QUIT"])
    func passesEveryTerminatingSignal(_ name: String) async throws {
        try await withSusi { susi in
            let script = "trap 'echo caught; exit 9' \(name); kill -\(name) $PPID; while :; do sleep 0.05; done"
            try await exec(susi, script).run().exits(9, output: "caught\n")
        }
    }

    @Test("the command gets its arguments unchanged, without a shell")
    func passesArgumentsUnchanged() async throws {
        try await withSusi { susi in
            let words = ["a b", "$HOME", "", "*", "--port", "'\"", "ä\n"]
            try await susi.command(["emulator", "exec", "--", "printf", "[%s]"] + words).run().exits(
                0, output: words.map { "[\($0)]" }.joined())
        }
    }

    @Test("after susi is killed, the command ends and the folder is removed", arguments: [true, false])
    func endsCommandWhenKilled(obeys: Bool) async throws {
        try await withSusi { susi in
            let folder = try temporary(susi.home)
            // A command that ignores the signal is killed too; the lock shows whether it has ended.
            let trap = obeys ? "trap 'echo ended >ended; exit' TERM" : "trap '' TERM"
            var program = exec(susi, "exec 9>held; flock 9; \(trap); echo ready; while :; do sleep 0.05; done")
            program.environment["TMPDIR"] = folder.string
            let work = susi.home.workingFolder
            try await program.start { running in
                try await running.waitForLine(containing: "ready")
                #expect(try folder.names().count == 1)
                try await running.killAtOnce()
                let lock = SusiTestSupport.Program.waitingForLock(on: work.appending("held"))
                #expect(try await lock.run().status == 0, "the command still runs")
                try await waitUntil { try folder.names().isEmpty }
            }
            #expect(work.appending("ended").exists == obeys)
        }
    }

    @Test("the next start removes folders of killed processes, and keeps folders in use and foreign ones")
    func removesFoldersOfKilledProcesses() async throws {
        try await withSusi { susi in
            let folder = try temporary(susi.home)
            for name in ["susi-emulator-left", "susi-emulator-used", "susi-emulator-other", "mine"] {
                try folder.appending(name).makeFolder()
            }
            let mark = { (name: String) in folder.appending(name).appending("in-use") }
            for name in ["susi-emulator-left", "susi-emulator-used", "mine"] {
                try Data().write(to: URL(filePath: mark(name).string))
            }
            let used = try FileDescriptor.open(mark("susi-emulator-used"), .readWrite)
            defer { try? used.close() }
            #expect(flock(used.rawValue, LOCK_EX) == 0)
            var program = susi.command(["emulator", "exec", "--", "true"])
            program.environment["TMPDIR"] = folder.string
            #expect(try await program.run().status == 0)
            let left = try folder.names()
            #expect(Set(left) == ["susi-emulator-used", "susi-emulator-other", "mine"])
        }
    }

    @Test("Ctrl-C on a terminal reaches the command once, and the command may continue")
    func interruptReachesCommandOnce() async throws {
        try await withSusi { susi in
            let script = """
                trap 'echo caught' INT; echo ready; read first; read second; echo "went on"; test -t 0 && exit 5
                """
            let outcome = try await exec(susi, script).inTerminal().start { running in
                try await running.type("\u{3}", at: "ready")
                try await running.type("one\ntwo\n", at: "caught")
                return try await running.waitUntilExit().exits(5)
            }
            #expect(outcome.standardOutput.components(separatedBy: "caught").count == 2, "\(outcome)")
            #expect(outcome.standardOutput.contains("went on"))
        }
    }

    @Test("over https, curl and susi trust the emulator and the usual authorities by the environment")
    func trustsCertificateByEnvironment() async throws {
        try await withSusi { susi in
            let own = susi.home.folder.appending("own.pem")
            try own.write("-----BEGIN CERTIFICATE-----\nown\n")
            let company = susi.home.folder.appending("company.pem")
            try company.write("-----BEGIN CERTIFICATE-----\ncompany\n")
            let script = """
                echo $SUSI_EMULATOR_ORIGIN; grep -cx own $SSL_CERT_FILE; cmp $SSL_CERT_FILE $REQUESTS_CA_BUNDLE
                cmp $CURL_CA_BUNDLE $SSL_CERT_FILE; grep -cx company $SSL_CERT_FILE $NODE_EXTRA_CA_CERTS | cut -d: -f2
                for file in $SSL_CERT_FILE $NODE_EXTRA_CA_CERTS; do test -z "$(grep -vxFf $file $SUSI_EMULATOR_CA)" && echo all; done
                unset SSL_CERT_FILE SSL_CERT_DIR; '\(susi.path)' policies check | grep -c "allowed by"
                """
            var program = exec(susi, options: ["--tls"], script)
            program.environment["SSL_CERT_FILE"] = own.string
            for name in ["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"] {
                for other in ["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"] {
                    program.environment[other] = other == name ? company.string : nil
                }
                let ran = try await program.run()
                let lines = ran.standardOutput.split(separator: "\n").map(String.init)
                try #require(lines.count == 7, "\(name): \(ran)")
                #expect(lines[0].hasPrefix("https://localhost:"), "\(name): \(ran)")
                #expect(lines[1...] == ["1", "1", "1", "all", "all", "5"], "\(name): \(ran)")
            }
            guard TestEnvironment.program("curl") != nil else { return }
            let asked = try await exec(susi, options: ["--tls", "--log"], "curl -sf $SUSI_EMULATOR_ORIGIN/ >page").run()
            let line = asked.standardError.wholeMatch(of: #/200 \d\d:\d\d:\d\dZ GET \/\n/#)
            #expect(asked.status == 0 && line != nil, "\(asked)")
        }
    }

    private static let cloud = """
        { "keySource": "file", "applications": { "staging": {
          "kind": "openid", "authority": "https://id.staging.example", "clientId": "web" }, "production": {
          "kind": "b2c", "authority": "https://fabrikam.b2clogin.com/fabrikam.onmicrosoft.com",
          "clientId": "3f1c9a52-6d0b-4a7e-9c83-5b2e7d41f680", "policies": { "B2C_1_signin": { "kind": "signUpOrSignIn" } },
          "knownAuthorities": ["https://login.fabrikam.example:8443", "fabrikam.b2clogin.com"] } }, "current": "production" }
        """

    @Test("without a tenant file, a copy of the project's tenant is served, and named; the built-in one on request")
    func servesCopyOfProjectsTenant() async throws {
        try await withSusi { susi in
            try susi.home.writePolicies(Self.cloud)
            let copy = try await exec(susi, Self.standard).run()
            let lines = copy.standardOutput.split(separator: "\n").map(String.init)
            try #require(copy.status == 0 && lines.count == 4, "\(copy)")
            #expect(
                lines[1...] == [
                    "\(lines[0])/fabrikam.onmicrosoft.com", "B2C_1_signin", "3f1c9a52-6d0b-4a7e-9c83-5b2e7d41f680",
                ])
            #expect(copy.standardError.contains("https://fabrikam.b2clogin.com/fabrikam.onmicrosoft.com"), "\(copy)")
            #expect(copy.standardError.contains("--built-in") && copy.standardError.split(separator: "\n").count == 1)
            try await exec(susi, options: ["--built-in"], "echo $SUSI_EMULATOR_POLICY").run().exits(
                0, output: "B2C_1_susi\n", error: "")
            try await exec(susi, options: ["--built-in", "--seed", "x"], "true").run().exits(64)
            // A tenant file beside the policies belongs to the copy; another program's file with this name does not count.
            for (text, id) in [
                (
                    #"{ "tenants": { "fabrikam.onmicrosoft.com": { "kind": "b2c", "applications": { "page": {} } } } }"#,
                    "page"
                ),
                (
                    #"{ "tenants": { "fabrikam.onmicrosoft.com": { "kind": "b2c", "allowedHosts": ["code.example"] } } }"#,
                    ""
                ),
                (#"{ "customers": [] }"#, "3f1c9a52-6d0b-4a7e-9c83-5b2e7d41f680"),
            ] {
                try susi.home.file("tenants.json").write(text)
                let ran = try await exec(susi, "echo $SUSI_EMULATOR_CLIENT_ID").run()
                #expect(
                    ran.standardOutput == (id.isEmpty ? "" : "\(id)\n") && ran.status == (id.isEmpty ? 64 : 0), "\(ran)"
                )
                #expect(ran.standardError.contains("tenants.json") == ["page", ""].contains(id), "\(ran)")
            }
        }
    }

    @Test(
        "a tenant file beside the policies that cannot be read, or is a pipe, is refused; a mark of its encoding is none"
    )
    func leavesOutNoFoundTenantFile() async throws {
        let file = #"{ "tenants": { "fabrikam.onmicrosoft.com": { "kind": "b2c", "applications": { "page": {} } } } }"#
        try await withSusi { susi in
            try susi.home.writePolicies(Self.cloud)
            let place = susi.home.file("tenants.json")
            let all = { try await exec(susi, "echo $SUSI_EMULATOR_CLIENT_ID").run() }
            let users = (0..<25_000).map { #"{ "email": "user\#($0)@contoso.example", "password": "x" }"# }
            let long = #""page": {} }, "users": [\#(users.joined(separator: ","))]"#
            for (text, line) in [
                (file.replacing("{} } } }", with: "{} } }, }\n"), 1), ("\n\(file)\n]", 3), ("\n{ \"tenants\": [] }", 2),
                (file.replacing("\"page\"", with: "\"page\": {},\n\"page\""), 2),
            ] {
                try place.write(text)
                try await all().exits(5, output: "", error: nil, saying: "line \(line)", "\(place)", "emulator schema")
            }
            for text in ["\u{feff}\(file)", file.replacing(#""page": {} }"#, with: long)] {
                try place.write(text)
                try await all().exits(0, output: "page\n", error: nil)
            }
            try place.write(#"{ "tenants": { "a.example": { "kind": "external" } } }"#)
            try await all().exits(0, saying: "\(place) describes no tenant https://fabrikam.b2clogin.com/")
            try place.remove()
            try await susi.shell("mkfifo '\(place)'").run().exits(0)
            try await all().exits(5, saying: "\(place): not a regular file")
        }
    }

    @Test("under the names of the cloud: an issuer, a certificate of this run, accounts of this run, and no other host")
    func servesNamesOfCloud() async throws {
        try await withSusi { susi in
            try susi.home.writePolicies(Self.cloud)
            let script = """
                echo $SUSI_EMULATOR_AUTHORITY; echo "no proxy: $NO_PROXY"; grep -c 'staging\\|keySource' $SUSI_CONFIG
                '\(susi.path)' policies check | grep issuer
                ls -A "$SUSI_HOME/emulator"; grep -rl 'PRIVATE KEY' "$SUSI_HOME"; env -u SSL_CERT_FILE '\(susi.path)' policies check 2>&1 | grep -c certificate
                openssl x509 -in $SUSI_EMULATOR_CA -noout -ext nameConstraints | grep DNS
                for name in HTTPS_PROXY https_proxy HTTP_PROXY ALL_PROXY; do eval test \\$$name = $SUSI_EMULATOR_PROXY || echo $name; done
                echo 'Passw0rd!' | '\(susi.path)' sign-in -p B2C_1_ropc --username ana@contoso.example --password-stdin
                '\(susi.path)' accounts -A local; echo "local $?"
                curl -sS https://elsewhere.example/
                """
            var program = exec(susi, options: ["--as-cloud", "--offline"], script)
            program.environment["NO_PROXY"] = "*,.b2clogin.com,api.example"
            let ran = try await program.run()
            let lines = ran.standardOutput.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            // What leads past the copy is left out: other applications, the source of the key, exceptions from the proxy.
            let expected = [
                "https://fabrikam.b2clogin.com/fabrikam.onmicrosoft.com",
                "no proxy: api.example,localhost,127.0.0.1,::1",
                "0",
            ]
            #expect(Array(lines.prefix(3)) == expected, "\(ran)")
            #expect(lines.contains { $0.contains("https://fabrikam.b2clogin.com/") && $0.contains("issuer") }, "\(ran)")
            #expect(!lines.contains { $0.contains("ca-key.pem") } && lines.contains("ca.pem"), "\(ran)")
            #expect(lines.contains("DNS:localhost") && lines.contains("DNS:login.fabrikam.example"), "\(ran)")
            #expect(lines.contains("DNS:login.microsoftonline.com"), "\(ran)")
            #expect(lines.contains { $0.contains("Signed in as") && $0.contains("B2C_1_ropc") }, "\(ran)")
            #expect(!lines.contains { $0.lowercased().hasSuffix("_proxy") }, "\(ran)")
            #expect(lines.contains("local 5"), "the built-in tenant of another emulator is used")
            #expect(!ran.standardError.contains("did you mean “local”"), "\(ran)")
            let isRefused = ran.standardError.contains("Refused: elsewhere.example:443\n")
            #expect(isRefused || TestEnvironment.program("curl") == nil, "\(ran)")
            #expect(!susi.home.susiHome.appending("store.sqlite").exists)
            // External ID has a host of its own for the issuer.
            try susi.home.writePolicies(Self.external)
            let check = try await exec(susi, options: ["--as-cloud", "--offline"], "'\(susi.path)' policies check")
                .run()
            let id = #/issuer +https:\/\/(.{36})\.ciamlogin\.com\/\1\/v2\.0/#
            #expect(check.status == 0 && check.standardOutput.contains(id), "\(check)")
            // The tenant file may say the ID, and with it the host.
            let own = "7f0b5c6e-2222-4e4e-9a9a-0123456789ab"
            try susi.home.work("own.json").write(
                #"{ "tenants": { "fabrikam.onmicrosoft.com": { "kind": "external", "id": "\#(own)" } } }"#)
            let seeded = try await exec(
                susi, options: ["--as-cloud", "--offline", "--seed", "own.json"],
                """
                '\(susi.path)' policies check | grep issuer; echo "hosts:"
                openssl x509 -in $SUSI_EMULATOR_CA -noout -ext nameConstraints | grep DNS
                """
            ).run()
            seeded.exits(0, printing: "https://\(own).ciamlogin.com/\(own)/v2.0", "DNS:\(own).ciamlogin.com")
        }
    }

    private static let external = """
        { "applications": { "customers": {
          "kind": "external", "authority": "https://fabrikam.ciamlogin.com/fabrikam.onmicrosoft.com",
          "clientId": "3f1c9a52-6d0b-4a7e-9c83-5b2e7d41f680" } } }
        """

    @Test("a tenant file decides what is served; options still apply")
    func servesTenantFileOnly() async throws {
        try await withSusi { susi in
            let write = { (text: String) in
                try susi.home.work("tenants.json").write(text)
            }
            let client = #""applications": { "two": { "redirectUris": ["http://localhost:8400/"] } }"#
            try write(#"{ "tenants": { "fabrikam.onmicrosoft.com": { "kind": "external", \#(client) } } }"#)
            let ran = try await exec(susi, options: ["--seed", "tenants.json"], Self.standard).run()
            let lines = ran.standardOutput.split(separator: "\n").map(String.init)
            #expect(ran.status == 0 && lines.count == 4, "\(ran)")
            #expect(lines.dropFirst() == ["\(lines.first ?? "")/fabrikam.onmicrosoft.com", "default", "two"])
            // Values that the file leaves out of the built-in tenant are kept.
            try write(#"{ "tenants": { "contoso.onmicrosoft.com": { "kind": "b2c", \#(client) } } }"#)
            try await exec(
                susi, options: ["--seed", "tenants.json"], "echo $SUSI_EMULATOR_POLICY $SUSI_EMULATOR_CLIENT_ID"
            )
            .run().exits(0, output: "B2C_1_susi two\n")
            try write(#"{ "tenants": { "fabrikam.onmicrosoft.com": { "kind": "external" } } }"#)
            try await exec(susi, options: ["--seed", "tenants.json"], "true").run().exits(
                5, saying: "no tenant has an application")
            #expect(try await susi.run("emulator", "exec", "--seed", "none.json", "--", "true").status == 64)
        }
    }
}
