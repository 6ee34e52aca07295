import ArgumentParser
import Susi
import SusiStartup

/// Completions for names from policies.json and the store. Only files are read: no network, no prompt, no output.
/// Unreadable files provide no names.
enum LiveNames {
    /// The first argument of every completion request from the parser's scripts.
    static let request = "---completion"

    static let applications = kind { line in
        guard let file = line.file else { return [] }
        let names = file.applications.map { Name($0.name, $0.kind.rawValue) }
        let own = PoliciesFile.builtInApplication
        return file.application(own) == nil ? names + [Name(own, "the emulator")] : names
    }

    static let apis = kind { $0.apis }

    /// The first word of a call; no more once an API is named.
    static let calls = kind { line in
        line.apis.contains { line.words.dropLast().contains($0.name) } ? [] : line.apis
    }

    static let policies = kind { line in
        line.application?.policies.filter(\.kind.keepsAccounts).map(Name.init) ?? []
    }

    static let tenants = kind { line in line.application?.namedTenants.map { Name($0.description, "") } ?? [] }

    static func policies(of kind: PolicyKind) -> CompletionKind {
        Self.kind { line in line.application?.policies.filter { $0.kind == kind }.map(Name.init) ?? [] }
    }

    static let accounts = kind { $0.accounts }

    static let accountOperands = kind { line in line.accountOperands.map { Name($0, "") } }

    static let errorCodes = kind { _ in ErrorCode.table.map { Name($0.name, $0.meaning) } }

    private static func kind(_ names: @escaping @Sendable (TypedLine) -> [Name]) -> CompletionKind {
        .custom { words, _, prefix in
            names(TypedLine(words: words, prefix: prefix)).compactMap { $0.text(for: CompletionShell.requesting) }
        }
    }

    fileprivate struct Name {
        let name: String
        let meaning: String

        init(_ name: String, _ meaning: String) { (self.name, self.meaning) = (name, meaning) }

        init(_ policy: Policy) { self.init(policy.name.spelling, policy.kind.label) }

        /// Formats the name for the shell's script. Returns `nil` for a name with terminal control characters, or one
        /// that looks like an option.
        func text(for shell: CompletionShell?) -> String? {
            guard !name.isEmpty, !name.hasPrefix("-"), Terminal.safe(name) == name else { return nil }
            let meaning = meaning.isEmpty ? "" : Terminal.safe(meaning)
            switch shell {
            // bash expands completions and quotes them only partly, so `$(…)` could run. Such names are not offered.
            case CompletionShell.bash:
                let isPlain = name.unicodeScalars.allSatisfy { scalar in
                    scalar == " " || !scalar.isASCII || String(scalar).shellWord == String(scalar)
                }
                return isPlain ? name.shellWord : nil
            case CompletionShell.zsh:
                let escaped = name.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
                return meaning.isEmpty ? escaped : "\(escaped):\(meaning)"
            case CompletionShell.fish: return meaning.isEmpty ? name : "\(name)\t\(meaning)"
            default: return name
            }
        }
    }
}

/// The part of the command line typed so far.
private struct TypedLine {
    let words: [String]
    /// The typed part of the word at the cursor.
    let prefix: String

    private let paths: Paths?

    init(words: [String], prefix: String) {
        self.words = words
        self.prefix = prefix
        paths = try? Paths(config: Self.value(of: ["--config"], in: words), in: ProcessEnvironment.current)
    }

    /// The policies file. It need not be trusted, because completion sends nothing.
    var file: PoliciesFile? { try? paths?.read(for: named).file }

    var application: Application? {
        let tenant = Self.value(of: ["--tenant"], in: words).flatMap { try? TenantName($0) }
        return file?.application(named).map { application in
            tenant.flatMap { try? application.at($0) } ?? application
        }
    }

    private var named: String? {
        Self.value(of: ["-A", "--application"], in: words) ?? ProcessEnvironment.current["SUSI_APPLICATION"]
    }

    var apis: [LiveNames.Name] { application?.apis.map { .init($0.name, $0.baseURL.description) } ?? [] }

    /// The accounts whose labels start with `prefix`, with the people's names; none while the store is locked.
    var accounts: [LiveNames.Name] {
        guard let application else { return [] }
        let policy = Self.value(of: ["-p", "--policy"], in: words).flatMap { name in
            application.policy(typed: PolicyName(name))
        }
        return accounts(startingWith: prefix, of: application, policy)
    }

    /// The words that name an account for `compare`: accounts of the application, and behind a colon those of the named
    /// application and policy; before it, the names of both.
    var accountOperands: [String] {
        guard let file, let application else { return [] }
        guard let colon = prefix.firstIndex(of: ":") else {
            let applications = file.applications.map { "\($0.name):" }
            let names = prefix.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let named = names.first.flatMap { $0.isEmpty ? application : file.application($0) }
            let policies =
                names.count > 1
                ? named.map { $0.policies.filter(\.kind.keepsAccounts).map { "\(names[0])/\($0.name):" } } ?? [] : []
            let labels = accounts.map { $0.name }.map { $0.contains(":") ? ":\($0)" : $0 }
            return labels + (applications + policies).filter { $0.lowercased().hasPrefix(prefix.lowercased()) }
        }
        guard let operand = AccountOperand(argument: prefix),
            let named = operand.application.map({ file.application($0) }) ?? application,
            let policy = operand.policy.map({ named.policy(typed: $0) }) ?? named.defaultPolicy
        else { return [] }
        let start = String(prefix[...colon])
        return accounts(startingWith: operand.account ?? "", of: named, policy).map { start + $0.name }
    }

    private func accounts(
        startingWith start: String, of application: Application, _ policy: Policy?
    ) -> [LiveNames.Name] {
        let registrations = Set((policy.map { [$0] } ?? application.policies).map { Registration(application, $0) })
        guard let paths, let store = try? AccountStore(existing: paths.store, busyTimeout: 500),
            let accounts = try? store.accounts(
                of: registrations, policy: policy?.name, choosing: { $0.completing(start, atMost: 100) })
        else { return [] }
        return accounts.map { .init($0.label, $0.profile.name ?? "") }
    }

    // The shell passes words with their quotes.
    private static func value(of names: Set<String>, in words: [String]) -> String? {
        let typed =
            zip(words, words.dropFirst()).first { names.contains($0.0) }?.1
            ?? words.first { word in names.contains(String(word.prefix { $0 != "=" })) && word.contains("=") }
            .map { String($0.drop { $0 != "=" }.dropFirst()) }
        return typed.flatMap { CommandWords.split($0).first }
    }
}
