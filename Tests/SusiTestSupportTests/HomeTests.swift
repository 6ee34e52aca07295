import Foundation
import SusiTestSupport
import SystemPackage
import Testing

/// Temporary homes and the commands of browsers.
@Suite(.inTurn, .timeLimit(.minutes(5)))
struct HomeTests {
    @Test func findsBuiltProgramAndRunsItInItsHome() async throws {
        try await withSusi(policies: "{}") { susi in
            #expect(FileManager.default.isExecutableFile(atPath: susi.path.string))
            let policies = try String(contentsOfFile: susi.home.policiesFile.string, encoding: .utf8)
            #expect(policies == "{}")
            let variables = susi.command([]).environment
            #expect(Set(variables.keys) == ["HOME", "LANG", "PATH", "SUSI_HOME"])
            #expect(variables["SUSI_HOME"] == susi.home.susiHome.string)
        }
    }

    @Test func makesPrivateFolderAndRemovesIt() async throws {
        let left = try await withTemporaryFolder { folder in
            let mode = try FileManager.default.attributesOfItem(atPath: folder.string)[.posixPermissions] as? Int
            #expect(mode == 0o700)
            return folder
        }
        #expect(!FileManager.default.fileExists(atPath: left.string))
    }

    @Test func keepsAddressesOfBrowserCommandInOrder() async throws {
        try await withTemporaryFolder { folder in
            let browser = try await BrowserCommand.capture(in: folder)
            #expect(browser.openedURLs.isEmpty)
            for url in ["http://localhost:1/?a=b&c=%20d", "second"] {
                let command = browser.command.split(separator: " ").map { $0 == "%u" ? url : String($0) }
                #expect(try await Program(FilePath(command[0]), Array(command.dropFirst())).run().status == 0)
            }
            #expect(try await browser.nextURL() == "http://localhost:1/?a=b&c=%20d")
            #expect(try await browser.nextURL() == "second")
            #expect(browser.openedURLs.count == 2)
            await #expect(throws: ProgramError.self) { try await browser.nextURL(limit: .milliseconds(200)) }
        }
    }
}
