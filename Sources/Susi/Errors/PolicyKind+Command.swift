public import SusiPolicies

extension PolicyKind {
    /// The command that runs a policy of this kind.
    public func command(for policy: PolicyName) -> SuggestedCommand {
        let own = { (name: String) in SuggestedCommand(name).option("-p", policy.spelling) }
        return switch self {
        case .signUpOrSignIn: own("sign-in")
        case .editProfile: own("edit-profile")
        case .passwordReset: own("reset-password")
        case .resourceOwner: own("sign-in").option("--username", "NAME")
        }
    }
}
