import Foundation
import SusiTestSupport
import SystemPackage
import Testing

/// `call --curl` in dash, bash and zsh: they send what `susi` would send, and run nothing else.
@Suite(
    "Printed commands", .inTurn,
    .enabled(if: ["curl", "dash", "zsh"].allSatisfy { TestEnvironment.program($0) != nil }),
    .timeLimit(.minutes(5)))
struct PrintedCommandTests {
    private static let shells = ["dash", "bash", "zsh"].compactMap { TestEnvironment.program($0) }

    private static let bodies = [
        "x\n'; touch pwned #", "two\nlines\t\u{1b}[31m 'quoted' \\ %s \u{202e}é日\r\u{7f}", "one line\n", "\n\n",
        "end\\\n",
        "'\n", "\u{1}2", "plain",
    ]

    /// Runs `body` with a tenant whose API is at a scripted server, after Ana's sign-in.
    private func withTenant(_ body: (LocalTenant, ScriptedServer) async throws -> Void) async throws {
        try await ScriptedServer.with({ _ in .ok("fine") }) { server in
            let edit = { (text: String) in
                text.replacing("http://localhost:8480/api/hello", with: "\(server.origin)/v1")
            }
            try await withLocalTenant(policies: edit) { tenant in
                try await tenant.signIn(.ana)
                try await body(tenant, server)
            }
        }
    }

    private func run(_ line: String, by shell: FilePath, _ tenant: LocalTenant) async throws -> ProgramOutcome {
        var environment = tenant.susi.home.environment
        environment["PATH"] = "\(tenant.susi.path.removingLastComponent()):\(environment["PATH"] ?? "")"
        return try await Program(
            shell, ["-c", line], environment: environment, workingFolder: tenant.susi.home.workingFolder
        ).run()
    }

    private func expectNoFile(_ tenant: LocalTenant, _ line: String) throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: tenant.susi.home.workingFolder.string)
        #expect(files.isEmpty, "\(line) made \(files)")
    }

    @Test("--curl sends the same body in every POSIX shell")
    func sendsSameBody() async throws {
        try await withTenant { tenant, server in
            for body in Self.bodies {
                let call = ["call", "POST", "hello", "/x", "-d", body]
                let printed = try await tenant.susi.command(call + ["--curl"]).run()
                let line = printed.standardOutput.trimmingCharacters(in: .newlines)
                #expect(printed.status == 0 && !line.contains("\n") && !line.contains("\u{1b}"), "\(printed)")
                _ = try await tenant.susi.command(call).run()
                let own = try #require(server.requests.last)
                #expect(own.body == body)
                for shell in Self.shells {
                    let count = server.requests.count
                    let outcome = try await run(line, by: shell, tenant)
                    #expect(outcome.status == 0 && server.requests.count == count + 1, "\(shell): \(line)\n\(outcome)")
                    let sent = try #require(server.requests.last)
                    #expect(sent.body == body, "\(shell): \(line)\nsent \(sent.body.debugDescription)")
                    for name in ["Authorization", "Content-Type", "Content-Length"] {
                        #expect(sent.header(name) == own.header(name), "\(shell): \(line)")
                    }
                }
                try expectNoFile(tenant, line)
            }
        }
    }

    @Test("the file of -o may have any name")
    func writesFileOfAnyName() async throws {
        try await withTenant { tenant, _ in
            let name = "a\u{1b}'; touch pwned; 'b\nc%d"
            let printed = try await tenant.susi.run("call", "hello", "-o", name, "--curl")
            for shell in Self.shells {
                let outcome = try await run(printed.standardOutput, by: shell, tenant)
                #expect(outcome.status == 0, "\(shell): \(printed.standardOutput): \(outcome)")
                let folder = tenant.susi.home.workingFolder
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.string) == [name], "\(shell)")
                try FileManager.default.removeItem(atPath: folder.appending(name).string)
            }
        }
    }
}
