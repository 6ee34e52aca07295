import Foundation
import NIOCore
import NIOPosix
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiEmulator

@Suite("Start, stop, start again", .inTurn, .timeLimit(.minutes(2)))
struct LifecycleTests {
    @Test("users, passwords, keys and grants survive; the files are their owner's only")
    func restart() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("emulator-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = FilePath(path)
        var keys: JSON?
        var refresh: String?
        try await withScene(folder: folder) { scene in
            keys = try await scene.browser().get("\(scene.tenant)/B2C_1_susi/discovery/v2.0/keys").json
            let browser = scene.browser()
            let profile = try await scene.signIn(browser, policy: "B2C_1_edit_profile")
            _ = try await browser.submit(profile, at: scene.emulator.origin, ["displayName": "Ana Changed"])
            refresh = try await scene.tokens()["refresh_token"]?.string
            func mode(_ path: String) throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            }
            #expect(try mode(path) == 0o700)
            for file in try FileManager.default.contentsOfDirectory(atPath: path) {
                #expect(try mode("\(path)/\(file)") == 0o600, "\(file)")
            }
        }
        try await withScene(folder: folder) { scene in
            #expect(try await scene.browser().get("\(scene.tenant)/B2C_1_susi/discovery/v2.0/keys").json == keys)
            let tokens = try await scene.refresh(refresh).json
            #expect(try tokens.claims("id_token")["name"] == "Ana Changed")
        }
    }

    @Test("a port that is taken is named; it is free again afterwards")
    func takenPort() async throws {
        try await withScene { scene in
            let port = scene.emulator.port
            await #expect(throws: EmulatorError.portTaken(port)) {
                try await withEmulator(
                    tenantOfTests(), folder: scene.folder, port: port, clock: scene.emulator.clock
                ) { _ in Issue.record("two emulators on one port") }
            }
            #expect(EmulatorError.portTaken(port).description.contains("Port \(port) is in use"))
        }
    }

    @Test("a refresh that waits for the database holds up nobody who needs none of it")
    func waiting() async throws {
        try await withScene { scene in
            let token = try await scene.tokens()["refresh_token"]?.string
            let (held, holds) = AsyncStream.makeStream(of: Void.self)
            let release = DispatchSemaphore(value: 0)
            let database = scene.database
            Thread {
                try? database.write { _ in
                    holds.finish()
                    release.wait()
                }
            }.start()
            for await _ in held {}
            async let refreshed = scene.refresh(token)
            for _ in 1...8 {
                let answer = try await scene.browser().get(
                    scene.emulator.origin + "/nothing", [("Connection", "close")])
                #expect(answer.status == 404)
            }
            release.signal()
            #expect(try await refreshed.status == 200)
        }
    }

    /// Whether this machine has ::1.
    static func hasIPv6() async -> Bool {
        let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        guard let channel = try? await bootstrap.bind(host: "::1", port: 0).get() else { return false }
        try? await channel.close()
        return true
    }

    @Test("it answers on both loopback addresses", .enabled("no ::1 on this machine", hasIPv6))
    func loopback() async throws {
        try await withScene { scene in
            for address in ["127.0.0.1", "[::1]"] {
                let answer = try await scene.browser().get("http://\(address):\(scene.emulator.port)/")
                #expect(answer.status == 200, "\(address)")
            }
        }
    }

    @Test("it stops listening when its closure ends, by return or by error")
    func stops() async throws {
        struct Stop: Error {}
        try await withScene { scene in
            let port = try await freePort()
            await #expect(throws: Stop.self) {
                try await withEmulator(
                    tenantOfTests(), folder: scene.folder, port: port, clock: scene.emulator.clock
                ) { running in
                    #expect(try await scene.browser().get(running.origin + "/").status == 200)
                    throw Stop()
                }
            }
            await #expect(throws: (any Error).self) { try await scene.browser().get("http://localhost:\(port)/") }
            // The same port can be had at once.
            try await withEmulator(
                tenantOfTests(), folder: scene.folder, port: port, clock: scene.emulator.clock
            ) { running in #expect(running.port == port) }
        }
    }

    @Test(
        "refuses the database of a newer emulator, of a development build and of another program, and changes nothing")
    func refusesOtherDatabases() async throws {
        try await withScene { scene in
            let path = scene.folder.appending("emulator.sqlite").string
            let users = try SQLiteFile.count(path, "users")
            let known = Int64(DatabaseFile.steps.count)
            try SQLiteFile.execute(path, "PRAGMA user_version = 99")
            #expect(throws: EmulatorError.databaseTooNew(path: path, found: 99, known: known)) {
                try DatabaseFile(folder: scene.folder)
            }
            let development = EmulatorError.databaseUnusable(path: path, reason: "a development build wrote it")
            for (id, version) in [(0, 1), (0, 6), (7, 1)] {
                try SQLiteFile.execute(path, "PRAGMA application_id = \(id)")
                try SQLiteFile.execute(path, "PRAGMA user_version = \(version)")
                #expect(throws: development) { try DatabaseFile(folder: scene.folder) }
            }
            #expect(try SQLiteFile.count(path, "users") == users)
        }
    }

    @Test("a new step of the schema keeps the rows")
    func migrates() async throws {
        try await withScene { scene in
            let path = scene.folder.appending("emulator.sqlite").string
            let users = try SQLiteFile.count(path, "users")
            let steps = DatabaseFile.steps + [Array("ALTER TABLE users ADD COLUMN nickname TEXT;".utf8)]
            for _ in 1...2 { _ = try DatabaseFile(folder: scene.folder, steps: steps) }
            #expect(try SQLiteFile.count(path, "users WHERE nickname IS NULL") == users)
            let known = Int64(DatabaseFile.steps.count)
            #expect(throws: EmulatorError.databaseTooNew(path: path, found: known + 1, known: known)) {
                try DatabaseFile(folder: scene.folder)
            }
        }
    }

    @Test("a folder that cannot be made")
    func unusable() async throws {
        await #expect(throws: EmulatorError.self) {
            try await withEmulator(
                tenantOfTests(), folder: "/dev/null/emulator", clock: EmulatorClock { Scene.start }
            ) { _ in }
        }
    }

    @Test("expired rows go away when new ones come")
    func removal() async throws {
        try await withScene { scene in
            for _ in 1...3 { _ = try await scene.browser().get(scene.authorize()) }
            let path = scene.folder.appending("emulator.sqlite").string
            #expect(try SQLiteFile.count(path, "transactions") == 3)
            scene.emulator.clock.advance(by: 3_601)
            _ = try await scene.browser().get(scene.authorize())
            #expect(try SQLiteFile.count(path, "transactions") == 1)
        }
    }
}
