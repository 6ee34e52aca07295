import Foundation
import SusiTestSupport
import Testing

@testable import SusiCommand

/// The wording of all errors in one file for review.
@Suite("Catalog of errors", .inTurn, .timeLimit(.minutes(5)))
struct ErrorCatalogTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let path = "Tests/SusiCommandTests/Catalog/errors.txt"

    @Test func printsTheReviewedErrors() async throws {
        let catalog = try await ErrorCatalog.made()
        if let difference = try CatalogFile("errors.txt").difference(from: catalog.text) {
            Issue.record("\(difference)")
        }
        // No error contains the name of a type, or a value as Swift prints it.
        for line in catalog.text.split(separator: "\n") {
            let printed = line.firstMatch(of: /\b[A-Z]\w*(Error|Failure)\b|Optional\(|\b[A-Z]\w*\(|\w\(\)/)
            #expect(printed == nil, "\(line)")
        }
        // In JSON, the next step is a command that can be typed as it is.
        #expect(Set(catalog.commands).count > 20)
        for command in Set(catalog.commands) {
            let words = command.split(separator: " ").map(String.init)
            #expect(words.first == "susi" && command.firstMatch(of: #/[<|()]|[ =/][A-Z]+( |$)/#) == nil, "\(command)")
            let isParsed = (try? SusiCommand.Program.parse(Array(words.dropFirst()))) != nil
            #expect(isParsed || command.contains("'"), "\(command)")
        }
    }

    /// An error that the catalog lacks has not been reviewed.
    @Test func catalogHasEveryErrorOfTheSources() throws {
        let catalog = try String(contentsOf: Self.root.appending(path: Self.path), encoding: .utf8).split(
            separator: "\n")
        var unused = Set(ErrorLiterals.exceptions.keys)
        let errors = try ErrorLiterals.all(below: Self.root.appending(path: "Sources"))
        try #require(errors.count > 200)
        for error in errors where !ErrorLiterals.isIn(catalog, error.parts) {
            let text = error.parts.joined(separator: "…")
            unused.remove(text)
            #expect(ErrorLiterals.exceptions[text] != nil, "\(error.file): the catalog lacks “\(text)”")
        }
        #expect(unused.isEmpty, "exceptions that are not needed")
    }
}
