/// The next step after an error: words, with intents among them that each program renders in its own way.
///
/// Intents in an interpolation stay values: `"restart the keyring, then \(intent: .unlockStore)"`.
package struct NextStep: Hashable, Sendable, CustomStringConvertible {
    /// A part of a step.
    package enum Piece: Hashable, Sendable {
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
    package private(set) var pieces: [Piece]

    package init(_ words: String) { pieces = words.isEmpty ? [] : [.words(words)] }

    package init(_ intent: Intent) { pieces = [.intent(intent)] }

    /// Creates a step that only the program can do.
    package init(custom step: CustomStep) { pieces = [.custom(step)] }

    /// Whether there is nothing to do.
    package var isEmpty: Bool { pieces.isEmpty }

    /// Returns the same step with every policy run in it changed.
    package func changingRuns(_ change: (PolicyRun) -> PolicyRun) -> NextStep {
        var step = self
        step.pieces = pieces.map { piece in
            if case .intent(.run(let run)) = piece { .intent(.run(change(run))) } else { piece }
        }
        return step
    }

    /// Returns the same step with its first part replaced.
    package func replacingFirst(with other: NextStep) -> NextStep {
        var step = self
        step.pieces = other.pieces + pieces.dropFirst()
        return step
    }

    /// Returns the whole as a text, its parts written by `write`.
    package func text(_ write: (Piece) -> String) -> String { pieces.map(write).joined() }

    /// The whole in words, without a command line.
    package var description: String { text(\.description) }

    /// A step that only the program can do, for example one of its commands.
    package struct CustomStep: Hashable, Sendable {
        /// The program's value.
        package let value: any Hashable & Sendable & CustomStringConvertible

        /// Wraps a value of the program.
        package init(_ value: any Hashable & Sendable & CustomStringConvertible) { self.value = value }

        package static func == (left: CustomStep, right: CustomStep) -> Bool {
            AnyHashable(left.value) == AnyHashable(right.value)
        }

        package func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
    }
}

extension NextStep: ExpressibleByStringInterpolation {
    package init(stringLiteral words: String) { self.init(words) }

    /// Creates a step of words and intents.
    package init(stringInterpolation text: StringInterpolation) { pieces = text.pieces }

    /// Keeps the intents apart from the words.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var pieces: [Piece] = []

        /// Starts with nothing.
        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ words: String) {
            if words.isEmpty { return }
            guard case .words(let before)? = pieces.last else { return pieces.append(.words(words)) }
            pieces[pieces.count - 1] = .words(before + words)
        }

        package mutating func appendInterpolation(intent: Intent) { pieces.append(.intent(intent)) }

        /// Adds a step that only the program can do.
        package mutating func appendInterpolation(custom step: CustomStep) { pieces.append(.custom(step)) }

        /// Adds another step.
        package mutating func appendInterpolation(_ step: NextStep) { pieces += step.pieces }

        /// Adds a value's description.
        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            appendLiteral(value.description)
        }
    }
}

extension NextStep {
    /// Lists the policies and APIs of the application.
    package static let policies = NextStep(.listPolicies)
}
