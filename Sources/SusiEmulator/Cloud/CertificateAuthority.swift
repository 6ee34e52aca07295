import Crypto
import FoundationEssentials
import NIOSSL
import SusiBase
import SusiPolicies
import SwiftASN1
public import SystemPackage

/// The emulator's certificate authority, created at the first start with https and stored in the emulator's folder.
///
/// Its certificate limits it to `localhost`, 127.0.0.1, ::1 and the public names of the emulator (RFC 5280 section 4.2.1.10), so that
/// trusting it does not expose other servers. Its key is in `ca-key.pem`, readable by its owner only and not encrypted.
public struct CertificateAuthority: Sendable {
    private static let lifetime: Int64 = 3_650 * 86_400
    private static let serverLifetime: Int64 = 90 * 86_400
    // The clocks of other machines, such as a container's host, can differ.
    private static let earlier: Int64 = 86_400

    /// The file with its certificate in PEM.
    public let path: FilePath
    /// Its unique name, which lists of trusted authorities show.
    package let name: String
    /// The certificate in DER.
    package let certificate: [UInt8]
    /// When it expires, in epoch seconds.
    package let notAfter: Int64

    /// The names to which it is limited.
    package var names: [CertificateName] {
        CertificateName.names(in: certificate).filter { !$0.description.hasPrefix(".") }
    }

    /// The certificate in PEM, with a line feed at the end.
    public var pem: String { PEMDocument(type: "CERTIFICATE", derBytes: certificate).pemString + "\n" }

    /// The SHA-256 of the certificate, in hexadecimal digits.
    public var fingerprint: String { Hexadecimal.encode(sha256(Data(certificate))) }

    /// Reads the certificate in an emulator's folder; nil if there is none. Throws `EmulatorError` if the file is not a
    /// certificate, or if another user could have written it.
    package static func existing(in folder: FilePath) throws -> CertificateAuthority? {
        let path = file(in: folder)
        guard SmallFile.exists(path.string) else { return nil }
        guard let certificate = try pemDocuments(path).first(where: { $0.discriminator == "CERTIFICATE" })?.derBytes,
            let read = try? NIOSSLCertificate(bytes: certificate, format: .der),
            let key = try? P256.Signing.PublicKey(derRepresentation: read.extractPublicKey().toSPKIBytes())
        else { throw EmulatorError.certificateUnusable(path: path.string) }
        return CertificateAuthority(
            path: path, name: name(of: key), certificate: certificate, notAfter: Int64(read.notValidAfter))
    }

    private static func name(of key: P256.Signing.PublicKey) -> String {
        "susi emulator " + Hexadecimal.encode(CertificateExtension.identifier(of: key).prefix(4))
    }

    /// The path of its certificate in an emulator's folder.
    package static func file(in folder: FilePath) -> FilePath { folder.appending("ca.pem") }

    private static func keyFile(in folder: FilePath) -> FilePath { folder.appending("ca-key.pem") }

    /// The authority of a folder with its key. Creates both if they are missing, cannot sign for one of these names, can
    /// sign for those below, or would expire before the certificates that they sign. The caller holds the lock.
    static func loadOrCreate(
        in folder: FilePath, for names: [CertificateName] = CertificateName.loopback, now: Int64
    ) throws -> (CertificateAuthority, P256.Signing.PrivateKey) {
        let found = try existing(in: folder)
        let limits = Set(names + CertificateName.below(names))
        guard let found, now + serverLifetime < found.notAfter,
            limits.isSubset(of: CertificateName.names(in: found.certificate))
        else {
            return try make(in: folder, for: names, now: now)
        }
        let document = try pemDocuments(keyFile(in: folder)).first { $0.discriminator == "PRIVATE KEY" }
        guard let document, let key = try? P256.Signing.PrivateKey(derRepresentation: document.derBytes) else {
            throw EmulatorError.certificateUnusable(path: keyFile(in: folder).string)
        }
        return (found, key)
    }

    // The certificate is written last: if it exists, the key is complete.
    private static func make(
        in folder: FilePath, for names: [CertificateName], now: Int64
    ) throws -> (CertificateAuthority, P256.Signing.PrivateKey) {
        let key = P256.Signing.PrivateKey()
        let authority = try make(key, in: folder, limitedTo: names, now: now)
        let secret = """
            This key of \(authority.name) is not encrypted. Everyone who has it can run
            a server with one of these names that is trusted where ca.pem is trusted, and no other server:
            \(names.map(\.description).joined(separator: ", "))
            \(key.pemRepresentation)

            """
        SmallFile.remove(authority.path.string)
        try PrivateFile.write(secret, to: keyFile(in: folder))
        try PrivateFile.write(authority.pem, to: authority.path)
        return (authority, key)
    }

    /// Makes an authority whose key stays in memory: it ends with this process. Only its certificate is written, for programs that
    /// are to trust it.
    static func ofThisRun(
        in folder: FilePath, limitedTo names: [CertificateName], now: Int64
    ) throws -> (CertificateAuthority, P256.Signing.PrivateKey) {
        let key = P256.Signing.PrivateKey()
        let authority = try make(key, in: folder, limitedTo: names, now: now)
        try PrivateFile.write(authority.pem, to: authority.path)
        return (authority, key)
    }

    private static func make(
        _ key: P256.Signing.PrivateKey, in folder: FilePath, limitedTo names: [CertificateName], now: Int64
    ) throws -> CertificateAuthority {
        let name = name(of: key.publicKey)
        let validity = now - earlier...now + lifetime
        let certificate = Certificate(
            issuer: name, subject: name, validity: validity, key: Array(key.publicKey.derRepresentation),
            extensions: try CertificateExtension.ofAuthority(key.publicKey, limitedTo: names))
        return CertificateAuthority(
            path: file(in: folder), name: name, certificate: try certificate.signed(by: key),
            notAfter: validity.upperBound)
    }

    /// New certificates with their key: for all these names, and for the host names among them.
    func issue(
        _ key: P256.Signing.PrivateKey, for names: [CertificateName] = CertificateName.loopback, now: Int64
    ) throws -> ServerCertificate {
        let own = P256.Signing.PrivateKey()
        let validity = now - Self.earlier...min(now + Self.serverLifetime, notAfter)
        let certificate = { (names: [CertificateName]) in
            try Certificate(
                issuer: name, subject: "localhost", validity: validity, key: Array(own.publicKey.derRepresentation),
                extensions: CertificateExtension.ofServer(own.publicKey, names: names, issuer: key.publicKey)
            ).signed(by: key)
        }
        return ServerCertificate(
            key: Array(own.derRepresentation), certificate: try certificate(names),
            named: try certificate(names.filter { !$0.isAddress }), issuer: self.certificate)
    }
}

/// The documents in a PEM file (RFC 7468) of the emulator's folder; none if it cannot be read.
func pemDocuments(_ path: FilePath) throws(EmulatorError) -> [PEMDocument] {
    let bytes = try PrivateFile.read(path, limit: 65_536) ?? []
    return (try? PEMDocument.parseMultiple(pemString: String(decoding: bytes, as: UTF8.self))) ?? []
}
