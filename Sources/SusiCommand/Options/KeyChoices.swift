import Susi
import SusiBase
import SusiStartup

/// The configured source of a store's key: from the environment, else from the user's own policies file.
struct KeyChoices: Sendable {
    let paths: Paths
    let surroundings: ProcessEnvironment
    let noInput: Bool

    /// Returns the key provider; it reads nothing until a key is needed.
    func keeper(_ console: Console) -> KeyProvider {
        KeyProvider(choices: { try choices() }, passphrase: { request in try await passphrase(request, console) })
    }

    private func choices() throws(SusiError) -> KeyProvider.Choices {
        let file: PoliciesFile?
        do { file = try paths.readOwn() } catch { throw SusiError(error, next: .fixPolicies) }
        var choices = KeyProvider.Choices(source: file?.keySource ?? .file, command: file?.keyCommand ?? [])
        if let name = surroundings["SUSI_KEY_SOURCE"] {
            guard let source = KeySource(rawValue: name) else { throw Self.noSource(name, "SUSI_KEY_SOURCE") }
            choices.source = source
        }
        if let text = surroundings["SUSI_KEY_TIMEOUT"] {
            guard let seconds = Duration.seconds(in: text) else {
                throw SusiError(
                    .invalidConfiguration, "invalid value “\(text)” for SUSI_KEY_TIMEOUT",
                    why: "expected a duration, for example 30s", next: "fix or unset SUSI_KEY_TIMEOUT")
            }
            choices.patience = .seconds(seconds)
        }
        return choices
    }

    static func noSource(_ name: String, _ place: String) -> SusiError {
        let names = KeySource.allCases.filter(\.isSupported).map(\.rawValue)
        return SusiError(
            .invalidConfiguration, "invalid key source “\(name)” in \(place)",
            why: NearMatch.of(name, in: names).map { "did you mean “\($0)”?" } ?? "",
            next: NextStep(KeySource.instead(of: name) ?? "use one of \(names.joined(separator: ", "))"))
    }

    // Reads the passphrase from a file, else prompts for it.
    private func passphrase(_ request: KeyProvider.PassphraseRequest, _ console: Console) async throws -> String? {
        let ofNew = request.isNew ? surroundings["SUSI_NEW_PASSPHRASE_FILE"] : nil
        if let file = ofNew ?? surroundings["SUSI_PASSPHRASE_FILE"] {
            return request.attempt == 1 ? try PassphraseFile.read(file, "SUSI_PASSPHRASE_FILE") : nil
        }
        guard surroundings.canAsk, !noInput else { return nil }
        Spinner.current?.stop()
        if request.attempt > 1 { console.err(console.errStyle.warning("Wrong passphrase")) }
        guard request.isNew else { return try await StandardInput.secret("Passphrase for the store: ", console) }
        guard let first = try await StandardInput.secret("New passphrase for the store: ", console) else { return nil }
        guard try await StandardInput.secret("Repeat the passphrase: ", console) == first else {
            throw SusiError(.store, "the two passphrases differ", why: "nothing was changed", next: "try again")
        }
        return first
    }
}
