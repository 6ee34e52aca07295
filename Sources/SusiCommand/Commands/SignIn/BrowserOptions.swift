import ArgumentParser
import Susi
import SusiStartup
import Synchronization

/// Options for opening the sign-in page.
struct BrowserOptions: ParsableArguments {
    @Flag(help: "Print the address instead of opening a browser")
    var noBrowser = false

    @Option(help: ArgumentHelp("Browser command; %u is the address ($BROWSER)", valueName: "command"))
    var browser: String?

    @Option(help: ArgumentHelp("Redirect port; 0 picks a free one", valueName: "port"))
    var port: UInt16?

    @Option(
        help: ArgumentHelp("Time to wait for the browser (default: 3m)", valueName: "time"), transform: Seconds.parse)
    var timeout: Seconds?

    func validate() throws {
        if noBrowser, browser != nil { throw ValidationError("--no-browser and --browser cannot be combined") }
        if let browser, CommandWords.split(browser).first?.isEmpty ?? true {
            throw ValidationError(
                "invalid value for --browser\nexpected a command such as 'firefox --private-window %u'")
        }
    }

    /// Creates the surface of one sign-in. The first message stops `spinner`. `command` is one that needs a page: no
    /// sign-in by password does the same.
    func surface(_ context: Context, _ spinner: Spinner?, for command: SuggestedCommand? = nil) -> SignInSurface {
        let choice = BrowserChoice.decide(noBrowser: noBrowser, command: browser, in: .init(ProcessEnvironment.current))
        var surface = Self.surface(
            choice, timeout: timeout?.value, port: port, noBrowser: noBrowser, context, spinner, of: .signIn)
        if Self.replacement == nil, choice.isUnattended(context.console, noInput: context.noInput) {
            surface.obstacle = command.map { .unattended(page: $0) } ?? .unattended(context.application)
        }
        return surface
    }

    /// Creates the surface of a sign-out. It waits briefly for a browser, which may stay at the provider's page; as long as a sign-in
    /// for a person who opens the address, and for a program in the browser's place.
    static func signOut(_ context: Context, noBrowser: Bool, port: UInt16?) -> SignInSurface {
        let choice = BrowserChoice.decide(noBrowser: noBrowser, in: .init(ProcessEnvironment.current))
        let isBrowser = replacement == nil && browser(choice) != nil
        let timeout = isBrowser ? PublicClient.longestSignOut : nil
        var surface = surface(
            choice, timeout: timeout, port: port, noBrowser: noBrowser, context, nil, of: .signOut)
        if replacement == nil, choice.isUnattended(context.console, noInput: context.noInput) {
            surface.obstacle = .unattendedSignOut
        }
        return surface
    }

    private static func surface(
        _ choice: BrowserChoice, timeout: Int64?, port: UInt16?, noBrowser: Bool, _ context: Context,
        _ spinner: Spinner?, of visit: SignInMessages.Visit
    ) -> SignInSurface {
        let opener = Self.browser(choice)
        // A text browser reads the terminal itself.
        let readsPaste =
            visit == .signIn && (ProcessEnvironment.current.canAsk || noBrowser) && !context.noInput
            && replacement == nil && !(opener?.occupiesTerminal ?? false)
        let messages = SignInMessages(
            choice: choice, visit: visit, pages: context.application.authority, readsPaste: readsPaste,
            style: context.console.errStyle)
        let console = context.console
        let hasWindow = opener.map { !$0.occupiesTerminal } ?? false
        let isAutomatic = replacement != nil
        let last = LastAddress()
        var surface = SignInSurface(
            browser: opener, timeout: timeout, ports: port.map { [$0] },
            pasted: readsPaste ? StandardInput.lines() : AsyncStream { $0.finish() },
            tell: { event in
                if case .waiting(let waiting) = event {
                    if isAutomatic { return }
                    last.waiting.withLock { $0 = waiting }
                }
                spinner?.stop()
                let waiting = last.waiting.withLock(\.self)
                for line in messages.lines(event, after: waiting) { console.err(line) }
                // The person may be typing.
                switch event {
                case .browserFailed: last.waiting.withLock { $0 = nil }
                case .pasteRefused: break
                default: if hasWindow, waiting != nil { spinner?.start("waiting for the browser") }
                }
            })
        surface.write = context.given.text
        surface.closing = LastPages.serve
        return surface
    }

    /// The last printed address; repeated if the browser fails to open.
    private final class LastAddress: Sendable {
        let waiting = Mutex<SignInEvent.Waiting?>(nil)
    }

    /// A browser that replaces the system's; set by the demo.
    @TaskLocal static var replacement: (any Browser)?

    /// Returns the browser to open; `nil` if none. Without a terminal, no person opens the printed address in its place.
    static func browser(_ choice: BrowserChoice) -> (any Browser)? {
        if let replacement { return replacement }
        guard case .commands(let commands) = choice else { return nil }
        var browser = SystemBrowser(commands: commands)
        browser.isOnlyWay = BrowserChoice.hasNoTerminal(Console.standard)
        return browser
    }
}

extension BrowserChoice {
    /// Returns whether no person can see the page, because nothing opens it and no terminal shows its address.
    func isUnattended(_ console: Console, noInput: Bool) -> Bool {
        switch self {
        case .commands, .none(.asked): false
        case .none: Self.hasNoTerminal(console, noInput: noInput)
        }
    }

    /// Returns whether no person reads what is printed.
    static func hasNoTerminal(_ console: Console, noInput: Bool = false) -> Bool {
        !ProcessEnvironment.current.canAsk && (noInput || !console.errIsTerminal)
    }
}

extension SusiError {
    /// The error of a sign-in page that no person can see, for example in a pipeline.
    static func unattended(_ application: Application) -> SusiError {
        let account = SuggestedCommand("import", "FILE")
        guard application.acceptsPasswords else {
            return unattended(
                why: "no policy of “\(application.name)” takes a password; --no-browser prints the address anyway",
                next: "add a policy of the kind “resourceOwner” to policies.json, or \(account)")
        }
        let password = SuggestedCommand("sign-in").option("--username", SuggestedCommand.unknownUserName)
            .flag("--password-stdin")
        return unattended(
            why: """
                scripts sign in by password (ROPC, or native authentication of External ID), or import an account; \
                --no-browser prints the address anyway
                """,
            next: "\(password) < FILE, or \(account)")
    }

    /// The error of a page that nothing else replaces.
    static func unattended(page command: SuggestedCommand) -> SusiError {
        unattended(
            why: "--no-browser prints the address, for a browser on this machine",
            next: "\(command.flag("--no-browser"))")
    }

    /// The same for a sign-out, which has removed the accounts before.
    fileprivate static let unattendedSignOut = SusiError(
        .failed, "no terminal, browser or display for the sign-out page",
        why: "--no-browser prints the address, for a browser on this machine",
        next: "susi sign-out --browser-only --no-browser")

    private static func unattended(why: String, next: NextStep) -> SusiError {
        SusiError(
            .signInNeeded, "cannot show the sign-in page: no terminal, browser or display",
            why: why, next: next)
    }
}
