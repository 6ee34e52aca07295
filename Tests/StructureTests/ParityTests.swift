import Foundation
import Testing

/// Each row of the emulator's parity table names a test, and the test exists.
@Suite struct ParityTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private struct Row {
        let cells: [String]
        let line: Int
    }

    private func rows() throws -> [Row] {
        let article = "Sources/SusiEmulator/SusiEmulator.docc/Parity.md"
        let text = try String(contentsOf: Self.root.appending(path: article), encoding: .utf8)
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
            guard line.hasPrefix("| "), !line.hasPrefix("| what |") else { return nil }
            let cells = line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
            return Row(cells: cells.map { $0.trimmingCharacters(in: .whitespaces) }, line: index + 1)
        }
    }

    /// The sources of all tests.
    private func tests() throws -> [String] {
        let folder = Self.root.appending(path: "Tests")
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix("Tests.swift") }
            .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
    }

    @Test func eachRowNamesATest() throws {
        let (rows, tests) = (try rows(), try tests())
        try #require(rows.count > 10 && tests.count > 50)
        for row in rows {
            guard row.cells.count == 4, !row.cells.contains("") else {
                Issue.record("line \(row.line) of Parity.md has not its four cells")
                continue
            }
            for name in row.cells[3].split(separator: ",").map({ $0.trimmingCharacters(in: .whitespaces) }) {
                let parts = name.trimmingCharacters(in: ["`"]).split(separator: "/")
                let isThere = parts.count == 2 && tests.contains { Self.declares($0, suite: parts[0], test: parts[1]) }
                #expect(isThere, "line \(row.line) of Parity.md names \(name), which no test is")
            }
        }
    }

    private static func declares(_ source: String, suite: Substring, test: Substring) -> Bool {
        let opens = ["struct \(suite) {", "struct \(suite):", "extension \(suite) {", "class \(suite) {"]
        return opens.contains(where: source.contains) && source.contains("func \(test)(")
    }
}
