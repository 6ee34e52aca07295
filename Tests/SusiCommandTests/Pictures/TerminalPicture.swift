import Testing

/// What a terminal shows, as a picture in SVG. It follows the reader's choice of light or dark.
struct TerminalPicture {
    /// A piece of a line in one style.
    struct Span: Equatable {
        var text: String
        /// The active codes of SGR (ECMA-48 section 8.3.117), in order.
        var codes: [Int]
    }

    var lines: [[Span]] = []

    mutating func add(command: String) {
        lines.append([Span(text: "$ ", codes: [2]), Span(text: command, codes: [1])])
    }

    /// Adds what a program wrote to a terminal, up to the first movement of the cursor. Throws for a style without a color here.
    mutating func add(output: String) throws {
        var (line, codes): ([Span], [Int]) = ([], [])
        for piece in output.replacing("\r\n", with: "\n").split(separator: "\u{1b}[", omittingEmptySubsequences: false)
            .enumerated()
        {
            var text = piece.element
            if piece.offset > 0 {
                guard let code = text.prefixMatch(of: #/([\d;]*)m/#) else { break }
                codes = try Self.codes(String(code.1), after: codes)
                text = text[code.range.upperBound...]
            }
            for (number, part) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                if number > 0 {
                    lines.append(line)
                    line = []
                }
                if !part.isEmpty { line.append(Span(text: String(part), codes: codes)) }
            }
        }
        if !line.isEmpty { lines.append(line) }
    }

    private static func codes(_ text: String, after active: [Int]) throws -> [Int] {
        try text.split(separator: ";").map { Int($0) ?? 0 }.reduce(into: text.isEmpty ? [] : active) { codes, code in
            switch code {
            case 0: codes = []
            case 22: codes.removeAll { [1, 2].contains($0) }
            case 27: codes.removeAll { $0 == 7 }
            case 39: codes.removeAll { (30...37).contains($0) }
            default:
                try #require(styles[code] != nil, "no style for the code \(code)")
                codes.append(code)
            }
        }
    }

    private static let styles = [
        1: "font-weight:600", 2: "fill:var(--dim)", 7: "text-decoration:underline", 31: "fill:var(--red)",
        32: "fill:var(--green)", 33: "fill:var(--yellow)", 36: "fill:var(--cyan)",
    ]

    var text: String { lines.map { $0.map(\.text).joined() + "\n" }.joined() }

    /// The picture; `title` is read out in its place. Each piece has its place, so that no font can move it.
    func svg(title: String, columns: Int) -> String {
        let (width, height, advance) = (columns * 17 / 2 + 32, lines.count * 20 + 26, 8.5)
        let styles = Self.styles.sorted { $0.key < $1.key }.map { "  .s\($0.key) { \($0.value) }" }
        let texts = lines.enumerated().flatMap { number, line in
            var column = 0
            return line.map { span in
                defer { column += span.text.count }
                let names = span.codes.map { "s\($0)" }.joined(separator: " ")
                return """
                    <text x="\(16 + Double(column) * advance)" y="\(number * 20 + 27)" \
                    textLength="\(Double(span.text.count) * advance)"\(names.isEmpty ? "" : " class=\"\(names)\"")>\
                    \(Self.escaped(span.text))</text>
                    """
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" role="img" aria-label="\(Self.escaped(title))">
            <style>
              svg { --ground: #f6f8fa; --edge: #d1d9e0; --ink: #1f2328; --dim: #59636e; --red: #b3261e; --green: #146c2e; --yellow: #7a4f00; --cyan: #0b5f79 }
              @media (prefers-color-scheme: dark) {
                svg { --ground: #161b22; --edge: #3d444d; --ink: #e6edf3; --dim: #9198a1; --red: #ff9a8f; --green: #5fd38a; --yellow: #e3b341; --cyan: #6cc7e0 }
              }
              rect { fill: var(--ground); stroke: var(--edge) }
              text { fill: var(--ink); font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre }
            \(styles.joined(separator: "\n"))
            </style>
            <rect x=".5" y=".5" width="\(width - 1)" height="\(height - 1)" rx="8"/>
            \(texts.joined(separator: "\n"))
            </svg>

            """
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }
}
