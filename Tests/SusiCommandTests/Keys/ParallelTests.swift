import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// Parallel processes: a hundred with `SUSI_FULL=1`, otherwise sixteen.
@Suite("Parallel use", .inTurn, .timeLimit(.minutes(10)))
struct ParallelTests {
    private static let many = TestEnvironment.variable("SUSI_FULL") == "1" ? 100 : 16
    private static let late = ["SUSI_CLOCK": "+2h"]
    private static let tokenEndpoint = "/oauth2/v2.0/token"

    /// Runs commands in parallel and returns their outcomes in order.
    private static func together(_ commands: [Program]) async throws -> [ProgramOutcome] {
        try await withThrowingTaskGroup(of: (Int, ProgramOutcome).self) { group in
            for (number, command) in commands.enumerated() {
                group.addTask { (number, try await command.run()) }
            }
            var outcomes: [Int: ProgramOutcome] = [:]
            for try await (number, outcome) in group { outcomes[number] = outcome }
            return commands.indices.compactMap { outcomes[$0] }
        }
    }

    private static func token(
        _ susi: SusiBinary, _ more: String..., environment: [String: String] = late
    ) -> Program {
        susi.command(["token"] + more, environment: environment, limit: .seconds(300))
    }

    private static func refresh(_ susi: SusiBinary) -> Program { token(susi, "--refresh", environment: [:]) }

    /// Returns the stored secrets, read through a separate connection.
    private static func stored(_ susi: SusiBinary) throws -> (access: String?, refresh: String?) {
        let application = try #require(try PoliciesFile(path: susi.home.policiesFile.string).application(nil))
        let policy = application.policies[0]
        let store = try #require(try AccountStore(existing: StoreFolder(susi.home.susiHome, owner: getuid())))
        let account = try #require(try store.current(policy.name, in: Registration(application, policy))).account
        let scopes = ScopeSet(application.apis[0].scopes)
        return (try store.secret(.access(account, scopes))?.secret, try store.secret(.refresh(account))?.secret)
    }

    @Test("one expired token, many processes: one refresh and equal results")
    func manyProcessesRefreshOnce() async throws {
        try await withLocalTenant(configure: { $0.refreshRotation = .strict }, signedIn: [.ana]) { tenant in
            tenant.emulator.clock.advance(by: 7_200)
            let before = tenant.requests("POST", Self.tokenEndpoint)
            let answers = try await Self.together((0..<Self.many).map { _ in Self.token(tenant.susi) })
            #expect(answers.filter { $0.status != 0 }.isEmpty)
            #expect(Set(answers.map(\.standardOutput)).count == 1)
            #expect(answers.allSatisfy { $0.standardError.isEmpty })
            #expect(tenant.requests("POST", Self.tokenEndpoint) == before + 1)
        }
    }

