import Foundation
import Susi
import SusiTestSupport
import SystemPackage
import Testing

/// A key in a real Secret Service.
@Suite("Secret Service", .keyService, .inTurn, .timeLimit(.minutes(5)))
struct KeyServiceTests {
    private static let ana = StoredPerson("ana@contoso.example", isCurrent: true)

    @Test("the key is stored, read, changed and removed, and is in no argument and no file")
    func storesChangesAndRemovesKey() async throws {
        try await withKeyService { service in
            try await withStored([Self.ana]) { susi in
                let log = susi.home.folder.appending("words")
                let environment = try Self.watched(service, susi, log.string)
                let token = try await susi.run("token").standardOutput
                let lookUp = { (id: String) in
                    try await service.secretTool("lookup", "application", "susi", "store", id)
                }
                var ids: [String] = []
                for _ in 1...2 {
                    try await susi.run("store", "rekey", "--to", "secret-service", environment: environment).exits(0)
                    ids.append(try Self.keyID(susi))
                    let key = try await lookUp(ids[ids.endIndex - 1]).standardOutput
                    #expect(try key.count == 64 && susi.home.susiHome.files(containing: key) == [])
                    // After the kernel has removed the key, it is read from the service again.
                    try await susi.run("store", "lock").exits(0, printing: "The next command loads the key again")
                    #expect(try await susi.run("token", environment: environment).standardOutput == token)
                }
                #expect(try await lookUp(ids[0]).status != 0 && ids[0] != ids[1])
                #expect(try await susi.run("store", "rekey", "--to", "file", environment: environment).status == 0)
                #expect(try await lookUp(ids[1]).status != 0)
                let words = try log.text()
                #expect(words.contains("store --label") && words.contains("clear") && words.contains("lookup"))
                #expect(words.firstMatch(of: #/[0-9a-f]{17}/#) == nil, "a key is an argument: \(words)")
            }
        }
    }

    @Test("a locked, missing or empty service is reported within the time limit, without a fallback")
    func reportsUnavailableServiceWithoutFallback() async throws {
        try await withKeyService { service in
            try await withStored([Self.ana]) { susi in
                let environment = service.environment(of: susi)
                try await susi.run("store", "rekey", "--to", "secret-service", environment: environment).exits(0)
                _ = try await susi.run("store", "lock")
                for (environment, reason) in [
                    (["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"], "Secret Service"),
                    (["PATH": try Self.shim("exec sleep 1000", in: susi)], "within 3 s"),
                    (["PATH": "/nowhere"], "secret-tool cannot be started"),
                ] {
                    try await susi.run("token", environment: environment).exits(6, saying: reason)
                }
                try await service.lock()
                for arguments in [["token"], ["accounts"], ["store", "unlock"], ["store", "rekey", "--to", "file"]] {
                    try await susi.command(arguments, environment: environment).run().exits(
                        6, saying: "susi store unlock")
                }
                #expect(try Self.key(susi).hasPrefix("susi-key-2 secret-service "))
            }
        }
    }

    @Test("doctor suggests a service that responds, and reports a problem if a needed one does not")
    func doctorChecksService() async throws {
        try await withKeyService { service in
            try await withLocalTenant(signedIn: [.ana]) { _, susi in
                let environment = service.environment(of: susi).merging(["BROWSER": "true"]) { $1 }
                try await susi.run("doctor", environment: environment).exits(
                    0, printing: "susi store rekey --to secret-service")
                _ = try await susi.run("store", "rekey", "--to", "secret-service", environment: environment)
                try await susi.run("doctor", environment: environment).exits(0, hiding: "store rekey")
                try await susi.run("doctor", environment: ["BROWSER": "true"]).exits(
                    1, printing: "problem  key service")
                _ = try await susi.run("store", "lock")
            }
        }
    }

    private static func key(_ susi: SusiBinary) throws -> String {
        try susi.home.file("key").text()
    }

    private static func keyID(_ susi: SusiBinary) throws -> String {
        let words = try key(susi).split(separator: " ")
        try #require(words.count == 4 && words[1] == "secret-service")
        return String(words[2])
    }

    /// Returns a `PATH` whose first `secret-tool` is this script.
    private static func shim(_ script: String, in susi: SusiBinary) throws -> String {
        let folder = susi.home.folder.appending("bin-\(UUID().uuidString)")
        try folder.appending("secret-tool").write("#!/bin/sh\n\(script)\n", mode: 0o700)
        return "\(folder):\(susi.home.environment["PATH"] ?? "")"
    }

    /// Returns the environment of the service, with a `secret-tool` that logs its arguments.
    private static func watched(_ service: KeyService, _ susi: SusiBinary, _ log: String) throws -> [String: String] {
        let tool = try #require(TestEnvironment.program("secret-tool"))
        var environment = service.environment(of: susi)
        environment["PATH"] = try shim("echo \"$@\" >>'\(log)'\nexec '\(tool)' \"$@\"", in: susi)
        return environment
    }
}

extension KeyService {
    fileprivate func environment(of susi: SusiBinary) -> [String: String] {
        // Many parallel tests slow a service down.
        environment.merging(["HOME": susi.home.userHome.string, "SUSI_KEY_TIMEOUT": "60s"]) { $1 }
    }
}
