import Susi
import SusiBase
import SusiStartup

/// The browser that a sign-in opens, or the reason for opening none. Depends only on the environment.
enum BrowserChoice: Equatable {
    /// Command lines to try in order, split into words.
    case commands([[String]])
    /// Opens no browser; the user visits the printed address.
    case none(Reason)

    /// The reason for opening no browser.
    enum Reason: Equatable {
        /// The user requested no browser.
        case asked
        /// A remote session; `host` is the ssh argument that reaches this machine.
        case remote(host: String?)
        /// Inside a container, without a display.
        case container
        case noDisplay
    }

    /// The facts that the choice depends on.
    struct Facts: Equatable {
        var browser: String?
        var sshConnection: String?
        var sshTerminal: String?
        var hasDisplay = false
        var isContainer = false
        var isWSL = false
        var isMac = false
    }

    /// Chooses by flags, then `$BROWSER`, then the system's opener. Never guesses a text browser, because it would need
    /// the terminal.
    static func decide(noBrowser: Bool = false, command: String? = nil, in facts: Facts) -> BrowserChoice {
        if noBrowser { return .none(.asked) }
        if let command { return .commands([CommandWords.split(command)]) }
        // A list separated by colons, as for Debian's sensible-browser; the first command that starts is used. Editors
        // that work on a remote machine set it to a helper that opens the browser on the local machine.
        if let list = facts.browser {
            return .commands(list.split(separator: ":").map { CommandWords.split(String($0)) })
        }
        let isRemote = facts.sshConnection != nil || facts.sshTerminal != nil
        if isRemote, !facts.hasDisplay || facts.isMac { return .none(.remote(host: host(of: facts.sshConnection))) }
        if facts.isMac { return .commands([["open"]]) }
        // wslview opens the Windows browser, which needs no Linux display.
        if facts.isWSL { return .commands([["wslview"]] + (facts.hasDisplay ? [["xdg-open"]] : [])) }
        if facts.hasDisplay { return .commands([["xdg-open"]]) }
        return .none(facts.isContainer ? .container : .noDisplay)
    }

    // SSH_CONNECTION contains the client's address and port, then the server's.
    private static func host(of connection: String?) -> String? {
        let words = connection?.split(separator: " ") ?? []
        guard words.count == 4 else { return nil }
        return words[3] == "22" ? String(words[2]) : "-p \(words[3]) \(words[2])"
    }
}

extension BrowserChoice.Facts {
    /// Reads the facts from the environment and the file system.
    init(_ environment: ProcessEnvironment) {
        browser = environment["BROWSER"]
        sshConnection = environment["SSH_CONNECTION"]
        sshTerminal = environment["SSH_TTY"]
        hasDisplay = environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
        isContainer =
            environment["container"] != nil || ["/.dockerenv", "/run/.containerenv"].contains(where: SmallFile.exists)
        isWSL = environment["WSL_DISTRO_NAME"] != nil || environment["WSL_INTEROP"] != nil
        #if os(macOS)
            isMac = true
        #endif
    }
}

/// A command line, split into words without a shell.
enum CommandWords {
    /// Splits at spaces; quoted spaces are kept.
    static func split(_ command: String) -> [String] {
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
}
