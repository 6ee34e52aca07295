import Susi

/// A file with a passphrase. Passphrases are never arguments, because other users can read arguments.
enum PassphraseFile {
    private static let limit = 4_096

    /// Returns the first line. `place` is the option or variable that names the file.
    static func read(_ file: String, _ place: String) throws(SusiError) -> String {
        let line = SmallFile.read(file, limit: limit)?.prefix { $0 != UInt8(ascii: "\n") }
        guard let line, !line.isEmpty, line.count < limit, let text = String(validating: line, as: UTF8.self) else {
            throw SusiError(
                .invalidRequest, "no passphrase in “\(file)”",
                why: "expected a readable file with the passphrase in its first line",
                next: "check \(place)")
        }
        return text
    }
}