    @Test("an account for each process: the refreshes do not wait for each other, and tokens are not mixed")
    func accountsRefreshInParallel() async throws {
        let users = (0..<Self.many).map { number in
            User(
                objectID: "d0d0d0d0-0000-4000-8000-\(100_000_000_000 + number)", email: "p\(number)@contoso.example",
                password: "Passw0rd!", displayName: "Person \(number)", givenName: "P", surname: "\(number)")
        }
        let policies = { (text: String) in
            addingPasswordPolicy(to: text, scopes: ["https://contoso.onmicrosoft.com/hello/demo.read"])
        }
        let gate = Gate("POST", Self.tokenEndpoint)
        try await withLocalTenant(
            policies: policies, arrived: { await gate.pass($0) }, configure: { $0.users = users },
            { tenant in
                try await Self.signIn(users, tenant)
                tenant.emulator.clock.advance(by: 7_200)
                let before = tenant.requests("POST", Self.tokenEndpoint)
                let commands = users.map { Self.token(tenant.susi, "-p", "B2C_1_ropc", "-a", $0.signInName) }
                // The server responds to none of these before all have arrived.
                await gate.holdNext(8)
                async let outcomes = Self.together(Array(commands.prefix(8)))
                await gate.waitUntilFull()
                #expect(tenant.requests("POST", Self.tokenEndpoint) == before)
                await gate.open()
                let answers = try await outcomes + Self.together(Array(commands.dropFirst(8)))
                try #require(answers.filter { $0.status != 0 }.isEmpty)
                let subjects = try answers.map { answer in
                    let parts = answer.standardOutput.split(separator: ".")
                    let claims = try JSONNode(parsing: try #require(Base64URL.decode(parts[1])))
                    return claims["sub"]?.string
                }
                #expect(subjects == users.map(\.objectID))
                #expect(tenant.requests("POST", Self.tokenEndpoint) == before + users.count)
            })
    }

    private static func signIn(_ users: [User], _ tenant: LocalTenant) async throws {
        let client = try tenant.client()
        for user in users {
            _ = try await client.signIn(
                SignInRequest(policy: PolicyName("B2C_1_ropc")),
                credentials: .init(username: user.signInName, password: user.password))
        }
    }

    @Test("with one-time refresh tokens, forced refreshes in parallel use no refresh token twice")
    func usesNoRefreshTokenTwice() async throws {
        try await withLocalTenant(configure: { $0.refreshRotation = .strict }, signedIn: [.ana]) { tenant in
            for _ in 0..<2 {
                let answers = try await Self.together((0..<8).map { _ in Self.refresh(tenant.susi) })
                #expect(answers.filter { $0.status != 0 }.isEmpty)
            }
        }
    }

    @Test("a refresh token that another process has replaced is refused, and the new one is used")
    func usesRefreshTokenOfAnotherProcess() async throws {
        let gate = Gate("POST", Self.tokenEndpoint)
        try await withHome { home in
            try await withLocalTenant(
                in: home, arrived: { await gate.pass($0) }, configure: { $0.refreshRotation = .strict },
                { tenant in
                    try await tenant.signIn(.ana)
                    // A copy of the store on another machine uses the refresh token first.
                    let copy = home.folder.appending("copy").string
                    try FileManager.default.copyItem(atPath: home.susiHome.string, toPath: copy)
                    var other = tenant.susi
                    other.environment["SUSI_HOME"] = copy
                    await gate.holdNext(1)
                    async let held = Self.refresh(tenant.susi).run()
                    await gate.waitUntilFull()
                    try await Self.refresh(other).run().exits(0)
                    try await tenant.signIn(.ana)
                    let before = tenant.requests("POST", Self.tokenEndpoint)
                    await gate.open()
                    let outcome = try await held
                    #expect(outcome.status == 0 && outcome.standardError.isEmpty, "\(outcome)")
                    #expect(tenant.requestLines.contains { $0.hasPrefix("400 POST") && $0.contains("token ") })
                    #expect(tenant.requests("POST", Self.tokenEndpoint) == before + 2)
                    #expect(try await Self.refresh(tenant.susi).run().status == 0)
                })
        }
    }

    @Test("a process that is killed during a refresh does not block others and leaves nothing behind")
    func killedProcessHoldsNoLock() async throws {
        let gate = Gate("POST", Self.tokenEndpoint)
        try await withLocalTenant(arrived: { await gate.pass($0) }, signedIn: [.ana]) { tenant in
            tenant.emulator.clock.advance(by: 7_200)
            await gate.holdNext(1)
            try await Self.token(tenant.susi).start { first in
                await gate.waitUntilFull()
                // The second process waits for the lock of the first one.
                async let second = Self.token(tenant.susi).run()
                try await first.kill()
                let outcome = try await second
                #expect(outcome.status == 0 && outcome.standardError.isEmpty, "\(outcome)")
            }
            let names = try FileManager.default.subpathsOfDirectory(atPath: tenant.susi.home.susiHome.string)
            #expect(!names.contains { $0.hasSuffix("-wal") }, "the last process left a log: \(names)")
            await gate.open()
            #expect(try await Self.token(tenant.susi, "--refresh").run().status == 0)
        }
    }

    @Test("a new refresh token is in the file before the access token is used")
    func storesRefreshTokenBeforeUsingAccessToken() async throws {
        let calls = Gate("GET", "/api/hello")
        try await withLocalTenant(
            arrived: { await calls.pass($0) }, configure: { $0.refreshRotation = .strict },
            { tenant in
                try await tenant.signIn(.ana)
                let before = try Self.stored(tenant.susi)
                tenant.emulator.clock.advance(by: 7_200)
                await calls.holdNext(1)
                // The API has received the token and not yet responded.
                async let call = tenant.susi.run("call", "hello", environment: Self.late)
                await calls.waitUntilFull()
                let during = try Self.stored(tenant.susi)
                #expect(during.refresh != before.refresh && during.access != before.access)
                await calls.open()
                #expect(try await call.status == 0)
                tenant.emulator.clock.advance(by: 60)
                try await Self.token(tenant.susi, "--refresh").start { run in
                    let line = try await run.waitForLine(containing: ".")
                    let printed = try Self.stored(tenant.susi)
                    #expect(printed.refresh != during.refresh && printed.access == line)
                }
            })
    }
}
