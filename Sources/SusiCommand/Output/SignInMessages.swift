import Susi

/// What a person reads while a sign-in goes on.
struct SignInMessages: Sendable {
    let choice: BrowserChoice
    /// Whether a pasted address is read.
    let readsPaste: Bool
    let style: Style

    /// The lines for an event, with every foreign text made safe.
    func lines(_ event: SignInEvent) -> [String] {
        switch event {
        case .waitingForAnother(let process):
            let who = process.map { " (process \($0))" } ?? ""
            return ["Another sign-in under this policy is going on\(who); waiting for its end. Ctrl-C gives up."]
        case .waiting(let waiting): return lines(waiting)
        case .noAccountChoice(let next):
            return [
                style.faint(
                    "The provider may sign in the same person again. For another person: \(Terminal.safe(next))")
            ]
        case .browserFailed(let reason):
            return [style.warning("No browser opened: \(Terminal.safe(reason)). Visit the address above.")]
        case .pasteRefused(let reason):
            return [style.warning("That is not this sign-in's address: \(Terminal.safe(reason)). Still waiting.")]
        case .strayArrival(let reason):
            return [style.warning("An answer was refused: \(Terminal.safe(reason)). Still waiting.")]
        case .visitRefused(let user):
            return [
                style.warning(
                    "Another user of this machine (uid \(user)) tried to open the browser's address and was refused. "
                        + "Still waiting.")
            ]
        case .openedAgain:
            return [
                style.warning(
                    "The browser's address was opened a second time, which leads nowhere. Still waiting for the first "
                        + "window.")
            ]
        case .unlistedRedirect(let address, let registered):
            return [
                style.warning(
                    "\(address) is not one of the redirect addresses in policies.json; the provider may refuse it. "
                        + "Registered:")
            ] + registered.map { "  \($0)" }
        case .resettingPassword:
            return ["Forgotten password: the browser goes on to the password reset, then back to the sign-in."]
        case .deviceCode(let code): return lines(code)
        }
    }

    private func lines(_ waiting: SignInEvent.Waiting) -> [String] {
        let short = "  \(style.strong(waiting.shortURL))    on this machine"
        let canPaste = waiting.canPaste && readsPaste
        return [start(waiting)]
            + (waiting.url.map { ["\(short), or", "  \(Terminal.safe($0))"] } ?? [short])
            + help(waiting.port, canPaste)
            + [style.faint(end(waiting, canPaste))]
    }

    private func start(_ waiting: SignInEvent.Waiting) -> String {
        if waiting.opensBrowser { return "Opening the browser. If nothing opens, visit" }
        return switch choice {
        case .none(.remote): "No browser is opened, since this session has no display. Visit"
        case .none(.container): "No browser is opened, since this is a container. Visit"
        case .none(.noDisplay): "No browser is opened, since there is no display. Visit"
        case .none(.asked), .commands: "Visit"
        }
    }

    // How a browser elsewhere can come back to this machine's loopback.
    private func help(_ port: UInt16, _ canPaste: Bool) -> [String] {
        switch choice {
        case .none(.remote(let host)):
            return [
                "From your own machine, forward the port first:  "
                    + style.strong("ssh -L \(port):localhost:\(port) \(Terminal.safe(host ?? "HOST"))")
            ]
        case .none(.container) where !canPaste:
            return ["The browser comes back to port \(port) of this container's loopback: --network host lets it."]
        case .none, .commands: return []
        }
    }

    private func end(_ waiting: SignInEvent.Waiting, _ canPaste: Bool) -> String {
        if canPaste { return "Waiting for the sign-in; the address that the browser ends at can be pasted here." }
        if waiting.canPaste { return "Waiting for the sign-in." }
        return "Waiting for the sign-in; its answer is posted to this machine, so nothing can be pasted here."
    }

    private func lines(_ code: DeviceCode) -> [String] {
        let direct = code.completeURI.map { ["or visit, with the code in it,", "  \(Terminal.safe($0))"] } ?? []
        return [
            "On any device, visit", "  \(style.strong(Terminal.safe(code.verificationURI)))", "and type the code",
            "  \(style.strong(Terminal.safe(code.userCode)))",
        ] + direct + [style.faint("Waiting for the sign-in there; the code serves \(Moment.span(code.expiresIn)).")]
    }
}
