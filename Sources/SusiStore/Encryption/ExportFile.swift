internal import SusiPolicies

/// An encrypted export: a text, encrypted as a whole under a passphrase.
///
/// The file has a line with its version, a line with the derivation of the key as in a key file, and AES-256-GCM's nonce,
/// ciphertext and tag, which authenticates the two lines too.
package enum ExportFile {
    /// The beginning of the first line in every version. A number alone follows it in earlier ones, which held a store.
    private static let family = "susi-export-"
    private static let version = "\(family)list-1\n"
    /// The maximum size of a file, in bytes.
    package static let largest = 64 << 20

    /// Returns whether a file is an encrypted export, of any version.
    package static func isExport(_ file: some Sequence<UInt8>) -> Bool { file.starts(with: family.utf8) }

    /// Encrypts a content. Throws ``ExportFileError/tooLarge``.
    package static func seal(_ content: [UInt8], passphrase: String) throws -> [UInt8] {
        try seal(content, with: try NewKey(for: .passphrase, from: passphrase, lifetime: 0))
    }

    static func seal(_ content: [UInt8], with new: NewKey) throws -> [UInt8] {
        let lines = Array((version + new.record.line).utf8)
        guard content.count < largest - 2 * KeyRecord.largest else { throw ExportFileError.tooLarge }
        return lines + (try Seal(key: new.key).seal(content, authenticating: lines))
    }

    /// Returns the content of a file.
    package static func open(_ file: [UInt8], passphrase: String) throws(ExportFileError) -> [UInt8] {
        guard isExport(file) else { throw .notOurs }
        guard file.starts(with: version.utf8) else { throw .otherVersion }
        guard file.count <= largest else { throw .tooLarge }
        let rest = file.dropFirst(version.utf8.count)
        guard let end = rest.prefix(KeyRecord.largest).firstIndex(of: UInt8(ascii: "\n")),
            let record = KeyRecord(Array(rest[...end])), record.source == .passphrase
        else { throw .altered }
        guard let key = record.key(from: passphrase) else { throw .wrongPassphrase }
        guard let content = Seal(key: key).open(Array(file[(end + 1)...]), authenticating: Array(file[...end]))
        else { throw .altered }
        return content
    }
}

/// Why an encrypted export was refused.
package enum ExportFileError: Error, Hashable, Sendable {
    /// It is not an encrypted export.
    case notOurs
    /// Another version of this program wrote it.
    case otherVersion
    case tooLarge
    /// The passphrase is not that of the file, or the beginning of the file was altered.
    case wrongPassphrase
    /// A byte was altered, or the end is missing.
    case altered
    /// The content is not a list of refresh tokens; the text says why.
    case content(String)
}
