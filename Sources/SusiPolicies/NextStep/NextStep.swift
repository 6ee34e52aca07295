/// The next step after an error: words, with commands of `susi` among them.
///
/// Commands in an interpolation stay values: `"sign out, then \(SuggestedCommand("sign-in"))"`.
public struct NextStep: Hashable, Sendable, CustomStringConvertible {
    /// A part of it.
    public enum Piece: Hashable, Sendable {
        /// Words.
        case words(String)
        /// A command to type.
        case command(SuggestedCommand)
        /// The failed command again, with that API named.
        case naming(api: String)
        /// The failed command with another account.
        case correcting(account: String, insteadOf: String)
    }

    /// The parts in their order.
    public private(set) var pieces: [Piece]

    /// Words alone.
    public init(_ words: String) { pieces = words.isEmpty ? [] : [.words(words)] }

    /// A command alone.
    public init(_ command: SuggestedCommand) { pieces = [.command(command)] }

    /// The failed command again, with an API named.
    public init(naming api: String) { pieces = [.naming(api: api)] }

    /// The failed command with `account` instead of the misspelled `text`.
    public init(naming account: String, insteadOf text: String) {
        pieces = [.correcting(account: account, insteadOf: text)]
    }

    /// Whether there is nothing to do.
    public var isEmpty: Bool { pieces.isEmpty }

    /// The same step with every command in it changed.
    public func changingCommands(_ change: (SuggestedCommand) -> SuggestedCommand) -> NextStep {
        var step = self
        step.pieces = pieces.map { piece in
            if case .command(let command) = piece { .command(change(command)) } else { piece }
        }
        return step
    }

    /// The whole as a text, its parts written by `write`.
    public func text(_ write: (Piece) -> String) -> String { pieces.map(write).joined() }

    /// The text without the options of a command line.
    public var description: String {
        text { piece in
            switch piece {
            case .words(let words): words
            case .command(let command): command.description
            case .naming(let api): "name the API, for example “\(api)”"
            case .correcting(let account, _): "name the account “\(account)”"
            }
        }
    }
}

extension NextStep: ExpressibleByStringInterpolation {
    /// Words alone.
    public init(stringLiteral words: String) { self.init(words) }

    /// Words and commands.
    public init(stringInterpolation text: StringInterpolation) { pieces = text.pieces }

    /// Keeps the commands apart from the words.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var pieces: [Piece] = []

        /// Starts with nothing.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds words.
        public mutating func appendLiteral(_ words: String) {
            if !words.isEmpty { pieces.append(.words(words)) }
        }

        /// Adds a command.
        public mutating func appendInterpolation(_ command: SuggestedCommand) { pieces.append(.command(command)) }

        /// Adds another step.
        public mutating func appendInterpolation(_ step: NextStep) { pieces += step.pieces }

        /// Adds a value's description.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            appendLiteral(value.description)
        }
    }
}
