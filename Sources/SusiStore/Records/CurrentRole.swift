/// What an account is for its policy.
enum CurrentRole: String, CaseIterable {
    case current
    case previous
}
