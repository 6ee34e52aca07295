import FoundationEssentials
import SusiBase
import SusiPolicies
import SystemPackage

/// A custom page, as in Azure AD B2C: the emulator inserts its form into the element `<div id="api"></div>`. Everything that
/// the page loads needs an absolute address. Scripts do not run.
struct PageTemplate: Sendable {
    /// In bytes.
    static let largest = 256 * 1_024

    /// The reason why a file cannot be used.
    struct Unusable: Error, CustomStringConvertible {
        let path: String
        let reason: String

        var description: String { "Cannot use the page template \(path): \(reason)." }
    }

    private let start: Substring
    private let end: Substring

    /// Reads the file. Each page reads it again, so that a change is visible at once.
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

    /// Returns `nil` if the page has no element for the form.
    init?(text: String) {
        let pattern = #/<div\b[^>]*?\sid\s*=\s*(?:"api"|'api'|api(?=[\s>]))[^>]*>\s*</div\s*>/#.ignoresCase()
        guard let match = text.firstMatch(of: pattern), let close = match.0.firstIndex(of: ">") else { return nil }
        start = text[...close]
        end = text[text.index(after: close)...]
    }

    /// The page with the form and a warning at the top.
    func filled(with content: HTML, _ words: Words) -> String {
        // A style sheet of the page must not hide the warning.
        let style = """
            all:initial!important;display:block!important;padding:.45rem 1rem!important;text-align:center!important;\
            font:.875rem/1.5 system-ui,sans-serif!important;background:#ffe9a8!important;color:#4a3800!important
            """
        let language: HTML = "lang=\"\(words.language.rawValue)\" dir=\"ltr\""
        let warning: HTML = """
            <p role="note" \(language) style="\(style)"><strong>\(words[.emulator])</strong> \(words[.emulatorNote])</p>
            """
        let body = start.firstMatch(of: #/<body\b[^>]*>/#.ignoresCase())?.range.upperBound ?? start.startIndex
        return
            "\(start[..<body])\n\(warning.text)\(start[body...])\n<div \(language.text)>\(content.text)</div>\n\(end)"
    }

    /// The content security policy of a custom page: it may load styles and media, but no scripts.
    static let policy = [
        "default-src 'none'", "style-src 'unsafe-inline' http: https:", "img-src data: http: https:",
        "font-src data: http: https:", "media-src http: https:",
    ]
}

extension TenantConfiguration {
    /// Checks each policy's template at the start.
    func checkTemplates() throws(EmulatorError) {
        for (policy, settings) in settings.sorted(by: { $0.key.spelling < $1.key.spelling }) {
            do { _ = try settings.template.map(PageTemplate.init) } catch {
                throw .templateUnusable(path: error.path, policy: policy.spelling, reason: error.reason)
            }
        }
    }
}
