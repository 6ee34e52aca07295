import Susi

/// An imported token that was not used yet. It is not an account, because nothing in it was verified.
struct ImportedRecord: Encodable {
    let label: String
    let policy: String
    let source: String
    let identifier: String
    let imported: Timestamp

    init(_ token: ImportedToken) {
        label = token.label
        policy = token.key.policy.spelling
        source = token.source
        identifier = token.key.home.utid.isEmpty ? token.key.home.uid : token.key.home.description
        imported = Timestamp(token.importedOn)
    }

    /// The line of a report about its removal.
    func removal(_ verb: String, _ style: Style) -> String {
        "\(verb) \(style.strong(Terminal.safe(label))) under \(Terminal.safe(policy)): imported, never used"
    }
}
