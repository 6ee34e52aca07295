import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SusiTools
import SystemPackage
import Testing

@testable import SusiStore

/// The tokens of another program: a sign-in into a store of its own, exported.
struct Foreign {
    let text: String
    let refreshToken: String
    let home: String
    let clientID: String

    init(_ tenant: LocalTenant, _ person: LocalTenant.Person = .ana) async throws {
        let folder = tenant.susi.home.folder.appending("other-\(person)")
        try await tenant.signIn(person, in: folder)
        let client = try tenant.client(in: folder)
        text = try await client.export(try await client.accounts(), as: .msal).text
        let entry = try #require(try JSONNode(parsing: text.utf8)["RefreshToken"]?.members.first?.node)
        refreshToken = try #require(entry["secret"]?.string)
        home = try #require(entry["home_account_id"]?.string)
        clientID = try #require(entry["client_id"]?.string)
    }

    /// Returns an ADAL cache with the same refresh token.
    func adal(at origin: String, objectID: Bool = true, user: String = "ana@contoso.example") -> String {
        let identity = HomeAccountID(home)
        let oid = objectID ? #""oid": "\#(identity?.objectID ?? "")", "tenantId": "\#(identity?.utid ?? "")","# : ""
        return Self.adal([(user, refreshToken)], at: origin, oid)
    }

    /// Returns an ADAL cache with entries of several people, each with a token of its own.
    static func adal(_ tokens: [(user: String, token: String)], at origin: String, _ identity: String = "") -> String {
        let entries = tokens.map { user, token in
            """
            {"_authority": "\(origin)/contoso.onmicrosoft.com/B2C_1_susi", "userId": "\(user)", "isMRRT": true, \(identity)
             "_clientId": "11111111-1111-1111-1111-111111111111", "resource": "https://contoso.onmicrosoft.com/hello/",
             "accessToken": "x", "refreshToken": "\(token)", "expiresOn": "2020-01-01 10:00:00"}
            """
        }
        return "[\(entries.joined(separator: ","))]"
    }
}

extension ImportReport {
    /// The outcome of each entry; what failed has the code of its error.
    var outcomes: [String] {
        taken.map { entry in
            switch entry.outcome {
            case .added: "added"
            case .known: "known"
            case .failed(let error): error.code.rawValue
            case .notSent: "not sent"
            }
        }
    }
}

/// Imports: the tokens of other programs are redeemed, and signed responses make the accounts.
@Suite("Import", .inTurn, .timeLimit(.minutes(5)))
struct ImportTests {
    private static let tokenPath = "/oauth2/v2.0/token"

    private func take(_ text: String, _ client: PublicClient) async throws -> [String] {
        try await client.importCache(try Fixture.file(text)).outcomes
    }

    @Test("a cache of ADAL is redeemed, with or without an object id; then the account is known")
    func redeemsCacheOfADAL() async throws {
        try await withLocalTenant { tenant in
            let foreign = try await Foreign(tenant)
            for withObjectID in [true, false] {
                let client = try tenant.client(in: tenant.susi.home.folder.appending("new-\(withObjectID)"))
                let text = foreign.adal(at: tenant.emulator.origin, objectID: withObjectID)
                let file = try Fixture.file(text, as: .adal)
                let outlook = try await client.importOutlook(file)
                #expect(outlook.outcomes == ["not sent"])
                let scopes = outlook.taken.first?.match.entry.scopes
                #expect(scopes == ["https://contoso.onmicrosoft.com/hello//.default"])
                let report = try await client.importCache(file)
                guard case .added(let account) = report.taken.first?.outcome else {
                    Issue.record("\(report.outcomes)")
                    continue
                }
                #expect(account.homeAccountID.description == foreign.home)
                _ = try await client.token(api: nil, of: AccountSelection())
                #expect(try await client.importOutlook(file).outcomes == ["known"])
            }
        }
    }

    @Test("a name, an object id or a handle in a cache has to be signed too; of another person nothing is stored")
    func comparesPerson() async throws {
        try await withLocalTenant { tenant in
            let (ana, ben) = (try await Foreign(tenant), try await Foreign(tenant, .ben))
            let client = try tenant.client()
            let origin = tenant.emulator.origin
            for text in [
                ana.adal(at: origin, objectID: false, user: "Ben Okoro"),
                ana.adal(at: origin, objectID: false, user: "ben@contoso.example"),
                ana.text.replacing(ana.refreshToken, with: ben.refreshToken),
            ] {
                #expect(try await take(text, client) == ["differentPerson"])
                #expect(try await client.accounts().isEmpty)
            }
            let byName = ana.adal(at: origin, objectID: false, user: "Ana Lima")
            #expect(try await take(byName, client) == ["added"])
            #expect(try await client.accounts().map(\.label) == ["ana@contoso.example"])
        }
    }

