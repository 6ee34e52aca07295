package import SusiPolicies

/// What to do after an error: words, and steps that each program writes in its own way.
///
/// Steps in an interpolation stay values: `"restart the keyring, then \(.unlockStore)"`, and so do remarks about them:
/// `"\(.startEmulator)\(remark: "in another terminal")"`.
package indirect enum NextStep: Hashable, Sendable, CustomStringConvertible {
    /// Words for a person; empty if there is nothing to do.
    case words(String)
    /// A remark about the step before it.
    case remark(NextStep)
    /// Several parts that read as one sentence.
    case joined([NextStep])
    /// A step that only the program knows.
    case program(ProgramStep)
    /// Sign in, edit the profile, reset the password.
    case run(PolicyRun)
    case signOut
    /// Remove the accounts of a person, whom only the user can name.
    case removePerson
    case listPolicies
    /// List the accounts of a policy; of all for `nil`.
    case listAccounts(PolicyName?)
    /// List everything that is stored.
    case listEverything
    case switchAccount(to: String, policy: PolicyName)
    /// Read the claims of the current account of a policy.
    case readClaims(PolicyName)
    /// Call an API with a path below its base address.
    case callAPI(String, path: String? = nil)
    /// Do the same again with a name that is missing or wrong, for example one of these.
    case name(Subject, [String])
    /// Do the same again under this policy.
    case underPolicy(PolicyName)
    /// Do the same again with an account in place of a misspelled one.
    case correctAccount(String)
    /// Do the same again with more characters of the account's name, or with the policy.
    case narrowAccount
    /// Names a parameter of the authorization request, by its name in the protocol.
    case parameter(String)
    case providePassphrase
    case unlockStore
    case checkStore
    case repairStore
    /// Give the store a new key, and remove what cannot be decrypted.
    case dropDamagedRecords
    case startEmulator

    /// What a command names.
    package enum Subject: String, Sendable {
        case api = "API"
        case policy, tenant, application
        /// The format of a file that is imported.
        case format
        /// The source of the store's new key.
        case keySource = "key source"
    }

    package init(_ words: String) { self = .words(words) }

    private init(parts: [NextStep]) {
        let parts = parts.flatMap(\.parts)
        self = parts.count == 1 ? parts[0] : parts.isEmpty ? .words("") : .joined(parts)
    }

    /// Signs in, under a policy if one is named.
    package static func signIn(_ policy: PolicyName? = nil) -> NextStep { .run(PolicyRun(.signUpOrSignIn, policy)) }

    /// Runs a policy as its kind demands.
    package static func run(_ policy: Policy) -> NextStep { .run(PolicyRun(policy.kind, policy.name)) }

    /// The parts in their order; none if there is nothing to do.
    package var parts: [NextStep] {
        switch self {
        case .words(""): []
        case .joined(let parts): parts
        default: [self]
        }
    }

    /// Whether there is nothing to do.
    package var isEmpty: Bool { parts.isEmpty }

    /// Returns the same step with every policy run in it changed.
    package func changingRuns(_ change: (PolicyRun) -> PolicyRun) -> NextStep {
        NextStep(
            parts: parts.map { part in
                switch part {
                case .run(let run): .run(change(run))
                case .remark(let step): .remark(step.changingRuns(change))
                default: part
                }
            })
    }

    /// The step in words, without a command line.
    package var description: String {
        switch self {
        case .words(let words): words
        case .remark(let step): " (\(step))"
        case .joined(let parts): parts.map(\.description).joined()
        case .program(let step): step.description
        case .run(let run): run.description
        case .signOut: "sign out"
        case .removePerson: "remove the accounts of a person"
        case .listPolicies: "read the policies and APIs in policies.json"
        case .listAccounts(let policy): "list the accounts\(policy.map { " under \($0)" } ?? "")"
        case .listEverything: "list everything that is stored"
        case .switchAccount(let account, let policy): "switch to \(account) under \(policy)"
        case .readClaims(let policy): "read the claims of the account under \(policy)"
        case .callAPI(let api, let path):
            "call “\(api)” with \(path.map { "the path \($0)" } ?? "a path") below its base address"
        case .name(let subject, let names):
            "name the \(subject.rawValue), for example \(names.map { "“\($0)”" }.joined(separator: " or "))"
        case .underPolicy(let policy): "do the same under \(policy)"
        case .correctAccount(let account): "name the account “\(account)”"
        case .narrowAccount: "name more of the account or its identifier, or name the policy"
        case .parameter(let name): "the parameter \(name)"
        case .providePassphrase: "provide the passphrase"
        case .unlockStore: "unlock the store"
        case .checkStore: "check the store"
        case .repairStore: "repair the store"
        case .dropDamagedRecords: "give the store a new key and remove what cannot be decrypted"
        case .startEmulator: "start the emulator"
        }
    }
}

/// A step of the program that uses the library, such as one of its commands; the library only passes it on.
package struct ProgramStep: Hashable, Sendable, CustomStringConvertible {
    package let value: any Hashable & Sendable & CustomStringConvertible

    package init(_ value: any Hashable & Sendable & CustomStringConvertible) { self.value = value }

    package var description: String { value.description }

    package static func == (left: ProgramStep, right: ProgramStep) -> Bool {
        AnyHashable(left.value) == AnyHashable(right.value)
    }

    package func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}

extension NextStep: ExpressibleByStringInterpolation {
    package init(stringLiteral words: String) { self = .words(words) }

    package init(stringInterpolation text: StringInterpolation) { self.init(parts: text.parts) }

    /// Keeps the steps apart from the words.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [NextStep] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ words: String) {
            guard case .words(let before)? = parts.last else { return parts.append(.words(words)) }
            parts[parts.count - 1] = .words(before + words)
        }

        package mutating func appendInterpolation(_ step: NextStep) {
            for part in step.parts {
                if case .words(let words) = part { appendLiteral(words) } else { parts.append(part) }
            }
        }

        package mutating func appendInterpolation(remark step: NextStep) { parts.append(.remark(step)) }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            appendLiteral(value.description)
        }
    }
}
