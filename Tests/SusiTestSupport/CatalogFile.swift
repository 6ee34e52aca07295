import Foundation

/// A committed text file with output of the program, so that a change of wording shows in a diff.
package struct CatalogFile: Sendable {
    private let committed: URL
    private let current: URL
    private let package: URL

    /// Finds the file of that name beside a test's source file.
    package init(_ name: String, beside source: String = #filePath) {
        let folder = URL(filePath: source).deletingLastPathComponent()
        package = Self.package(above: folder)
        committed = folder.appending(path: name)
        current = package.appending(path: ".build/catalog/\(name)")
    }

    /// Finds a manual by its path in the package.
    package init(manual path: String, above source: String = #filePath) {
        package = Self.package(above: URL(filePath: source).deletingLastPathComponent())
        committed = package.appending(path: path)
        current = package.appending(path: ".build/catalog/\(committed.lastPathComponent)")
    }

    private static func package(above folder: URL) -> URL {
        var package = folder
        while package.pathComponents.count > 1,
            !FileManager.default.fileExists(atPath: package.appending(path: "Package.swift").path)
        {
            package = package.deletingLastPathComponent()
        }
        return package
    }

    /// Compares a text with the file. Returns `nil` if they are equal; otherwise writes the text below `.build` and returns
    /// the first difference with the commands to compare and to accept it.
    package func difference(from text: String) throws -> String? {
        let old = (try? String(contentsOf: committed, encoding: .utf8)) ?? ""
        if old == text { return nil }
        try FileManager.default.createDirectory(
            at: current.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: current)
        let (before, now) = (Self.lines(old), Self.lines(text))
        let line =
            zip(before, now).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(before.count, now.count)
        let (a, b) = (relative(committed), relative(current))
        return """
            \(a), line \(line + 1)
              committed: \(before.count > line ? before[line] : "(end)")
              now:       \(now.count > line ? now[line] : "(end)")
            compare: diff -u \(a) \(b)
            accept:  cp \(b) \(a)
            """
    }

    private static func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    private func relative(_ file: URL) -> String { String(file.path.dropFirst(package.path.count).drop { $0 == "/" }) }
}
