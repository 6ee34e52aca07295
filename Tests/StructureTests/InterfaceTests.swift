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

    // The C modules of ours, of the packages, and those that the build made.
    private static func moduleMaps(_ products: FilePath) throws -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let places = [
            root.appending(path: "Sources"), root.appending(path: ".build/checkouts"), URL(filePath: products.string),
        ]
        var maps: [String: String] = [:]
        for place in places {
            let names = FileManager.default.enumerator(atPath: place.path)
            while let name = names?.nextObject() as? String {
                guard name.hasSuffix("/module.modulemap"), !name.contains("Test"), !name.contains("Benchmark") else {
                    continue
                }
                maps[name] = place.appending(path: name).path
            }
        }
        return maps.values.sorted().flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
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
