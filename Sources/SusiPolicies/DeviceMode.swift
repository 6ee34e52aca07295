/// The use of a machine: by one person or by several in turn.
package enum DeviceMode: String, CaseIterable, Sendable {
    /// One person, who may have several accounts.
    case `private`
    /// Several people in turn: one person at a time, and a sign-out removes all accounts and ends the browser's
    /// session. The name of the last person is shown until the next sign-in.
    case shared
}