    @Test(
        "what a server refuses has its error; the other entries are imported, none becomes current, nothing is sent twice"
    )
    func reportsRefusedToken() async throws {
        try await withLocalTenant(configure: { $0.refreshRotation = .strict }) { tenant in
            let (ana, ben) = (try await Foreign(tenant), try await Foreign(tenant, .ben))
            let text = Foreign.adal(
                [
                    ("ana@contoso.example", ana.refreshToken), ("chi@contoso.example", "revoked"),
                    ("ben@contoso.example", ben.refreshToken),
                ], at: tenant.emulator.origin)
            let client = try tenant.client()
            #expect(try await take(text, client) == ["added", "signInNeeded", "added"])
            #expect(try await client.accounts().map(\.isCurrent) == [false, false])
            #expect(try await take(text, client) == ["known", "signInNeeded", "known"])
            // A spent token was not sent again.
            let selection = AccountSelection(text: "ana@contoso.example")
            _ = try await client.token(api: nil, of: selection, options: TokenRequestOptions(forcesRefresh: true))
        }
    }

    @Test("without a server nothing is stored, and the import works later; a token that has expired needs a sign-in")
    func waitsForServer() async throws {
        try await withHome { home in
            let port = try await freePort()
            let (client, text) = try await withLocalTenant(in: home, port: port) { tenant in
                (try tenant.client(), try await Foreign(tenant).text)
            }
            await expectRefusal(.network) { try await take(text, client) }
            #expect(try await client.accounts().isEmpty)
            try await withLocalTenant(in: home, port: port) { tenant in
                #expect(try await take(text, client) == ["added"])
                _ = try await client.remove(try await client.accounts())
                tenant.emulator.clock.advance(by: 30 * 86_400)
                #expect(try await take(text, client) == ["signInNeeded"])
                #expect(try await client.accounts().isEmpty)
            }
        }
    }

    @Test("eight tokens are redeemed at the same time; a server that fails gets no further ones")
    func stopsAtFailingServer() async throws {
        let gate = Gate("POST", Self.tokenPath)
        try await withLocalTenant(arrived: { await gate.pass($0) }) { tenant in
            let people = (0..<20).map { (user: "p\($0)@contoso.example", token: "token-\($0)") }
            let text = Foreign.adal(people, at: tenant.emulator.origin)
            await gate.holdNext(8)
            _ = tenant.emulator.faults.add(Fault(.status(500), at: .token))
            async let running = tenant.susi.run("import", "-", "--json", input: text)
            await gate.waitUntilFull()
            #expect(tenant.requests("POST", Self.tokenPath) == 0, "more than eight were sent")
            await gate.open()
            let outcome = try await running
            #expect(outcome.status == 3, "\(outcome)")
            let taken = try outcome.json()["taken"]?.array ?? []
            let outcomes = taken.map { $0["outcome"]?.string }
            #expect(outcomes == Array(repeating: "failed", count: 8) + Array(repeating: "notSent", count: 12))
            #expect(tenant.requests("POST", Self.tokenPath) == 8)
        }
    }

    @Test("of several imports of one file, one redeems the token, and the only account becomes current")
    func redeemsOnce() async throws {
        try await withLocalTenant(configure: { $0.refreshRotation = .strict }) { tenant in
            let foreign = try await Foreign(tenant)
            let before = tenant.requests("POST", Self.tokenPath)
            let outcomes = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<4 { group.addTask { try await take(foreign.text, tenant.client()) } }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(outcomes.sorted() == ["added", "known", "known", "known"])
            #expect(tenant.requests("POST", Self.tokenPath) == before + 1)
            #expect(try await tenant.client().accounts().map(\.isCurrent) == [true])
        }
    }

    @Test("into a shared store, tokens of several people or of another person are not sent")
    func sendsNoTokensOfOthersIntoSharedStore() async throws {
        try await withLocalTenant { tenant in
            let client = try tenant.client()
            try AccountStore(opening: StoreFolder(tenant.susi.home.susiHome, owner: getuid())).share(true)
            let (ana, ben) = (try await Foreign(tenant), try await Foreign(tenant, .ben))
            let both = Foreign.adal(
                [("ana@contoso.example", ana.refreshToken), ("ben@contoso.example", ben.refreshToken)],
                at: tenant.emulator.origin)
            let before = tenant.requests("POST", Self.tokenPath)
            let several = try await #require(throws: SusiError.self) { try await take(both, client) }
            #expect(several.code == .differentPerson && tenant.requests("POST", Self.tokenPath) == before)
            #expect(try await take(ana.text, client) == ["added"])
            let others = try Fixture.file(ben.text)
            #expect(try await client.importOutlook(others).outcomes == ["differentPerson"])
            let report = try await client.importCache(others)
            guard case .failed(let error) = report.taken.first?.outcome else {
                Issue.record("\(report.outcomes)")
                return
            }
            #expect(error.what.contains("ana@contoso.example") && error.why.contains("nothing was sent"))
            #expect(tenant.requests("POST", Self.tokenPath) == before + 1)
            #expect(try await take(ana.text, client) == ["known"])
        }
    }
}
