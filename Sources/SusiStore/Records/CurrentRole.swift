/// The role of an account under its policy.
enum CurrentRole: String, CaseIterable {
    case current
    case previous
}
