import ArgumentParser
import Susi
import Synchronization

/// How the person gets to the sign-in page.
struct BrowserOptions: GivenArguments {
    @Flag(help: "Print the address instead of opening a browser")
    var noBrowser = false

    @Option(help: ArgumentHelp("Browser command; %u is the address ($BROWSER)", valueName: "command"))
    var browser: String?

    @Option(help: ArgumentHelp("Redirect port; 0 picks a free one", valueName: "port"))
    var port: UInt16?

    @Option(help: ArgumentHelp("Time to wait for the browser (default: 3m)", valueName: "time"))
    var timeout: Seconds?

    static var givenOptions: [OptionReader<Self>] {
        [.flag(.noBrowser, \.noBrowser), .value(.browser, \.browser), .value(.port) { $0.port.map(String.init) }]
    }

    func validate() throws {
        if noBrowser, browser != nil { throw ValidationError("--no-browser and --browser cannot be combined") }
        if let browser, CommandWords.split(browser).first?.isEmpty ?? true {
            throw ValidationError(
                "invalid value for --browser\nexpected a command such as 'firefox --private-window %u'")
        }
    }

    /// The surface for one sign-in; `spinner` moves until there is something to say.
    func surface(_ context: Context, _ spinner: Spinner?) -> SignInSurface {
        let surroundings = ProcessEnvironment.current
        let choice = BrowserChoice.decide(noBrowser: noBrowser, command: browser, in: .init(surroundings))
        let isAutomatic = Self.replacement != nil
        let own = Self.browser(choice)
        // A browser on the terminal reads what is typed there.
        let reads =
            (surroundings.canAsk || noBrowser) && !context.noInput && !isAutomatic && !(own?.occupiesTerminal ?? false)
        let messages = SignInMessages(choice: choice, readsPaste: reads, style: context.console.errStyle)
        let console = context.console
        let last = LastAddress()
        return SignInSurface(
            browser: own,
            timeout: timeout?.value ?? SignInSurface.usualTimeout, ports: port.map { [$0] },
            pasted: reads ? StandardInput.lines() : AsyncStream { $0.finish() },
            tell: { event in
                if case .waiting(let waiting) = event {
                    if isAutomatic { return }
                    last.waiting.withLock { $0 = waiting }
                }
                spinner?.stop()
                for line in messages.lines(event, after: last.waiting.withLock(\.self)) { console.err(line) }
            }, write: context.given.text, closing: LastPages.serve)
    }

    /// Where the person was sent last.
    private final class LastAddress: Sendable {
        let waiting = Mutex<SignInEvent.Waiting?>(nil)
    }

    /// A browser in place of the system's; the demonstration has one.
    @TaskLocal static var replacement: (any Browser)?

    /// The browser to open, if any.
    static func browser(_ choice: BrowserChoice) -> (any Browser)? {
        if let replacement { return replacement }
        guard case .commands(let commands) = choice else { return nil }
        return SystemBrowser(commands: commands)
    }
}
