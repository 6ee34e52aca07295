import Foundation
import Susi
import SusiTestSupport
import SystemPackage
import Testing

/// A key in a real Secret Service.
@Suite("Secret Service", .keyService, .inTurn, .timeLimit(.minutes(5)))
struct KeyServiceTests {
    @Test("the key is stored, read, changed and removed, and is in no argument and no file")
    func storesChangesAndRemovesKey() async throws {
        try await withKeyService { service in
            try await withLocalTenant { tenant in
                let susi = tenant.susi
                let log = susi.home.folder.appending("words").string
                let environment = try Self.watched(service, susi, log)
                let made = try await tenant.interact(
                    ["sign-in"], as: .ana,
                    environment: environment.merging(["SUSI_KEY_SOURCE": "secret-service"]) { $1 })
                #expect(made.status == 0, "\(made)")
                let token = try await susi.run("token").standardOutput
                let first = try Self.keyID(susi)
                let key = try await service.secretTool("lookup", "application", "susi", "store", first).standardOutput
                #expect(key.count == 64)
                #expect(try Self.bytes(susi).range(of: Data(key.utf8)) == nil)

                // After the kernel has removed the key, it is read from the service again and kept.
                let lock = try await susi.run("store", "lock")
                #expect(lock.standardOutput.contains("The next command loads the key again"), "\(lock)")
                #expect(try await susi.run("token", environment: environment).standardOutput == token)
                #expect(try await susi.run("token").standardOutput == token)

                let rekey = try await susi.run("store", "rekey", environment: environment)
                #expect(rekey.status == 0, "\(rekey)")
                #expect(try await susi.run("token").standardOutput == token)
                let second = try Self.keyID(susi)
                #expect(second != first)
                #expect(try await service.secretTool("lookup", "application", "susi", "store", first).status != 0)
                #expect(try await service.secretTool("lookup", "application", "susi", "store", second).status == 0)

                #expect(try await susi.run("store", "rekey", "--to", "file", environment: environment).status == 0)
                #expect(try await service.secretTool("lookup", "application", "susi", "store", second).status != 0)
                #expect(try await susi.run("token").standardOutput == token)
                let words = try String(contentsOfFile: log, encoding: .utf8)
                #expect(words.contains("store --label") && words.contains("clear") && words.contains("lookup"))
                #expect(words.firstMatch(of: #/[0-9a-f]{17}/#) == nil, "a key is an argument: \(words)")
            }
        }
    }

    @Test("a locked, missing or empty service is reported within the time limit, without a fallback")
    func reportsUnavailableServiceWithoutFallback() async throws {
        try await withKeyService { service in
            try await withLocalTenant { tenant in
                let susi = tenant.susi
                let made = try await tenant.interact(
                    ["sign-in"], as: .ana,
                    environment: service.environment(of: susi).merging(["SUSI_KEY_SOURCE": "secret-service"]) { $1 })
                #expect(made.status == 0, "\(made)")
                _ = try await susi.run("store", "lock")
                // No service at this address.
                let away = try await susi.run("token", environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"])
                #expect(away.status == 6 && away.standardError.contains("Secret Service"), "\(away)")
                // A service that never responds.
                let slow = try Self.shim("exec sleep 1000", in: susi)
                let began = ContinuousClock.now
                let late = try await susi.run("token", environment: ["PATH": slow])
                #expect(late.status == 6 && late.standardError.contains("within 3 s"), "\(late)")
                #expect(ContinuousClock.now - began < .seconds(200))
                let missing = try await susi.run("token", environment: ["PATH": "/nowhere"])
                #expect(missing.status == 6 && missing.standardError.contains("no program “secret-tool”"), "\(missing)")
                try await service.lock()
                for arguments in [["token"], ["accounts"], ["store", "unlock"], ["store", "rekey", "--to", "file"]] {
                    let locked = try await susi.command(arguments, environment: service.environment(of: susi)).run()
                    #expect(locked.status == 6 && locked.standardError.contains("susi store unlock"), "\(locked)")
                }
                #expect(try Self.key(susi).hasPrefix("susi-key-2 secret-service "))
                // A new store is not created with another source.
                let other = susi.home.folder.appending("other").string
                let fresh = try await susi.run(
                    "sign-in", "--no-browser",
                    environment: service.environment(of: susi).merging([
                        "SUSI_KEY_SOURCE": "secret-service", "SUSI_HOME": other,
                        "SUSI_CONFIG": susi.home.policiesFile.string,
                    ]) { $1 }, input: "")
                #expect(fresh.status == 6, "\(fresh)")
                #expect(!FileManager.default.fileExists(atPath: "\(other)/key"))
            }
        }
    }

    @Test("doctor suggests a service that responds, and reports a problem if a needed one does not")
    func doctorChecksService() async throws {
        try await withKeyService { service in
            try await withLocalTenant { tenant in
                let susi = tenant.susi
                try await tenant.signIn(.ana)
                let environment = service.environment(of: susi).merging(["BROWSER": "true"]) { $1 }
                let hint = try await susi.run("doctor", environment: environment)
                #expect(
                    hint.status == 0 && hint.standardOutput.contains("susi store rekey --to secret-service"), "\(hint)")
                _ = try await susi.run("store", "rekey", "--to", "secret-service", environment: environment)
                let used = try await susi.run("doctor", environment: environment)
                #expect(used.status == 0 && !used.standardOutput.contains("store rekey"), "\(used)")
                let away = try await susi.run("doctor", environment: ["BROWSER": "true"])
                #expect(away.status == 1 && away.standardOutput.contains("problem  key service"), "\(away)")
                _ = try await susi.run("store", "lock")
            }
        }
    }

    private static func key(_ susi: SusiBinary) throws -> String {
        try String(contentsOfFile: susi.home.susiHome.appending("key").string, encoding: .utf8)
    }

    private static func keyID(_ susi: SusiBinary) throws -> String {
        let words = try key(susi).split(separator: " ")
        try #require(words.count == 4 && words[1] == "secret-service")
        return String(words[2])
    }

    private static func bytes(_ susi: SusiBinary) throws -> Data {
        let folder = susi.home.susiHome.string
        return try FileManager.default.subpathsOfDirectory(atPath: folder).reduce(into: Data()) { bytes, name in
            bytes += FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
        }
    }

    /// Returns a `PATH` whose first `secret-tool` is this script.
    private static func shim(_ script: String, in susi: SusiBinary) throws -> String {
        let folder = susi.home.folder.appending("bin-\(UUID().uuidString)").string
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let path = "\(folder)/secret-tool"
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
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
