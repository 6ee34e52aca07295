import SusiBase
import SusiPolicies

/// A challenge of a `WWW-Authenticate` header (RFC 9110 section 11.6.1).
package struct AuthenticationChallenge: Hashable, Sendable {
    /// The scheme in lower case, for example `bearer`.
    package let scheme: String
    /// The parameters in the server's order. Their values are the server's text.
    package let parameters: [Parameter]

    /// A parameter with its unquoted value.
    package struct Parameter: Hashable, Sendable {
        /// The name in lower case.
        package let name: String
        package let value: String
    }

    /// The first value of a parameter.
    package subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// The error of a bearer challenge (RFC 6750 section 3.1), for example `invalid_token`; `nil` for other schemes.
    package var bearerError: String? { scheme == "bearer" ? self["error"] : nil }

    /// Returns the challenge with values that contain none of the secrets.
    package func hiding(_ secrets: SentSecrets) -> AuthenticationChallenge {
        AuthenticationChallenge(
            scheme: scheme, parameters: parameters.map { Parameter(name: $0.name, value: secrets.hidden(in: $0.value)) }
        )
    }

    /// Parses the value of a header. A syntax error ends the list; the challenges before it are kept.
    ///
    /// Commas separate both challenges and parameters: a word without an equals sign begins the next challenge.
    package static func list(in header: String) -> [AuthenticationChallenge] {
        var reader = ChallengeReader(header)
        return reader.challenges()
    }
}

/// Reads a comma-separated list in which commas also separate the parameters: a word without an equals sign begins the
/// next challenge.
private struct ChallengeReader {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    mutating func challenges() -> [AuthenticationChallenge] {
        var found: [AuthenticationChallenge] = []
        skip(" \t,")
        while let scheme = token() {
            let parameters = parameters()
            found.append(AuthenticationChallenge(scheme: scheme.lowercased(), parameters: parameters))
            skip(" \t")
            guard rest.first == UInt8(ascii: ",") else { return found }
            skip(" \t,")
        }
        return found
    }

    private mutating func parameters() -> [AuthenticationChallenge.Parameter] {
        skip(" \t")
        if skipToken68() { return [] }
        var found: [AuthenticationChallenge.Parameter] = []
        while let parameter = parameter() {
            found.append(parameter)
            let end = rest
            skip(" \t")
            guard rest.first == UInt8(ascii: ",") else { return found }
            skip(" \t,")
            // The next challenge's scheme, or the end of the header.
            guard isAtParameter else {
                rest = end
                return found
            }
        }
        return found
    }

    private var isAtParameter: Bool {
        var ahead = self
        return ahead.parameter() != nil
    }

    private mutating func parameter() -> AuthenticationChallenge.Parameter? {
        let start = rest
        guard let name = token() else { return nil }
        skip(" \t")
        if rest.popFirst() == UInt8(ascii: "=") {
            skip(" \t")
            if let value = rest.first == UInt8(ascii: "\"") ? quoted() : token() {
                return AuthenticationChallenge.Parameter(name: name.lowercased(), value: value)
            }
        }
        rest = start
        return nil
    }

    // RFC 9110 section 5.6.4: a backslash escapes the next character.
    private mutating func quoted() -> String? {
        rest.removeFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return String(validating: bytes, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            guard let escaped = rest.popFirst() else { return nil }
            bytes.append(escaped)
        }
        return nil
    }

    // RFC 9110 section 11.2: one value instead of parameters. It is skipped if another challenge follows.
    private mutating func skipToken68() -> Bool {
        let value = rest.prefix { $0.isTokenCharacter || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "=") }
        var after = rest[value.endIndex...]
        while let first = after.first, first == 0x20 || first == 0x09 { after.removeFirst() }
        let body = value.prefix { $0 != UInt8(ascii: "=") }
        let isPadded = value[body.endIndex...].allSatisfy { $0 == UInt8(ascii: "=") }
        guard isPadded, after.first == UInt8(ascii: ",") else { return false }
        rest = after
        return true
    }

    private mutating func token() -> String? {
        let word = rest.prefix(while: \.isTokenCharacter)
        guard !word.isEmpty else { return nil }
        rest = rest[word.endIndex...]
        return String(Substring(word))
    }

    private mutating func skip(_ characters: String) {
        rest = rest.drop { characters.utf8.contains($0) }
    }
}
