import NIOCore
import NIOSSL
public import SystemPackage

/// An HTTPS server for one host name, with a certificate that it made itself.
public final class SecureServer: Sendable {
    /// The name that its certificate is for.
    public static let host = "api.contoso.example"
    /// Whether the machine can make a certificate.
    public static var isPossible: Bool { Surroundings.program("openssl") != nil }

    /// Its port on 127.0.0.1.
    public let port: Int
    /// Its certificate in PEM: trusted by nobody who is not told to.
    public let certificate: FilePath
    private let log: ScriptedServer.Log

    /// The requests so far.
    public var requests: [ScriptedServer.Request] { log.requests }

    private init(port: Int, certificate: FilePath, log: ScriptedServer.Log) {
        (self.port, self.certificate, self.log) = (port, certificate, log)
    }

    /// Serves while `body` runs: every request is answered with 200 and `text`.
    public static func with<T>(
        answering text: String, in folder: FilePath, _ body: (SecureServer) async throws -> T
    ) async throws -> T {
        let (certificate, key) = (folder.appending("certificate.pem"), folder.appending("key.pem"))
        try await make(certificate, key)
        let tls = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: NIOSSLCertificate.fromPEMFile(certificate.string).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: key.string, format: .pem))))
        let log = ScriptedServer.Log()
        return try await withConnections(
            tls: tls, { try await ScriptedServer.serve($0, log) { _ in .ok(text) } },
            { try await body(SecureServer(port: $0, certificate: certificate, log: log)) })
    }

    private static func make(_ certificate: FilePath, _ key: FilePath) async throws {
        let openssl = Program(
            "/usr/bin/env",
            [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-days", "2", "-subj", "/CN=\(host)", "-addext", "subjectAltName=DNS:\(host)",
                "-keyout", key.string, "-out", certificate.string,
            ], environment: ["PATH": Surroundings.variable("PATH") ?? "/usr/bin:/bin"])
        let outcome = try await openssl.run()
        if outcome.status != 0 { throw ProgramError(program: openssl, what: "made no certificate: \(outcome)") }
    }
}
