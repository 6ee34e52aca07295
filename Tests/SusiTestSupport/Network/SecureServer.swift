import NIOCore
import NIOSSL
package import SystemPackage

/// An HTTPS server for one host name, with a self-signed certificate.
package final class SecureServer: Sendable {
    /// The host name of its certificate.
    package static let host = "api.contoso.example"
    package static var isPossible: Bool { TestEnvironment.program("openssl") != nil }

    package let port: Int
    /// Its certificate in PEM, trusted only by clients that are configured to.
    package let certificate: FilePath
    private let log: ScriptedServer.Log

    package var requests: [ScriptedServer.Request] { log.requests }

    private init(port: Int, certificate: FilePath, log: ScriptedServer.Log) {
        (self.port, self.certificate, self.log) = (port, certificate, log)
    }

    /// Years in which a certificate is valid, from the first day of one to the first day of another.
    package typealias Validity = Range<Int>

    /// Serves while `body` runs: every response has status 200 and `text`.
    package static func with<T>(
        answering text: String, in folder: FilePath, host: String = host, valid: Validity = 2020..<2120,
        asksForCertificate: Bool = false, _ body: (SecureServer) async throws -> T
    ) async throws -> T {
        try await with(
            { _ in .ok(text) }, in: folder, host: host, valid: valid, asksForCertificate: asksForCertificate, body)
    }

    /// Serves while `body` runs, with a response for each request. With `asksForCertificate` a client needs a certificate.
    package static func with<T>(
        _ response: @escaping @Sendable (ScriptedServer.Request) -> ScriptedServer.Response, in folder: FilePath,
        host: String = host, valid: Validity = 2020..<2120, asksForCertificate: Bool = false,
        _ body: (SecureServer) async throws -> T
    ) async throws -> T {
        let (certificate, key) = (folder.appending("certificate.pem"), folder.appending("key.pem"))
        try await make(certificate, key, host, valid, in: folder)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(certificate.string).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: key.string, format: .pem)))
        if asksForCertificate { configuration.certificateVerification = .noHostnameVerification }
        let tls = try NIOSSLContext(configuration: configuration)
        let log = ScriptedServer.Log()
        return try await withConnections(
            tls: { tls }, { try await ScriptedServer.serve($0, log, response) },
            { try await body(SecureServer(port: $0, certificate: certificate, log: log)) })
    }

    private static func make(
        _ certificate: FilePath, _ key: FilePath, _ host: String, _ valid: Validity, in folder: FilePath
    ) async throws {
        let (request, settings, index) = (
            folder.appending("request.pem"), folder.appending("openssl.cnf"), folder.appending("index.txt")
        )
        try index.write("")
        try settings.write(
            """
            [ca]
            default_ca = own
            [own]
            database = \(index)
            new_certs_dir = \(folder)
            rand_serial = yes
            default_md = sha256
            policy = any
            x509_extensions = server
            [any]
            commonName = supplied
            [server]
            basicConstraints = CA:TRUE
            subjectAltName = DNS:\(host)

            """)
        try await openssl(
            "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
            "/CN=\(host)", "-keyout", key.string, "-out", request.string)
        try await openssl(
            "ca", "-batch", "-selfsign", "-notext", "-config", settings.string, "-keyfile", key.string, "-in",
            request.string, "-out", certificate.string, "-startdate", "\(valid.lowerBound)0101000000Z", "-enddate",
            "\(valid.upperBound)0101000000Z")
    }

    private static func openssl(_ arguments: String...) async throws {
        let program = Program(
            "/usr/bin/env", ["openssl"] + arguments,
            environment: ["PATH": TestEnvironment.path])
        let outcome = try await program.run()
        if outcome.status != 0 { throw ProgramError(program: program, what: "made no certificate: \(outcome)") }
    }
}
