import Foundation
import SusiEmulator
import SusiHTTP
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

@testable import Susi

/// One at a time, and a wait that ends when it should.
@Suite("Locks", .inTurn, .timeLimit(.minutes(2)))
struct LockTests {
    /// Takes the lock, tells the process that holds it to a second one, and hands both on.
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

    @Test("who waits hears once who holds it, and goes on when it is free")
    func freed() async throws {
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
    func cancelled() async throws {
        try await Self.contended { second, told, _ in
            for await _ in told { break }
            second.cancel()
            await #expect(throws: CancellationError.self) { try await second.value }
        }
    }

    @Test("a wait has its limit")
    func limited() async throws {
        try await Self.contended(limit: 0) { second, _, _ in
            await #expect(throws: DeadlineExceeded.self) { try await second.value }
        }
    }

    @Test("a file that cannot be locked is said")
    func refused() async throws {
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

    @Test("two sign-ins under one policy: the second says who is first, waits, and goes on; Ctrl-C ends its wait")
    func signIns() async throws {
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
                        #expect(try await third.waitUntilExit().status == 2)
                    }
                    // Another policy has its own lock.
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
