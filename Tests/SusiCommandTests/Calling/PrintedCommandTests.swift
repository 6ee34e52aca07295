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

    @Test("--curl sends the same body in every POSIX shell")
    func sendsSameBody() async throws {
        try await CallTests.withAPI({ _ in .ok("fine") }) { tenant, server in
            for body in Self.bodies {
                let call = ["call", "POST", "mine", "/x", "-d", body]
                let printed = try await tenant.susi.command(call + ["--curl"]).run()
                let line = printed.standardOutput.trimmingCharacters(in: .newlines)
                #expect(printed.status == 0 && !line.contains("\n") && !line.contains("\u{1b}"), "\(printed)")
                _ = try await tenant.susi.command(call).run()
                let own = try #require(server.requests.last)
                #expect(own.body == body)
                for shell in Self.shells {
                    let count = server.requests.count
                    try await CallTests.run(line, by: shell, tenant)
                    #expect(server.requests.count == count + 1, "\(shell): \(line)")
                    let sent = try #require(server.requests.last)
                    #expect(sent.body == body, "\(shell): \(line)\nsent \(sent.body.debugDescription)")
                    for name in ["Authorization", "Content-Type", "Content-Length"] {
                        #expect(sent.header(name) == own.header(name), "\(shell): \(line)")
                    }
                }
                #expect(try tenant.susi.home.workingFolder.names() == [], "\(line)")
            }
        }
    }

    @Test("the file of -o may have any name")
    func writesFileOfAnyName() async throws {
        try await CallTests.withAPI({ _ in .ok("fine") }) { tenant, _ in
            let name = "a\u{1b}'; touch pwned; 'b\nc%d"
            let printed = try await tenant.susi.run("call", "mine", "-o", name, "--curl")
            for shell in Self.shells {
                try await CallTests.run(printed.standardOutput, by: shell, tenant)
                let folder = tenant.susi.home.workingFolder
                #expect(try folder.names() == [name], "\(shell)")
                try folder.appending(name).remove()
            }
        }
    }
}
