import Foundation
import SusiBase
import SusiSQLite
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiEmulator

@Suite("Users file", .inTurn, .timeLimit(.minutes(5)))
struct UsersFileTests {
    private static func withFile(_ text: String, _ body: (FilePath, FilePath) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending("users.jsonl")
            try file.write(text)
            try await body(file, folder.appending("emulator"))
        }
    }

    /// Runs an emulator whose tenant has these users.
    private static func withUsers(
        _ file: FilePath, in folder: FilePath, _ body: (EmulatorFixture) async throws -> Void = { _ in }
    ) async throws {
        try await withFixture(folder: folder, { $0.usersFile = file }, body)
    }

    @Test("signs users in with their own, the usual or a hashed password")
    func signsInUsersOfFile() async throws {
        let hash = try PasswordHash("from elsewhere")
        let base64 = { (bytes: [UInt8]) in Data(bytes).base64EncodedString() }
        let lines = """
            {"email":"dot@load.example"}
            {"email":"eve@load.example","password":"Ev3-Ev3-","givenName":"Eve","surname":"Ito"}

            {"email":"fay@load.example","objectId":"F0F0F0F0-0000-4000-8000-000000000009",\
            "passwordHash":{"salt":"\(base64(hash.salt))","hash":"\(base64(hash.hash))"}}
            """
        try await Self.withFile(lines) { file, folder in
            try await Self.withUsers(file, in: folder) { fixture in
                for (email, password) in [
                    ("dot@load.example", "Passw0rd!"), ("eve@load.example", "Ev3-Ev3-"),
                    ("fay@load.example", "from elsewhere"),
                ] {
                    let claims = try await fixture.tokens(as: email, password: password).claims("id_token")
                    #expect(claims["emails"] == [.string(email)])
                    if email.hasPrefix("eve") { #expect(claims["name"] == "Eve Ito") }
                    if email.hasPrefix("fay") { #expect(claims["oid"] == "f0f0f0f0-0000-4000-8000-000000000009") }
                }
            }
        }
    }

    @Test("accepts a hash that Python made")
    func acceptsHashOfPython() throws {
        let hash = try #require(Data(base64Encoded: "vItGTT9OnM5YvvYd1KNmzMgH88wymO2KERPwSQojH5c="))
        let kept = PasswordHash(salt: Array(0..<16), hash: Array(hash))
        #expect(try kept.matches("Passw0rd!"))
        #expect(try !kept.matches("passw0rd!"))
    }

    @Test("keeps existing users, and adds none from a file with a mistake")
    func keepsExistingUsers() async throws {
        try await Self.withFile(#"{"email":"dot@load.example","displayName":"Dot"}"#) { file, folder in
            let count = { (fixture: EmulatorFixture) in try fixture.database.users().count }
            try await Self.withUsers(file, in: folder) {
                let found = try count($0)
                #expect(found == 4)
            }
            try file.write(#"{"email":"dot@load.example","displayName":"Other"}"#)
            try await Self.withUsers(file, in: folder) { fixture in
                let users = try fixture.database.users()
                #expect(users.first { $0.email == "dot@load.example" }?.displayName == "Dot")
            }
            try file.write("{\"email\":\"gus@load.example\"}\n{\"mail\":\"x\"}\n")
            let error = try await #require(throws: EmulatorError.self) { try await Self.withUsers(file, in: folder) }
            #expect("\(error)".contains("users.jsonl, line 2: "))
            try await withFixture(folder: folder) { _ in
            } _: {
                let found = try count($0)
                #expect(found == 4)
            }
        }
    }

    @Test("reads every property of an account")
    func readsEveryProperty() async throws {
        let lines = """
            {"userName":"gus","displayName":"Gus","phone":"+4930901820","attributes":{"city":"Kyoto"}}
            {"email":"hal@load.example","identityProvider":"social.example","isBlocked":true}
            {"email":"hal@load.example","userName":"hal","mustResetPassword":true,"homeTenant":"elsewhere"}
            """
        try await Self.withFile(lines) { file, folder in
            try await Self.withUsers(file, in: folder) { fixture in
                let database = fixture.database
                let gus = try #require(try database.user(signInName: "GUS", .userName))
                #expect(gus.email == nil && gus.phone == "+4930901820" && gus.attributes == ["city": "Kyoto"])
                #expect(gus.objectID == derivedGUID("\(derivedGUID("contoso.onmicrosoft.com")) gus"))
                let social = try #require(try database.user(email: "HAL@load.example", of: "social.example"))
                #expect(social.isBlocked && !social.mustResetPassword)
                let local = try #require(try database.user(email: "hal@load.example"))
                #expect(local.objectID != social.objectID && local.mustResetPassword && !local.isBlocked)
                #expect(local.userName == "hal" && local.homeTenant == "elsewhere")
                #expect(try database.users().last?.userName == "gus")
            }
        }
    }

    @Test(
        "reports the mistake of a line",
        arguments: [
            (#"{"displayName":"Ida"}"#, "email"), (#"{"email":"ida"}"#, "email address"),
            (#"{"userName":"i@da"}"#, "userName"),
            (#"{"email":"i@da.example","objectId":"1"}"#, "GUID"),
            (#"{"userName":"ida","identityProvider":"social.example"}"#, "needs an “email”"),
            (#"{"email":"i@da.example","password":"x","identityProvider":"social.example"}"#, "cannot have a password"),
            (#"{"userName":7}"#, "found a number"), ("[]", "an object with"), ("{", "expected a name"),
            (#"{"email":"i@da.example","passwrod":"x"}"#, "did you mean “password”?"),
            (
                #"{"userName":"ida","attributes":{"vip":"yes"}}"#,
                "“attributes.vip”: found a string; expected true or false"
            ),
        ])
    func reportsMistakes(line: String, reason: String) async throws {
        try await Self.withFile(line) { file, _ in
            var tenant = TenantConfiguration()
            tenant.attributeTypes = ["vip": .boolean]
            let users = UsersFile(path: file, tenant: tenant)
            let error = #expect(throws: EmulatorError.self) { try users.forEach { _ in } }
            #expect(error.map { "\($0)" }?.contains("line 1: ") == true)
            #expect(error.map { "\($0)" }?.contains(reason) == true)
        }
    }

    @Test(
        "reports duplicates in the file by address, name or id",
        arguments: [
            (#"{"email":"DOT@load.example"}"#, "DOT@load.example"),
            (#"{"email":"eve@load.example","userName":"Dot"}"#, "eve@load.example"),
            (#"{"userName":"x","objectId":"D0D0D0D0-0000-4000-8000-000000000004"}"#, "x"),
        ])
    func reportsDuplicates(line: String, name: String) async throws {
        let first =
            #"{"email":"dot@load.example","userName":"dot","objectId":"d0d0d0d0-0000-4000-8000-000000000004"}"#
        try await Self.withFile("\(first)\n\n\(line)\n") { file, folder in
            let error = try await #require(throws: EmulatorError.self) { try await Self.withUsers(file, in: folder) }
            #expect("\(error)".contains("line 3: duplicate name “\(name)”"), "\(error)")
        }
    }

    @Test func hashesSharedPasswordOnce() async throws {
        let lines = (0..<500).map { "{\"email\":\"user\($0)@load.example\"}" }.joined(separator: "\n")
        try await Self.withFile(lines) { file, folder in
            try await Self.withUsers(file, in: folder) { fixture in
                let kept = try fixture.database.read { connection in
                    try connection.first("SELECT count(*), count(DISTINCT password_hash) FROM users") {
                        (try $0.integer(0), try $0.integer(1))
                    }
                }
                #expect(kept?.0 == 503 && kept?.1 == 1)
            }
        }
    }
}
