/// Who uses the machine, as far as an application cares.
public enum DeviceMode: String, CaseIterable, Sendable {
    /// One person's own: several accounts side by side.
    case `private`
    /// Many people in turn: one person at a time, and a sign-out removes everything and ends the browser's session. Who signed out is
    /// named until somebody else signs in.
    case shared
}
