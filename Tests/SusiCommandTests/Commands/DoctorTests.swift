import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// `susi doctor` with the built program.
@Suite("Doctor", .inTurn, .timeLimit(.minutes(5)))
struct DoctorTests {
    @Test("a complete setup passes every check, and nothing is left behind")
    func reportsNoProblemsAndLeavesNothing() async throws {
        try await withLocalTenant { tenant, susi in
            try await susi.run("doctor", environment: ["BROWSER": "true"]).exits(0)
            let files = FileManager.default
            #expect(!files.fileExists(atPath: susi.home.file("store.sqlite").string))
            try await tenant.signIn(.ana)
            let secrets = [try await susi.run("token").standardOutput.dropLast(), try Self.key(susi)[...]]
            let before = try files.subpathsOfDirectory(atPath: susi.home.folder.string).count
            let full = try await susi.run("doctor", environment: ["BROWSER": "true"]).exits(0)
            #expect(secrets.allSatisfy { !"\(full)".contains($0) && $0.count > 60 })
            #expect(try files.subpathsOfDirectory(atPath: susi.home.folder.string).count == before)
        }
    }

    private static func key(_ susi: SusiBinary) throws -> String {
        let line = try susi.home.file("key").text()
        return String(line.dropFirst("susi-key-1 ".count).dropLast())
    }

    // MARK: States in which a command fails

    /// Expects a problem from `doctor`, and the failure of a command that has the same cause.
    private func expectProblem(
        _ name: String, saying text: String, _ susi: SusiBinary, failing command: [String], status: Int32,
        environment: [String: String] = ["BROWSER": "true"]
    ) async throws {
        let outcome = try await susi.run("doctor", "--json", environment: environment)
        let checks = try outcome.json()["checks"]?.array ?? []
        let problem = checks.first { $0["name"]?.string == name && $0["result"]?.string == "problem" }
        #expect(outcome.status == 1 && problem?["text"]?.string?.contains(text) == true, "\(outcome)")
        let failed = try await susi.command(command, environment: environment, limit: .seconds(60)).run()
        #expect(failed.status == status && "\(failed)".contains(text), "\(failed)")
    }

    @Test("a lost key and the key of another store are problems, also for store status")
    func reportsLostKey() async throws {
        try await withLocalTenant(signedIn: [.ana]) { _, susi in
            let key = susi.home.file("key")
            let text = try key.text()
            try key.remove()
            try await expectProblem("key", saying: "is missing", susi, failing: ["token"], status: 6)
            try await susi.run("store", "status").exits(0, printing: "missing", hiding: "none yet")
            let other = text.prefix("susi-key-1 ".count) + String(repeating: "0a", count: 32) + "\n"
            try key.write(String(other), mode: 0o600)
            try await expectProblem(
                "key", saying: "cannot be decrypted", susi, failing: ["token", "--refresh"], status: 6)
        }
    }

    @Test("files of another user are a problem", .enabled("needs root, to give files away", { getuid() == 0 }))
    func reportsForeignOwner() async throws {
        try await withLocalTenant(signedIn: [.ana]) { _, susi in
            for name in ["store.sqlite", "key"] {
                let path = "\(susi.home.susiHome)/\(name)"
                try FileManager.default.setAttributes([.ownerAccountID: 4_711], ofItemAtPath: path)
                try await expectProblem(
                    "store", saying: "belongs to user 4711", susi, failing: ["token", "--refresh"], status: 6)
                try FileManager.default.setAttributes([.ownerAccountID: getuid()], ofItemAtPath: path)
            }
        }
    }

    @Test("redirect ports that are all in use are a problem, some of them a warning")
    func reportsBusyPorts() async throws {
        try await withLocalTenant { tenant, susi in
            try susi.home.changePolicies {
                $0.replacing("\"redirectPorts\": [0]", with: "\"redirectPorts\": [\(tenant.emulator.port)]")
            }
            try await expectProblem(
                "redirect ports", saying: "\(tenant.emulator.port)", susi, failing: ["sign-in"], status: 1)
            try susi.home.changePolicies {
                $0.replacing(
                    "\"redirectPorts\": [\(tenant.emulator.port)]",
                    with: "\"redirectPorts\": [\(tenant.emulator.port), 0]")
            }
            let some = try await susi.run("doctor", "--json", environment: ["BROWSER": "true"])
            let ports = try some.json()["checks"]?.array?.first { $0["name"]?.string == "redirect ports" }
            #expect(ports?["result"]?.string == "warning", "\(some)")
        }
    }

    @Test("without a browser, a display and a terminal, the sign-in page is a problem")
    func reportsMissingBrowser() async throws {
        try await withLocalTenant { tenant in
            try await expectProblem(
                "browser", saying: "no terminal, browser or display", tenant.susi, failing: ["sign-in"],
                status: 4, environment: [:])
        }
    }

    @Test("where a password is accepted, a missing browser is no problem")
    func toleratesMissingBrowser() async throws {
        try await withLocalTenant(policies: { addingPasswordPolicy(to: $0) }) { tenant in
            try await tenant.susi.command(["doctor"], environment: ["CI": "true"]).run().exits(
                0, printing: "--password-stdin")
        }
    }
}
