import Susi

struct SignInMessages: Sendable {
    /// What the browser is opened for.
    enum Visit: String {
        case signIn = "sign-in"
        case signOut = "sign-out"
    }

    let choice: BrowserChoice
    var visit = Visit.signIn
    /// The address of the provider's pages, which may be on this machine, too.
    var pages: WebAddress?
    /// Whether the user can paste the redirect address.
    let readsPaste: Bool
    let style: Style

    /// Returns the lines for an event, with all untrusted text made safe. `waiting` contains the address printed
    /// before.
    func lines(_ event: SignInEvent, after waiting: SignInEvent.Waiting? = nil) -> [String] {
        switch event {
        case .waitingForAnother(let process):
            let who = process.map { " (process \($0))" } ?? ""
            return ["Waiting for another sign-in under this policy\(who); Ctrl-C cancels"]
        case .waiting(let waiting): return lines(waiting)
        case .noAccountChoice(let next):
            return [
                style.faint(
                    "The provider may sign in the same person again; for another person: \(Terminal.safe(next))")
            ]
        case .browserFailed(let reason):
            return [style.warning("The browser did not open: \(Terminal.safe(reason))")]
                + (waiting.map { address($0, start: "Visit") } ?? [])
        case .pasteRefused(let reason):
            return [style.warning("Not the address of this sign-in: \(Terminal.safe(reason)). Still waiting.")]
        case .strayArrival(let reason):
            return [style.warning("Refused a response: \(Terminal.safe(reason)). Still waiting.")]
        case .visitRefused(let user):
            return [
                style.warning(
                    "Another user of this machine (uid \(user)) tried to open the browser's address and was refused. "
                        + "Still waiting.")
            ]
        case .openedAgain:
            return [
                style.warning(
                    "The browser's address was opened a second time, which is refused. Still waiting for the first window."
                )
            ]
        case .unlistedRedirect(let address, let registered):
            return [
                style.warning(
                    "\(address) is not one of the redirect addresses in policies.json; the provider may refuse it. "
                        + "Registered:")
            ] + registered.map { "  \($0)" }
        case .stillWaiting(let address):
            return [
                style.faint(
                    "Still waiting. If the page shows an error about the redirect address, or the browser ended at another "
                        + "address, register \(address)")
            ]
        case .resettingPassword:
            return ["Forgotten password: the browser continues with the reset, then returns to the sign-in"]
        case .deviceCode(let code): return lines(code)
        case .codeSent(let code):
            return ["A code was sent" + (code.recipient.map { " to \(style.strong(Terminal.safe($0)))" } ?? "")]
        }
    }

    private func lines(_ waiting: SignInEvent.Waiting) -> [String] {
        if waiting.opensBrowser { return ["Opening the browser; if nothing opens: \(style.strong(waiting.shortURL))"] }
        return switch choice {
        case .none(.remote): address(waiting, start: "This session has no display for a browser. Visit")
        case .none(.container): address(waiting, start: "A container has no display for a browser. Visit")
        case .none(.noDisplay): address(waiting, start: "There is no display for a browser. Visit")
        case .none(.asked), .commands: address(waiting, start: "Visit")
        }
    }

    // Shows both addresses and how the browser's response reaches this machine.
    private func address(_ waiting: SignInEvent.Waiting, start: String) -> [String] {
        let short = "  \(style.strong(waiting.shortURL))    on this machine"
        let canPaste = waiting.canPaste && readsPaste
        return [start]
            + (waiting.url.map { ["\(short), or", "  \(Terminal.safe($0))"] } ?? [short])
            + help(waiting, canPaste)
            + [style.faint(end(waiting, canPaste))]
    }

    // Explains how a browser on another machine can reach this machine's loopback.
    private func help(_ waiting: SignInEvent.Waiting, _ canPaste: Bool) -> [String] {
        switch choice {
        case .none(.remote(let host)):
            let page = pages.flatMap { $0.isLoopback ? $0.port : nil }
            let forwards = ([Int(waiting.port)] + (page.map { [$0] } ?? [])).map { "-L \($0):localhost:\($0)" }.joined(
                separator: " ")
            return [
                "From your own machine, forward the port first:",
                "  " + style.strong("ssh \(forwards) \(Terminal.safe(host ?? "HOST"))"),
            ]
        case .none(.container) where !canPaste:
            let port = "port \(waiting.port) of the container's loopback"
            return ["The browser returns to \(port), which needs --network host"]
        case .none, .commands: return []
        }
    }

    private func end(_ waiting: SignInEvent.Waiting, _ canPaste: Bool) -> String {
        if canPaste { return "Waiting for the sign-in; if the browser cannot return, paste its last address" }
        if waiting.canPaste || visit == .signOut { return "Waiting for the \(visit.rawValue)" }
        return "Waiting for the sign-in; its response is posted to this machine and cannot be pasted"
    }

    private func lines(_ code: DeviceCode) -> [String] {
        let direct = code.completeURI.map {
            ["or visit the address that contains the code:", "  \(Terminal.safe($0))"]
        }
        let local = code.localAccountURI.map {
            ["Local accounts of the tenant enter it at", "  \(style.strong(Terminal.safe($0)))"]
        }
        return [
            "On any device, visit", "  \(style.strong(Terminal.safe(code.verificationURI)))", "and enter the code",
            "  \(style.strong(Terminal.safe(code.userCode)))",
        ] + (local ?? []) + (direct ?? [])
            + [style.faint("Waiting for the sign-in there; the code is valid for \(Timestamp.span(code.expiresIn))")]
    }
}
