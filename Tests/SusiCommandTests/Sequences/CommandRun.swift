import Foundation
import Susi
import SusiBase
import SusiStartup
import SusiTestSupport
import Synchronization
import SystemPackage
import Testing

@testable import SusiCommand

/// What a command printed that ran within this process.
struct CommandRun: CustomStringConvertible {
    let arguments: [String]
    let status: Int32
    let output: String
    let messages: String

    var line: String { (["susi"] + arguments.map(\.shellWord)).joined(separator: " ") }
    var description: String { "$ \(line)\n\(output)\(messages)exit code \(status)" }

    /// The result, or the error, of a command with `--json`.
    var json: JSONNode? { try? JSONNode(parsing: (status == 0 || !output.isEmpty ? output : messages).utf8) }

    /// Runs a command with these variables. It has no terminal and no standard input, and opens its pages in `browser`.
    static func of(
        _ arguments: [String], _ variables: [String: String], browser: FormBrowser
    ) async -> CommandRun {
        let written = Written()
        let console = Console(write: { written.append($0, to: $1) })
        let environment = ProcessEnvironment(variable: { variables[$0] }, user: getuid(), canAsk: false)
        let status = await ProcessEnvironment.$current.withValue(environment) {
            await Console.$standard.withValue(console) {
                await BrowserOptions.$replacement.withValue(browser) { await SusiCommand.Program.run(arguments) }
            }
        }
        return CommandRun(
            arguments: arguments, status: status, output: written.text(of: .output), messages: written.text(of: .error))
    }
}

private final class Written: Sendable {
    private let bytes = Mutex<[StandardStream: [UInt8]]>([:])

    func append(_ more: [UInt8], to stream: StandardStream) -> Errno? {
        bytes.withLock { $0[stream, default: []] += more }
        return nil
    }

    func text(of stream: StandardStream) -> String {
        String(decoding: bytes.withLock { $0[stream, default: []] }, as: UTF8.self)
    }
}
