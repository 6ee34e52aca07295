import Foundation
import Testing

/// Tables in articles whose last column names the tests that show each row.
@Suite struct TableTests {
    private static let sources = Result {
        let folder = BuiltModules.package.appending(path: "Tests")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        return TestSources(
            files: try names.map { name in
                let text = try Data(contentsOf: folder.appending(path: name))
                return TestSources.File(folder: String(name.prefix { $0 != "/" }), text: text)
            })
    }

    @Test(arguments: [
        ("Tests/Parity.md", false), ("Tests/Conformance.md", true),
    ])
    func eachRowNamesATest(article: String, mayNotApply: Bool) throws {
        let text = try String(contentsOf: BuiltModules.package.appending(path: article), encoding: .utf8)
        let (rows, sources) = (TestTable.rows(of: text), try Self.sources.get())
        try #require(rows.count > 10 && sources.files.count > 50)
        for complaint in rows.flatMap({ $0.complaints(against: sources, mayNotApply: mayNotApply) }) {
            Issue.record("\(article), \(complaint)")
        }
    }

    /// Each row about a service says what shows it: a captured message, a page of its documentation, a report, or nothing.
    @Test func eachRowOfParityNamesItsWitness() throws {
        let article = "Tests/Parity.md"
        let text = try String(contentsOf: BuiltModules.package.appending(path: article), encoding: .utf8)
        let captures = try CaptureSource.all()
        var counts: [String: Int] = [:]
        let rows = TestTable.rows(of: text)
        for row in rows {
            let witness = row.cells.count == 5 ? row.cells[3] : ""
            let kind = String(witness.prefix { $0 != " " })
            counts[kind, default: 0] += 1
            switch kind {
            case "capture":
                let names = witness.matches(of: #/`([a-z0-9-]+)`/#).map { String($0.1) }
                let found = names.compactMap { captures[$0]?.kind }
                #expect(found.count == names.count && found.contains { $0 != "documentation" }, "line \(row.line)")
            case "documentation", "report":
                #expect(witness.wholeMatch(of: #/\w+ \(.+\)/#) != nil, "line \(row.line): \(witness)")
            default: #expect(kind == "none", "line \(row.line): \(witness)")
            }
        }
        let sentence =
            "Of \(rows.count) rows, \(counts["capture"] ?? 0) are shown by a capture (`Tests/SusiEmulatorTests/Captures`), "
            + "\(counts["documentation"] ?? 0) by documentation, \(counts["report"] ?? 0) by a report, and "
            + "\(counts["none"] ?? 0) by nothing"
        #expect(text.replacing("\n", with: " ").contains(sentence), "\(sentence)")
    }

    /// README and Parity tell who published the captured messages.
    @Test func countsSourcesOfCaptures() throws {
        let sources = try CaptureSource.all().values
        let counts = Dictionary(grouping: sources, by: \.kind).mapValues(\.count)
        #expect(counts.keys.sorted() == ["documentation", "repository", "thread"])
        let (samples, unknown) = (counts["documentation"] ?? 0, sources.filter { !$0.hasAddress }.count)
        for (article, sentences) in [
            (
                "README.md",
                [
                    "\(sources.count) messages that others published: \(samples) are samples of documentation, "
                        + "\(unknown) have no public address"
                ]
            ),
            (
                "Tests/Parity.md",
                [
                    "Of the \(sources.count) captures, \(counts["repository"] ?? 0) are from public repositories, "
                        + "\(samples) are samples of documentation, and \(counts["thread"] ?? 0) are from threads",
                    "\(unknown) have no public address",
                ]
            ),
        ] {
            let text = try String(contentsOf: BuiltModules.package.appending(path: article), encoding: .utf8)
                .replacing("\n", with: " ")
            for sentence in sentences { #expect(text.contains(sentence), "\(article): \(sentence)") }
        }
    }

    @Test(arguments: [
        ("`MadeTests/works`", true), ("`MadeTests/works`, `MadeTests/works`", true), ("`MadeTests/fails`", false),
        ("`OtherTests/works`", false), ("MadeTests/works", false), ("`MadeTests/works`,", false),
        ("`MadeTests/works` `MadeTests/works`", false), ("", false),
        ("`MadeTests/works` (“a case”)", true), ("`MadeTests/works` (“a case”, “another, longer case”)", true),
        ("`MadeTests/works` (“a case”, “no case”)", false), ("`MadeTests/works` (“elsewhere”)", false),
        ("`MadeTests/works` (a case)", false), ("does not apply: it has no secret", true), ("does not apply:", false),
        ("does not apply", false), ("not applicable", false),
    ])
    func rowsAreChecked(cell: String, isRight: Bool) {
        let made = """
            struct MadeTests { @Test func works() {} }
            let cases = ["a case", "another, longer case"]
            """
        let sources = TestSources(files: [
            TestSources.File(folder: "Made", text: Data(made.utf8)),
            TestSources.File(folder: "Other", text: Data("[\"elsewhere\"]".utf8)),
        ])
        let row = TestTable.rows(of: "| what | a | b | test |\n|---|---|---|---|\n| x | y | z | \(cell) |\n")
        #expect(row.count == 1)
        #expect(row.flatMap { $0.complaints(against: sources, mayNotApply: true) }.isEmpty == isRight)
        let isReason = cell.hasPrefix("does not apply")
        #expect(row.flatMap { $0.complaints(against: sources, mayNotApply: false) }.isEmpty == (isRight && !isReason))
    }
}

/// Where a captured message was published.
private struct CaptureSource {
    /// `repository`, `documentation` or `thread`.
    let kind: String
    /// Whether a repository, a thread or an address is named.
    let hasAddress: Bool

    /// Returns the sources of all captures by name.
    static func all() throws -> [String: CaptureSource] {
        let folder = BuiltModules.package.appending(path: "Tests/SusiEmulatorTests/Captures")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return Dictionary(
            uniqueKeysWithValues: try files.map { file in
                let capture = try JSONDecoder().decode(File.self, from: Data(contentsOf: file))
                let hasAddress = capture.source.where.contains(#/[\w-]+\/[\w.-]+|github/#)
                return (
                    file.deletingPathExtension().lastPathComponent,
                    CaptureSource(kind: capture.source.kind, hasAddress: hasAddress)
                )
            })
    }

    private struct File: Decodable {
        struct Source: Decodable { let kind, `where`: String }
        let source: Source
    }
}

/// The declarations in the tests' sources.
struct TestSources {
    /// A source file, with its target's folder. Bytes are searched: characters take minutes without optimization.
    struct File {
        let folder: String
        let text: Data

        func contains(_ part: String) -> Bool { text.range(of: Data(part.utf8)) != nil }
    }

    let files: [File]

    /// Returns whether the suite has the test, and its target has a text literal for each case.
    func declare(suite: Substring, test: Substring, cases: [Substring]) -> Bool {
        let opens = ["struct \(suite) {", "struct \(suite):", "extension \(suite) {", "class \(suite) {"]
        return files.contains { file in
            file.contains("func \(test)(") && opens.contains(where: file.contains)
                && cases.allSatisfy { name in
                    files.contains { $0.folder == file.folder && $0.contains("\"\(name)\"") }
                }
        }
    }
}

/// The rows of Markdown tables with four columns, the last of which names tests.
enum TestTable {
    struct Row {
        let cells: [String]
        let line: Int

        /// Returns the problems of the row.
        ///
        /// The last cell is a list of `` `Suite/test` ``, optionally with cases: `` `Suite/test` (“case”, “case”) ``.
        /// If a row may not apply, the cell may contain the reason instead.
        func complaints(against sources: TestSources, mayNotApply: Bool) -> [String] {
            guard let tests = cells.last, cells.count >= 4, !cells.contains("") else {
                return ["line \(line) has not its cells"]
            }
            if mayNotApply, tests.hasPrefix("does not apply: ") { return [] }
            let item = #/`(\w+)/(\w+)`(?: \((“[^”]+”(?:, “[^”]+”)*)\))?/#
            guard
                tests.wholeMatch(
                    of: #/`\w+/\w+`(?: \(“[^”]+”(?:, “[^”]+”)*\))?(?:, `\w+/\w+`(?: \(“[^”]+”(?:, “[^”]+”)*\))?)*/#)
                    != nil
            else { return ["line \(line) names no tests: \(tests)"] }
            return tests.matches(of: item).compactMap { match in
                let cases = match.3?.matches(of: #/“([^”]+)”/#).map(\.1) ?? []
                return sources.declare(suite: match.1, test: match.2, cases: cases)
                    ? nil : "line \(line) names \(match.0), which does not exist"
            }
        }
    }

    /// Returns the rows below the heads of tables.
    static func rows(of text: String) -> [Row] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.indices.compactMap { index in
            let isHead = index + 1 < lines.count && lines[index + 1].hasPrefix("|--")
            guard lines[index].hasPrefix("| "), !isHead else { return nil }
            let cells = lines[index].dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
            return Row(cells: cells.map { $0.trimmingCharacters(in: .whitespaces) }, line: index + 1)
        }
    }
}
