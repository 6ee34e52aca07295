import Foundation
import SusiTestSupport
import SystemPackage
import Testing

/// The modules that this build made, as the compiler's tools find them.
struct BuiltModules {
    static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let environment = ["PATH": TestEnvironment.path]

    let products: FilePath

    init() throws { products = try #require(TestEnvironment.builtProduct("susi")).removingLastComponent() }

    /// Runs `body` with a folder that has the symbol graph of a module.
    func withSymbolGraphs<T>(of module: String, _ body: (URL) async throws -> T) async throws -> T {
        let swift = try #require(TestEnvironment.program("swift"))
        let target = try #require(Self.target)
        let folder = FileManager.default.temporaryDirectory.appending(path: "susi-interface-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let made = try await Program(
            swift,
            [
                "symbolgraph-extract", "-module-name", module, "-target", target, "-minimum-access-level", "public",
                "-skip-synthesized-members", "-output-dir", folder.path,
            ] + options, environment: Self.environment
        ).run()
        try #require(made.status == 0, "\(made)")
        return try await body(folder)
    }

    /// Where the modules are. Besides Swift's: the C modules of ours, of the packages, and those that the build made.
    /// Modules for plug-ins are built a second time.
    var options: [String] {
        get throws {
            let made = try FileManager.default.contentsOfDirectory(atPath: products.string)
                .filter { $0.hasSuffix(".build") && !$0.hasSuffix("-tool.build") }
                .map { products.appending($0).appending("module.modulemap").string }
                .filter(FileManager.default.fileExists)
            let written = ["Sources", ".build/checkouts"].flatMap { place in
                let folder = Self.package.appending(path: place).path
                return (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? [])
                    .filter { $0.hasSuffix("/module.modulemap") && !$0.contains("Test") && !$0.contains("Benchmark") }
                    .map { "\(folder)/\($0)" }
            }
            return ["-I", products.appending("Modules").string]
                + (made + written).sorted().flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
        }
    }

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
