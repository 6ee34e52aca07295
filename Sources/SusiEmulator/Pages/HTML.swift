import SusiBase

/// HTML that escapes interpolated texts, but not interpolated `HTML`.
struct HTML: ExpressibleByStringInterpolation, Sendable {
    let text: String

    init(stringLiteral value: String) { text = value }

    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    private init(trusted text: String) { self.text = text }

    init(_ pieces: [HTML], between separator: HTML = "\n") {
        self.init(trusted: pieces.map(\.text).joined(separator: separator.text))
    }

    /// A style sheet. It is not escaped, because it is part of the program.
    static func style(_ sheet: String) -> HTML { HTML(trusted: "<style>\(sheet)</style>") }

    /// A script. It is not escaped, because it is part of the program.
    static func script(_ text: String) -> HTML { HTML(trusted: "<script>\(text)</script>") }

    struct StringInterpolation: StringInterpolationProtocol {
        var text = ""

        init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        mutating func appendLiteral(_ literal: String) { text += literal }

        mutating func appendInterpolation(_ html: HTML?) { text += html?.text ?? "" }

        mutating func appendInterpolation(_ text: some StringProtocol) {
            self.text += DisplayText.escapingMarkup(String(text))
        }
    }
}
