import Foundation
import Susi
import SusiEmulator
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
        try await withLocalTenant { tenant, susi in
            for person in [LocalTenant.Person.ana, .ben] { try await tenant.signIn(person) }
            let client = try tenant.client()
            let path = FilePath(susi.home.susiHome.string.withoutLinks).appending("store.sqlite")

            #expect(try await client.accounts().count == 2)
            _ = try await client.token(api: "hello", of: AccountSelection())
            let before = tenant.requests("POST", "/token")
            #expect(Self.connections(to: path) == 1)
            _ = try await client.refreshed(api: "hello")
            #expect(tenant.requests("POST", "/token") == before + 1)
            #expect(Self.connections(to: path) == 1)
            // What another process writes is seen.
            #expect(try await susi.run("remove", "ana@contoso.example", "--yes").status == 0)
            #expect(try await client.accounts().map(\.label) == ["ben@contoso.example"])

            let reader = try tenant.client()
            #expect(try await reader.accounts().count == 1)
            try FileManager.default.moveItem(atPath: path.string, toPath: path.string + ".aside")
            #expect(try await reader.accounts().isEmpty, "the file of the folder is gone")
        }
    }

    @Test("of two first uses at the same time, only one key stays in the key service")
    func keepsOneKeyOfTwoFirstUses() async throws {
        let policies = { (text: String) in
            addingPasswordPolicy(to: addingPasswordPolicy(to: text).replacing("B2C_1_ropc", with: "B2C_1_other"))
        }
        try await withLocalTenant(policies: policies) { tenant in
            let (susi, folder) = (tenant.susi, tenant.susi.home.folder)
            let keys = folder.appending("keys").string
            try FakeSecretTool.install(in: folder)
            let signIn = { (person: LocalTenant.Person, policy: String) in
                ["sign-in", "-p", policy, "--username", person.email, "--password-stdin"]
            }
            let second = signIn(.ben, "B2C_1_other").joined(separator: " ")
            let environment = [
                "PATH": "\(folder)/bin:\(susi.home.environment["PATH"] ?? "")", "KEYS": keys,
                "SUSI_KEY_SOURCE": "secret-service", "SUSI_KEY_TIMEOUT": "60s",
                "MEANWHILE": "printf Passw0rd! | '\(susi.path)' \(second) >\(keys).log 2>&1",
            ]
            let first = susi.command(
                signIn(.ana, "B2C_1_ropc"), environment: environment, input: .text(LocalTenant.Person.ana.user.password)
            )
            let outcome = try await first.run()
            let log = try String(contentsOfFile: "\(keys).log", encoding: .utf8)
            #expect(outcome.status == 0, "\(outcome)\n\(log)")
            let record = try susi.home.file("key").text()
            let kept = FakeSecretTool.keys(in: folder)
            #expect(kept.count == 1 && record.contains(kept.first ?? "-"), "\(kept) \(record)")
            let accounts = try await susi.run("accounts", "--json", environment: environment).json()["accounts"]?.array
            #expect(
                Set(accounts?.compactMap { $0["label"]?.string } ?? []) == [
                    "ana@contoso.example", "ben@contoso.example",
                ])
            // A key that an interrupted change of the key left is removed by the next writer.
            let id = String(repeating: "0a", count: 8)
            try susi.home.file("key.new").write("susi-key-2 secret-service \(id) 0\n", mode: 0o600)
            try FilePath(keys).appending(id).write("left", mode: 0o600)
            try await susi.run(
                "switch", LocalTenant.Person.ben.email, "-p", "B2C_1_other", environment: environment
            ).exits(0)
            #expect(FakeSecretTool.keys(in: folder) == kept)
            _ = try await susi.run("store", "lock", environment: environment)
        }
    }
}

extension String {
    /// The path as `/proc` shows it.
    fileprivate var withoutLinks: String { URL(filePath: self).resolvingSymlinksInPath().path(percentEncoded: false) }
}
