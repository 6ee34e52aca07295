import Susi

/// Reads source code and any other text: literals with the names before them, and addresses of Microsoft's services.
///
/// Comments do not count. Nothing is put together, no reference is followed, and no branch is chosen: where the program
/// makes a value in another way, the value is open.
struct TextScanner {
    private typealias Token = (
        Substring, name: Substring?, macro: Substring?, literal: Substring?, plain: Substring?, guid: Substring?,
        bare: Substring?, target: Substring?, reference: Substring?, server: Substring?
    )

    // The limits keep the time linear. In the reading of a variable, an argument may be the value without it.
    private let token: Regex<Token> =
        #/
        //[^\n]* | /\*(?s:.*?)(?:\*/|\z) | <!--(?s:.*?)(?:-->|\z) | <\#(?s:.*?)(?:\#>|\z)
        | \n=begin\b(?s:.*?)(?:\n=end|\z) | \s\#(?!define\b)[^\n]*
        | \bclass\s{1,20}\w{1,80}\s{0,20}:
        | (?: ["'`]?\b(?<name>[A-Za-z_$][\w$]{0,80})["'`]? \s{0,20}
                (?: (?:\??:\s{0,20}[A-Za-z_][\w<>\[\]?.|\x20]{0,80})? (?:=>|[:=])
                    | :\s{0,20}[A-Za-z_][\w<>\[\]?.\x20]{0,80} \{ \s{0,20} (?:return\b)? )
                \s{0,200} [@$a-z]{0,2}
            | \#define\s+(?<macro>\w{1,80})\s+@? )?
          (?<literal> """(?s:.*?)""" | '''(?s:.*?)''' | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' | `[^`]*` )
        | \b(?<plain>[A-Za-z_$][\w$\-]{0,80}\)?(?:\x20[iI][dD])?) [\x20"*\|:=>]{1,8}
            (?<guid>[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12})(?![\w\-])
        | (?<bare>https?://[^\s"'<>/]{0,200}(?:b2clogin|ciamlogin|login\.microsoftonline)\.[^\s"'`<>()\[\]|,;\\]{0,500}
            | api://[\w.\-]{1,100}/[\w.\-/]{1,100})
        | \b(?<target>[A-Za-z_$][\w$]{0,80})["'`]? \s{0,20} (?: \+= | \|\|= | \?\?= | (?:=>|[:=])(?![=:>])\s{0,200}
            (?:(?:this|self)\.)? (?!https?://)
            (?<reference>[\w$.]{0,80}[eE][nN][vV]\w{0,40}\([^()]{0,400}\) | [A-Za-z_$][\w$.!?]{0,80}) )
        | \b(?<server>BearerStrategy|AddMicrosoftIdentityWebApi|AddJwtBearer|oauth2ResourceServer)\b
        /#
        .matchingSemantics(.unicodeScalar).asciiOnlyWordCharacters().wordBoundaryKind(.simple)
    // What makes a value a part of another one, a default or one of several.
    private let operation =
        /(?:[+|&%]|\?:?|\bor|\belse|\bdefault(?:Value)?\s*[:=])\s*[@$a-z]?$|\s\?\s[^;{}"'`\n]*(?:\n\s*:\s*)?$/
    // An option or a pipe of a shell is none, nor is the next name in quotes.
    private let continuation =
        /\s*(?:[+.?&%*!]|-(?![-\w])|\|[|>]|[=<>]=|\\?\s*["'`](?![\w.:\/-]*["'`]\s*[:=])|(?:if|or|unless)\s)/
    private let choice = /[^,;{}\n]*(?:\?|\|\||\bor\b|\belse\b)[^,;{}\n]*/
    private let comparison = /(?:[!=]==?|(?:[eE]quals\w*|startsWith|hasPrefix|contains|includes)\()\s*$/
    private let variable = /^(?:import\.meta|process)\.env\./
    private let value = /\s*(?:=>|[:=](?![:=>]))\s*([A-Za-z_$][\w$.!?]*(?:\([^()]*\))?)/
    private let word = /-{0,2}(\w[\w.:-]*)=(.*)/
    private let lists =
        /(?:([sS][cC][oO][pP][eE])[sS]?|([pP]olicies))["']?\s*(?::[^=\n]{0,40})?[:=]\s*[\w.<>\[\]\s]{0,40}[\[({][^\])}]*$/
    private(set) var settings: [Setting] = []

    /// Scans a text. In prose, quotes do not separate code from what it quotes.
    init(_ text: String, isProse: Bool) {
        let text = "\n\(isProse ? String(text.map { "`'".contains($0) ? " " : $0 }) : text)"
        var (line, place, call) = (0, text.startIndex, (name: Substring(), end: text.startIndex))
        for match in text.matches(of: token) {
            let found = match.output
            let value = found.literal ?? found.guid ?? found.bare ?? found.reference ?? found.0
            line += text.utf8[place..<value.startIndex].count { $0 == UInt8(ascii: "\n") }
            place = value.startIndex
            let before = String(decoding: text.utf8[..<match.range.lowerBound].suffix(100), as: UTF8.self)
            let after = String(decoding: text.utf8[match.range.upperBound...].prefix(100), as: UTF8.self)
            if let literal = found.literal {
                // The argument of a call such as `issuer = Uri.parse("https://…")`, one of several values such as
                // `id = isTest ? 'a' : 'b'`, or one in a list. The limit keeps the time linear.
                let isNear = text.utf8.distance(from: call.end, to: literal.startIndex) < 200
                let between = isNear ? text[call.end..<literal.startIndex] : ";"
                let isKey = after.prefixMatch(of: /\s*(?:=>|[:=])/) != nil
                let isArgument =
                    literal.contains("/.well-known/") && between.wholeMatch(of: /\((?:\w+:\s)?/) != nil
                let own = found.name ?? found.macro ?? (isArgument ? call.name : nil)
                let list = own == nil && !isKey ? before.firstMatch(of: lists) : nil
                let isPart =
                    own == nil && list == nil && !literal.contains("://") && between.wholeMatch(of: choice) != nil
                let other = list.map { $0.1 == nil ? "policies" : "scopes" }
                let name = own ?? (isPart ? call.name : (other ?? (literal.contains("://") ? "address" : "value"))[...])
                add(literal, of: name, line, before, after, isPart: isPart)
            } else if let name = found.plain, let id = found.guid {
                settings.append(Setting(path: [String(name)], text: id, line: line))
            } else if let bare = found.bare {
                settings.append(
                    Setting(
                        path: [bare.hasPrefix("api") ? "scope" : "address"], text: bare.replacing(/[.:]+$/, with: ""),
                        line: line))
            } else if let name = found.target ?? found.server {
                call = (name, match.range.upperBound)
                add(reference: found.reference.map(String.init), of: name, line, after)
            }
        }
    }

    private mutating func add(
        _ literal: Substring, of name: Substring, _ line: Int, _ before: String, _ after: String, isPart: Bool
    ) {
        let text = DraftSource.trimmed(literal, and: "\"'`\\")
        var setting = Setting(path: [String(name)], text: text, line: line)
        if name == "value", let found = after.prefixMatch(of: value) {
            // The literal is a name: `'client_id' => env('CLIENT_ID')`.
            return add(reference: String(found.1), of: text[...], line, String(after[found.range.upperBound...]))
        } else if name == "value", let found = text.wholeMatch(of: word) {
            setting = Setting(path: Setting.names(found.1), text: found.2, line: line)
        }
        let isKnown = SettingMeaning.of(setting) != nil || setting.isHint || setting.isNamed
        // A comparison says nothing.
        guard setting.text.contains("://") || isKnown, !before.contains(comparison) else { return }
        let isWhole = !isPart && !before.contains(operation) && after.prefixMatch(of: continuation) == nil
        setting.state = isWhole && !setting.isComputed ? .literal : .expression
        settings.append(setting)
    }

    // A client ID of another object is another one. An authority may be named by its literal.
    private mutating func add(reference: String?, of name: Substring, _ line: Int, _ after: String) {
        var setting = Setting(path: [String(name)], text: reference ?? "…", line: line)
        guard let meaning = SettingMeaning.of(setting)?.meaning, !types.contains(setting.text) else { return }
        let isCall = setting.text.contains("(") || after.prefixMatch(of: /\((?!\s*["'@])/) != nil
        let isName = reference != nil && !isCall && after.prefixMatch(of: continuation) == nil
        let isVariable = isName && setting.text.contains(variable)
        switch meaning {
        case _ where isVariable: setting.state = .variable
        case .secret, .api: break
        case .clientID: setting.state = isName && !setting.text.contains(".") ? .reference : .expression
        case .authority: setting.state = isName ? .reference : .expression
        default:
            guard setting.text.contains("(") else { return }
            setting.state = .expression
        }
        settings.append(setting)
    }

    // Those that declare a name, and the values that say nothing.
    private let types: Set = [
        "nil", "null", "NULL", "undefined", "None", "any", "String", "string", "str", "String?", "string?",
    ]
}
