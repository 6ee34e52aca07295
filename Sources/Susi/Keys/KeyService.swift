import SusiPolicies
import SusiStore

/// A service of the system that stores keys for its user.
protocol KeyService: Sendable {
    var source: KeySource { get }
    /// The time limit of one request.
    var limit: Duration { get }
    /// Returns the key with that id; `nil` if the service has none.
    func read(_ id: KeyID) async throws -> SealingKey?
    func keep(_ key: SealingKey) async throws
    func remove(_ id: KeyID) async throws
}

extension KeyService {
    /// Runs the service's program, the first of the words.
    func ask(_ words: [String], reading input: String = "") async throws -> Tool.Outcome {
        do {
            return try await Tool(words: words, limit: limit).run(reading: input)
        } catch let failure as Tool.Failure {
            throw unreachable(failure, program: words[0])
        }
    }

    private func unreachable(_ failure: Tool.Failure, program: String) -> SusiError {
        let why =
            switch failure {
            case .notFound: "no program “\(program)”"
            case .late: "no response within \(limit.components.seconds) s; it may be locked"
            case .failed(let reason): reason
            }
        return refused(why)
    }

    func refused(_ why: String) -> SusiError {
        SusiError.keyServiceFailed(source, why)
    }
}

/// The freedesktop.org Secret Service: GNOME Keyring, KWallet, KeePassXC.
///
/// It is accessed with `secret-tool`: linking libsecret would cost 1.6 ms at every start of the program.
struct SecretService: KeyService {
    let source = KeySource.secretService
    let limit: Duration

    private static func attributes(_ id: KeyID) -> [String] { ["application", "susi", "store", id.description] }

    func read(_ id: KeyID) async throws -> SealingKey? {
        let outcome = try await ask(["secret-tool", "lookup"] + Self.attributes(id))
        if outcome.isSuccess { return SealingKey(digits: outcome.output) }
        // `secret-tool` prints no error if the item does not exist.
        guard outcome.complaint.isEmpty else { throw refused(outcome.complaint.firstLine) }
        return nil
    }

    func keep(_ key: SealingKey) async throws {
        let outcome = try await ask(
            ["secret-tool", "store", "--label", "Key of the accounts of susi"] + Self.attributes(key.id),
            reading: key.digits)
        guard outcome.isSuccess else { throw refused(outcome.complaint.firstLine) }
    }

    func remove(_ id: KeyID) async throws {
        _ = try await ask(["secret-tool", "clear"] + Self.attributes(id))
    }
}

/// The login keychain of macOS, accessed with `security`, which reads its commands from standard input, so that no secret
/// is in an argument list.
struct Keychain: KeyService {
    let source = KeySource.keychain
    let limit: Duration

    func read(_ id: KeyID) async throws -> SealingKey? {
        let outcome = try await ask(["security", "find-generic-password", "-s", "susi", "-a", id.description, "-w"])
        return outcome.isSuccess ? SealingKey(digits: outcome.output.prefix { $0 != UInt8(ascii: "\n") }) : nil
    }

    func keep(_ key: SealingKey) async throws {
        let line = "add-generic-password -U -s susi -a \(key.id) -l susi -w \(key.digits)\n"
        let outcome = try await ask(["security", "-i"], reading: line)
        guard outcome.isSuccess, outcome.complaint.isEmpty else { throw refused(outcome.complaint.firstLine) }
    }

    func remove(_ id: KeyID) async throws {
        _ = try await ask(["security", "delete-generic-password", "-s", "susi", "-a", id.description])
    }
}

extension String {
    fileprivate var firstLine: String { split(whereSeparator: \.isNewline).first.map(String.init) ?? "" }
}
