import SusiBase
import SusiPolicies

/// A user's command that prints the code of a sign-in, for example from a mailbox.
package struct CodeCommand: Sendable {
    /// The command for `/bin/sh`.
    package let text: String

    package static let limit = Duration.seconds(60)
    private static let longestCode = 64

    /// Makes a command; nothing runs yet.
    package init(_ text: String) { self.text = text }

    /// Runs the command and returns the first line that it prints, without white space at its ends. After the time limit,
    /// and if this process is killed, the command and its child processes are killed.
    ///
    /// Throws ``SusiError/Code/failed`` if the command fails or prints no code: 1 to 64 letters and digits. The output is in
    /// no error.
    package func code() async throws(SusiError) -> String {
        do {
            let tool = Tool(words: ["/bin/sh", "-c", text], limit: Self.limit, showsErrors: true, isWatched: true)
            let line = try await tool.firstLine { .codeCommandFailed("it \($0)") }
            return try Self.code(in: line)
        } catch { throw SusiError(plain: error) }
    }

    private static func code(in line: String) throws(SusiError) -> String {
        let start = line.drop(while: \.isWhitespace)
        let code = start.prefix { !$0.isWhitespace }
        let isAlone = start.dropFirst(code.count).allSatisfy(\.isWhitespace)
        guard isAlone, (1...longestCode).contains(code.utf8.count), code.utf8.allSatisfy(\.isAlphanumeric) else {
            throw .codeCommandFailed("its first line is not a code of 1 to \(longestCode) letters and digits")
        }
        return String(code)
    }
}
