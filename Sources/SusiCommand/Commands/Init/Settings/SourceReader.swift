import Susi

/// Reads source code, and any other text that is not a structured file: its literals with the names before them.
///
/// Comments do not count. Nothing is put together, no reference is followed, and no branch is chosen: where the program
/// makes a value in another way, the value is open.
struct SourceReader {
    private typealias Token = (
        Substring, name: Substring?, macro: Substring?, literal: Substring?, target: Substring?, reference: Substring?,
        server: Substring?
    )

    // The limits keep the time linear. In the reading of a variable, an argument may be the value without it.
    private let token: Regex<Token> =
        #/
        //[^\n]* | /\*(?s:.*?)(?:\*/|\z) | <!--(?s:.*?)(?:-->|\z) | <\#(?s:.*?)(?:\#>|\z)
        | \n=begin\b(?s:.*?)(?:\n=end|\z) | \s\#(?!define\b)[^\n]*
        | \bclass\s{1,20}\w{1,80}\s{0,20}:
        | (?: ["'`]?\b(?<name>[A-Za-z_$][\w$]{0,80})["'`]? \s{0,20} (?:\??:\s{0,20}[A-Za-z_][\w<>\[\]?.|\x20]{0,80})?
                (?:=>|[:=]) \s{0,200} [@$a-z]{0,2}
            | \#define\s+(?<macro>\w{1,80})\s+@? )?
          (?<literal> """(?s:.*?)""" | '''(?s:.*?)''' | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' | `[^`]*` )
        | \b(?<target>[A-Za-z_$][\w$]{0,80})["'`]? \s{0,20} (?: \+= | \|\|= | \?\?= | (?:=>|[:=])(?![=:>])\s{0,200}
            (?:(?:this|self)\.)? (?<reference>[\w$.]{0,80}[eE][nN][vV]\w{0,40}\([^()]{0,400}\) | [A-Za-z_$][\w$.!?]{0,80}) )
        | \b(?<server>BearerStrategy|AddMicrosoftIdentityWebApi|AddJwtBearer|oauth2ResourceServer)\b
        /#
        .matchingSemantics(.unicodeScalar).asciiOnlyWordCharacters().wordBoundaryKind(.simple)
    // What makes a value a part of another one, a default or one of several.
    private let operation =
        /(?:[+|&%]|\?:?|\bor|\belse|\bdefault(?:Value)?\s*[:=])\s*[@$a-z]?$|\s\?\s[^;{}"'`\n]*(?:\n\s*:\s*)?$/
    private let continuation = /\s*(?:[-+.?|&%*\\!"'`]|(?:if|or|unless)\s)/
    private let comparison = /(?:[!=]==?|(?:[eE]quals\w*|startsWith|hasPrefix|contains|includes)\()\s*$/
    private let variable = /^(?:import\.meta|process)\.env\./
    private(set) var settings: [Setting] = []

    init(_ text: String) {
        let text = "\n\(text)"
        var (line, place) = (0, text.startIndex)
        for match in text.matches(of: token) {
            let found = match.output
            let value = found.literal ?? found.reference ?? found.0
            line += text.utf8[place..<value.startIndex].count { $0 == UInt8(ascii: "\n") }
            place = value.startIndex
            let after = String(decoding: text.utf8[match.range.upperBound...].prefix(100), as: UTF8.self)
            if let literal = found.literal {
                let before = String(decoding: text.utf8[..<match.range.lowerBound].suffix(100), as: UTF8.self)
                add(literal, of: found.name ?? found.macro ?? "address", line, before, after)
            } else if let name = found.target ?? found.server {
                add(reference: found.reference.map(String.init), of: name, line, after)
            }
        }
    }

    private mutating func add(_ literal: Substring, of name: Substring, _ line: Int, _ before: String, _ after: String)
    {
        let text = DraftSource.trimmed(literal, and: "\"'`")
        var setting = Setting(path: [String(name)], text: text, line: line)
        // A comparison says nothing.
        guard text.contains("://") || SettingMeaning.of(setting) != nil, !before.contains(comparison) else { return }
        let isWhole = !before.contains(operation) && after.prefixMatch(of: continuation) == nil
        setting.state = isWhole ? setting.isTemplate ? .reference : .literal : .expression
        settings.append(setting)
    }

    // A client ID of another object is another one. An authority may be named by its literal.
    private mutating func add(reference: String?, of name: Substring, _ line: Int, _ after: String) {
        var setting = Setting(path: [String(name)], text: reference ?? "…", line: line)
        guard let meaning = SettingMeaning.of(setting)?.meaning, !types.contains(setting.text) else { return }
        let isName = reference != nil && !setting.text.contains("(") && after.prefixMatch(of: continuation) == nil
        let isVariable = isName && setting.text.contains(variable)
        switch meaning {
        case _ where isVariable: setting.state = .variable
        case .secret, .api: break
        case .clientID: setting.state = isName && !setting.text.contains(".") ? .reference : .expression
        case .authority: setting.state = isName ? .reference : .expression
        case .audience, .redirect, .metadata, .part, .policy: return
        }
        settings.append(setting)
    }

    // Those that declare a name, and the values that say nothing.
    private let types: Set = [
        "nil", "null", "undefined", "None", "any", "String", "string", "str", "String?", "string?",
    ]
}
