import Foundation
import Testing

/// The map of the sources in `.github/CONTRIBUTING.md`.
@Suite struct GuideTests {
    private static func text() throws -> String {
        try String(contentsOf: BuiltModules.package.appending(path: ".github/CONTRIBUTING.md"), encoding: .utf8)
    }

    /// Returns every text between backquotes.
    private static func words(in text: String) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    }

    @Test func namesFilesThatExist() throws {
        let folders = ["Sources/", "Tests/", ".ci/", ".github/"]
        let paths = Self.words(in: try Self.text())
            .filter { word in folders.contains(where: word.hasPrefix) && !word.contains { "*\n".contains($0) } }
            .map { $0.prefix { $0 != " " } }
        try #require(paths.count > 50)
        for path in paths {
            let isThere = FileManager.default.fileExists(atPath: BuiltModules.package.appending(path: "\(path)").path)
            #expect(isThere, "CONTRIBUTING.md names \(path), which does not exist")
        }
    }

    @Test func namesEveryTarget() throws {
        let text = try Self.text()
        let sources = BuiltModules.package.appending(path: "Sources").path
        let targets = try FileManager.default.contentsOfDirectory(atPath: sources).filter { !$0.hasPrefix(".") }
        try #require(targets.count > 8)
        for target in targets { #expect(text.contains("`Sources/\(target)`"), "no line for \(target)") }
    }
}
