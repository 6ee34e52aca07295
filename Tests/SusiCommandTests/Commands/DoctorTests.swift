import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// `susi doctor` with the built program.
@Suite("Doctor", .inTurn, .timeLimit(.minutes(3)))
struct DoctorTests {
    private static func checks(_ outcome: ProgramOutcome) throws -> [String: String] {
        let report = try CheckTests.object(outcome.standardOutput)
        let checks = try #require(report["checks"] as? [[String: String]])
        return Dictionary(checks.map { ($0["name"] ?? "", $0["result"] ?? "") }) { first, _ in first }
    }

    @Test("a complete setup passes every check, and nothing is left behind")
    func reportsNoProblemsAndLeavesNothing() async throws {
        try await withLocalTenant { tenant in
            let susi = tenant.susi
            let empty = try await susi.run("doctor", "--json", environment: ["BROWSER": "true"])
            #expect(empty.status == 0, "\(empty)")
            let names: Set = [
                "store", "key", "kernel keyring", "key service", "policies file", "device", "loopback",
                "redirect ports", "browser",
            ]
            let checks = try Self.checks(empty)
            #expect(names.isSubset(of: checks.keys) && checks.keys.contains("policy B2C_1_susi"), "\(checks)")
            let files = FileManager.default
            #expect(!files.fileExists(atPath: susi.home.susiHome.appending("store.sqlite").string))
            _ = try await tenant.interact(["sign-in"], as: .ana)
            let secrets = [try await susi.run("token").standardOutput.dropLast(), try Self.key(susi)[...]]
            let before = try files.subpathsOfDirectory(atPath: susi.home.folder.string).count
            let full = try await susi.run("doctor", environment: ["BROWSER": "true"])
            #expect(full.status == 0 && full.standardOutput.contains("ok       key"), "\(full)")
            #expect(secrets.allSatisfy { !"\(full)".contains($0) && $0.count > 60 })
            #expect(try files.subpathsOfDirectory(atPath: susi.home.folder.string).count == before)
        }
    }

    private static func key(_ susi: SusiBinary) throws -> String {
        let line = try String(contentsOfFile: susi.home.susiHome.appending("key").string, encoding: .utf8)
        return String(line.dropFirst("susi-key-1 ".count).dropLast())
    }

    @Test("a problem has a next step and exits with 1; a lesser defect is a warning")
    func reportsProblemsAndWarnings() async throws {
        try await withSusi { susi in
            // Neither the tenant nor a browser is available.
            let port = try await withLocalTenant { tenant in tenant.emulator.port }
            try susi.home.writePolicies(PoliciesFile.builtInText.replacing("8480", with: "\(port)"))
            let outcome = try await susi.run("doctor", "--json", environment: ["BROWSER": "/nowhere/browser"])
            let checks = try Self.checks(outcome)
            #expect(outcome.status == 1 && checks["browser"] == "problem" && checks["policy B2C_1_susi"] == "problem")
            #expect(checks["store"] == "ok" && checks["loopback"] == "ok")
            #expect(outcome.standardOutput.contains("susi emulator run"))
            let none = try await susi.run("doctor")
            #expect(none.standardOutput.contains("warning  browser"), "\(none)")
            try susi.home.writePolicies("{")
            let broken = try await susi.run("doctor")
            #expect(broken.status == 1 && broken.standardOutput.contains("problem  policies file"), "\(broken)")
            #expect(broken.standardOutput.contains("ok       store"))
        }
    }

    @Test("a readable store, a damaged key and a busy port are reported")
    func reportsStoreAndPortProblems() async throws {
        try await withLocalTenant { tenant in
            let susi = tenant.susi
            _ = try await tenant.interact(["sign-in"], as: .ana)
            let key = susi.home.susiHome.appending("key").string
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
            let open = try await susi.run("doctor", environment: ["BROWSER": "true"])
            #expect(open.status == 1 && open.standardOutput.contains("chmod 600"), "\(open)")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
            try Data("x".utf8).write(to: URL(filePath: key))
            let damaged = try await susi.run("doctor", environment: ["BROWSER": "true"])
            #expect(damaged.status == 1 && damaged.standardOutput.contains("problem  key"), "\(damaged)")
            let text = try String(contentsOfFile: susi.home.policiesFile.string, encoding: .utf8)
            try susi.home.writePolicies(
                text.replacing("\"redirectPorts\": [0]", with: "\"redirectPorts\": [\(tenant.emulator.port), 0]"))
            let busy = try await susi.run("doctor", "--json", environment: ["BROWSER": "true"])
            #expect(try Self.checks(busy)["redirect ports"] == "warning", "\(busy)")
        }
    }
}
