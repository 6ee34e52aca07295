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
    @Test("a wait has a time limit") func limitsWait() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending("x.lock")
            _ = try await FileLock.with(path) {
                await #expect(throws: DeadlineExceeded.self) { _ = try await FileLock.held(path, limit: 0) }
            }
        }
    }

    @Test func reportsFileThatCannotBeLocked() async throws {
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
        try await withLocalTenant { tenant, susi in
            let browsers = [
                try await BrowserCommand.capture(in: susi.home.folder),
                try await BrowserCommand.capture(in: susi.home.folder),
                try await BrowserCommand.capture(in: susi.home.folder),
            ]
            let commands = browsers.map { susi.command(["sign-in", "--browser", $0.command]) }
            try await commands[0].start { first in
                let url = try await browsers[0].nextURL()
                try await commands[1].start { second in
                    #expect(try await second.waitForLine(containing: "another sign-in").contains("(process "))
                    try await commands[2].start { third in
                        try await third.waitForLine(containing: "another sign-in")
                        try await third.interrupt()
                        #expect(try await third.waitUntilExit().signal == SIGINT)
                    }
                    // Another policy has another lock.
                    try await tenant.interact(["sign-in", "-p", "B2C_1_partner"], as: .ben).exits(0)
                    #expect(browsers[1].openedURLs.isEmpty)
                    try await Self.enter(.ana, at: url)
                    #expect(try await first.waitUntilExit().status == 0)
                    try await Self.enter(.chi, at: try await browsers[1].nextURL())
                    try await second.waitUntilExit().exits(0, printing: "before: ana@")
                }
            }
            #expect(browsers[2].openedURLs.isEmpty)
        }
    }

    private static func enter(_ person: LocalTenant.Person, at url: String) async throws {
        try await FormBrowser(answers: person.answers).open(url)
    }
}
