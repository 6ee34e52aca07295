import Foundation
import Susi
import SusiTestSupport
import SystemPackage
import Testing

/// The connection of one client to its store.
@Suite("Store session", .inTurn, .timeLimit(.minutes(5)))
struct StoreSessionTests {
    /// The connections of this process to a file. Linux lists them.
    private static func connections(to file: FilePath) -> Int {
        let files = FileManager.default
        let numbers = (try? files.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return numbers.count { (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == file.string }
    }

    @Test(
        "reads and writes through one connection, and opens a store again that was replaced",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"), "this system lists no open files"))
    func keepsOneConnection() async throws {
        try await withLocalTenant { tenant in
            let susi = tenant.susi
            for person in [LocalTenant.Person.ana, .ben] {
                #expect(try await tenant.interact(["sign-in"], as: person).status == 0)
            }
            let text = try String(contentsOfFile: susi.home.policiesFile.string, encoding: .utf8)
            let file = try PoliciesFile(text: text.utf8, source: "the test's policies")
            let folder = StoreFolder(susi.home.susiHome.string)
            let client = PublicClient(
                application: try #require(file.application(nil)), folder: folder, clock: TestEnvironment.realTime)
            let path = FilePath(susi.home.susiHome.string.withoutLinks).appending("store.sqlite")

            #expect(try await client.accounts().count == 2)
            _ = try await client.token(api: "hello", of: AccountSelection())
            let before = tenant.requests("POST", "/token")
            #expect(Self.connections(to: path) == 1)
            let options = TokenRequestOptions(forcesRefresh: true)
            _ = try await client.token(api: "hello", of: AccountSelection(), options: options)
            #expect(tenant.requests("POST", "/token") == before + 1)
            #expect(Self.connections(to: path) == 1)
            // What another process writes is seen.
            #expect(try await susi.run("remove", "ana@contoso.example", "--yes").status == 0)
            #expect(try await client.accounts().map(\.label) == ["ben@contoso.example"])

            let reader = PublicClient(
                application: try #require(file.application(nil)), folder: folder, clock: TestEnvironment.realTime)
            #expect(try await reader.accounts().count == 1)
            try FileManager.default.moveItem(atPath: path.string, toPath: path.string + ".aside")
            #expect(try await reader.accounts().isEmpty, "the file of the folder is gone")
        }
    }
}

extension String {
    /// The path as `/proc` shows it.
    fileprivate var withoutLinks: String { URL(filePath: self).resolvingSymlinksInPath().path(percentEncoded: false) }
}
