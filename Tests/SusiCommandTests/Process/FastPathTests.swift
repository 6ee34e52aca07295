import Foundation
import Susi
import SusiEmulator
import SusiStartup
import SusiTestSupport
import SystemPackage
import Testing

/// The fast path of `token`: its arguments, and the same results as the full parser.
@Suite("Fast path", .inTurn, .timeLimit(.minutes(5)))
struct FastPathTests {
    @Test(
        "only plain arguments take the fast path",
        arguments: [
            (["token"], true), (["token", "hello"], true), (["token", "-p", "P"], true),
            (["token", "--policy", "P", "-A", "local", "hello"], true), (["token", "--config", "f.json"], true),
            ([], false), (["tokens"], false), (["token", "-p"], false), (["token", "-p", "-A"], false),
            (["token", "--policy=P"], false), (["token", "-pP"], false), (["token", "a", "b"], false),
            (["token", "--json"], false), (["token", "--rehearse"], false), (["token", "-f", "json"], false),
            (["token", "-f", "raw"], true), (["token", "--format", "header", "--min-valid", "5m"], true),
            (["token", "--min-valid", "soon"], false), (["token", "--min-valid", "-5"], false),
            (["token", "-f"], false),
            (["token", "-f", "raw", "--format", "raw"], false), (["token", "-f", "env"], false),
            (["token", "-p", "A", "-p", "B"], false),
            (["token", ""], false), (["token", "--"], false), (["token", "-a", "ana"], false),
            (["token", "hello", "--tenant", "a.example"], false), (["token", "--tenant=a.example"], false),
            (["call", "hello"], false),
        ] as [([String], Bool)])
    func acceptsPlainArgumentsOnly(_ arguments: [String], _ taken: Bool) {
        #expect((FastPath.Request(arguments[...]) != nil) == taken)
    }

    @Test("small program, fast path and full parser give equal results; a cached token changes no file")
    func givesSameResultAsFullParser() async throws {
        try await withHome { home in
            try await withLocalTenant(in: home, signedIn: [.ana]) { tenant in
                try await tenant.signIn(.ben, under: "B2C_1_partner")
            }
            let susi = try SusiBinary(home: home)
            let installed = try susi.installed()
            // Each pair requests the same, first with plain arguments, then in a form for the full parser only.
            let pairs: [(fast: [String], full: [String])] = [
                (["token"], ["token", "--format=raw"]),
                (["token", "hello"], ["token", "hello", "--format=raw"]),
                (["token", "-p", "B2C_1_partner"], ["token", "--policy=B2C_1_partner"]),
                (["token", "hello", "-p", "b2c_1_PARTNER"], ["token", "hello", "--policy=b2c_1_PARTNER"]),
                (["token", "-A", "local"], ["token", "--application=local"]),
                (["token", "-f", "header", "--min-valid", "10m"], ["token", "--format=header", "--min-valid=10m"]),
                (["token", "--min-valid", "2h", "-f", "raw"], ["token", "--min-valid=2h"]),
                (["token", "-p", "B2C_1_reset"], ["token", "--policy=B2C_1_reset"]),
                (["token", "-p", "unknown"], ["token", "--policy=unknown"]),
                (["token", "-p", "partner"], ["token", "--policy=partner"]),
                (["token", "nothing"], ["token", "nothing", "--format=raw"]),
                (["token", "-A", "elsewhere"], ["token", "--application=elsewhere"]),
            ]
            // The first reader creates SQLite's empty log; later ones change nothing.
            _ = try await susi.run("token")
            for pair in pairs {
                let full = try await susi.command(pair.full).run()
                for program in [installed, susi] {
                    let before = try FolderState(home)
                    let fast = try await program.command(pair.fast).run()
                    let after = try FolderState(home)
                    if fast.status == 0 { #expect(after == before, "\(pair.fast) changed a file") }
                    #expect(fast.status == full.status, "\(program.path) \(pair.fast)")
                    #expect(fast.standardOutput == full.standardOutput, "\(program.path) \(pair.fast)")
                    #expect(fast.standardError == full.standardError, "\(program.path) \(pair.fast)")
                }
            }
        }
    }

    @Test("cases that the fast path does not cover go to the full parser")
    func leavesOtherCasesToFullParser() async throws {
        try await withHome { home in
            try await withLocalTenant(in: home, signedIn: [.ana]) { _ in }
            let cases: [(more: [String: String], isTaken: Bool)] = [
                ([:], true), (["SUSI_CLOCK": "+2h"], false), (["SUSI_ACCOUNT": "ana"], false),
                (["SUSI_REHEARSE": "1"], false),
                (["SUSI_POLICY": "B2C_1_partner"], false), (["SUSI_APPLICATION": "unknown"], false),
            ]
            for (more, isTaken) in cases {
                let environment = try SusiBinary(home: home).processEnvironment(more)
                var delivered: [String] = []
                FastPath.token(["token"][...], in: environment) { delivered.append($0) }
                #expect(delivered.count == (isTaken ? 1 : 0), "\(more)")
            }
        }
    }

    /// Names, sizes, times and contents of the store's folder.
    private struct FolderState: Equatable {
        let files: [String: Data]
        let times: [String: Date]

        init(_ home: Home) throws {
            let root = home.susiHome.string
            var files: [String: Data] = [:]
            var times: [String: Date] = [:]
            for name in try FileManager.default.subpathsOfDirectory(atPath: root) where !name.hasSuffix("-shm") {
                let path = "\(root)/\(name)"
                files[name] = FileManager.default.contents(atPath: path)
                times[name] = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
            }
            self.files = files
            self.times = times
        }
    }
}
