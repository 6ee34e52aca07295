import SusiPolicies
import SusiStartup
import Testing

@testable import Susi
@testable import SusiCommand

/// The choice of a browser from an environment.
@Suite("Browser choice")
struct BrowserChoiceTests {
    private typealias Place = BrowserChoice.Facts

    struct Case: Sendable {
        let name: String
        let place: BrowserChoice.Facts
        let choice: BrowserChoice
        let noBrowser: Bool
        let command: String?

        init(
            _ name: String, _ place: BrowserChoice.Facts, _ choice: BrowserChoice, noBrowser: Bool = false,
            command: String? = nil
        ) {
            (self.name, self.place, self.choice) = (name, place, choice)
            (self.noBrowser, self.command) = (noBrowser, command)
        }
    }

    static let ssh = "192.0.2.7 50000 198.51.100.3 22"
    static let cases: [Case] = [
        Case("a desktop", Place(hasDisplay: true), .commands([["xdg-open"]])),
        Case("macOS", Place(isMac: true), .commands([["open"]])),
        Case("WSL", Place(isWSL: true), .commands([["wslview"]])),
        Case("WSL with a display", Place(hasDisplay: true, isWSL: true), .commands([["wslview"], ["xdg-open"]])),
        Case("nothing shows windows", Place(), .none(.noDisplay)),
        Case("a container", Place(isContainer: true), .none(.container)),
        Case("a container with a display", Place(hasDisplay: true, isContainer: true), .commands([["xdg-open"]])),
        Case("SSH", Place(sshConnection: ssh), .none(.remote(host: "198.51.100.3"))),
        Case(
            "SSH at another port", Place(sshConnection: "2001:db8::7 50000 2001:db8::3 2222"),
            .none(.remote(host: "-p 2222 2001:db8::3"))),
        Case(
            "SSH into a container", Place(sshConnection: ssh, isContainer: true), .none(.remote(host: "198.51.100.3"))),
        Case("SSH, said by its terminal alone", Place(sshTerminal: "pts/1"), .none(.remote(host: nil))),
        Case("SSH with odd words", Place(sshConnection: "x"), .none(.remote(host: nil))),
        Case("SSH with windows forwarded", Place(sshConnection: ssh, hasDisplay: true), .commands([["xdg-open"]])),
        Case(
            "SSH to a Mac: the window would open there", Place(sshConnection: ssh, hasDisplay: true, isMac: true),
            .none(.remote(host: "198.51.100.3"))),
        Case(
            "an editor's helper in $BROWSER, over SSH", Place(browser: "helper.sh", sshConnection: ssh),
            .commands([["helper.sh"]])),
        Case(
            "$BROWSER is a list", Place(browser: "firefox -P 'my own':w3m %s", hasDisplay: true),
            .commands([["firefox", "-P", "my own"], ["w3m", "%s"]])),
        Case(
            "the flag before $BROWSER", Place(browser: "firefox", hasDisplay: true), .commands([["lynx", "%u"]]),
            command: "lynx \"%u\""),
        Case("the flag over SSH", Place(sshConnection: ssh), .commands([["firefox"]]), command: "firefox"),
        Case(
            "no browser is wanted", Place(browser: "firefox", hasDisplay: true), .none(.asked), noBrowser: true,
            command: "firefox"),
    ]

    @Test("each environment has its browser, or a reason for none", arguments: cases)
    func choosesBrowserOrGivesReason(each: Case) {
        #expect(
            BrowserChoice.decide(noBrowser: each.noBrowser, command: each.command, in: each.place) == each.choice,
            "\(each.name)")
    }

    @Test("no text browser is chosen by default")
    func choosesNoTextBrowser() {
        for each in Self.cases where each.command == nil && each.place.browser == nil {
            guard case .commands(let commands) = each.choice else { continue }
            #expect(commands.allSatisfy { ["xdg-open", "wslview", "open"].contains($0[0]) })
        }
    }

    @Test("the kind of environment is read from its variables")
    func readsKindOfEnvironment() {
        let read = { (variables: [String: String]) in
            BrowserChoice.Facts(ProcessEnvironment(variable: { variables[$0] }, user: 0, canAsk: false))
        }
        #expect(read(["BROWSER": "x", "SSH_CONNECTION": "y", "SSH_TTY": "z"]).browser == "x")
        #expect(read(["SSH_CONNECTION": Self.ssh]).sshConnection == Self.ssh)
        #expect(read(["SSH_TTY": "pts/1"]).sshTerminal == "pts/1")
        #expect(read(["DISPLAY": ":0"]).hasDisplay && read(["WAYLAND_DISPLAY": "wayland-0"]).hasDisplay)
        #expect(!read(["DISPLAY": "", "BROWSER": ""]).hasDisplay)
        #expect(read(["WSL_DISTRO_NAME": "Debian"]).isWSL && read(["WSL_INTEROP": "socket"]).isWSL && !read([:]).isWSL)
        #expect(read(["container": "podman"]).isContainer)
    }

    @Test(
        "a browser command is split into words without a shell",
        arguments: [
            ("firefox", ["firefox"]), ("  a   b ", ["a", "b"]), ("'my browser' --app=%u", ["my browser", "--app=%u"]),
            ("a \"b 'c'\" ''", ["a", "b 'c'", ""]), ("a;b $(c) `d` > e", ["a;b", "$(c)", "`d`", ">", "e"]), ("", []),
            ("it's open", ["its open"]),
        ])
    func splitsCommandWithoutShell(command: String, words: [String]) {
        #expect(CommandWords.split(command) == words)
    }

    @Test("over SSH, sign-in and sign-out show how the ports of the browser reach this machine")
    func forwardsPorts() throws {
        let waiting = SignInEvent.Waiting(
            url: nil, shortURL: "http://localhost:8400/x", port: 8400, opensBrowser: false, canPaste: false)
        for visit in [SignInMessages.Visit.signIn, .signOut] {
            for (address, ports) in [
                ("http://localhost:8480/t", "-L 8400:localhost:8400 -L 8480:localhost:8480"),
                ("https://contoso.b2clogin.com/t", "-L 8400:localhost:8400"),
            ] {
                let messages = SignInMessages(
                    choice: .none(.remote(host: "198.51.100.3")), visit: visit, pages: try WebAddress(address),
                    readsPaste: false, style: Style(isColored: false))
                #expect(messages.lines(.waiting(waiting)).contains("  ssh \(ports) 198.51.100.3"))
            }
        }
    }

    @Test("a message escapes what a browser sent") func escapesTextOfBrowser() {
        let messages = SignInMessages(choice: .none(.asked), readsPaste: true, style: Style(isColored: false))
        #expect(messages.lines(.strayArrival("\u{1b}[2J")).joined().contains("\\u{1b}"))
    }
}
