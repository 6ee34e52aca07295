import Crypto
import FoundationEssentials
import SusiOAuth
import SusiSQLite

/// Encrypts secrets with AES-256-GCM (NIST SP 800-38D), each bound to its row and its column.
struct Seal {
    struct Sealed {
        let keyID: [UInt8]
        /// Nonce, ciphertext and tag.
        let bytes: [UInt8]

        init(keyID: [UInt8], bytes: [UInt8]) { (self.keyID, self.bytes) = (keyID, bytes) }

        init(_ row: borrowing Row, _ column: String) throws {
            self.init(keyID: try row.blob("key_id"), bytes: try row.blob(column))
        }

        func columns(_ name: String) -> ColumnValues { ["key_id": .blob(keyID), name: .blob(bytes)] }
    }

    /// The id of the key, computed only to encrypt.
    var keyID: [UInt8] { key.id.bytes }
    private let key: SealingKey
    private var symmetric: SymmetricKey { SymmetricKey(data: key.bytes) }

    init(key: SealingKey) { self.key = key }

    /// Encrypts `secret` for its owner, with a new random nonce.
    func seal(_ secret: String, _ owner: Owner) throws -> Sealed {
        let keyID = keyID
        return Sealed(keyID: keyID, bytes: try seal(Array(secret.utf8), authenticating: keyID + owner.bytes))
    }

    /// Returns a new random nonce, the ciphertext and the tag, which authenticates `data` too.
    func seal(_ content: [UInt8], authenticating data: [UInt8]) throws -> [UInt8] {
        let box = try AES.GCM.seal(content, using: symmetric, authenticating: data)
        return Array(box.nonce) + box.ciphertext + box.tag
    }

    /// Decrypts what `seal` made; `nil` if it was altered, moved from elsewhere or encrypted with another key.
    func open(_ sealed: Sealed, _ owner: Owner) -> String? {
        open(sealed.bytes, authenticating: sealed.keyID + owner.bytes).map { String(decoding: $0, as: UTF8.self) }
    }

    func open(_ sealed: [UInt8], authenticating data: [UInt8]) -> [UInt8]? {
        guard let box = try? AES.GCM.SealedBox(combined: sealed) else { return nil }
        return (try? AES.GCM.open(box, using: symmetric, authenticating: data)).map { Array($0) }
    }

    /// The row and the column of a secret as additional data: a ciphertext that was moved elsewhere cannot be decrypted.
    struct Owner {
        fileprivate let bytes: [UInt8]

        /// `accounts.claims`, under the key of the account's id token.
        static func claims(of account: Account) -> Owner {
            Owner(bytes: TokenKey.id(account).bytes + Array("claims".utf8))
        }

        /// `sign_outs.label`.
        static func signOut(group: Int64, clientID: String, policyKey: String) -> Owner {
            Owner(bytes: LengthPrefixed.bytes(["susi-sign-out-1", "\(group)", clientID, policyKey, "label"]))
        }

        static func token(_ key: TokenKey) -> Owner { Owner(bytes: key.bytes + Array("secret".utf8)) }
    }
}
