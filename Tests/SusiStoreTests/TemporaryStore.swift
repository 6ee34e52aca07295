import Foundation
import SusiOAuth
import SusiPolicies
import SusiSQLite
import SusiStore
import SystemPackage

/// A store's folder inside a temporary one, removed when this object is released.
final class TemporaryStore {
    let home: FilePath
    let folder: StoreFolder

    /// Without the folder, no store opens.
    init() {
        home = FilePath(NSTemporaryDirectory()).appending("susi-store-\(UUID().uuidString)")
        try? FileManager.default.createDirectory(atPath: home.string, withIntermediateDirectories: true)
        folder = StoreFolder(home.appending("state"), owner: getuid())
    }

    deinit { try? FileManager.default.removeItem(atPath: home.string) }

    func open(busyTimeout: Int32 = 30_000) throws -> AccountStore {
        try AccountStore(opening: folder, busyTimeout: busyTimeout)
    }

    /// Opens a separate connection, to read the file or to damage it.
    func raw() throws -> Connection { try Connection(path: folder.database.string, mode: .readWrite) }

    /// Returns the content of the database's file.
    func contents() throws -> Data { try Data(contentsOf: URL(filePath: folder.database.string)) }

    /// Replaces a file by a private one with these bytes, by default that of the database.
    func put(_ bytes: Data, at path: FilePath? = nil) throws {
        let path = (path ?? folder.database).string
        try bytes.write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    /// Returns the bytes of all files in the folder.
    func bytes() throws -> Data {
        var all = Data()
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path.string).sorted() {
            all += FileManager.default.contents(atPath: folder.path.appending(name).string) ?? Data()
        }
        return all
    }
}

let origin = "https://contoso.b2clogin.com"
let guid = "aaaaaaaa-0000-0000-0000-000000000001"
let client = "11111111-1111-1111-1111-111111111111"
let domain = "contoso.onmicrosoft.com"
let scope = Registration(origin: origin, tenantName: domain, clientID: client)
let read = ScopeSet(["https://contoso.onmicrosoft.com/hello/demo.read"])
let susi = PolicyName("B2C_1_susi")

let ana = "a1000000-0000-0000-0000-00000000000a"
let ben = "b1000000-0000-0000-0000-00000000000b"

func account(
    _ subject: String = ana, _ policy: PolicyName = susi, client clientID: String = client,
    tenant: Tenant = Tenant(origin: origin, id: guid)
) -> Account {
    Account(person: Person(tenant: tenant, subject: subject), policy: policy, clientID: clientID)
}

func grant(
    _ account: Account, tenantName: String = domain,
    profile: Profile = Profile(name: "Ana", emails: ["ana@example.com"]),
    mark: String = "1", scopes: ScopeSet? = read, refreshable: Bool = true, receivedOn: Int64 = 1_000,
    home: HomeAccountID? = nil, idToken: String? = nil
) -> TokenGrant {
    let name = "\(account.person.subject)|\(account.policy)|\(mark)"
    return TokenGrant(
        account: account, homeAccountID: home ?? HomeAccountID(account), tenantName: tenantName, profile: profile,
        claims: #"{"mark":"\#(name)"}"#, idToken: idToken ?? "id-\(name)", idTokenExpiresOn: receivedOn + 3_600,
        accessToken: scopes.map {
            .init(
                secret: "access-\(name)", scopes: $0, granted: $0, expiresOn: receivedOn + 3_600,
                refreshOn: receivedOn + 1_800)
        },
        refreshToken: refreshable ? .init(secret: "refresh-\(name)", expiresOn: receivedOn + 86_400) : nil,
        receivedOn: receivedOn)
}

let authority = "https://contoso.b2clogin.com/contoso.onmicrosoft.com"

extension AccountStore {
    /// Saves a sign-in with the usual authority, under the scope of the tenant's own origin unless another is given.
    func signIn(_ grant: TokenGrant, in scope: Registration? = nil, makeCurrent: Bool = true) throws {
        try save(grant, in: scope ?? grant.scope, authority: authority, makeCurrent: makeCurrent)
    }

    func refresh(_ grant: TokenGrant) throws { try refresh(grant, in: grant.scope) }

    func makeCurrent(_ account: Account) throws {
        try makeCurrent(account, in: Registration(origin: origin, tenantName: guid, clientID: account.clientID))
    }

    func remove(_ account: Account) throws -> Removal { try remove([account])[0] }

    func accounts(of scope: Registration, policy: PolicyName? = nil) throws -> [StoredAccount] {
        try accounts(of: [scope], policy: policy)
    }
}

extension TokenGrant {
    var scope: Registration {
        Registration(origin: account.person.tenant.origin, tenantName: tenantName, clientID: account.clientID)
    }
}

func kind(_ body: () throws -> Void) -> StoreError.Kind? {
    do {
        try body()
        return nil
    } catch let error as StoreError {
        return error.kind
    } catch {
        return nil
    }
}
