import Foundation
import NIOCore
import NIOPosix
import SusiBase
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiEmulator

@Suite("Lifecycle", .inTurn, .timeLimit(.minutes(5)))
struct LifecycleTests {
    @Test("keeps users, passwords and grants; files are readable by their owner only")
    func keepsDataOverRestart() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("emulator-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = FilePath(path)
        var refresh: String?
        try await withFixture(folder: folder) { fixture, browser in
            let profile = try await fixture.signIn(browser, policy: "B2C_1_edit_profile")
            _ = try await browser.submit(profile, ["displayName": "Ana Changed"])
            refresh = try await fixture.tokens()["refresh_token"]?.string
            #expect(try folder.permissions() == 0o700)
            for file in try FileManager.default.contentsOfDirectory(atPath: path) {
                #expect(try folder.appending(file).permissions() == 0o600, "\(file)")
            }
        }
        try await withFixture(folder: folder) { fixture in
            let tokens = try await fixture.refresh(refresh).json
            #expect(try tokens.claims("id_token")["name"] == "Ana Changed")
        }
    }

    @Test("reports a port that is in use, and a folder that cannot be created")
    func reportsPortInUse() async throws {
        try await withFixture { fixture in
            let port = fixture.emulator.port
            await #expect(throws: EmulatorError.portTaken(port)) {
                try await withEmulator(
                    tenantOfTests(), folder: fixture.folder, port: port, clock: fixture.emulator.clock
                ) { _ in Issue.record("two emulators on one port") }
            }
        }
        await #expect(throws: EmulatorError.self) {
            try await withEmulator(
                tenantOfTests(), folder: "/dev/null/emulator", clock: EmulatorClock { EmulatorFixture.start }
            ) { _ in }
        }
    }

    @Test("serves other requests while a refresh waits for the database")
    func servesWhileDatabaseIsLocked() async throws {
        try await withFixture { fixture in
            let token = try await fixture.tokens()["refresh_token"]?.string
            let (held, holds) = AsyncStream.makeStream(of: Void.self)
            let release = DispatchSemaphore(value: 0)
            let database = fixture.database
            Thread {
                try? database.write { _ in
                    holds.finish()
                    release.wait()
                }
            }.start()
            for await _ in held {}
            async let refreshed = fixture.refresh(token)
            for _ in 1...8 {
                try await fixture.browser().get("/nothing", [("Connection", "close")]).expecting(404)
            }
            release.signal()
            #expect(try await refreshed.status == 200)
        }
    }

    static func hasIPv6() async -> Bool {
        let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        guard let channel = try? await bootstrap.bind(host: "::1", port: 0).get() else { return false }
        try? await channel.close()
        return true
    }

    @Test("listens on both loopback addresses", .enabled("no ::1 on this machine", hasIPv6))
    func listensOnBothLoopbackAddresses() async throws {
        try await withFixture { fixture in
            for address in ["127.0.0.1", "[::1]"] {
                let response = try await fixture.browser().get("http://\(address):\(fixture.emulator.port)/")
                #expect(response.status == 200, "\(address)")
            }
        }
    }

    @Test("stops listening when its closure returns or throws")
    func stopsListening() async throws {
        struct Stop: Error {}
        try await withFixture { fixture in
            let port = try await freePort()
            await #expect(throws: Stop.self) {
                try await withEmulator(
                    tenantOfTests(), folder: fixture.folder, port: port, clock: fixture.emulator.clock
                ) { running in
                    #expect(try await fixture.browser().get(running.origin + "/").status == 200)
                    throw Stop()
                }
            }
            await #expect(throws: (any Error).self) { try await fixture.browser().get("http://localhost:\(port)/") }
            // The same port is free at once.
            try await withEmulator(
                tenantOfTests(), folder: fixture.folder, port: port, clock: fixture.emulator.clock
            ) { running in #expect(running.port == port) }
            await #expect(throws: (any Error).self) { try await fixture.browser().get("http://localhost:\(port)/") }
        }
    }

    @Test(
        "refuses the database of another version and of another program, and changes nothing")
    func refusesOtherDatabases() async throws {
        try await withFixture { fixture in
            let path = fixture.folder.appending("emulator.sqlite").string
            let users = try SQLiteFile.count(path, "users")
            let (own, current) = (Int64(0x7375_656d), DatabaseFile.version)
            let refusal = EmulatorError.databaseUnusable(path: path, reason: "another version of susi wrote it")
            for (id, version) in [(own, 99), (own, current - 1), (0, current), (0, 6), (7, current), (7, 0)] {
                try SQLiteFile.execute(path, "PRAGMA application_id = \(id)")
                try SQLiteFile.execute(path, "PRAGMA user_version = \(version)")
                #expect(throws: refusal) { try DatabaseFile(folder: fixture.folder) }
            }
            #expect(try SQLiteFile.count(path, "users") == users)
        }
    }

    @Test("removes expired rows when new ones are added")
    func removesExpiredRows() async throws {
        try await withFixture { fixture in
            for _ in 1...3 { _ = try await fixture.ask() }
            let path = fixture.folder.appending("emulator.sqlite").string
            #expect(try SQLiteFile.count(path, "transactions") == 3)
            fixture.emulator.clock.advance(by: 3_601)
            _ = try await fixture.ask()
            #expect(try SQLiteFile.count(path, "transactions") == 1)
        }
    }
}
