import Foundation
import Testing

/// The package's own rules, checked in all its files.
@Suite struct StructureTests {
    private func files(below folder: String, endings: Set<String>) throws -> [SourceFile] {
        let start = BuiltModules.package.appending(path: folder)
        let names = try FileManager.default.subpathsOfDirectory(atPath: start.path)
        return try names.sorted()
            .filter { endings.contains(URL(filePath: $0).pathExtension) && !$0.contains("__pycache__") }
            .map { "\(folder)/\($0)" }
            .filter(isFile)
            .map(file)
    }

    private func file(_ path: String) throws -> SourceFile {
        SourceFile(
            path: path, text: try String(contentsOf: BuiltModules.package.appending(path: path), encoding: .utf8))
    }

    private func isFile(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: BuiltModules.package.appending(path: path).path)
        return attributes?[.type] as? FileAttributeType == .typeRegular
    }

    private func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: BuiltModules.package.appending(path: path).path)
    }

    @Test func sourcesKeepTheRules() throws {
        let sources = try files(below: "Sources", endings: ["swift"])
        try #require(sources.count > 10)
        for violation in sources.flatMap(Rules.violations) { Issue.record("\(violation)") }
    }

    @Test func testsKeepTheRules() throws {
        let tests = try files(below: "Tests", endings: ["swift"])
        try #require(tests.count > 100)
        for violation in tests.flatMap(Rules.violationsOfTests) { Issue.record("\(violation)") }
        // No exception outlives its file.
        let exceptions = Rules.testWords.flatMap(\.only) + Rules.fixedPorts
        #expect(Set(exceptions).subtracting(tests.map(\.path)).isEmpty)
    }

    @Test func packageDeclarationsAreUsed() throws {
        let sources = try files(below: "Sources", endings: ["swift"])
        for violation in PackageDeclarations.unused(in: sources) { Issue.record("\(violation)") }
    }

    @Test func modulesAreThoseOfTheTable() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: BuiltModules.package.appending(path: "Sources").path)
        #expect(Set(folders.filter { !$0.hasPrefix(".") }) == Set(Rules.imports.keys))
    }

    @Test func noFileNamesAMachinesPath() throws {
        let text: Set<String> = ["swift", "c", "h", "py", "sh", "md", "json", "sql", "css", "html", "js", ""]
        var all = try ["Sources", "Tests", ".ci"].filter(exists).flatMap { try files(below: $0, endings: text) }
        all += try ["Package.swift", "README.md", "policies.json"].filter(exists).map(file)
        try #require(all.count > 20)
        for violation in all.flatMap(Rules.violationsAnywhere) { Issue.record("\(violation)") }
    }

    @Test func topLevelIsSmall() throws {
        let visible = try FileManager.default.contentsOfDirectory(atPath: BuiltModules.package.path)
            .filter { !$0.hasPrefix(".") && !$0.hasSuffix(".xcodeproj") }
        #expect(Set(visible).subtracting(Rules.topLevel).isEmpty)
    }

    @Test func resourcesAreEmbedded() throws {
        let manifest = SwiftText.codeLines(of: try file("Package.swift").text).joined(separator: "\n")
        for form in Rules.manifest { #expect(!manifest.contains(form), "resources are embedded in code") }
        #expect(manifest.contains(".embedInCode("))
    }
}
