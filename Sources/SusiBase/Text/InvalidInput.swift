/// An input that breaks a rule. The caller knows what the input is, and adds that.
package struct InvalidInput: Error, Hashable, Sendable {
    /// The broken rule, as a clause without a full stop.
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}
