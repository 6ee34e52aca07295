import ArgumentParser
import Dispatch
import Susi

/// How the person gets to the page.
struct BrowserOptions: ParsableArguments {
    @Flag(help: "Open no browser; print the address and read the pasted redirect address.")
    var noBrowser = false

    @Option(help: ArgumentHelp("The browser to start; %u stands for the address ($BROWSER).", valueName: "command"))
    var browser: String?

    @Option(help: ArgumentHelp("The redirect port, instead of redirectPorts; 0 takes a free one.", valueName: "port"))
    var port: UInt16?

    @Option(help: ArgumentHelp("How long to wait for the person (default 3m).", valueName: "time"))
    var timeout: Seconds?

    /// The surface for one sign-in.
    func surface(_ context: Context) -> SignInSurface {
        let reads = (Surroundings.current.canAsk || noBrowser) && !context.noInput
        let console = context.console
        let isAutomatic = Surroundings.current.browser != nil
        return SignInSurface(
            browser: chosenBrowser, timeout: timeout?.value ?? SignInSurface.usualTimeout, ports: port.map { [$0] },
            pasted: reads && !isAutomatic ? Self.lines() : AsyncStream { $0.finish() },
            tell: { Self.tell($0, console, quiet: isAutomatic) })
    }

    /// What opens an address; nil leaves it to the person.
    var chosenBrowser: (any Browser)? {
        let surroundings = Surroundings.current
        if let given = surroundings.browser { return given }
        if noBrowser { return nil }
        if let browser { return SystemBrowser(commands: [Self.words(browser)]) }
        // A list with colons, as Debian's sensible-browser reads it; the first that can be started is used.
        if let list = surroundings["BROWSER"] {
            return SystemBrowser(commands: list.split(separator: ":").map { Self.words(String($0)) })
        }
        return SystemBrowser(commands: [["wslview"], ["xdg-open"], ["open"]])
    }

    // Words are split at spaces; quotes keep spaces. No shell sees the command.
    static func words(_ command: String) -> [String] {
        var words: [String] = []
        var word = ""
        var quote: Character?
        var isWord = false
        for character in command {
            if let open = quote {
                if character == open { quote = nil } else { word.append(character) }
            } else if character == "\"" || character == "'" {
                (quote, isWord) = (character, true)
            } else if character == " " {
                if isWord { words.append(word) }
                (word, isWord) = ("", false)
            } else {
                word.append(character)
                isWord = true
            }
        }
        if isWord { words.append(word) }
        return words
    }

    // Reading blocks a thread of its own, which ends with the process.
    private static func lines() -> AsyncStream<String> {
        let (lines, feed) = AsyncStream<String>.makeStream()
        DispatchQueue.global().async {
            while let line = readLine() { feed.yield(line.filter { !$0.isWhitespace }) }
            feed.finish()
        }
        return lines
    }

    private static func tell(_ event: SignInEvent, _ console: Console, quiet: Bool) {
        let style = console.errStyle
        switch event {
        case .waiting where quiet: break
        case .waiting(let url, let short, let opensBrowser):
            console.err(opensBrowser ? "Opening the browser. If nothing opens, visit" : "Visit")
            console.err("  \(style.strong(short))    on this machine, or")
            console.err("  \(Terminal.safe(url))")
            console.err(
                style.faint("Waiting for the sign-in; the address that the browser ends at can be pasted here."))
        case .browserFailed(let reason):
            console.err(style.warning("No browser opened: \(Terminal.safe(reason)). Visit the address above."))
        case .pasteRefused(let reason):
            console.err(style.warning("That is not this sign-in's address: \(Terminal.safe(reason)). Still waiting."))
        case .strayArrival(let reason):
            console.err(style.warning("An answer was refused: \(Terminal.safe(reason)). Still waiting."))
        case .resettingPassword:
            console.err("Forgotten password: the browser goes on to the password reset, then back to the sign-in.")
        }
    }
}
