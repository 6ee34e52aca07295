import Susi
import SusiBase

/// A file with a passphrase. Passphrases are never arguments, because other users can read arguments.
enum PassphraseFile {
    private static let limit = 4_096

    /// Returns the first line. `place` is the option or variable that names the file.
    static func read(_ file: String, _ place: String) throws(SusiError) -> String {
        let content: [UInt8]?
        do throws(OwnedFile.Flaw) {
            let isRegular = SmallFile.kind(file) == .file
            let read = isRegular ? OwnedFile.read(file, limit: limit) : nil
            if let flaw = read?.flaw { throw flaw }
            content = try isRegular ? read?.content : OwnedFile.pipe(file, limit: limit)
        } catch { throw SusiError(error, otherwise: "copy it to a file of your own") }
        let line = content.map(SmallFile.firstLine)
        guard let line, !line.isEmpty, line.count < limit, let text = String(validating: line, as: UTF8.self) else {
            throw SusiError(
                .invalidRequest, "no passphrase in “\(file)”",
                why: "expected a readable file with the passphrase in its first line",
                next: "check \(place)")
        }
        return text
    }
}
