extension NextStep {
    /// Something that the library can do about an error.
    package enum Intent: Hashable, Sendable, CustomStringConvertible {
        /// Run a policy: sign in, edit the profile, reset the password.
        case run(PolicyRun)
        /// Sign out.
        case signOut
        /// List the policies and APIs of the application.
        case listPolicies
        /// List the accounts of a policy; of all for `nil`.
        case listAccounts(policy: PolicyName?)
        /// Make another account the current one.
        case switchAccount(to: String, policy: PolicyName)
        /// Read the claims of the current account.
        case readClaims(policy: PolicyName)
        /// Call an API with a path below its base address.
        case callAPI(String, path: String? = nil)
        /// Do the same again with this API named.
        case nameAPI(String)
        /// Do the same again with a policy named, for example this one.
        case namePolicy(String)
        /// Do the same again under this policy.
        case repeatUnder(PolicyName)
        /// Do the same again with one of these sources for the store's new key.
        case useKeySource([KeySource])
        /// Do the same again with an account in place of a misspelled one.
        case correctAccount(String, insteadOf: String)
        /// Do the same again with more characters of the account's name, or with the policy.
        case narrowAccount
        /// Do the same again with this tenant named.
        case nameTenant(String)
        /// Do the same again with the right one of these applications named.
        case nameApplication([String])
        /// Import the same file again, as this format or without one named.
        case nameFormat(String)
        /// Not a step by itself: names a parameter of the authorization request, by its name in the protocol.
        case parameter(String)
        /// Provide the passphrase of the store.
        case providePassphrase
        /// Unlock the store.
        case unlockStore
        /// Check the store.
        case checkStore
        /// Repair the store.
        case repairStore
        /// Give the store a new key, and remove what cannot be decrypted.
        case dropDamagedRecords
        /// Start the emulator.
        case startEmulator

        /// Signs in, under a policy if one is named.
        package static func signIn(_ policy: PolicyName? = nil) -> Intent { .run(PolicyRun(.signUpOrSignIn, policy)) }

        /// Runs a policy as its kind demands.
        package static func run(_ policy: Policy) -> Intent { .run(PolicyRun(policy.kind, policy.name)) }

        /// The intent in words, without a command line.
        package var description: String {
            switch self {
            case .run(let run): run.description
            case .signOut: "sign out"
            case .listPolicies: "read the policies and APIs in policies.json"
            case .listAccounts(let policy): "list the accounts\(policy.map { " under \($0)" } ?? "")"
            case .switchAccount(let account, let policy): "switch to \(account) under \(policy)"
            case .readClaims(let policy): "read the claims of the account under \(policy)"
            case .callAPI(let api, let path):
                "call “\(api)” with \(path.map { "the path \($0)" } ?? "a path") below its base address"
            case .nameAPI(let api): "name the API, for example “\(api)”"
            case .namePolicy(let policy): "name the policy, for example “\(policy)”"
            case .repeatUnder(let policy): "do the same under \(policy)"
            case .useKeySource(let sources):
                "use the key source \(sources.map { "“\($0.rawValue)”" }.joined(separator: " or "))"
            case .correctAccount(let account, _): "name the account “\(account)”"
            case .narrowAccount: "name more of the account or its identifier, or name the policy"
            case .nameTenant(let tenant): "name the tenant \(tenant)"
            case .nameApplication(let names): "the right application: \(names.joined(separator: " or "))"
            case .nameFormat(let format): "leave out the format, or name \(format)"
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
}

/// One run of a policy as a next step.
package struct PolicyRun: Hashable, Sendable, CustomStringConvertible {
    /// The way the person reaches the page.
    package enum Means: Hashable, Sendable {
        /// The program's usual way.
        case usual
        /// On a page, not by password.
        case page
        /// On this device, not on another one.
        case thisDevice
        /// With the address printed and no browser opened.
        case printedAddress
        /// Without a page, with a password from a file.
        case passwordFile
        /// Without a page, with codes that a command prints.
        case codeCommand
    }

    package let kind: PolicyKind
    /// The policy; `nil` for the default one of the kind.
    package let policy: PolicyName?
    /// The person who must come back; `nil` accepts any person.
    package var account: String?
    /// The user name of a sign-in by password; `nil` if it is not known.
    package var userName: String?
    /// The API whose scopes are requested.
    package let api: String?
    /// The prompt of the page.
    package var prompt: String?
    /// The way the person reaches the page.
    package var means: Means

    package init(
        _ kind: PolicyKind, _ policy: PolicyName?, account: String? = nil, userName: String? = nil, api: String? = nil,
        prompt: String? = nil, means: Means = .usual
    ) {
        self.kind = kind
        self.policy = policy
        self.account = account
        self.userName = userName
        self.api = api
        self.prompt = prompt
        self.means = means
    }

    /// Returns the same run by other means.
    package func by(_ means: Means) -> PolicyRun {
        var run = self
        run.means = means
        return run
    }

    /// The run in words, without a command line.
    package var description: String {
        let action =
            switch kind {
            case .signUpOrSignIn: "sign in"
            case .editProfile: "edit the profile"
            case .passwordReset: "reset the password"
            case .resourceOwner: means == .codeCommand ? "sign in with a code" : "sign in with a password"
            }
        let person = (userName ?? account).map { " as \($0)" } ?? ""
        return action + person + (policy.map { " under \($0)" } ?? "") + (api.map { " for “\($0)”" } ?? "")
            + (prompt.map { " with the prompt \($0)" } ?? "")
    }
}
