import Susi

/// The browser that a sign-in opens, or why it opens none; depends on the environment only.
enum BrowserChoice: Equatable {
    /// Command lines to try in order, split into words.
    case commands([[String]])
    /// No browser: the address is printed.
    case none(Reason)

    /// Why no browser is opened.
    enum Reason: Equatable {
        /// The user chose no browser.
        case asked
        /// A remote session; `host` is this machine's name for the other side.
        case remote(host: String?)
        /// A container has no display of its own.
        case container
        /// Nothing shows windows here.
        case noDisplay
    }

    /// What is known of the place.
    struct Place: Equatable {
        var browser: String?
        var sshConnection: String?
        var sshTerminal: String?
        var hasDisplay = false
        var isContainer = false
        var isWSL = false
        var isMac = false
    }

    /// Flags, then `$BROWSER`, then what the system has. A text browser is never a guess: it would need the terminal.
    static func decide(noBrowser: Bool = false, command: String? = nil, in place: Place) -> BrowserChoice {
        if noBrowser { return .none(.asked) }
        if let command { return .commands([CommandWords.split(command)]) }
        // A list with colons, as Debian's sensible-browser reads it; the first that can be started is used. Editors that
        // work on a remote machine set it to a helper that opens the browser at home.
        if let list = place.browser {
            return .commands(list.split(separator: ":").map { CommandWords.split(String($0)) })
        }
        let isRemote = place.sshConnection != nil || place.sshTerminal != nil
        if isRemote, !place.hasDisplay || place.isMac { return .none(.remote(host: host(of: place.sshConnection))) }
        if place.isMac { return .commands([["open"]]) }
        // Windows shows the page, with or without a display of Linux.
        if place.isWSL { return .commands([["wslview"]] + (place.hasDisplay ? [["xdg-open"]] : [])) }
        if place.hasDisplay { return .commands([["xdg-open"]]) }
        return .none(place.isContainer ? .container : .noDisplay)
    }

    // sshd writes the client's address and port, then its own.
    private static func host(of connection: String?) -> String? {
        let words = connection?.split(separator: " ") ?? []
        guard words.count == 4 else { return nil }
        return words[3] == "22" ? String(words[2]) : "-p \(words[3]) \(words[2])"
    }
}

extension BrowserChoice.Place {
    /// Looks around, once.
    init(_ surroundings: ProcessEnvironment) {
        browser = surroundings["BROWSER"]
        sshConnection = surroundings["SSH_CONNECTION"]
        sshTerminal = surroundings["SSH_TTY"]
        hasDisplay = surroundings["DISPLAY"] != nil || surroundings["WAYLAND_DISPLAY"] != nil
        isContainer =
            surroundings["container"] != nil || ["/.dockerenv", "/run/.containerenv"].contains(where: SmallFile.exists)
        isWSL = surroundings["WSL_DISTRO_NAME"] != nil || surroundings["WSL_INTEROP"] != nil
        #if os(macOS)
            isMac = true
        #endif
    }
}

/// A command line that no shell sees.
enum CommandWords {
    /// Words are split at spaces; quotes keep spaces.
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
