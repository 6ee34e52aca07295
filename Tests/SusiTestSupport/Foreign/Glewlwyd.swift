import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import SystemPackage

/// Debian's identity server `glewlwyd`, an OpenID provider that shares no line with this project.
///
/// It runs from a temporary folder, as whoever runs the tests, and knows one person and one public client.
public struct Glewlwyd: Sendable {
    /// Its address, without a slash at the end.
    public let origin: String
    /// The port of the one redirect address that it takes: `http://localhost:PORT/`, compared exactly.
    public let redirectPort: Int
    fileprivate let program: RunningProgram

    /// Who it is in its tokens.
    public var issuer: String { Self.issuer(at: origin) }
    static func issuer(at origin: String) -> String { "\(origin)/api/oidc" }
    /// The public client.
    public static let clientID = "susi"
    /// The scope of the one resource, besides `openid`; it knows no others.
    public static let scope = "demo.read"
    /// The person.
    public static let ana = Person(
        userName: "ana", password: "password", name: "Ana Lima", email: "ana@contoso.example")

    /// Somebody who can sign in.
    public struct Person: Sendable {
        /// What is typed on its page.
        public let userName: String
        /// What else is typed there.
        public let password: String
        /// The claim `name`.
        public let name: String
        /// The claim `email`.
        public let email: String
    }

    /// What it signs with.
    public enum Algorithm: String, Sendable, CaseIterable {
        case rs256 = "rsa"
        case es256 = "ecdsa"
    }

    /// Ends it before the closure does: from now on nothing answers at its address.
    public func stop() async throws {
        // A second time there is nobody left to tell.
        try? await program.terminate()
        _ = try await program.waitUntilExit()
    }

    /// Whether its tests run: the program is on `PATH`, or `SUSI_DEMAND_FOREIGN` is set, which makes a missing one a
    /// failure in place of a skipped test.
    public static var isAvailable: Bool {
        TestEnvironment.program("glewlwyd") != nil || TestEnvironment.variable("SUSI_DEMAND_FOREIGN") != nil
    }

    /// What kept it from starting.
    public struct Failure: Error, CustomStringConvertible {
        /// The reason, with what the server wrote.
        public let description: String
    }
}

/// Runs `glewlwyd` while `body` runs.
///
/// It cannot choose a port itself, so a free one is looked for; when another program is faster, the next one is tried.
public func withGlewlwyd<T>(
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
    /// Waits until it serves its configuration; false when its port is taken.
    fileprivate func isReady() async throws -> Bool {
        // It says this before it listens, and then nothing more unless listening fails.
        try await program.waitForLine(containing: "Glewlwyd started on port")
        let request = HTTPClientRequest(url: "\(issuer)/.well-known/openid-configuration")
        let (clock, limit) = (ContinuousClock(), Duration.seconds(15))
        let end = clock.now + limit
        while clock.now < end {
            if await program.text(.output).contains("Failed to bind to port") { return false }
            if let answer = try? await HTTPClient.shared.execute(request, timeout: .seconds(5)), answer.status == .ok {
                return true
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        let log = await program.text(.output) + program.text(.error)
        throw Failure(description: "no answer after \(limit)\n\(log)")
    }
}

/// A port that was free on 127.0.0.1 a moment ago.
public func freePort() async throws -> Int { try await withListener { $0 } }
