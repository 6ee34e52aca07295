import ArgumentParser
import Susi

/// `susi inspect`.
struct InspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Say what a token holds, and whether its authority signed it.",
        discussion: """
            susi inspect                       the id token of the current account
            susi token | susi inspect -        a token from standard input
            susi inspect @token.txt            a token from a file

            A token itself is not taken as an argument: every program of the machine can read those.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var policy: PolicyOption
    @OptionGroup var account: AccountOption
    @OptionGroup var output: JSONOption

    @Argument(help: ArgumentHelp("- for standard input, or @ and a file's name.", valueName: "source"))
    var source: String?

    @Flag(help: "Ask nobody: the signature is then not checked.")
    var offline = false

    /// More than any token that a server gives.
    static let longest = 1 << 20

    func run() async throws {
        let context = try Context(global)
        let token: String
        switch source {
        case nil:
            token = try await context.client.idToken(
                of: AccountSelection(policy: policy.name, text: account.chosen)
            ).token
        case "-": token = try Self.read("/dev/stdin", "standard input")
        case let text? where text.hasPrefix("@"):
            token = try Self.read(String(text.dropFirst()), String(text.dropFirst()))
        default:
            throw UsageError(
                "A token is not taken as an argument", why: "every program of the machine can read arguments",
                next: "susi inspect -    (and give it on standard input), or susi inspect @FILE")
        }
        let inspection = await context.client.inspect(token, isOffline: offline)
        try context.show(InspectionReport(inspection, context), json: output.json)
        switch inspection.signature {
        case .wrong: throw CommandEnded(code: .notSafe)
        case .unchecked(.failed(let error)): throw CommandEnded(code: ExitCodes(error.code))
        case .valid, .unchecked: break
        }
    }

    private static func read(_ path: String, _ name: String) throws -> String {
        guard let bytes = SmallFile.read(path, limit: longest), bytes.count <= longest else {
            throw UsageError("\(name) cannot be read", why: "it is not there, not readable or larger than 1 MiB")
        }
        let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
        // As `token -f header` prints it.
        return text.hasPrefix("Authorization:Bearer") ? String(text.dropFirst(20)) : text
    }
}
