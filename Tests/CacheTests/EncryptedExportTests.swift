import Foundation
import Susi
import SusiEmulator
import SusiSQLite
import SusiTestSupport
import SusiTools
import SystemPackage
import Testing

@testable import SusiStore

/// An encrypted export of people who signed in on another machine. A test changes its entries as its maker could.
private struct Export {
    static let passphrase = "correct horse"
    var entries: [[String: String]]

    init(_ client: PublicClient) async throws {
        let content = try ExportFile.open(
            try await client.exportSealed(passphrase: Self.passphrase).file, passphrase: Self.passphrase)
        entries = try JSONDecoder().decode([[String: String]].self, from: Data(content))
    }

    /// Signs these people in on another machine.
    init(_ tenant: LocalTenant, _ people: LocalTenant.Person...) async throws {
        let folder = Self.elsewhere(tenant)
        for person in people { try await tenant.signIn(person, in: folder) }
        try await self.init(try tenant.client(in: folder))
    }

    static func elsewhere(_ tenant: LocalTenant) -> FilePath { tenant.susi.home.folder.appending("elsewhere") }

    func changing(_ member: String, to value: String) -> Export {
        var export = self
        for place in export.entries.indices { export.entries[place][member] = value }
        return export
    }

    func bytes() throws -> [UInt8] {
        try ExportFile.seal(Array(try JSONEncoder().encode(entries)), passphrase: Self.passphrase)
    }

    func file() throws -> CacheFile { try CacheFile(opening: try bytes(), passphrase: Self.passphrase) }
}

/// Encrypted exports: their tokens are redeemed, and nothing that they say is believed.
@Suite("Encrypted export", .inTurn, .timeLimit(.minutes(5)))
struct EncryptedExportTests {
    private static func sent(_ tenant: LocalTenant) -> Int { tenant.requests("POST", "/oauth2/v2.0/token") }

    @Test("each account is redeemed once, a second import sends nothing; strict rotation signs the old machine out")
    func redeemsEachAccount() async throws {
        try await withLocalTenant(configure: { $0.refreshRotation = .strict }) { tenant in
            let export = try await Export(tenant, .ana, .ben)
            #expect(Set(export.entries[0].keys).count == 8)
            let (file, client, before) = (try export.file(), try tenant.client(), Self.sent(tenant))
            #expect(try await client.importOutlook(file).outcomes == ["not sent", "not sent"])
            #expect(Self.sent(tenant) == before && !tenant.susi.home.file("store.sqlite").exists)
            #expect(try await client.importCache(file).outcomes == ["added", "added"])
            #expect(try await client.importCache(file).outcomes == ["known", "known"])
            #expect(try await client.importOutlook(file).outcomes == ["known", "known"])
            #expect(Self.sent(tenant) == before + 2)
            let accounts = try await client.accounts()
            #expect(accounts.map(\.label) == ["ana@contoso.example", "ben@contoso.example"])
            #expect(accounts.allSatisfy { !$0.isCurrent })
            // The access token came with the import.
            _ = try await client.token(api: nil, of: AccountSelection(text: "ana@contoso.example"))
            #expect(Self.sent(tenant) == before + 2)
            let old = try tenant.client(in: Export.elsewhere(tenant))
            let ben = AccountSelection(text: "ben@contoso.example")
            await expectRefusal(.signInNeeded) {
                try await old.token(api: nil, of: ben, options: TokenRequestOptions(forcesRefresh: true))
            }
        }
    }

    @Test(
        "what the signed response does not confirm is refused and not stored",
        arguments: ["refreshToken", "tenantId", "subject"])
    func refusesForgedPerson(member: String) async throws {
        try await withLocalTenant { tenant in
            let ben = try await Export(try await Self.signedIn(tenant, .ben))
            let export = try await Export(tenant, .ana)
            let other = member == "tenantId" ? "b0b0b0b0-0000-4000-8000-000000000003" : ben.entries[0][member] ?? ""
            let client = try tenant.client()
            let report = try await client.importCache(try export.changing(member, to: other).file())
            #expect(report.outcomes == ["differentPerson"])
            guard case .failed(let error) = report.taken[0].outcome else { return }
            #expect(error.why.contains("so it was sent"), "\(error)")
            #expect(try await client.storedCount().all == 0)
        }
    }

    private static func signedIn(_ tenant: LocalTenant, _ person: LocalTenant.Person) async throws -> PublicClient {
        let folder = tenant.susi.home.folder.appending("other-\(person)")
        try await tenant.signIn(person, in: folder)
        return try tenant.client(in: folder)
    }

    @Test(
        "an entry of another application, server, tenant or policy is not sent and says what is missing",
        arguments: [
            ("clientId", "22222222-2222-2222-2222-222222222222", "no application has the client ID"),
            ("authority", "http://localhost:1/contoso.onmicrosoft.com", "its tokens are from http://localhost:1/c"),
            ("authority", "ORIGIN/fabrikam.onmicrosoft.com", "its tenant is fabrikam.onmicrosoft.com"),
            ("policy", "B2C_1_other", "its policy is “B2C_1_other”"),
            ("policy", "B2C_1_edit_profile", "edits the profile and keeps no account"),
        ])
    func sendsNothingElsewhere(member: String, value: String, reason: String) async throws {
        try await withLocalTenant { tenant in
            let export = try await Export(tenant, .ana)
            let before = tenant.requestLines.count
            let value = value.replacing("ORIGIN", with: tenant.emulator.origin)
            let report = try await tenant.client().importCache(try export.changing(member, to: value).file())
            #expect(report.taken.isEmpty && report.leftOut.count == 1 && tenant.requestLines.count == before)
            #expect(report.leftOut.first?.reason.contains(reason) == true, "\(report.leftOut)")
            #expect(report.leftOut.first?.remedy.isEmpty == (value == "B2C_1_edit_profile"))
        }
    }

