public import SusiHTTP
public import SusiOAuth
public import SusiPolicies

/// How a sign-in meets a person: the browser, the messages, the pasted address, the patience.
public struct SignInSurface: Sendable {
    /// What opens the address; nil leaves it to the person.
    public let browser: (any Browser)?
    /// Gets the events as they happen.
    public let tell: @Sendable (SignInEvent) -> Void
    /// Redirect addresses that a person pastes, one a line.
    public let pasted: AsyncStream<String>
    /// Seconds to wait for the person.
    public let timeout: Int64
    /// Redirect ports instead of the application's; nil for those.
    public let ports: [UInt16]?
    /// Writes what is to be done about an error, for the page that the browser ends at.
    public let write: @Sendable (NextStep) -> String
    /// Runs the work that keeps the last page available to the browser: a moment, ten seconds at most. By default the flow
    /// waits for it; a command line prints its result first.
    public let closing: RedirectListener.Closing

    /// Three minutes.
    public static let usualTimeout: Int64 = 180

    /// Makes a surface.
    public init(
        browser: (any Browser)?, timeout: Int64 = usualTimeout, ports: [UInt16]? = nil,
        pasted: AsyncStream<String> = AsyncStream { $0.finish() },
        tell: @escaping @Sendable (SignInEvent) -> Void = { _ in },
        write: @escaping @Sendable (NextStep) -> String = { $0.description },
        closing: @escaping RedirectListener.Closing = { await $0() }
    ) {
        self.browser = browser
        self.timeout = timeout
        self.ports = ports
        self.pasted = pasted
        self.write = write
        self.closing = closing
        self.tell = tell
    }
}

extension SignInSurface {
    /// Reports a redirect address whose port `policies.json` does not list: a provider that compares ports shows its refusal
    /// in the browser alone.
    func reportUnlisted(_ listener: RedirectListener, path: String, of application: Application) {
        guard !application.redirectPorts.contains(where: { [0, listener.port].contains($0) }) else { return }
        tell(
            .unlistedRedirect(
                listener.redirectURI(path: path), registered: application.redirectAddresses(paths: [path])))
    }
}

/// What a person may want to see while a sign-in goes on.
public enum SignInEvent: Hashable, Sendable {
    /// Another process waits for a person under the same policy; this one goes on when that one ends.
    case waitingForAnother(process: Int32?)
    /// The address is ready, and the listener waits.
    case waiting(Waiting)
    /// The provider offers no choice of accounts, and an account is signed in already; `next` is the command that leads to
    /// another person.
    case noAccountChoice(next: String)
    /// The browser did not take it; the person can still open the address.
    case browserFailed(String)
    /// A pasted text was no redirect of this sign-in.
    case pasteRefused(String)
    /// Something came to the listener that was no answer to this sign-in; waiting goes on.
    case strayArrival(String)
    /// A program of another user of this machine asked for the page and was refused; waiting goes on.
    case visitRefused(user: UInt32)
    /// The browser's address was opened a second time and led nowhere; waiting goes on.
    case openedAgain
    /// The redirect address is not one that the policies file lists, which `registered` holds: the provider may refuse it.
    case unlistedRedirect(String, registered: [String])
    /// The person forgot the password: the reset policy is next, then the sign-in again.
    case resettingPassword
    /// The code that the person types on another device.
    case deviceCode(DeviceCode)

    /// What a person needs to go to the page.
    public struct Waiting: Hashable, Sendable {
        /// The page's address; nil when it holds an id token and must not be shown.
        public let url: String?
        /// A short address that leads to it from this machine.
        public let shortURL: String
        /// The port on this machine that the browser comes back to.
        public let port: UInt16
        /// Whether a browser is being opened.
        public let opensBrowser: Bool
        /// Whether the address that the browser ends at holds the answer: that of a posted form does not.
        public let canPaste: Bool

        /// Gathers what is known.
        public init(url: String?, shortURL: String, port: UInt16, opensBrowser: Bool, canPaste: Bool) {
            self.url = url
            self.shortURL = shortURL
            self.port = port
            self.opensBrowser = opensBrowser
            self.canPaste = canPaste
        }
    }
}
