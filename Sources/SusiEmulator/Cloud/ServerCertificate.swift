import NIOCore
import NIOSSL
import SusiBase
import SusiPolicies
import SwiftASN1
import Synchronization
import SystemPackage

/// The certificates of an emulator in DER: two of one key, and that of their issuer.
struct ServerCertificate {
    let key: [UInt8]
    /// The certificate for all host names of this machine.
    let certificate: [UInt8]
    /// The certificate for host names only, sent to clients that ask for it (RFC 6066 section 3). BoringSSL, which
    /// `susi` uses, does not support name constraints for addresses and refuses certificates with an address under an
    /// authority that has them.
    let named: [UInt8]
    let issuer: [UInt8]
}

extension ServerCertificate {
    private static let labels = ["PRIVATE KEY", "CERTIFICATE", "CERTIFICATE", "CERTIFICATE"]

    /// Reads `server.pem`; nil if its content is not as expected.
    init?(_ path: FilePath) throws {
        let documents = try pemDocuments(path)
        guard documents.map(\.discriminator) == Self.labels else { return nil }
        self.init(
            key: documents[0].derBytes, certificate: documents[1].derBytes, named: documents[2].derBytes,
            issuer: documents[3].derBytes)
    }

    var pem: String {
        zip(Self.labels, [key, certificate, named, issuer])
            .map { PEMDocument(type: $0, derBytes: $1).pemString + "\n" }.joined()
    }
}

/// The TLS settings of an emulator, whose certificate is renewed a month before it expires, also while the emulator runs.
final class ServerTLS: Sendable {
    private struct Shown {
        let context: NIOSSLContext
        let renewal: Int64
    }

    private static let renewedBefore: Int64 = 30 * 86_400
    private let folder: FilePath
    private let file: DatabaseFile
    private let names: [CertificateName]
    private let now: @Sendable () -> Int64
    private let shown = Mutex<Shown?>(nil)

    /// Stores certificates in `folder`; a write transaction of `file` serves as the lock. Serves the public hosts of `reach` beside
    /// `localhost`. For hosts of the cloud, the authority is one of this run alone; a certificate of the user's own replaces all.
    init(
        folder: FilePath, file: DatabaseFile, reach: ListenOptions = .loopback, now: @escaping @Sendable () -> Int64
    ) throws {
        self.folder = folder
        self.file = file
        self.now = now
        names = reach.secureHosts.map(CertificateName.init(host:)).reduce(into: CertificateName.loopback) {
            names, name in
            if !names.contains(name) { names.append(name) }
        }
        let fixed: Shown? =
            if let own = reach.certificate { try Self.shown(own) } else if reach.cloudHosts.isEmpty { nil } else {
                try Self.make(in: folder, for: reach.cloudHosts, now: now())
            }
        shown.withLock { $0 = fixed }
        // Report errors at the start, not to the first client.
        _ = try context()
    }

    func context() throws -> NIOSSLContext {
        try shown.withLock { shown in
            let now = now()
            if let shown, now < shown.renewal { return shown.context }
            let made = try file.write { _ in try make(now: now) }
            shown = made
            return made.context
        }
    }

    private func make(now: Int64) throws -> Shown {
        let (authority, key) = try CertificateAuthority.loadOrCreate(in: folder, for: names, now: now)
        let path = folder.appending("server.pem")
        if let kept = try ServerCertificate(path), kept.issuer == authority.certificate,
            Set(names).isSubset(of: CertificateName.names(in: kept.certificate)), let shown = try? Self.shown(kept),
            now < shown.renewal
        {
            return shown
        }
        let made = try authority.issue(key, for: names, now: now)
        try PrivateFile.write(made.pem, to: path)
        return try Self.shown(made)
    }

    // Without addresses of this machine: some libraries support no limits of an authority to addresses.
    private static func make(in folder: FilePath, for hosts: Set<String>, now: Int64) throws -> Shown {
        let names = (["localhost"] + hosts.map { String($0.prefix { $0 != ":" }) }.sorted()).map(CertificateName.dns)
        let (authority, key) = try CertificateAuthority.ofThisRun(in: folder, limitedTo: names, now: now)
        let made = try shown(try authority.issue(key, for: names, now: now))
        return Shown(context: made.context, renewal: .max)
    }

    private static func configuration(
        _ chain: [NIOSSLCertificate], _ key: NIOSSLPrivateKey
    ) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        return configuration
    }

    // It is read once: a renewed one is served from the next start on.
    private static func shown(_ own: OwnCertificate) throws -> Shown {
        let (chain, key) = try own.read()
        return Shown(context: try NIOSSLContext(configuration: configuration(chain, key)), renewal: .max)
    }

    private static func shown(_ server: ServerCertificate) throws -> Shown {
        let certificate = try NIOSSLCertificate(bytes: server.certificate, format: .der)
        var configuration = configuration([certificate], try NIOSSLPrivateKey(bytes: server.key, format: .der))
        var named = NIOSSLContextConfigurationOverride()
        named.certificateChain = [.certificate(try NIOSSLCertificate(bytes: server.named, format: .der))]
        configuration.sslContextCallback = { [named] client, promise in
            promise.succeed(client.serverHostname == nil ? .noChanges : named)
        }
        return Shown(
            context: try NIOSSLContext(configuration: configuration),
            renewal: Int64(certificate.notValidAfter) - renewedBefore)
    }
}

/// The files of the emulator that only their owner can read.
extension PrivateFile {
    /// Reads a file; `nil` if it does not exist or cannot be read. Throws if another user could have written it.
    static func read(_ path: FilePath, limit: Int) throws(EmulatorError) -> [UInt8]? {
        do { return try OwnedFile.content(path.string, limit: limit) } catch { throw EmulatorError(error) }
    }

    /// Replaces a file, so that a reader gets either the old or the new content.
    static func write(_ text: String, to path: FilePath) throws(EmulatorError) {
        do { try write(text.utf8, to: path) } catch {
            throw .folderUnusable(path: path.removingLastComponent().string, reason: FileFailure.reason(error))
        }
    }
}
