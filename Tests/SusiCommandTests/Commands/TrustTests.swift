import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// Trust in a policies.json that was only found: given, ended by a change, given again, withdrawn.
@Suite("Trusted files", .inTurn, .timeLimit(.minutes(5)))
struct TrustTests {
    @Test("a trusted file is used by both paths until it changes or trust is withdrawn")
    func trustEndsWithAChange() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let (susi, home) = (tenant.susi, tenant.susi.home)
            let token = try await susi.run("token").standardOutput
            let own = try home.policiesFile.text()
            let elsewhere = own.replacing(
                "\(tenant.emulator.origin)/api/hello", with: "https://api.contoso.example/hello")
            try home.writeLocalPolicies(elsewhere)
            let isUsed = { (isUsed: Bool) in
                for arguments in [["token"], ["token", "--policy=B2C_1_susi"]] {
                    let outcome = try await susi.command(arguments).run().exits(isUsed ? 0 : 7)
                    #expect(outcome.standardOutput == (isUsed ? token : ""))
                    #expect(isUsed || outcome.standardError.contains("https://api.contoso.example"))
                }
            }
            try await isUsed(false)
            // Without a terminal the hosts are shown, and nothing is trusted.
            try await susi.run("policies", "trust").exits(
                64, saying: "apis.hello.baseUrl  https://api.contoso.example", "susi policies trust --yes")
            try await isUsed(false)
            try await susi.run("policies", "trust", "--yes").exits(0)
            try await isUsed(true)
            #expect(try home.file("trusted-policies").permissions() == 0o600)
            // One more byte makes it a different file.
            try home.writeLocalPolicies(elsewhere + "\n")
            try await isUsed(false)
            _ = try await susi.run("policies", "trust", "--yes")
            try await isUsed(true)
            let list = try await susi.run("policies", "trust", "--list", "--json")
            let place = home.work("policies.json").string
            #expect(list.standardOutput.contains(place))
            #expect(list.standardOutput.contains(TrustedFiles.digest(Array((elsewhere + "\n").utf8))))
            for _ in 1...2 { #expect(try await susi.run("policies", "trust", "--remove").status == 0) }
            try await isUsed(false)
            // A file named by option needs no trust, and the same content elsewhere is not trusted.
            #expect(try await susi.run("token", "--config", "./policies.json").status == 0)
        }
    }

    /// With a time quadratic in the size, the test would exceed its time limit.
    @Test func readsALargeFile() throws {
        let application = { (name: String, policies: [String], apis: String) in
            let policies = policies.map { "\"\($0)\": { \"kind\": \"signUpOrSignIn\" }" }.joined(separator: ",")
            return """
                { "current": "\(name)", "applications": { "local": { "kind": "b2c", "authority": "http://localhost:1/t",
                  "clientId": "c", "knownAuthorities": [], "policies": { \(policies) }, "apis": { \(apis) } } } }
                """
        }
        let apis = (0..<4_500).map { number in
            let policy = "\(number)" + String(repeating: "z", count: 120)
            return "\"a\(number)\": { \"baseUrl\": \"https://a.example\", \"policy\": \"\(policy)\" }"
        }.joined(separator: ",")
        for text in [
            application(String(repeating: "a", count: 200_000), ["p"], ""),
            application("local", (0..<25_000).map { "p\($0)" }, ""),
            application("local", (0..<11_000).flatMap { ["p\($0)", "P\($0)"] }, ""),
            application("local", (0..<1_000).map { "\($0)" + String(repeating: "q", count: 120) }, apis),
        ] {
            let file = try? PoliciesFile(text: text.utf8, source: "policies.json")
            #expect(file?.application(nil)?.policy(PolicyName("nothing")) == nil)
        }
    }

    static let repository = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
        .removingLastComponent()
        .appending("policies.json").string

    @Test("a file of this machine alone needs no trust; without a file, trust fails")
    func needsNoTrustForThisMachine() async throws {
        try await withSusi { susi in
            try await susi.run("policies", "trust").exits(5)
            try susi.home.writeLocalPolicies(PoliciesFile.builtInText)
            try await susi.run("policies", "trust").exits(0)
            // A known authority elsewhere counts as a destination too.
            try susi.home.writeLocalPolicies(
                PoliciesFile.writtenOutText.replacing(
                    "\"knownAuthorities\": [", with: "\"knownAuthorities\": [\"evil.example\", "))
            #expect(try await susi.run("status").status == 7)
        }
    }

    @Test func readsAnUntrustedFileOffline() async throws {
        try await withSusi { susi in
            try susi.home.writeLocalPolicies(try String(contentsOfFile: Self.repository, encoding: .utf8))
            try await susi.run("policies", "list", "-A", "production").exits(0, printing: "production")
            let address = "https://login.contoso.example/contoso.onmicrosoft.com/B2C_1_susi"
            try await susi.run("policies", "explain", address, "-A", "production").exits(0)
            for command in [["status"], ["policies", "check"], ["token"], ["sign-in"], ["call", "hello"]] {
                try await susi.command(command + ["-A", "production"]).run().exits(7)
            }
        }
    }

    @Test func reportsChangesSinceTheTrust() async throws {
        try await withSusi { susi in
            let text = try String(contentsOfFile: Self.repository, encoding: .utf8)
            try susi.home.writeLocalPolicies(text)
            #expect(try await susi.run("policies", "trust", "--yes").status == 0)
            let hosts = try PoliciesFile(text: text.utf8, source: "x").applications
                .flatMap(\.destinations).filter { !$0.isLoopback }.map(\.origin)
            let gone = try #require(hosts.first { $0.hasPrefix("https://api.") })
            try susi.home.writeLocalPolicies(text.replacing(gone, with: "https://evil.example"))
            for command in [["status", "-A", "production"], ["policies", "trust"]] {
                let outcome = try await susi.command(command).run()
                #expect(outcome.status != 0, "\(outcome)")
                #expect(
                    outcome.standardError.contains(
                        "changed since it was trusted: it now also names https://evil.example; it no longer names \(gone)"
                    ),
                    "\(outcome)")
            }
            // An entry of an earlier version has no hosts.
            let list = susi.home.file("trusted-policies")
            let kept = try list.text()
            let fields = kept.split(separator: " ", maxSplits: 2)
            try list.write("\(fields[0])  \(fields[2])")
            try await susi.run("status", "-A", "production").exits(7, saying: "it has changed since it was trusted\n")
            try susi.home.writeLocalPolicies(text)
            #expect(try await susi.run("status", "-A", "production").status == 4)
        }
    }
}