    @Test("a label is only shown: the account has the signed one, and is current as the only one")
    func believesNoLabel() async throws {
        try await withLocalTenant { tenant in
            let export = try await Export(tenant, .ana).changing("label", to: "ben@contoso.example")
            let client = try tenant.client()
            #expect(try await client.importCache(try export.file()).outcomes == ["added"])
            let accounts = try await client.accounts()
            #expect(accounts.map(\.label) == ["ana@contoso.example"] && accounts[0].isCurrent)
        }
    }

    @Test("into a shared store, preview and import refuse entries of others alike, and send none of them")
    func refusesOthersInSharedStore() async throws {
        try await withLocalTenant { tenant in
            let client = try tenant.client()
            try tenant.share()
            let export = try await Export(tenant, .ana, .ben)
            await expectRefusal(.differentPerson) { try await client.importOutlook(try export.file()) }
            await expectRefusal(.differentPerson) { try await client.importCache(try export.file()) }
            try await tenant.signIn(.ana, under: "B2C_1_partner")
            let before = Self.sent(tenant)
            // The label is not the person.
            let file = try export.changing("label", to: "ana@contoso.example").file()
            #expect(try await client.importOutlook(file).outcomes == ["not sent", "differentPerson"])
            #expect(Self.sent(tenant) == before)
            let report = try await client.importCache(file)
            #expect(report.outcomes == ["added", "differentPerson"] && Self.sent(tenant) == before + 1)
            guard case .failed(let error) = report.taken[1].outcome else { return }
            #expect(error.why.contains("nothing was sent"), "\(error)")
            // An entry may name the holder and have another person's token.
            _ = try await client.remove(try await client.account(AccountSelection(text: "ana@contoso.example")))
            var forged = export
            forged.entries[0]["refreshToken"] = forged.entries.removeLast()["refreshToken"]
            #expect(try await client.importCache(try forged.file()).outcomes == ["differentPerson"])
            #expect(try await client.storedCount().all == 1)
        }
    }

    @Test("an export names what it leaves out; without a valid token nothing is written")
    func namesWhatIsLeftOut() async throws {
        try await withLocalTenant { tenant in
            let client = try tenant.client()
            for policy in ["B2C_1_susi", "B2C_1_partner"] { try await tenant.signIn(.ana, under: policy) }
            try await tenant.signIn(.ben)
            let store = try AccountStore(opening: StoreFolder(tenant.susi.home.susiHome.string))
            let partner = try #require(try store.allAccounts().first { $0.policy == PolicyName("B2C_1_partner") })
            let token = try #require(try store.secret(.refresh(partner.account)))
            try store.dropRefreshToken(partner.account, ifStill: token.secret)
            var export = try await client.exportSealed(passphrase: Export.passphrase)
            #expect(export.accounts == 2 && export.tokens == 2)
            #expect(export.leftOut.map(\.holder) == ["ana@contoso.example under B2C_1_partner"])
            #expect(export.leftOut.map(\.reason) == ["no refresh token"])
            try Connection(path: store.folder.database.string, mode: .readWrite).execute(
                """
                UPDATE tokens SET secret = zeroblob(60) WHERE kind = 'refresh' AND account =
                    (SELECT a.id FROM accounts AS a JOIN persons AS p ON p.id = a.person WHERE p.emails LIKE '%ben@%')
                """)
            export = try await client.exportSealed(passphrase: Export.passphrase)
            #expect(export.accounts == 1 && export.leftOut.count { $0.isDamaged } == 1)
            let late = try tenant.client(ahead: 400 * 86_400)
            let error = await expectRefusal(.unknownAccount) {
                try await late.exportSealed(passphrase: Export.passphrase)
            }
            let ended = "ana@contoso.example under B2C_1_susi: its refresh token has expired"
            #expect(error?.candidates.contains(ended) == true)
        }
    }

    @Test("content that is not a list is refused; a malformed entry is reported, and the others are imported")
    func refusesMalformedContent() async throws {
        try await withLocalTenant { tenant in
            for content in ["", "{}", "[", "SQLite format 3\u{0}"] {
                let sealed = try ExportFile.seal(Array(content.utf8), passphrase: Export.passphrase)
                let error = #expect(throws: ExportFileError.self) {
                    try CacheFile(opening: sealed, passphrase: Export.passphrase)
                }
                if case .content = error { continue }
                Issue.record("\(content): \(error as Any)")
            }
            var export = try await Export(tenant, .ana)
            for (member, value) in [
                ("authority", "x"), ("refreshToken", "a\r\nX-Injected: 1"), ("subject", ""), ("tenantId", " "),
            ] { export.entries.append(export.changing(member, to: value).entries[0]) }
            let report = try await tenant.client().importCache(try export.file())
            #expect(report.outcomes == ["added"] && report.damages.count == 4, "\(report.damages)")
        }
    }
}
