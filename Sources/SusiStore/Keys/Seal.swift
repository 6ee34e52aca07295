import Crypto
import FoundationEssentials
import SusiOAuth

/// Seals secrets with AES-256-GCM (NIST SP 800-38D), each bound to its row and its column.
struct Seal {
    /// A sealed secret as a row holds it.
    struct Sealed {
        /// Which key sealed it.
        let keyID: [UInt8]
        /// Nonce, ciphertext and tag.
        let bytes: [UInt8]
    }

    /// Which key it is. That is reckoned only for sealing: what opens needs no name for its key.
    var keyID: [UInt8] { key.id.bytes }
    private let key: SealingKey
    private var symmetric: SymmetricKey { SymmetricKey(data: key.bytes) }

    init(key: SealingKey) { self.key = key }

    /// Seals `secret` for one column of the row that `owner` names, with a fresh random nonce.
    func seal(_ secret: String, _ owner: TokenKey, column: Column) throws -> Sealed {
        try seal(secret, bound: column.bound(to: owner))
    }

    /// Seals the refresh token of the imported row that `owner` names.
    func seal(_ secret: String, _ owner: ImportedToken.Key) throws -> Sealed {
        try seal(secret, bound: owner.bytes)
    }

    /// Opens what `seal` made; nil when it was altered, cut, moved from elsewhere or sealed with another key.
    func open(_ sealed: Sealed, _ owner: TokenKey, column: Column) -> String? {
        open(sealed, bound: column.bound(to: owner))
    }

    /// Opens the refresh token of an imported row; nil as above.
    func open(_ sealed: Sealed, _ owner: ImportedToken.Key) -> String? { open(sealed, bound: owner.bytes) }

    private func seal(_ secret: String, bound: [UInt8]) throws -> Sealed {
        let keyID = keyID
        let box = try AES.GCM.seal(Array(secret.utf8), using: symmetric, authenticating: keyID + bound)
        return Sealed(keyID: keyID, bytes: Array(box.nonce) + box.ciphertext + box.tag)
    }

    private func open(_ sealed: Sealed, bound: [UInt8]) -> String? {
        guard let box = try? AES.GCM.SealedBox(combined: sealed.bytes),
            let bytes = try? AES.GCM.open(box, using: symmetric, authenticating: sealed.keyID + bound)
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The columns that hold something sealed.
    enum Column: String {
        /// `accounts.claims`, under the key of the account's id token.
        case claims
        /// `tokens.secret`.
        case secret

        /// The additional data: a ciphertext that was moved to another row or column does not open.
        fileprivate func bound(to owner: TokenKey) -> [UInt8] { owner.bytes + Array(rawValue.utf8) }
    }
}
