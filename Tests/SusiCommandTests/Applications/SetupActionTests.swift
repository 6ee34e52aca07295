import Foundation
import Susi
import SusiTestSupport
import SystemPackage
import Testing

/// The GitHub action and its install script, with a release in a folder. The program in it starts the built one.
@Suite("Setup action", .inTurn, .timeLimit(.minutes(5)))
struct SetupActionTests {
    private static let action = ReadmeTests.root.appending(".github/actions/setup")

    /// A release with one archive; `change` may damage it.
    private func withRelease(
        _ change: (FilePath) throws -> Void = { _ in }, _ body: (SusiBinary, _ release: FilePath) async throws -> Void
    ) async throws {
        try await withSusi { susi in
            let release = susi.home.work("release")
            let script = """
                mkdir -p files/susi/bin && printf '#!/bin/sh\\nexec "%s" "$@"\\n' "$1" >files/susi/bin/susi
                chmod 755 files/susi/bin/susi && mkdir release
                tar -czf "release/susi-1.2.3-linux-$(uname -m).tar.gz" -C files susi
                echo other >release/susi_1.2.3_amd64.deb && cd release && sha256sum -- susi* >SHA256SUMS
                """
            try await shell(script, susi.path.string, in: susi).exits(0)
            try change(release)
            try await body(susi, release)
        }
    }

    private func shell(_ script: String, _ arguments: String..., in susi: SusiBinary) async throws -> ProgramOutcome {
        try await Program(
            "/bin/sh", ["-euc", script, "sh"] + arguments, environment: susi.home.environment,
            workingFolder: susi.home.workingFolder
        ).run()
    }

    private func install(_ address: String..., in susi: SusiBinary) async throws -> ProgramOutcome {
        let words = (["\(Self.action)/install.sh"] + address).map { "'\($0)'" }.joined(separator: " ")
        return try await shell("sh \(words)", in: susi)
    }

    @Test("the script installs an archive whose sum is right") func installs() async throws {
        try await withRelease { susi, release in
            try await install("file://\(release)", in: susi).exits(0, printing: "next: add")
            try await shell(#""$HOME/.local/bin/susi" --version"#, in: susi).exits(0)
        }
    }

    @Test(
        "the script installs nothing else",
        arguments: [
            ("echo more >>release/susi-1.2.3-linux-$(uname -m).tar.gz", "is not the file that SHA256SUMS names"),
            ("sed -i s/-linux-/-linux-other-/ release/SHA256SUMS", "has no archive for"),
            ("sed -i 's;susi-1.2.3-linux;../susi-1.2.3-linux;' release/SHA256SUMS", "has no archive for"),
            ("sed -n 's/1.2.3-linux/1.2.4-linux/p' release/SHA256SUMS >>release/SHA256SUMS", "several archives"),
            ("rm release/susi-1.2.3-linux-*", "cannot get"), ("rm release/SHA256SUMS", "cannot get"),
        ])
    func refusesDamagedRelease(damage: String, reason: String) async throws {
        try await withRelease { susi, release in
            try #require(try await shell(damage, in: susi).status == 0)
            try await install("file://\(release)", in: susi).exits(1, saying: reason)
            try await shell("test ! -e \"$HOME/.local\"", in: susi).exits(0)
        }
    }

    @Test("the README's check of a sum accepts one file of a release, and no damaged one")
    func checksOneFile() async throws {
        let check = try #require(try Manuals.readme.read().prose.firstMatch(of: #/`(sha256sum [^`]+)`/#)?.1)
        try await withRelease { susi, _ in
            try await shell("cd release && rm *.deb && \(check)", in: susi).exits(0)
            try await shell("cd release && echo more >>$(ls *.gz) && \(check)", in: susi).exits(1)
        }
    }

    @Test("the script needs an address, over https") func needsAddress() async throws {
        try await withRelease { susi, _ in
            try await install(in: susi).exits(1, saying: "sh install.sh URL")
            try await install("http://localhost:1/releases", in: susi).exits(1, saying: "cannot get", "rotocol")
        }
    }

    @Test("a release names itself in its script") func namesRelease() async throws {
        let release = try ReadmeTests.root.appending(".ci/release").text()
        let function = try #require(release.firstMatch(of: #/copy_install_script\(\) \{[\s\S]*?\n\}/#)).output
        try await withSusi { susi in
            let script = """
                version=1.2.3 output=$PWD GITHUB_REPOSITORY=owner/susi GITHUB_SERVER_URL=https://github.example
                cd "$1"; \(function); copy_install_script
                """
            try await shell(script, ReadmeTests.root.string, in: susi).exits(0)
            let path = susi.home.work("install.sh")
            let address = "https://github.example/owner/susi/releases/download/v1.2.3"
            #expect(try path.text().contains("release=${1:-\(address)}\n"))
        }
    }

    @Test(
        "the action installs a release and starts its emulator",
        .enabled("python3 with yaml is missing", ManualTests.hasYAML))
    func startsEmulator() async throws {
        let python = try #require(TestEnvironment.program("python3"))
        try await withRelease { susi, release in
            let port = try await freePort()
            try susi.home.writePolicies(PoliciesFile.builtInText.replacing(":8480", with: ":\(port)"))
            let users =
                #"{"tenants": {"contoso.onmicrosoft.com": {"kind": "b2c", "users": [{"email": "lin@contoso.example"}]}}}"#
            let seed = URL(filePath: susi.home.work("tenants.json").string)
            try Data(users.utf8).write(to: seed)
            let script = """
                mkdir -p temp; export RUNNER_TEMP="$PWD/temp"
                "$1" "$2" "$3" 'susi --version; curl -fsS "$SUSI_EMULATOR_ORIGIN/health"' \
                    release="file://$4" emulator=true seed=tenants.json
                """
            let program = "\(Self.programs)/run_action.py"
            let run = { try await shell(script, python.string, program, Self.action.string, release.string, in: susi) }
            try await run().exits(0, printing: "origin=http://localhost:\(port)\n", #""status":"ok"}"#)
            let log = susi.home.work("temp/susi-emulator.log")
            #expect(try log.text().contains("users     lin@contoso.example"))
            // With another scheme than in the file, the following steps use a file of the emulator.
            let secure = try await shell(
                script.replacing("emulator=true", with: "emulator=true tls=true").replacing(
                    "curl -fsS", with: "curl -fsSk"),
                python.string, program, Self.action.string, release.string, in: susi)
            #expect(secure.standardOutput.contains("origin=https://localhost:\(port)\n"), "\(secure)")
            try Data("{".utf8).write(to: seed)
            try await run().exits(1, printing: "tenants.json, line 1")
        }
    }

    private static let programs = ReadmeTests.root.appending("Tests/Examples")
}
