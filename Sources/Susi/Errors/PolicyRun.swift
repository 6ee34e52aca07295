package import SusiPolicies

/// One run of a policy as a next step.
package struct PolicyRun: Hashable, Sendable, CustomStringConvertible {
    /// The way the person reaches the page.
    package enum Means: Hashable, Sendable {
        /// The program's usual way.
        case usual
        /// On this device, not on another one.
        case thisDevice
        /// With a code that is entered on another device.
        case otherDevice
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

extension Application {
    /// Returns the run of a policy; the only one of its kind needs no name.
    package func run(of policy: Policy) -> PolicyRun {
        PolicyRun(policy.kind, policies(of: policy.kind).count == 1 ? nil : policy.name)
    }
}
