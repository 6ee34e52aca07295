package import SusiPolicies
import SusiStore

/// A key service of the system, as three commands. The key goes in through standard input, so that it is in no argument
/// list, and comes out as the first line of the output.
struct KeyService {
    /// A row of the table: programs with their arguments, in which `{id}` is the id of the key.
    private struct Commands {
        let store: [String]
        /// The input of `store`, with `{key}` for the key.
        let input: String
        let lookUp: [String]
        /// Whether `lookUp` also writes an error message if the service does not have the key.
        let explainsMissing: Bool
        let clear: [String]
    }

    private static let item = ["application", "susi", "store", "{id}"]

    private static let table: [KeySource: Commands] = [
        // GNOME Keyring, KWallet, KeePassXC. Linking libsecret would cost 1.6 ms at every start of the program.
        .secretService: Commands(
            store: ["secret-tool", "store", "--label", "Key of the accounts of susi"] + item, input: "{key}",
            lookUp: ["secret-tool", "lookup"] + item, explainsMissing: false,
            clear: ["secret-tool", "clear"] + item),
        // `security` reads commands from standard input.
        .keychain: Commands(
            store: ["security", "-i"], input: "add-generic-password -U -s susi -a {id} -l susi -w {key}\n",
            lookUp: ["security", "find-generic-password", "-s", "susi", "-a", "{id}", "-w"], explainsMissing: true,
            clear: ["security", "delete-generic-password", "-s", "susi", "-a", "{id}"]),
    ]

    private let source: KeySource
    private let commands: Commands
    private let limit: Duration

    /// Makes the service of a source; `nil` for sources without a service. `limit` is the time limit of one command.
    init?(_ source: KeySource, limit: Duration) {
        guard let commands = Self.table[source] else { return nil }
        (self.source, self.commands, self.limit) = (source, commands, limit)
    }

    /// Returns the key with that id; `nil` if the service does not have it.
    func read(_ id: KeyID) async throws -> SealingKey? {
        let outcome = try await run(commands.lookUp, id)
        if outcome.isSuccess { return outcome.firstLine.flatMap { SealingKey(digits: $0) } }
        guard commands.explainsMissing || outcome.complaint.isEmpty else { throw refused(outcome.complaint) }
        return nil
    }

    /// Stores a key and reads it again.
    func keep(_ key: SealingKey) async throws {
        let input = commands.input.replacing("{id}", with: key.id.description).replacing("{key}", with: key.digits)
        let outcome = try await run(commands.store, key.id, reading: input)
        if outcome.isSuccess, try await read(key.id)?.id == key.id { return }
        try? await remove(key.id)
        throw refused(outcome.complaint)
    }

    func remove(_ id: KeyID) async throws { _ = try await run(commands.clear, id) }

    private func run(_ words: [String], _ id: KeyID, reading input: String = "") async throws -> Tool.Outcome {
        let words = words.map { $0.replacing("{id}", with: id.description) }
        do { return try await Tool(words: words, limit: limit).run(reading: input) } catch let failure as Tool.Failure {
            throw refused("\(words[0]) \(failure.why)")
        }
    }

    private func refused(_ complaint: String) -> SusiError {
        let line = complaint.split(whereSeparator: \.isNewline).first.map(String.init)
        return .keyServiceFailed(source, line ?? "it did not store the key")
    }
}

extension StoreKeys {
    /// Asks the key service of a source for a key that does not exist; with `writing`, also stores, reads and removes a key.
    /// Succeeds for sources without a service.
    package func tryService(_ source: KeySource, writing: Bool) async throws(SusiError) {
        let key = SealingKey()
        do {
            guard let service = try service(source) else { return }
            guard writing else {
                _ = try await service.read(key.id)
                return
            }
            try await service.keep(key)
            try await service.remove(key.id)
        } catch { throw SusiError(plain: error) }
    }
}
