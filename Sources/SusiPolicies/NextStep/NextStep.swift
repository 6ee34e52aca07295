/// The next step after an error: words, with intents among them that each program renders in its own way.
///
/// Intents in an interpolation stay values: `"restart the keyring, then \(intent: .unlockStore)"`.
public struct NextStep: Hashable, Sendable, CustomStringConvertible {
    /// A part of a step.
    public enum Piece: Hashable, Sendable {
        /// Words.
        case words(String)
        /// Something that the library can do.
        case intent(Intent)
        /// Something that only the program can do.
        case custom(CustomStep)

        /// The part in words.
        fileprivate var description: String {
            switch self {
            case .words(let words): words
            case .intent(let intent): intent.description
            case .custom(let step): step.value.description
            }
        }
    }

    /// The parts in their order.
    public private(set) var pieces: [Piece]

    /// Creates a step of words.
    public init(_ words: String) { pieces = words.isEmpty ? [] : [.words(words)] }

    /// Creates a step of one intent.
    public init(_ intent: Intent) { pieces = [.intent(intent)] }

    /// Creates a step that only the program can do.
    public init(custom step: CustomStep) { pieces = [.custom(step)] }

    /// Whether there is nothing to do.
    public var isEmpty: Bool { pieces.isEmpty }

    /// Returns the same step with every policy run in it changed.
    public func changingRuns(_ change: (PolicyRun) -> PolicyRun) -> NextStep {
        var step = self
        step.pieces = pieces.map { piece in
            if case .intent(.run(let run)) = piece { .intent(.run(change(run))) } else { piece }
        }
        return step
    }

    /// Returns the whole as a text, its parts written by `write`.
    public func text(_ write: (Piece) -> String) -> String { pieces.map(write).joined() }

    /// The whole in words, without a command line.
    public var description: String { text(\.description) }

    /// A step that only the program can do, for example one of its commands.
    public struct CustomStep: Hashable, Sendable {
        /// The program's value.
        public let value: any Hashable & Sendable & CustomStringConvertible

        /// Wraps a value of the program.
        public init(_ value: any Hashable & Sendable & CustomStringConvertible) { self.value = value }

        /// Compares the values.
        public static func == (left: CustomStep, right: CustomStep) -> Bool {
            AnyHashable(left.value) == AnyHashable(right.value)
        }

        /// Hashes the value.
        public func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
    }
}

extension NextStep: ExpressibleByStringInterpolation {
    /// Creates a step of words.
    public init(stringLiteral words: String) { self.init(words) }

    /// Creates a step of words and intents.
    public init(stringInterpolation text: StringInterpolation) { pieces = text.pieces }

    /// Keeps the intents apart from the words.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var pieces: [Piece] = []

        /// Starts with nothing.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds words.
        public mutating func appendLiteral(_ words: String) {
            if words.isEmpty { return }
            guard case .words(let before)? = pieces.last else { return pieces.append(.words(words)) }
            pieces[pieces.count - 1] = .words(before + words)
        }

        /// Adds an intent.
        public mutating func appendInterpolation(intent: Intent) { pieces.append(.intent(intent)) }

        /// Adds a step that only the program can do.
        public mutating func appendInterpolation(custom step: CustomStep) { pieces.append(.custom(step)) }

        /// Adds another step.
        public mutating func appendInterpolation(_ step: NextStep) { pieces += step.pieces }

        /// Adds a value's description.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            appendLiteral(value.description)
        }
    }
}

extension NextStep {
    /// Lists the policies and APIs of the application.
    public static let policies = NextStep(.listPolicies)
}
