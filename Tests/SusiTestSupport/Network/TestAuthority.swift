import Foundation
import NIOSSL
package import SystemPackage

/// A certificate authority that only tests trust; it issues certificates with openssl.
package struct TestAuthority: Sendable {
    package static var isPossible: Bool { TestEnvironment.program("openssl") != nil }

    /// Its certificate in PEM, trusted only by clients that are configured to.
    package let certificate: FilePath
    private let folder: FilePath
    private var key: FilePath { folder.appending("authority-key.pem") }

    /// A server's certificate with its key.
    package struct Identity: Sendable {
        package let certificate: FilePath
        package let key: FilePath

        func context(demanding authority: TestAuthority? = nil) throws -> NIOSSLContext {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMFile(certificate.string).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: key.string, format: .pem)))
            if let authority {
                configuration.certificateVerification = .noHostnameVerification
                configuration.trustRoots = .file(authority.certificate.string)
            }
            return try NIOSSLContext(configuration: configuration)
        }
    }

    package init(in folder: FilePath) async throws {
        self.folder = folder
        certificate = folder.appending("authority.pem")
        try await make("authority", certificate, key, "basicConstraints=critical,CA:TRUE")
    }

    /// Issues a certificate for names as openssl writes them, for example `DNS:localhost` or `IP:127.0.0.1`.
    package func issue(_ names: String..., commonName: String = "server") async throws -> Identity {
        let name = UUID().uuidString
        let identity = Identity(certificate: folder.appending("\(name).pem"), key: folder.appending("\(name)-key.pem"))
        let extensions = names.isEmpty ? [] : ["subjectAltName=\(names.joined(separator: ","))"]
        try await make(
            commonName, identity.certificate, identity.key, extensions + ["basicConstraints=CA:FALSE"], signs: true)
        return identity
    }

    private func make(_ name: String, _ certificate: FilePath, _ key: FilePath, _ extensions: String...) async throws {
        try await make(name, certificate, key, extensions, signs: false)
    }

    private func make(
        _ name: String, _ certificate: FilePath, _ key: FilePath, _ extensions: [String], signs: Bool
    ) async throws {
        var arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "30",
            "-subj", "/CN=\(name)", "-out", certificate.string, "-keyout", key.string,
        ]
        for text in extensions { arguments += ["-addext", text] }
        if signs { arguments += ["-CA", self.certificate.string, "-CAkey", self.key.string] }
        let program = Program(
            "/usr/bin/env", arguments, environment: ["PATH": TestEnvironment.path])
        let outcome = try await program.run()
        if outcome.status != 0 { throw ProgramError(program: program, what: "made no certificate: \(outcome)") }
    }
}
