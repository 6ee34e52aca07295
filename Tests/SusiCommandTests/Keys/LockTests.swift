import Foundation
import SusiEmulator
import SusiHTTP
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

@testable import Susi

/// Locks of the store: one holder at a time, and waits that end.
@Suite("Locks", .inTurn, .timeLimit(.minutes(5)))
struct LockTests {
    /// Takes the lock, announces it to a second process, and passes both to `body`.
    private static func contended(
        limit: Int64? = nil,
        _ body: (Task<String, any Error>, AsyncStream<Int32?>, AsyncStream<Void>.Continuation)
            async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending("x.lock")
            let (freed, free) = AsyncStream<Void>.makeStream()
            let (held, hold) = AsyncStream<Void>.makeStream()
            let first = Task {
                try await FileLock.with(path, tellsHolder: { _ in }) {
                    hold.yield()
                    for await _ in freed { break }
                }
            }
            for await _ in held { break }
            let (told, tell) = AsyncStream<Int32?>.makeStream()
            let second = Task {
                try await FileLock.with(path, limit: limit, tellsHolder: { tell.yield($0) }) { "mine" }
            }
            try await body(second, told, free)
            free.finish()
            try await first.value
        }
    }

    @Test("a waiting command reports the holder once and continues when the lock is free")
    func reportsHolderOnceAndContinues() async throws {
        try await Self.contended { second, told, free in
            var told = told.makeAsyncIterator()
            let holder = await told.next()
            #expect(holder == .some(getpid()))
            free.yield()
            let value = try await second.value
            #expect(value == "mine")
        }
    }

    @Test("a wait is cancelled at once")
    func cancelsWaitAtOnce() async throws {
        try await Self.contended { second, told, _ in
            for await _ in told { break }
            second.cancel()
            await #expect(throws: CancellationError.self) { try await second.value }
        }
    }

    @Test("a wait has a time limit")
    func limitsWait() async throws {
        try await Self.contended(limit: 0) { second, _, _ in
            await #expect(throws: DeadlineExceeded.self) { try await second.value }
        }
    }

    @Test("a file that cannot be locked is reported")
    func reportsFileThatCannotBeLocked() async throws {
        try await withTemporaryFolder { folder in
            let target = folder.appending("target")
            try Data().write(to: URL(filePath: target.string))
            let link = folder.appending("x.lock")
            try FileManager.default.createSymbolicLink(atPath: link.string, withDestinationPath: target.string)
            for path in [link, folder.appending("no/x.lock")] {
                let error = try await #require(throws: SusiError.self) { try await FileLock.with(path) {} }
                #expect(error.code == .store && error.what.contains(path.string))
            }
        }
    }

    @Test("of two sign-ins under one policy, the second reports the first and waits; Ctrl-C ends the wait")
    func serializesSignInsUnderOnePolicy() async throws {
        try await withLocalTenant { tenant in
            let susi = tenant.susi
            let browsers = [
                try await BrowserCommand.capture(in: susi.home.folder),
                try await BrowserCommand.capture(in: susi.home.folder),
                try await BrowserCommand.capture(in: susi.home.folder),
            ]
            let commands = browsers.map { susi.command(["sign-in", "--browser", $0.command]) }
            try await commands[0].start { first in
                let url = try await browsers[0].nextURL()
                try await commands[1].start { second in
                    let line = try await second.waitForLine(containing: "another sign-in")
                    #expect(line.contains("(process "))
                    try await commands[2].start { third in
                        try await third.waitForLine(containing: "another sign-in")
                        try await third.interrupt()
                        #expect(try await third.waitUntilExit().signal == SIGINT)
                    }
                    // Another policy has another lock.
                    let partner = try await tenant.interact(["sign-in", "-p", "B2C_1_partner"], as: .ben)
                    #expect(partner.status == 0, "\(partner)")
                    #expect(browsers[1].openedURLs.isEmpty)
                    try await Self.enter(.ana, at: url)
                    #expect(try await first.waitUntilExit().status == 0)
                    try await Self.enter(.chi, at: try await browsers[1].nextURL())
                    let outcome = try await second.waitUntilExit()
                    #expect(outcome.status == 0 && outcome.standardOutput.contains("before: ana@"), "\(outcome)")
                }
            }
            #expect(browsers[2].openedURLs.isEmpty)
        }
    }

    private static func enter(_ person: LocalTenant.Person, at url: String) async throws {
        let user = person.user
        try await FormBrowser(answers: ["signInName": user.signInName, "password": user.password]).open(url)
    }
}
