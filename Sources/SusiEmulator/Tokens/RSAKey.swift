import Crypto
import CryptoExtras
import FoundationEssentials
import Synchronization

/// An RSA key that signs.
final class RSAKey: Sendable {
    /// The key as the library has it that this program is built with.
    let key: _RSA.Signing.PrivateKey

    #if os(Linux)
        private enum Quick {
            case untried, none
            case key(OpenSSLKey)
        }

        private let quick = Mutex(Quick.untried)
        // What signs faster, if it is there.
        private let openSSL: @Sendable () -> SystemOpenSSL?

        init(_ key: _RSA.Signing.PrivateKey, openSSL: @escaping @Sendable () -> SystemOpenSSL? = { .shared }) {
            self.key = key
            self.openSSL = openSSL
        }
    #else
        init(_ key: _RSA.Signing.PrivateKey) { self.key = key }
    #endif

    /// A PS256 signature (RFC 7518 section 3.5).
    func ps256(_ data: Data) throws -> Data { try key.signature(for: data, padding: .PSS).rawRepresentation }

    /// An RS256 signature (RFC 7518 section 3.3): the same bytes whoever makes it.
    func rs256(_ data: Data) throws -> Data {
        #if os(Linux)
            if let signature = try quickKey(data)?.signature(of: sha256(data)) { return Data(signature) }
        #endif
        return try plainRS256(data)
    }

    private func plainRS256(_ data: Data) throws -> Data {
        try key.signature(for: data, padding: .insecurePKCS1v1_5).rawRepresentation
    }

    #if os(Linux)
        // Both sign the first time: another library has to give the very same bytes.
        private func quickKey(_ data: Data) throws -> OpenSSLKey? {
            try quick.withLock { quick in
                if case .untried = quick {
                    quick = .none
                    let size = (key.keySizeInBits + 7) / 8
                    if let library = openSSL(),
                        let found = OpenSSLKey(der: Array(key.derRepresentation), size: size, library),
                        let signature = found.signature(of: sha256(data)), try Data(signature) == plainRS256(data)
                    {
                        quick = .key(found)
                    }
                }
                if case .key(let found) = quick { return found }
                return nil
            }
        }
    #endif
}
