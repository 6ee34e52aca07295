import Foundation
import SusiSQLite
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiEmulator

/// Users from a file.
@Suite("Users file", .inTurn, .timeLimit(.minutes(2)))
struct UsersFileTests {
    private static func withFile(_ text: String, _ body: (FilePath, FilePath) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending("users.jsonl")
            try Data(text.utf8).write(to: URL(filePath: file.string))
            try await body(file, folder.appending("emulator"))
        }
    }

    @Test("they sign in with a password of their own, the usual one, or one that came hashed")
    func signIn() async throws {
        let hash = try PasswordHash("from elsewhere")
        let base64 = { (bytes: [UInt8]) in Data(bytes).base64EncodedString() }
        let lines = """
            {"email":"dot@load.example"}
            {"email":"eve@load.example","password":"Ev3-Ev3-","givenName":"Eve","surname":"Ito"}

            {"email":"fay@load.example","objectId":"F0F0F0F0-0000-4000-8000-000000000009",\
            "passwordHash":{"salt":"\(base64(hash.salt))","hash":"\(base64(hash.hash))"}}
            """
        try await Self.withFile(lines) { file, folder in
            try await withScene(folder: folder) {
                $0.usersFile = file
            } _: { scene in
                for (email, password) in [
                    ("dot@load.example", "Passw0rd!"), ("eve@load.example", "Ev3-Ev3-"),
                    ("fay@load.example", "from elsewhere"),
                ] {
                    let redirect = try await scene.signIn(scene.browser(), as: email, password: password)
                    let tokens = try await scene.redeem(try redirect.redirect["code"]).json
                    let claims = try tokens.claims("id_token")
                    #expect(claims["emails"] == [.string(email)])
                    if email.hasPrefix("eve") { #expect(claims["name"] == "Eve Ito") }
                    if email.hasPrefix("fay") { #expect(claims["oid"] == "f0f0f0f0-0000-4000-8000-000000000009") }
                }
            }
        }
    }

    @Test("who is there already stays as they are, and a file with a mistake leaves nobody behind")
    func again() async throws {
        try await Self.withFile(#"{"email":"dot@load.example","displayName":"Dot"}"#) { file, folder in
            let count = { (scene: Scene) in try scene.emulator.site.tenants[0].database.users().count }
            try await withScene(folder: folder) {
                $0.usersFile = file
            } _: {
                let found = try count($0)
                #expect(found == 4)
            }
            try Data(#"{"email":"dot@load.example","displayName":"Other"}"#.utf8)
                .write(to: URL(filePath: file.string))
            try await withScene(folder: folder) {
                $0.usersFile = file
            } _: { scene in
                let users = try scene.emulator.site.tenants[0].database.users()
                #expect(users.first { $0.email == "dot@load.example" }?.displayName == "Dot")
            }
            try Data("{\"email\":\"gus@load.example\"}\n{\"mail\":\"x\"}\n".utf8)
                .write(to: URL(filePath: file.string))
            let error = try await #require(throws: EmulatorError.self) {
                try await withScene(folder: folder) {
                    $0.usersFile = file
                } _: { _ in
                }
            }
            #expect("\(error)".contains("users.jsonl cannot be used: line 2"))
            try await withScene(folder: folder) { _ in
            } _: {
                let found = try count($0)
                #expect(found == 4)
            }
        }
    }

    @Test("a password that many share is hashed once")
    func shared() async throws {
        let lines = (0..<500).map { "{\"email\":\"user\($0)@load.example\"}" }.joined(separator: "\n")
        try await Self.withFile(lines) { file, folder in
            try await withScene(folder: folder) {
                $0.usersFile = file
            } _: { scene in
                let kept = try scene.emulator.site.tenants[0].database.read { connection in
                    try connection.first("SELECT count(*), count(DISTINCT password_hash) FROM users") {
                        (try $0.integer(0), try $0.integer(1))
                    }
                }
                #expect(kept?.0 == 503 && kept?.1 == 1)
            }
        }
    }
}
