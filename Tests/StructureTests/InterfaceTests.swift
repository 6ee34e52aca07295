import Foundation
import SusiTestSupport
import SystemPackage
import Testing

/// What another package sees of both libraries.
@Suite("Public interface", .enabled(if: BuiltModules.target != nil, "the modules of Linux are read"))
struct InterfaceTests {
    /// `Susi` exports the modules that it is made of.
    private static let libraries = [
        "Susi": ["Susi", "SusiBase", "SusiHTTP", "SusiOAuth", "SusiPolicies", "SusiStore"],
        "SusiEmulator": ["SusiEmulator"],
    ]

    /// One file for each library, so that a change of the interface shows in a diff.
    @Test func isTheReviewedOne() async throws {
        var total = 0
        for (library, modules) in Self.libraries.sorted(by: { $0.key < $1.key }) {
            var text = ""
            for module in modules {
                let lines = try await Self.declarations(of: module)
                try #require(!lines.isEmpty)
                total += lines.count
                text += "\(module): \(lines.count)\n\(lines.map { "  \($0)\n" }.joined())"
            }
            if let difference = try CatalogFile("Interface/\(library).txt").difference(from: text) {
                Issue.record("\(difference)")
            }
        }
        // More is a promise to other packages that somebody has to want.
        #expect(total <= 400)
    }

    /// A program may import a web framework, or Apple's framework Network, beside the libraries: the names stay apart.
    @Test func hidesNoNameOfOthers() throws {
        let framework = BuiltModules.package.appending(path: ".build/checkouts/hummingbird/Sources")
        let files = try ["Hummingbird", "HummingbirdCore"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: framework.appending(path: folder).path)
                .filter { $0.hasSuffix(".swift") }.map { framework.appending(path: "\(folder)/\($0)") }
        }
        let others = try files.flatMap { file in
            try String(contentsOf: file, encoding: .utf8).matches(of: #/(?m)^public [a-z ]+ (\w+)/#).map(\.1)
        }
        try #require(others.contains("Application") && others.contains("Request"))
        for library in Self.libraries.keys {
            let list = BuiltModules.package.appending(path: "Tests/StructureTests/Interface/\(library).txt")
            let own = try String(contentsOf: list, encoding: .utf8).matches(of: #/(?m)^  [a-z ]+ (\w+)/#).map(\.1)
            try #require(own.count > 10)
            #expect(Set(own).isDisjoint(with: others + ["Network"]))
        }
    }

    /// Every link leads to a public symbol.
    @Test(arguments: libraries.keys.sorted()) func documentationHasNoWarning(library: String) async throws {
        let docc = try #require(TestEnvironment.program("docc"))
        try await BuiltModules().withSymbolGraphs(of: library) { folder in
            let catalog = BuiltModules.package.appending(path: "Sources/\(library)/\(library).docc").path
            let made = try await Program(
                docc,
                [
                    "convert", catalog, "--additional-symbol-graph-dir", folder.path, "--warnings-as-errors",
                    "--fallback-display-name", library, "--fallback-bundle-identifier", library, "--output-path",
                    folder.appending(path: "archive").path,
                ], environment: BuiltModules.environment
            ).run()
            #expect(made.status == 0 && made.standardError.isEmpty, "\(made)")
        }
    }

    /// The manifest that the library's manual shows names products that this package has.
    @Test func manifestNamesProducts() async throws {
        let manifest = try String(contentsOf: BuiltModules.package.appending(path: "Package.swift"), encoding: .utf8)
        let example = try String(
            contentsOf: BuiltModules.package.appending(path: "Tests/Examples/Package.swift"), encoding: .utf8)
        let manual = try String(
            contentsOf: BuiltModules.package.appending(path: "Sources/Susi/Susi.docc/Susi.md"), encoding: .utf8)
        #expect(manual.contains("```swift\n\(example)```\n"))
        try await withHome { home in
            let folder = home.work("hello")
            try folder.appending("Package.swift").write(example, mode: 0o600)
            let swift = try #require(TestEnvironment.program("swift"))
            let made = try await Program(
                swift, ["package", "--package-path", folder.string, "dump-package"], environment: home.environment
            ).run().exits(0)
            for library in Self.libraries.keys {
                #expect(made.standardOutput.contains("\"\(library)\",\n"))
                #expect(manifest.contains(".library(name: \"\(library)\", "))
            }
        }
    }

    /// The examples of both libraries compile outside this package, with nothing but the public interface.
    @Test(arguments: ["Example/main.swift", "SusiCommandTests/Emulator/EmulatorExampleTests.swift"])
    func exampleNeedsNothingElse(path: String) async throws {
        let file = BuiltModules.package.appending(path: "Tests/\(path)")
        try await withHome { home in
            // The test's own helpers are not the library's; only this package asks for every import of a member.
            let text = try String(contentsOf: file, encoding: .utf8)
                .replacing("import SusiTestSupport\nimport SystemPackage\n", with: "").replacing(", .inTurn", with: "")
            let copy = home.folder.appending(file.lastPathComponent)
            try Data(text.utf8).write(to: URL(filePath: copy.string))
            let swiftc = try #require(TestEnvironment.program("swiftc"))
            let arguments = try ["-typecheck", "-swift-version", "6", copy.string] + BuiltModules().options
            try await Program(swiftc, arguments, environment: BuiltModules.environment).run().exits(0)
        }
    }

    private static func declarations(of module: String) async throws -> [String] {
        try await BuiltModules().withSymbolGraphs(of: module) { folder in
            // What a module adds to types of another one is in a graph of its own.
            try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).flatMap { file in
                try JSONDecoder().decode(Graph.self, from: try Data(contentsOf: file)).symbols.map(\.line)
            }.sorted()
        }
    }

    /// A symbol graph, as far as it is read.
    private struct Graph: Decodable {
        let symbols: [Symbol]

        struct Symbol: Decodable {
            let pathComponents: [String]
            let declarationFragments: [Fragment]

            /// `Account · let id: Int64`.
            var line: String {
                let outer = pathComponents.dropLast().joined(separator: ".")
                let own = declarationFragments.map(\.spelling).joined().split(whereSeparator: \.isWhitespace)
                return (outer.isEmpty ? "" : "\(outer) · ") + own.joined(separator: " ")
            }
        }

        struct Fragment: Decodable { let spelling: String }
    }
}
