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

    @Test("of several commands that need a sign-in, one opens a page, and the others use what it stored")
    func sharesOneSignIn() async throws {
        try await withLocalTenant { _, susi in
            let browser = try await BrowserCommand.capture(in: susi.home.folder)
            let others = try await BrowserCommand.capture(in: susi.home.folder)
            let sharing = ["--sign-in", "--browser", others.command]
            let terminal = try susi.command(["token"], environment: ["BROWSER": others.command]).inTerminal()
            try await susi.command(["token", "--sign-in", "--browser", browser.command]).start { first in
                let url = try await browser.nextURL()
                try await susi.command(["token", "hello"] + sharing).start { second in
                    try await second.waitForLine(containing: "another sign-in")
                    try await susi.command(["call", "hello"] + sharing).start { third in
                        try await third.waitForLine(containing: "another sign-in")
                        try await susi.command(["exec"] + sharing + ["true"]).start { fourth in
                            try await fourth.waitForLine(containing: "another sign-in")
                            try await terminal.start { fifth in
                                try await fifth.type("y\n", at: "Sign in now? [Y/n] ")
                                try await fifth.waitForText("another sign-in")
                                try await Self.enter(.ana, at: url)
                                #expect(try await fifth.waitUntilExit().status == 0)
                            }
                            #expect(try await fourth.waitUntilExit().status == 0)
                        }
                        try await third.waitUntilExit().exits(0, printing: "Hello, Ana Lima")
                    }
                    try await second.waitUntilExit().exits(0, printing: "eyJ")
                }
                #expect(try await first.waitUntilExit().status == 0)
            }
            #expect(others.openedURLs.isEmpty)
        }
    }

    @Test("after another sign-in that stored nothing, a command opens its own page")
    func signsInAfterACancelledSignIn() async throws {
        try await withLocalTenant { _, susi in
            let browser = try await BrowserCommand.capture(in: susi.home.folder)
            let arguments = ["token", "--sign-in", "--browser", browser.command]
            try await susi.command(arguments).start { first in
                _ = try await browser.nextURL()
                try await susi.command(arguments).start { second in
                    try await second.waitForLine(containing: "another sign-in")
                    try await first.interrupt()
                    try await Self.enter(.ana, at: try await browser.nextURL())
                    try await second.waitUntilExit().exits(0, printing: "eyJ")
                }
            }
        }
    }

    private static func enter(_ person: LocalTenant.Person, at url: String) async throws {
        try await FormBrowser(answers: person.answers).open(url)
    }
}
