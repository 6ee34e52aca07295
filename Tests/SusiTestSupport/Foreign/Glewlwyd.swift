import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import SystemPackage

/// Debian's identity server `glewlwyd`, an OpenID provider independent of this project.
///
/// It runs from a temporary folder as the user of the tests, and has one person and one public client.
package struct Glewlwyd: Sendable {
    /// Its address, without a slash at the end.
    package let origin: String
    /// The port of its only redirect address, `http://localhost:PORT/`, which it compares exactly.
    package let redirectPort: UInt16
    fileprivate let program: RunningProgram

    package var issuer: String { Self.issuer(at: origin) }
    static func issuer(at origin: String) -> String { "\(origin)/api/oidc" }
    package static let clientID = "susi"
    /// The scope of its only resource, besides `openid`; it supports no others.
    package static let scope = "demo.read"
    package static let ana = Person(
        userName: "ana", password: "password", name: "Ana Lima", email: "ana@contoso.example")

    package struct Person: Sendable {
        package let userName: String
        package let password: String
        package let name: String
        package let email: String
    }

    package enum Algorithm: String, Sendable, CaseIterable {
        case rs256 = "rsa"
        case es256 = "ecdsa"
    }

    /// Ends the server before the closure does: from now on its address is unreachable.
    package func stop() async throws {
        // At a second call no server is left to end.
        try? await program.terminate()
        _ = try await program.waitUntilExit()
    }

    /// Whether its tests run: the program is on `PATH`, or `SUSI_DEMAND_FOREIGN` is set, which turns a skip into a failure.
    package static var isAvailable: Bool {
        TestEnvironment.program("glewlwyd") != nil || TestEnvironment.variable("SUSI_DEMAND_FOREIGN") != nil
    }

    /// The reason why it did not start.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }
}

/// Runs `glewlwyd` while `body` runs.
///
/// It cannot choose a port itself, so this function finds a free one; if another program takes it, it tries the next one.
package func withGlewlwyd<T>(
    signing algorithm: Glewlwyd.Algorithm = .rs256, _ body: (Glewlwyd) async throws -> T
) async throws -> T {
    guard let path = TestEnvironment.program("glewlwyd") else {
        throw Glewlwyd.Failure(description: "glewlwyd is not on PATH")
    }
    for _ in 0..<5 {
        let folder = GlewlwydFolder(
            port: try await freePort(), redirectPort: try await freePort(), algorithm: algorithm)
        let result: T? = try await withTemporaryFolder { place in
            let configuration = try await folder.prepare(in: place)
            let program = Program(
                path, ["--config-file=\(configuration.string)"], environment: ["LANG": "C.UTF-8"],
                workingFolder: place, limit: .seconds(110))
            return try await program.start { program in
                let server = Glewlwyd(origin: folder.origin, redirectPort: folder.redirectPort, program: program)
                guard try await server.isReady() else { return nil }
                let result = try await body(server)
                try await server.stop()
                return result
            }
        }
        if let result { return result }
    }
    throw Glewlwyd.Failure(description: "glewlwyd found no free port")
}

extension Glewlwyd {
    /// Waits until it serves its configuration. Returns false if its port is taken.
    fileprivate func isReady() async throws -> Bool {
        // It prints this before it listens, and then nothing unless listening fails.
        try await program.waitForLine(containing: "Glewlwyd started on port")
        let request = HTTPClientRequest(url: "\(issuer)/.well-known/openid-configuration")
        let (clock, limit) = (ContinuousClock(), Duration.seconds(15))
        let end = clock.now + limit
        var isBound = true
        try await waitUntil {
            isBound = await !program.text(.output).contains("Failed to bind to port")
            guard isBound else { return true }
            if let response = try? await HTTPClient.shared.execute(request, timeout: .seconds(5)),
                response.status == .ok
            {
                return true
            }
            guard clock.now < end else {
                let log = await program.text(.output) + program.text(.error)
                throw Failure(description: "no answer after \(limit)\n\(log)")
            }
            return false
        }
        return isBound
    }
}
