package import SusiHTTP
public import SusiOAuth
import SusiPolicies

/// The interface of a sign-in to the person: browser, messages, pasted address, time limit.
public struct SignInSurface: Sendable {
    /// The browser that opens the address; `nil` leaves it to the person.
    package let browser: (any Browser)?
    package let tell: @Sendable (SignInEvent) -> Void
    /// Redirect addresses that the person pastes, one per line.
    package let pasted: AsyncStream<String>
    /// Seconds to wait for the person.
    package let timeout: Int64
    /// Redirect ports instead of the application's; `nil` for the application's.
    package let ports: [UInt16]?
    /// Formats the next step of an error for the last page.
    package var write: @Sendable (NextStep) -> String = { $0.description }
    /// Runs the work that keeps the last page available to the browser: a moment, ten seconds at most. By default the flow
    /// waits for it; a command line prints its result first.
    package var closing: RedirectListener.Closing = { await $0() }
    /// The time without a response after which the person is told what may be wrong.
    package var patience: Duration = .seconds(30)
    /// Why no person can see a page; the sign-in then ends with this error before it contacts the provider.
    package var obstacle: SusiError?

    /// Whether a sign-in that waited for another process's opens no page and throws ``SusiError/overtaken``: that one may have
    /// stored what is needed.
    package var endsAfterWait = false

    /// Whether the browser is the only one that can open the page: then its failure ends the sign-in.
    let isOnlyBrowser: Bool

    /// Makes a surface; by default with the user's own browser, and three minutes. Without `tell` the person never sees
    /// the address, so a failure of the browser ends the sign-in.
    public init(
        browser: (any Browser)? = SystemBrowser(), timeout: Int64? = nil, ports: [UInt16]? = nil,
        pasted: AsyncStream<String> = AsyncStream { $0.finish() }, tell: (@Sendable (SignInEvent) -> Void)? = nil
    ) {
        isOnlyBrowser = tell == nil || browser?.isOnlyWay ?? false
        self.browser = browser
        self.timeout = timeout ?? 180
        self.ports = ports
        self.pasted = pasted
        self.tell = tell ?? { _ in }
    }
}

extension SignInSurface {
    /// Reports a redirect address whose port `policies.json` does not list: a provider that compares ports refuses it, and only
    /// the browser shows that.
    /// Returns that address.
    @discardableResult
    func reportUnlisted(_ listener: RedirectListener, path: String, of application: Application) -> String? {
        guard !application.redirectPorts.contains(where: { [0, listener.port].contains($0) }) else { return nil }
        let address = listener.redirectURI(path: path)
        tell(.unlistedRedirect(address, registered: application.redirectAddresses(paths: [path])))
        return address
    }
}

extension SignInSurface {
    /// Reports that the browser did not open the address.
    func reportFailure(_ error: SusiError) { tell(.browserFailed(error.why.isEmpty ? error.what : error.why)) }

    /// Reports that the browser reached the redirect address without a response.
    @Sendable func reportNoResponse() {
        tell(
            .strayArrival(
                "it has no query; if its address has “#” with “code” or “error”, set the policy to answer in the query")
        )
    }
}

/// An event during a sign-in, for the person.
public enum SignInEvent: Hashable, Sendable {
    /// Another process waits for a person under the same policy; this one continues after it.
    case waitingForAnother(process: Int32?)
    /// The address is ready, and the listener waits.
    case waiting(Waiting)
    /// The provider offers no choice of accounts, and an account is signed in already; `next` is the command that leads to
    /// another person.
    case noAccountChoice(next: String)
    /// The browser did not open the address; the person can still open it.
    case browserFailed(String)
    /// A pasted text is not a redirect of this sign-in.
    case pasteRefused(String)
    /// A request to the listener is not a response to this sign-in; waiting continues.
    case strayArrival(String)
    /// A program of another user of this machine requested the page and was refused; waiting continues.
    case visitRefused(user: UInt32)
    /// The browser's address was opened a second time and refused; waiting continues.
    case openedAgain
    /// No response has come to the redirect address yet. If it is not registered, the provider shows an error or sends the
    /// response to another address.
    case stillWaiting(redirectAddress: String)
    /// The policies file does not list the redirect address, only `registered`: the provider may refuse it.
    case unlistedRedirect(String, registered: [String])
    /// The person forgot the password: the reset policy is next, then the sign-in again.
    case resettingPassword
    /// The code that the person types on another device.
    case deviceCode(DeviceCode)
    /// A code was sent to the person, who types it here.
    case codeSent(NativeCode)

    /// The values that the person needs to open the page.
    public struct Waiting: Hashable, Sendable {
        /// The page's address; `nil` if it contains an id token and must not be shown.
        public let url: String?
        /// A short address on this machine that redirects to it.
        public let shortURL: String
        /// The port of the redirect listener, for instance for an SSH tunnel.
        public let port: UInt16
        /// Whether a browser is being opened.
        public let opensBrowser: Bool
        /// Whether the redirect address contains the response; the address of a posted form does not.
        public let canPaste: Bool
    }
}
