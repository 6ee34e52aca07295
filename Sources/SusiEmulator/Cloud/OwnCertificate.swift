import NIOSSL
import SusiBase
import SystemPackage

/// A certificate of the user's own for the emulator: for example of mkcert, or of a company's certificate authority.
package struct OwnCertificate: Hashable, Sendable {
    /// The file with the certificate in PEM, followed by those of intermediate authorities.
    let certificate: FilePath
    /// The file with its private key in PEM, not encrypted.
    let key: FilePath

    package init(certificate: String, key: String) {
        self.certificate = FilePath(certificate)
        self.key = FilePath(key)
    }

    /// Returns the hosts for which the certificate is not valid.
    package func hosts(notIn hosts: [String]) -> [String] {
        let leaf = try? read().chain.first?.toDERBytes()
        let names = Set(CertificateName.names(in: leaf ?? []).map { $0.description.lowercased() })
        return hosts.filter { !names.contains($0) && !names.contains("*\($0.drop { $0 != "." })") }
    }

    /// Throws `EmulatorError.ownCertificateUnusable`.
    func read() throws(EmulatorError) -> (chain: [NIOSSLCertificate], key: NIOSSLPrivateKey) {
        let files = try [certificate, key].map { path throws(EmulatorError) in
            guard let bytes = SmallFile.read(path.string, limit: 1 << 20) else {
                throw .ownCertificateUnusable(path: path.string, reason: "it cannot be read")
            }
            return bytes
        }
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(files[0]), !chain.isEmpty else {
            throw .ownCertificateUnusable(path: certificate.string, reason: "it contains no certificate in PEM")
        }
        guard let secret = try? NIOSSLPrivateKey(bytes: files[1], format: .pem) else {
            throw .ownCertificateUnusable(
                path: key.string, reason: "it contains no private key in PEM, or an encrypted one")
        }
        // BoringSSL compares the keys.
        let pair = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(chain[0])], privateKey: .privateKey(secret))
        guard (try? NIOSSLContext(configuration: pair)) != nil else {
            throw .ownCertificateUnusable(
                path: key.string, reason: "it is not the key of the first certificate in \(certificate)")
        }
        return (chain, secret)
    }
}
