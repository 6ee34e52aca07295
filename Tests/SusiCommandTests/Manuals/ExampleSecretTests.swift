import Foundation
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// Examples in documentation and help that must not put a secret into an argument, which other users can read.
@Suite("Secrets in examples", .inTurn, .timeLimit(.minutes(5)))
struct ExampleSecretTests {
    private static var secret: Regex<Substring> {
        #/\$\(\s*susi token|\$\((?:cat|<)[^)]*(?:secret|token)|\$\{?(?:[A-Z_]*TOKEN|[A-Z_]*SECRET)\b/#
    }

    /// Returns the secrets in a line's program arguments. An assignment and a shell built-in start no program.
    private static func exposed(_ line: String) -> [String] {
        // The argument of `sh -c` is checked as a separate command.
        let line = line.replacing("\\\"", with: "\"").replacing("-c '", with: "|")
        return line.matches(of: secret).compactMap { match in
            let before = line[..<match.range.lowerBound]
            let start = before.lastIndex { "|;&{(`".contains($0) }.map { before.index(after: $0) } ?? before.startIndex
            let command = before[start...].drop { $0.isWhitespace || $0 == "\"" }
            let word = command.prefix { !$0.isWhitespace }
            let isSafe = ["printf", "echo", "eval"].contains(word) || word.contains(#/^[A-Z_]+=/#)
            return isSafe ? nil : String(command) + match.output
        }
    }

    @Test("a secret in an argument is found; one that stays in the shell is not")
    func findsExposedSecrets() {
        for line in [
            #"curl -H "Authorization: Bearer $(susi token hello)" URL"#, #"curl -H "Authorization: Bearer $TOKEN" URL"#,
            #"sh -c 'curl -H "Authorization: Bearer $SUSI_ACCESS_TOKEN" URL'"#,
            #"curl -H "Authorization: Bearer $(cat "$EMULATOR/admin-secret")" URL"#, "x | http URL Bearer:${API_TOKEN}",
            #"lines.append("curl -H \"Authorization: Bearer $TOKEN\" x")"#,
        ] { #expect(Self.exposed(line).count == 1, "\(line)") }
        for line in [
            #"echo "password=$(susi token hello)""#, "TOKEN=$(susi token)", #"eval "$(susi token -f env)""#,
            #"printf 'Authorization: Bearer %s\n' "$TOKEN" | curl -H @- URL"#, "susi token -f header | curl -H @- URL",
        ] { #expect(Self.exposed(line).isEmpty, "\(line)") }
    }

    @Test("no example in README, articles, help and snippets puts a secret into an argument")
    func exposesNoSecretInExamples() throws {
        let sources = ReadmeTests.root.appending("Sources").string
        let files = try FileManager.default.subpathsOfDirectory(atPath: sources)
            .filter { $0.hasSuffix(".swift") }.map { "\(sources)/\($0)" }
        let manuals = Manuals.all.map { ReadmeTests.root.appending($0.path).string }
        #expect(files.count > 200)
        for file in files + manuals {
            let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            // A shell inserts a secret from a command or a variable; other lines need no parsing.
            for line in lines where line.utf8.contains(UInt8(ascii: "$")) {
                let found = Self.exposed(String(line))
                #expect(found.isEmpty, "\(file): \(found)")
            }
        }
    }

    @Test("the example of exec calls the API", .enabled(if: TestEnvironment.program("curl") != nil))
    func exampleOfExecCallsAPI() async throws {
        try await withLocalTenant { tenant in
            // Help wraps its lines.
            let help = try await tenant.susi.run("help", "exec").standardOutput
                .split(whereSeparator: \.isWhitespace).joined(separator: " ")
            let line = String(try #require(help.firstMatch(of: #/susi exec sh -c '[^']*'/#)).output)
            try await tenant.signIn(.ana)
            let shown = line.replacing("http://localhost:8480", with: tenant.emulator.origin)
            #expect(shown != line)
            try await tenant.susi.script(shown).run().exits(0, printing: "Hello, Ana Lima")
        }
    }
}
