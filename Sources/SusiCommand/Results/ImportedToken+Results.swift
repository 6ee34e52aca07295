import Susi

/// An imported token that was not used yet. It is not an account, because nothing in it was verified.
extension ImportedToken {
    /// The token in JSON, without its secret.
    var json: JSONObject {
        [
            "label": label, "policy": key.policy.spelling, "source": source, "identifier": identifier,
            "imported": Timestamp(importedOn),
        ]
    }

    /// The cache's handle for the account.
    var identifier: String { key.home.utid.isEmpty ? key.home.uid : key.home.description }

    /// The label made safe for a terminal.
    var safeLabel: String { Terminal.safe(label) }

    /// The policy's name made safe for a terminal.
    var safePolicy: String { Terminal.safe(key.policy.spelling) }

    /// The line of a report about its removal.
    func removal(_ verb: String, _ style: Style) -> String {
        "\(verb) \(style.strong(safeLabel)) under \(safePolicy): imported, never used"
    }
}
