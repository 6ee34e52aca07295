import Foundation
import SusiBase
import SusiTestSupport
import SystemPackage
import Testing

/// What the first version of susi wrote, in `Tests/Versions`, and every later one reads. The files never change.
@Suite(.inTurn) struct VersionTests {
    private static let folder = FilePath(#filePath).removingLastComponent().removingLastComponent()
        .removingLastComponent().appending("Versions/1")

    private static func bytes(_ name: String) throws -> Data {
        try Data(contentsOf: URL(filePath: folder.appending(name).string))
    }

    private static func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

    private static func put(_ name: String, at path: FilePath) throws {
        try bytes(name).write(to: URL(filePath: path.string))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path.string)
    }

    private static func withStore(_ body: (SusiBinary) async throws -> Void) async throws {
        try await withSusi(policies: try text("policies.json")) { susi in
            for name in ["key", "store.sqlite"] { try put("home/\(name)", at: susi.home.file(name)) }
            try await body(susi)
        }
    }

    @Test("its store opens: accounts, the current one, a token from the store, and it can be changed")
    func opensTheStore() async throws {
        try await Self.withStore { susi in
            try await susi.run("store", "check").exits(0)
            let accounts = try await susi.run("accounts", "--json").json()["accounts"]?.array ?? []
            #expect(accounts.map { $0["label"]?.string } == ["ben@contoso.example", "ana@contoso.example"])
            #expect(accounts.map { $0["isCurrent"]?.bool } == [true, false])
            // No server is there: the access tokens are valid for ten years.
            for name in ["ana", "ben"] {
                let claims = try await susi.run(
                    "inspect", "-p", "B2C_1_ropc", "-a", "\(name)@contoso.example", "--offline", "--json"
                )
                .json()
                #expect(claims["claims"]?["emails"]?.strings == ["\(name)@contoso.example"], "\(claims)")
            }
            try await susi.run("switch", "ana@contoso.example", "-p", "B2C_1_ropc").exits(0)
            let token = try await susi.run("token", "orders", "-p", "B2C_1_ropc").exits(0).standardOutput
            #expect(token.hasPrefix("ey"))
            try await susi.run("remove", "ana@contoso.example", "-p", "B2C_1_ropc", "--yes").exits(0)
            #expect(try await susi.run("accounts", "--json").json()["accounts"]?.array?.count == 1)
        }
    }

    @Test("its export is read with its passphrase, under its policies file")
    func readsTheExport() async throws {
        try await withSusi(policies: try Self.text("policies.json")) { susi in
            try Self.put("accounts.susi", at: susi.home.work("accounts.susi"))
            try susi.home.work("phrase").write("correct horse battery staple\n")
            try await susi.run("import", "accounts.susi", "--passphrase-file", "phrase", "--dry-run").exits(
                0, printing: "2 to import, 0 skipped, 0 failed")
        }
    }

    @Test("its tenant file is served, with its users and applications")
    func servesTheTenantFile() async throws {
        try await withSusi(policies: try Self.text("policies.json")) { susi in
            try susi.home.work("tenants.json").write(try Self.text("tenants.json"))
            let run = try await susi.run(
                "emulator", "exec", "--seed", "tenants.json", susi.path.string, "emulator", "export")
            let tenant = try run.exits(0).json()["tenants"]?["contoso.onmicrosoft.com"]
            #expect(tenant?["users"]?.array?.map { $0["email"]?.string }.count == 2, "\(run)")
            #expect(tenant?["applications"]?.members.count == 2)
        }
    }

    @Test("its list of trusted files holds for the same file, and for no other content")
    func trustsTheSameFile() async throws {
        try await withSusi { susi in
            let list = try Self.text("home/trusted-policies")
            try susi.home.file("trusted-policies").write(
                list.replacing("FOLDER", with: susi.home.workingFolder.string), mode: 0o600)
            let policies = try Self.text("cloud-policies.json")
            try susi.home.writeLocalPolicies(policies)
            try await susi.run("policies", "list").exits(0, printing: "B2C_1_susi")
            try await susi.run("accounts").exits(0)
            try susi.home.writeLocalPolicies(policies + " ")
            try await susi.run("accounts").exits(7, saying: "policies trust")
        }
    }
}
