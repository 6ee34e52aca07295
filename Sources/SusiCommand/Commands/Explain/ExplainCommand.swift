import ArgumentParser
import Susi
import SusiBase

struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Explain the error code of a server or an API.",
        discussion: """
              susi explain AADB2C90118
              susi explain 'http://localhost:8400/?error=…'
              susi explain - < error.json

            Finds the codes in any text: a message, the address in the browser, the body of a response. Quote an address. \
            'susi help error-codes' lists all codes.
            """)

    @OptionGroup var output: JSONOption

    @Argument(
        help: ArgumentHelp("Code, or a text with a code; - for standard input", valueName: "text"),
        completion: LiveNames.errorCodes)
    var words: [String]

    /// More than any error response.
    private static let longest = 1 << 16

    func run() async throws {
        let report = ErrorCodeReport(errors: try await texts().map(PastedError.init))
        guard !report.codes.isEmpty else { throw report.failure }
        try Console.standard.show(report, json: output.json)
        if !report.unknown.isEmpty {
            let style = Console.standard.errStyle
            Console.standard.err(style.warning("not in the list of codes: \(report.unknown.joined(separator: ", "))"))
        }
    }

    // Several codes are explained one by one; other words are one text, which was not quoted.
    private func texts() async throws -> [String] {
        if words == [InputFile.standardInput] {
            let bytes = try await InputFile.read(InputFile.standardInput, limit: Self.longest)
            return [String(decoding: bytes.withoutByteOrderMark.prefix(Self.longest), as: UTF8.self)]
        }
        return words.allSatisfy { ErrorCode.row($0) != nil } ? words : [words.joined(separator: " ")]
    }
}
