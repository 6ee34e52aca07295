import Susi
import SusiStartup
import Testing

@testable import SusiCommand

/// The choice of a browser from an environment.
@Suite("Browser choice")
struct BrowserChoiceTests {
    private typealias Place = BrowserChoice.Facts

    struct Case: Sendable {
        let name: String
        var noBrowser = false
        var command: String?
        let place: BrowserChoice.Facts
        let choice: BrowserChoice
    }

    static let ssh = "192.0.2.7 50000 198.51.100.3 22"
    static let cases: [Case] = [
        Case(name: "a desktop", place: Place(hasDisplay: true), choice: .commands([["xdg-open"]])),
        Case(name: "macOS", place: Place(isMac: true), choice: .commands([["open"]])),
        Case(name: "WSL", place: Place(isWSL: true), choice: .commands([["wslview"]])),
        Case(
            name: "WSL with a display", place: Place(hasDisplay: true, isWSL: true),
            choice: .commands([["wslview"], ["xdg-open"]])),
        Case(name: "nothing shows windows", place: Place(), choice: .none(.noDisplay)),
        Case(name: "a container", place: Place(isContainer: true), choice: .none(.container)),
        Case(
            name: "a container with a display", place: Place(hasDisplay: true, isContainer: true),
            choice: .commands([["xdg-open"]])),
        Case(name: "SSH", place: Place(sshConnection: ssh), choice: .none(.remote(host: "198.51.100.3"))),
        Case(
            name: "SSH at another port", place: Place(sshConnection: "2001:db8::7 50000 2001:db8::3 2222"),
            choice: .none(.remote(host: "-p 2222 2001:db8::3"))),
        Case(
            name: "SSH into a container", place: Place(sshConnection: ssh, isContainer: true),
            choice: .none(.remote(host: "198.51.100.3"))),
        Case(
            name: "SSH, said by its terminal alone", place: Place(sshTerminal: "pts/1"),
            choice: .none(.remote(host: nil))),
        Case(
            name: "SSH with odd words", place: Place(sshConnection: "x"), choice: .none(.remote(host: nil))),
        Case(
            name: "SSH with windows forwarded", place: Place(sshConnection: ssh, hasDisplay: true),
            choice: .commands([["xdg-open"]])),
        Case(
            name: "SSH to a Mac: the window would open there", place: Place(sshConnection: ssh, isMac: true),
            choice: .none(.remote(host: "198.51.100.3"))),
        Case(
            name: "an editor's helper in $BROWSER, over SSH", place: Place(browser: "helper.sh", sshConnection: ssh),
            choice: .commands([["helper.sh"]])),
        Case(
            name: "$BROWSER is a list", place: Place(browser: "firefox -P 'my own':w3m %s", hasDisplay: true),
            choice: .commands([["firefox", "-P", "my own"], ["w3m", "%s"]])),
        Case(
            name: "the flag before $BROWSER", command: "lynx \"%u\"",
            place: Place(browser: "firefox", hasDisplay: true),
            choice: .commands([["lynx", "%u"]])),
        Case(
            name: "the flag over SSH", command: "firefox", place: Place(sshConnection: ssh),
            choice: .commands([["firefox"]])),
        Case(
            name: "no browser is wanted", noBrowser: true, command: "firefox",
            place: Place(browser: "firefox", hasDisplay: true), choice: .none(.asked)),
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
            BrowserChoice.Facts(
                ProcessEnvironment(variable: { variables[$0] }, user: 0, canAsk: false))
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

    @Test("a message escapes what a browser sent") func escapesTextOfBrowser() {
        let messages = SignInMessages(choice: .none(.asked), readsPaste: true, style: Style(isColored: false))
        #expect(messages.lines(.strayArrival("\u{1b}[2J")).joined().contains("\\u{1b}"))
    }
}
