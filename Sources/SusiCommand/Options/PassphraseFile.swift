import Susi

/// A file that holds a passphrase, since none is ever an argument.
enum PassphraseFile {
    private static let longest = 4_096

    /// The first line. `place` is what named the file.
    static func read(_ file: String, _ place: String) throws(SusiError) -> String {
        let line = SmallFile.read(file, limit: longest)?.prefix { $0 != UInt8(ascii: "\n") }
        guard let line, !line.isEmpty, line.count < longest, let text = String(validating: line, as: UTF8.self) else {
            throw SusiError(
                .invalidRequest, "no passphrase in “\(file)”",
                why: "expected a readable file with the passphrase in its first line",
                next: "check \(place)")
        }
        return text
    }
}
