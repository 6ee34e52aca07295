import Foundation
import SusiBase
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

/// An installation: the small program in `bin`, the full one in `libexec/susi`.
@Suite("Installed program", .inTurn, .timeLimit(.minutes(5)))
struct InstalledTests {
    @Test("the small program prints a cached token by itself and needs the full program for the rest")
    func needsFullProgramForTheRest() async throws {
        try await withHome { home in
            try await withLocalTenant(in: home, signedIn: [.ana]) { _ in }
            let susi = try SusiBinary(home: home)
            let installed = try susi.installed()
            let token = try await susi.run("token")
            try installed.fullProgram.remove()

            try await installed.run("token", "hello").exits(0, output: token.standardOutput)
            let other = try await installed.run("accounts").exits(1, output: "")
            #expect(
                other.standardError == """
                    susi: the installation is incomplete
                      cannot start \(installed.fullProgram): No such file or directory
                      next: install susi again; bin/susi needs libexec/susi/susi beside bin

                    """)
        }
    }

    @Test("help names the folder of the manuals") func namesTheManuals() async throws {
        try await withSusi { susi in
            let installed = try susi.installed()
            try await installed.run("help").exits(0, printing: "  Manuals: share/doc/susi; ")
            let prefix = installed.fullProgram.removingLastComponent().removingLastComponent().removingLastComponent()
            let (manuals, files) = (prefix.appending("share/doc/susi"), FileManager.default)
            try files.createDirectory(atPath: manuals.string, withIntermediateDirectories: true)
            // The link leads to the folder of the build.
            try installed.fullProgram.remove()
            try files.copyItem(atPath: susi.path.string, toPath: installed.fullProgram.string)
            try await installed.run("help").exits(0, printing: "  Manuals: \(manuals); ")
        }
    }

    @Test("the full program receives arguments, environment and open files unchanged")
    func keepsArgumentsAndFiles() async throws {
        try await withSusi { susi in
            let installed = try susi.installed()
            let script = #"""
                #!/bin/sh
                { printf '%s|' "$#" "$@" "$SUSI_WITNESS"; cat <&3; cat; } | od -An -v -tx1 | tr -d ' \n'
                """#
            let full = installed.fullProgram
            try full.remove()
            try script.write(toFile: full.string, atomically: true, encoding: .utf8)
            try full.permit(0o700)
            let line = #"exec "$0" token '' 'a b' $'\xff' 3<<<three"#
            let outcome = try await installed.shell(
                line, by: "/bin/bash", environment: ["SUSI_WITNESS": "x=y "], input: .text("zero")
            ).run().exits(0)
            let expected = Array("4|token||a b|".utf8) + [0xff] + Array("|x=y |three\nzero".utf8)
            let digits = expected.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            #expect(outcome.standardOutput == digits, "\(outcome)")
        }
    }

    @Test("policies from a pipe reach the full program, which reads them")
    func leavesPipesToFullProgram() async throws {
        try await withHome { home in
            try await withLocalTenant(in: home, signedIn: [.ana]) { _ in }
            let susi = try SusiBinary(home: home)
            let token = try await susi.run("token").standardOutput
            let file = home.policiesFile.string.shellWord
            let installed = try susi.installed()
            for line in [
                "exec \"$0\" token $1 --config <(cat \(file))", "SUSI_CONFIG=<(cat \(file)) \"$0\" token $1",
                "cat \(file) | \"$0\" token $1 --config /dev/stdin",
                "exec \"$0\" token $1 --config /dev/stdin < \(file)",
            ] {
                let run = { (api: String) in try await installed.shell(line, [api], by: "/bin/bash").run() }
                let cached = try await run("")
                #expect(cached.status == 0 && cached.standardOutput == token && !token.isEmpty, "\(line): \(cached)")
                // The small program cannot answer this.
                let unknown = try await run("unknown")
                #expect(
                    unknown.status == 5 && unknown.standardError.contains("no API “unknown”"), "\(line): \(unknown)")
            }
        }
    }

    @Test("a symbolic link to the small program finds the full one, and both have one version")
    func followsLinks() async throws {
        try await withSusi { susi in
            let link = susi.home.folder.appending("linked").string
            let installed = try susi.installed()
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: installed.path.string)
            try await Program(FilePath(link), ["--version"], environment: susi.home.environment).run()
                .exits(0, output: (try await susi.run("--version")).standardOutput)
        }
    }
}
