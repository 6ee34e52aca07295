import Foundation
import SusiBase
import SusiSQLite
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiEmulator

/// Accounts and the outbox as the database keeps them.
@Suite("Account data", .inTurn, .timeLimit(.minutes(5)))
final class AccountDataTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("accounts-\(UUID().uuidString)")
    private let file: DatabaseFile
    private let database: Database

    init() throws {
        file = try DatabaseFile(folder: FilePath(folder.path))
        database = Database(file: file, tenant: "b2c/one")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static let hash = PasswordHash(
        salt: [UInt8](repeating: 1, count: 16), hash: [UInt8](repeating: 2, count: 32))

    private func user(_ id: String, email: String? = nil, userName: String? = nil, provider: String? = nil) -> User {
        User(
            objectID: id, email: email, userName: userName, displayName: "D", givenName: "G", surname: "S",
            identityProvider: provider)
    }

    @Test("refuses a taken address or user name, ignoring case; each identity provider has its own addresses")
    func refusesTakenNames() throws {
        #expect(try database.add(user("1", email: "ana@contoso.example", userName: "ana"), password: Self.hash))
        #expect(try !database.add(user("2", email: "ANA@contoso.example"), password: Self.hash))
        #expect(try !database.add(user("3", userName: "Ana"), password: Self.hash))
        let social = user("4", email: "ana@contoso.example", provider: "social.example")
        #expect(try database.add(social, password: nil))
        #expect(try !database.add(user("5", email: "Ana@contoso.example", provider: "social.example"), password: nil))
        let other = Database(file: file, tenant: "b2c/two")
        #expect(try other.add(user("1", email: "ana@contoso.example", userName: "ana"), password: Self.hash))
        #expect(try database.user(email: "Ana@Contoso.Example")?.objectID == "1")
        #expect(try database.user(signInName: "ANA", .userName)?.objectID == "1")
        #expect(try database.user(signInName: "ana", .email) == nil)
        #expect(try database.user(signInName: "ana", .either)?.objectID == "1")
        #expect(try database.user(signInName: "ana@contoso.example", .either)?.objectID == "1")
    }

    @Test("requires a password of local accounts only, and a name of every account")
    func requiresPasswordAndName() throws {
        #expect(throws: SQLiteError.self) { try database.add(user("1", email: "a@b.example"), password: nil) }
        #expect(throws: SQLiteError.self) { try database.add(user("1"), password: Self.hash) }
        #expect(throws: SQLiteError.self) {
            try database.add(user("1", email: "a@b.example", provider: "social.example"), password: Self.hash)
        }
        #expect(try database.users().isEmpty)
    }

    @Test("keeps the password when a user changes, and refuses the address of another account")
    func changesUserOnly() throws {
        #expect(try database.add(user("1", email: "ana@contoso.example"), password: Self.hash))
        #expect(try database.add(user("2", email: "ben@contoso.example"), password: Self.hash))
        let attributes: [String: JSON] = [
            "extension_Loyalty": "\"7\"\n", "city": "Köln", "extension_isVip": .bool(true), "extension_Level": 7,
            "extension_Tags": ["a", "b"],
        ]
        let changed = try database.change("1") { ana in
            ana.attributes = attributes
            ana.phone = "+4930901820"
            ana.factorEmail = "ana@other.example"
            ana.isBlocked = true
        }
        let read = try #require(try database.user(objectID: "1"))
        #expect(read.attributes == attributes && read.phone == "+4930901820" && read.isBlocked)
        #expect(read.factorEmail == "ana@other.example" && changed?.attributes == attributes)
        #expect(try database.change("1") { $0.email = "Ben@contoso.example" } == nil)
        #expect(try database.user(objectID: "1")?.email == "ana@contoso.example")
        #expect(try database.removeUser(objectID: "1") && !database.removeUser(objectID: "1"))
        #expect(try database.change("1") { $0.isBlocked = false } == nil)
    }

    private struct Stopped: Error {}

    @Test("keeps both of two simultaneous changes to a user")
    func keepsBothChanges() async throws {
        #expect(try database.add(user("1", email: "ana@contoso.example"), password: Self.hash))
        let (database, names) = (database, (1...40).map { "extension_\($0)" })
        // A page reads the user, an administrator blocks her, then the page writes its change. Both changes are kept.
        let read = try #require(try database.user(objectID: "1"))
        try database.change("1") { $0.isBlocked = true }
        let written = try database.change("1") { $0.displayName = "\(read.displayName) Lima" }
        #expect(written?.isBlocked == true && written?.displayName == "\(read.displayName) Lima")
        try await withThrowingTaskGroup { group in
            for name in names { group.addTask { try database.change("1") { $0.attributes[name] = "x" } } }
            try await group.waitForAll()
        }
        let all = try #require(try database.user(objectID: "1"))
        #expect(all.attributes.keys.sorted() == names.sorted() && all.isBlocked)
        // A change that throws stores nothing.
        #expect(throws: Stopped.self) {
            try database.change("1") { ana in
                ana.isBlocked = false
                throw Stopped()
            }
        }
        #expect(try database.user(objectID: "1")?.isBlocked == true)
    }

    @Test("looks users up by index")
    func looksUpByIndex() throws {
        for condition in [
            "object_id = 'x'", "email = 'x' AND ifnull(identity_provider, '') = ''",
            "email = 'x' AND identity_provider IS NULL", "user_name = 'x' AND identity_provider IS NULL",
        ] {
            let plan = try database.read { connection in
                try connection.rows("EXPLAIN QUERY PLAN SELECT * FROM users WHERE tenant = 't' AND \(condition)") {
                    try $0.text(3)
                }
            }
            #expect(plan.allSatisfy { $0.hasPrefix("SEARCH users USING INDEX") }, "\(condition): \(plan)")
        }
    }

    @Test("keeps the newest messages of a tenant with unique ids")
    func keepsNewestMessages() throws {
        let other = Database(file: file, tenant: "b2c/two")
        try other.send("000000", to: "x@y.example", by: .email, for: .verifyEmail, now: 1)
        for number in 1...1_005 {
            try database.send("\(number)", to: "+4930901820", by: .phone, for: .secondFactor, now: Int64(number))
        }
        let newest = try #require(try database.outbox(limit: 2).first)
        #expect(newest.code == "1005" && newest.channel == .phone && newest.purpose == .secondFactor)
        #expect(newest.recipient == "+4930901820" && newest.sent == 1_005)
        #expect(try database.outbox(limit: 9_999).count == 1_000)
        #expect(try other.outbox().map(\.code) == ["000000"])
        try database.clearOutbox()
        #expect(try database.outbox().isEmpty && other.outbox().count == 1)
        try database.send("7", to: "x@y.example", by: .email, for: .resetPassword, now: 2)
        #expect(try database.outbox().first?.id ?? 0 > newest.id)
    }
}
