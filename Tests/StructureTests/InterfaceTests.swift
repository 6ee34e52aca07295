import Foundation
import SusiTestSupport
import SystemPackage
import Testing

/// The public declarations of both libraries, in one file each, so that a change of the interface shows in a diff.
@Suite("Public interface")
struct InterfaceTests {
    /// `Susi` exports the modules that it is made of.
    @Test(
        .enabled(if: Platform.target != nil, "the modules of Linux are compared"),
        arguments: [
            (library: "Susi", modules: ["Susi", "SusiHTTP", "SusiOAuth", "SusiPolicies", "SusiStore"]),
            (library: "SusiEmulator", modules: ["SusiEmulator"]),
        ])
    func isTheReviewedOne(library: String, modules: [String]) async throws {
        var text = ""
        for module in modules {
            let lines = try await Self.declarations(of: module)
            try #require(lines.count > 10)
            text += "\(module): \(lines.count)\n\(lines.map { "  \($0)\n" }.joined())"
        }
        if let difference = try CatalogFile("Interface/\(library).txt").difference(from: text) {
            Issue.record("\(difference)")
        }
    }

    private static func declarations(of module: String) async throws -> [String] {
        let susi = try #require(TestEnvironment.builtProduct("susi"))
        let swift = try #require(TestEnvironment.program("swift"))
        let target = try #require(Platform.target)
        let output = FileManager.default.temporaryDirectory.appending(path: "susi-interface-\(UUID())")
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: output) }
        let maps = try moduleMaps(susi.removingLastComponent())
        let program = Program(
            swift,
            [
                "symbolgraph-extract", "-module-name", module, "-target", target, "-minimum-access-level", "public",
                "-skip-synthesized-members", "-output-dir", output.path, "-I",
                susi.removingLastComponent().appending("Modules").string,
            ] + maps, environment: ["PATH": TestEnvironment.variable("PATH") ?? "/usr/bin:/bin"])
        let made = try await program.run()
        try #require(made.status == 0, "\(made)")
        let graph = try Data(contentsOf: output.appending(path: "\(module).symbols.json"))
        return try JSONDecoder().decode(Graph.self, from: graph).symbols.map(\.line).sorted()
    }

    // The C modules of ours, of the packages, and those that the build made. Modules for plug-ins are built a second time.
    private static func moduleMaps(_ products: FilePath) throws -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let made = try FileManager.default.contentsOfDirectory(atPath: products.string)
            .filter { $0.hasSuffix(".build") && !$0.hasSuffix("-tool.build") }
            .map { products.appending($0).appending("module.modulemap").string }
            .filter(FileManager.default.fileExists)
        let written = ["Sources", ".build/checkouts"].flatMap { place in
            let folder = root.appending(path: place).path
            return (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? [])
                .filter { $0.hasSuffix("/module.modulemap") && !$0.contains("Test") && !$0.contains("Benchmark") }
                .map { "\(folder)/\($0)" }
        }
        return (made + written).sorted().flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
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

private enum Platform {
    /// The name of the platform in the compiler's words.
    static var target: String? {
        #if os(Linux) && arch(x86_64)
            "x86_64-unknown-linux-gnu"
        #elseif os(Linux) && arch(arm64)
            "aarch64-unknown-linux-gnu"
        #else
            nil
        #endif
    }
}
