import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import Synchronization
import SystemPackage
import Testing

/// The device flow (RFC 8628) against tenants that offer it.
@Suite("Device sign-in", .inTurn, .timeLimit(.minutes(5)))
struct DeviceSignInTests {
    static let kinds: [(kind: String, authority: String)] = [
        ("external", "fabrikam.onmicrosoft.com"), ("entra", "tailspin.onmicrosoft.com"), ("openid", "login"),
    ]

    /// The steps of a device flow as the client sees them; each pause lets the test act.
    private final class Diary: Sendable {
        private let box = Mutex<(code: DeviceCode?, pauses: [Int64])>((nil, []))
        var code: DeviceCode? { box.withLock { $0.code } }
        var pauses: [Int64] { box.withLock { $0.pauses } }
        func told(_ event: SignInEvent) { if case .deviceCode(let code) = event { box.withLock { $0.code = code } } }
        /// Counts a pause and returns its number, from 1.
        func pause(_ seconds: Int64) -> Int {
            box.withLock {
                $0.pauses.append(seconds)
                return $0.pauses.count
            }
        }
    }

    /// Runs a tenant of the kind whose clock only the test advances.
    private static func withTenant(
        _ kind: (kind: String, authority: String), _ body: (LocalTenant) async throws -> Void
    ) async throws {
        let start = TestEnvironment.realTime()
        try await withHome { home in
            try await withLocalTenant(
                in: home, policies: onlyApplication(kind.kind, kind.authority), clock: EmulatorClock { start }, body)
        }
    }

    private static func client(_ tenant: LocalTenant) throws -> PublicClient {
        let file = tenant.susi.home.policiesFile.string
        let application = try #require(try PoliciesFile(path: file).application(nil))
        let shared = tenant.emulator.clock
        return PublicClient(
            application: application, folder: StoreFolder(tenant.susi.home.susiHome, owner: getuid()),
            clock: { shared.now() })
    }

    /// Enters the code on the sign-in page, as the person does on another device.
    private static func enter(_ code: DeviceCode?, presses: [String] = []) async throws {
        let code = try #require(code)
        let ana = LocalTenant.Person.ana.user
        let answers = ["user_code": code.userCode, "signInName": ana.signInName, "password": ana.password]
        try await FormBrowser(answers: answers, presses: presses).open(code.verificationURI)
    }

    @Test("authorization_pending and slow_down, then tokens: the account works like any other", arguments: kinds)
    func signsInAfterPendingAndSlowDown(kind: (kind: String, authority: String)) async throws {
        try await Self.withTenant(kind) { tenant in
            let diary = Diary()
            let clock = tenant.emulator.clock
            let client = try Self.client(tenant)
            let result = try await client.signInOnAnotherDevice(SignInRequest()) { seconds in
                switch diary.pause(seconds) {
                case 1: clock.advance(by: seconds)
                // Too early: the server answers slow_down, and the next pause is longer.
                case 2: clock.advance(by: 1)
                default:
                    clock.advance(by: seconds + 5)
                    try await Self.enter(diary.code)
                }
            } tell: {
                diary.told($0)
            }
            #expect(diary.pauses == [5, 5, 10])
            #expect(diary.code?.verificationURI.hasPrefix(tenant.emulator.origin) ?? false)
            #expect(result.account.profile.name == "Ana Lima")
            try await tenant.susi.run("accounts", "--json").exits(0, printing: "Ana Lima")
            #expect(
                tenant.requestLines.contains { $0.contains("authorize") } == false, "a browser opened on this machine")
        }
    }

    @Test("access_denied ends the sign-in", arguments: kinds)
    func reportsDeniedSignIn(kind: (kind: String, authority: String)) async throws {
        try await Self.withTenant(kind) { tenant in
            let diary = Diary()
            let clock = tenant.emulator.clock
            let client = try Self.client(tenant)
            let error = try await #require(throws: SusiError.self) {
                try await client.signInOnAnotherDevice(SignInRequest()) { seconds in
                    _ = diary.pause(seconds)
                    clock.advance(by: seconds)
                    try await Self.enter(diary.code, presses: ["cancel"])
                } tell: {
                    diary.told($0)
                }
            }
            #expect(error.code == .cancelled && diary.pauses == [5])
            #expect(try await client.accounts().isEmpty)
        }
    }

    @Test("without a visit, the sign-in ends when the code expires or the timeout passes")
    func endsWhenCodeExpiresOrTimeoutPasses() async throws {
        try await Self.withTenant(Self.kinds[0]) { tenant in
            let clock = tenant.emulator.clock
            let client = try Self.client(tenant)
            for (limit, expected) in [(Int64?.none, [Int64(5), 5, 5, 5]), (12, [5, 5, 2])] {
                let diary = Diary()
                let error = try await #require(throws: SusiError.self) {
                    try await client.signInOnAnotherDevice(SignInRequest(), limit: limit) { seconds in
                        clock.advance(by: diary.pause(seconds) == 4 ? 900 : seconds)
                    } tell: {
                        diary.told($0)
                    }
                }
                #expect(error.code == .timeout && diary.pauses == expected, "\(error) \(diary.pauses)")
            }
            #expect(try await client.accounts().isEmpty)
        }
    }

    @Test("an unreachable server is polled with growing pauses")
    func slowsDownWhileServerIsUnreachable() async throws {
        try await withHome { home in
            let policies = onlyApplication("external", "fabrikam.onmicrosoft.com")
            let diary = Diary()
            let (paused, pausing) = AsyncStream<Int>.makeStream()
            let (resumed, resume) = AsyncStream<Void>.makeStream()
            let port = try await freePort()
            let work = try await withLocalTenant(in: home, port: port, policies: policies) { tenant in
                let client = try Self.client(tenant)
                let work = Task {
                    try await client.signInOnAnotherDevice(SignInRequest()) { seconds in
                        pausing.yield(diary.pause(seconds))
                        for await _ in resumed { break }
                    } tell: {
                        diary.told($0)
                    }
                }
                for await _ in paused { break }
                return work
            }
            // The server is unreachable: the pause grows from 5 to 10 and 20 seconds.
            for _ in 0..<2 {
                resume.yield()
                for await _ in paused { break }
            }
            try await withLocalTenant(in: home, port: port, policies: policies) { _ in
                try await Self.enter(diary.code)
                resume.yield()
                #expect(try await work.value.account.profile.name == "Ana Lima")
            }
            #expect(diary.pauses == [5, 10, 20])
        }
    }

    @Test("the terminal shows code and address; Ctrl-C ends the sign-in within a second")
    func showsCodeAndEndsAtInterrupt() async throws {
        try await withLocalTenant(policies: onlyApplication("entra", "tailspin.onmicrosoft.com")) { tenant in
            let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
            let environment = ["BROWSER": browser.command, "DISPLAY": ":99"]
            try await tenant.susi.start("sign-in", "--device", environment: environment) { run in
                try await run.waitForLine(containing: "the code is valid for 15 min")
                let text = await run.text(.error)
                #expect(text.contains("\n  \(tenant.emulator.origin)/"), "\(text)")
                #expect(text.contains(#/\n  [B-Z]{4}-[B-Z]{4}\n/#), "\(text)")
                try await run.interrupt()
                let outcome = try await run.waitUntilExit()
                #expect(outcome.signal == SIGINT && outcome.standardOutput.isEmpty, "\(outcome)")
            }
            try await tenant.susi.run("sign-in", "--device", "--timeout", "1s").exits(3)
            #expect(browser.openedURLs.isEmpty)
        }
    }
}
