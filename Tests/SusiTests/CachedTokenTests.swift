import Foundation
import Susi
import SystemPackage
import Testing

/// Which stored access token answers a request, without a server.
@Suite("Cached tokens")
final class CachedTokenTests {
    private static let work = ("entra", "https://login.microsoftonline.com/aaaaaaaa-0000-4000-8000-00000000000a")
    private static let plain = ("openid", "https://id.example/a")

    private let folder = FilePath(NSTemporaryDirectory()).appending("susi-cached-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(atPath: folder.string) }

    private func client(_ kind: String, _ authority: String) throws -> PublicClient {
        let text = """
            { "applications": { "a": { "kind": "\(kind)", "authority": "\(authority)", "clientId": "c" } } }
            """
        let application = try #require(try PoliciesFile(text: text.utf8, source: "p.json").application(nil))
        return PublicClient(application: application, folder: StoreFolder(folder, owner: getuid()), clock: { 2_000 })
    }

    /// An access token with the requested and the granted scopes.
    struct Stored: Sendable {
        let asked: [String]
        let granted: [String]
        let expiresOn: Int64

        init(_ asked: [String], granted: [String]? = nil, expiresOn: Int64 = 9_000) {
            (self.asked, self.granted, self.expiresOn) = (asked, granted ?? asked, expiresOn)
        }
    }

    /// Stores an account with access tokens.
    private func save(_ tokens: [Stored], of application: Application) throws {
        let (store, policy) = (
            try AccountStore(opening: StoreFolder(folder, owner: getuid())), try application.choosePolicy(nil)
        )
        let authority = application.authority(for: policy)
        let tenant = Tenant(origin: authority.origin, id: try #require(authority.tenant))
        let account = Account(
            person: Person(tenant: tenant, subject: "s"), policy: policy.name, clientID: application.clientID)
        for token in tokens {
            let grant = TokenGrant(
                account: account, homeAccountID: HomeAccountID(uid: "s", utid: tenant.id), tenantName: tenant.id,
                profile: Profile(), claims: "{}", idToken: "i", idTokenExpiresOn: 9_000,
                accessToken: .init(
                    secret: "a", scopes: ScopeSet(token.asked), granted: ScopeSet(token.granted),
                    expiresOn: token.expiresOn),
                refreshToken: .init(secret: "r", expiresOn: 90_000), receivedOn: 1_000)
            try store.save(
                grant, in: Registration(application, policy), authority: authority.base.description,
                makeCurrent: true)
        }
    }

    @Test(
        "another token with all wanted scopes serves a request where scopes name their API",
        arguments: [
            (work, [Stored(["a/x", "a/y"])], ["a/x"], ["a/x", "a/y"]), (plain, [Stored(["a/x", "a/y"])], ["a/x"], nil),
            // The token of the same request lacks a scope that another one has, or it is too old.
            (
                work, [Stored(["a/x", "a/y"], granted: ["a/x"]), Stored(["a/x", "a/y", "a/z"])], ["a/x", "a/y"],
                ["a/x", "a/y", "a/z"]
            ),
            (work, [Stored(["a/x"], expiresOn: 1_500), Stored(["a/x", "a/y"])], ["a/x"], ["a/x", "a/y"]),
            // No token serves a request for nothing.
            (work, [Stored(["a/x"])], [""], nil),
        ] as [((String, String), [Stored], [String], [String]?)])
    func choosesToken(
        application: (String, String), stored: [Stored], wanted: [String], expected: [String]?
    ) async throws {
        let client = try client(application.0, application.1)
        try save(stored, of: client.application)
        let found = try await client.outlook(
            api: nil, of: AccountSelection(), options: TokenRequestOptions(scopes: wanted))
        #expect(found.cached?.scopes == expected.map { ScopeSet($0) })
    }
}
