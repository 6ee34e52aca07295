import FoundationEssentials
import SusiPolicies
import SystemPackage

/// A page of one's own, with an element `<div id="api"></div>` into which the emulator puts its form, as Azure AD B2C does
/// it with custom page content. What the page loads has to be named with its whole address. Scripts do not run: the
/// service allows them only where they are switched on, and the emulator nowhere.
struct PageTemplate: Sendable {
    /// In bytes; a page that is larger is refused.
    static let largest = 256 * 1_024

    /// Why a file cannot be used.
    struct Unusable: Error, CustomStringConvertible {
        let path: String
        let reason: String

        var description: String { "Cannot use the page template \(path): \(reason)." }
    }

    private let start: Substring
    private let end: Substring

    /// Reads the file as it is now, so that a change is seen with the next page. Throws `Unusable`.
    init(_ path: FilePath) throws(Unusable) {
        let reason: String
        switch SmallFile.read(path.string, limit: Self.largest) {
        case nil: reason = "the file does not exist or cannot be read"
        case let bytes? where bytes.count > Self.largest: reason = "the file is larger than \(Self.largest) bytes"
        case let bytes?:
            if let text = String(validating: bytes, as: UTF8.self) {
                if let template = PageTemplate(text: text) {
                    self = template
                    return
                }
                reason = "the file has no empty element <div id=\"api\"></div> for the form"
            } else {
                reason = "the file is not UTF-8"
            }
        }
        throw Unusable(path: path.string, reason: reason)
    }

    /// The page in `text`; nil when it has no endpoint for the form.
    init?(text: String) {
        let pattern = #/<div\b[^>]*?\sid\s*=\s*(?:"api"|'api'|api(?=[\s>]))[^>]*>\s*</div\s*>/#.ignoresCase()
        guard let match = text.firstMatch(of: pattern), let close = match.0.firstIndex(of: ">") else { return nil }
        start = text[...close]
        end = text[text.index(after: close)...]
    }

    /// The page with `content` in its endpoint and the warning before everything else.
    func filled(with content: HTML, _ words: Words) -> String {
        // No style sheet of the page hides it.
        let style = """
            all:initial!important;display:block!important;padding:.45rem 1rem!important;text-align:center!important;\
            font:.875rem/1.5 system-ui,sans-serif!important;background:#ffe9a8!important;color:#4a3800!important
            """
        let language: HTML = "lang=\"\(words.language.rawValue)\" dir=\"\(words.language.direction)\""
        let warning: HTML = """
            <p role="note" \(language) style="\(style)"><strong>\(words[.emulator])</strong> \(words[.emulatorNote])</p>
            """
        let body = start.firstMatch(of: #/<body\b[^>]*>/#.ignoresCase())?.range.upperBound ?? start.startIndex
        return
            "\(start[..<body])\n\(warning.text)\(start[body...])\n<div \(language.text)>\(content.text)</div>\n\(end)"
    }

    /// What such a page may load: its own looks, and no script of anybody.
    static let policy = [
        "default-src 'none'", "style-src 'unsafe-inline' http: https:", "img-src data: http: https:",
        "font-src data: http: https:", "media-src http: https:",
    ]
}

extension TenantConfiguration {
    /// Reads each policy's template once, so that a wrong one is known at the start. Throws
    /// `EmulatorError.templateUnusable`.
    func checkTemplates() throws(EmulatorError) {
        for (policy, settings) in settings.sorted(by: { $0.key.spelling < $1.key.spelling }) {
            do { _ = try settings.template.map(PageTemplate.init) } catch {
                throw .templateUnusable(path: error.path, policy: policy.spelling, reason: error.reason)
            }
        }
    }
}
