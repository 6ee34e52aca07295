import Susi

/// A token imported from another library's cache that was not used yet. It is unchecked, so it is not an account.
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
}
