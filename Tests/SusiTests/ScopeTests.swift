import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// The scopes of a token: scopes that are requested later, and scopes of earlier sign-ins.
@Suite("Scopes of tokens", .inTurn, .timeLimit(.minutes(5)))
struct ScopeTests {
    /// Runs a workforce tenant with Microsoft Graph as the only API, which has scopes that the file does not name.
    private static func withGraph(
        _ configure: (inout TenantConfiguration) -> Void = { _ in },
        _ body: (LocalTenant, PublicClient) async throws -> Void
    ) async throws {
        let policies = onlyApplication("entra", "tailspin.onmicrosoft.com", more: graphAPI)
        let addScopes = { (tenant: inout TenantConfiguration) in
            for index in tenant.apis.indices where tenant.apis[index].name == "graph" {
                tenant.apis[index].scopes += ["Calendars.Read", "Mail.Read"]
            }
            configure(&tenant)
        }
        try await withLocalTenant(policies: policies, configure: addScopes) { tenant in
            try await body(tenant, try tenant.client())
        }
    }

    private static func request(_ scopes: String...) -> SignInRequest { SignInRequest(api: "graph", scopes: scopes) }

    private static func token(
        _ client: PublicClient, _ scopes: String..., refreshes: Bool = false
    ) async throws -> String {
        let options = TokenRequestOptions(forcesRefresh: refreshes, scopes: scopes)
        return try await client.token(api: "graph", options: options).secret
    }

    /// Returns the scopes of an access token besides those of the file.
    private static func extras(_ token: String) throws -> Set<String> {
        let scopes = Set(try SignedToken(parsing: token).claims["scp"]?.string?.split(separator: " ") ?? [])
        #expect(scopes.contains("User.Read"))
        return scopes.intersection(["Calendars.Read", "Mail.Read"]).reduce(into: []) { $0.insert(String($1)) }
    }

    @Test("after a sign-in with one more scope, the token has it: cached, by name, and refreshed")
    func addsScopeToToken() async throws {
        try await Self.withGraph { tenant, client in
            try await tenant.signIn(.ana, with: client, Self.request())
            #expect(try Self.extras(try await Self.token(client)).isEmpty)
            try await tenant.signIn(.ana, with: client, Self.request("Calendars.Read"))
            let before = tenant.requestLines.count
            let large = try await Self.token(client)
            #expect(try Self.extras(large) == ["Calendars.Read"])
            #expect(try await Self.token(client, "Calendars.Read") == large)
            #expect(tenant.requestLines.count == before)
            // A refreshed token has the scopes that the person agreed to.
            tenant.emulator.clock.advance(by: 7_200)
            let late = try tenant.client(ahead: 7_200)
            let renewed = try await Self.token(late)
            #expect(try Self.extras(renewed) == ["Calendars.Read"] && tenant.requests("POST", "/token") == 3)
            #expect(try await Self.token(late, "Calendars.Read") == renewed)
            #expect(tenant.requests("POST", "/token") == 3)
        }
    }

    @Test("a new scope is requested together with the granted ones")
    func requestsNewScopeWithGrantedOnes() async throws {
        try await Self.withGraph { tenant, client in
            try await tenant.signIn(.ana, with: client, Self.request("Calendars.Read"))
            let mail = try await Self.token(client, "Mail.Read")
            #expect(try Self.extras(mail) == ["Calendars.Read", "Mail.Read"])
            #expect(try await Self.token(client) == mail)
            #expect(try await Self.token(client, "Mail.Read", "Calendars.Read") == mail)
            // A request for the earlier scope returns a token without the new one.
            #expect(try Self.extras(try await Self.token(client, "Calendars.Read")) == ["Calendars.Read"])
            let call = try CallRequest(api: "graph", path: "/me", scopes: ["Mail.Read"]).resolved(
                in: client.application)
            #expect(try await client.preview(call, of: AccountSelection()).token.plan == .use)
            #expect(tenant.requests("POST", "/token") == 2)
        }
    }

    @Test("a sign-in with scopes adds to those that the account was granted; without any it starts again from the file")
    func addsUpScopesOfSignIns() async throws {
        try await Self.withGraph { tenant, client in
            let all: Set = ["Calendars.Read", "Mail.Read"]
            let granted = { (refreshes: Bool) in try Self.extras(try await Self.token(client, refreshes: refreshes)) }
            for scope in ["Calendars.Read", "Mail.Read"] {
                let result = try await tenant.signIn(.ana, with: client, Self.request(scope))
                #expect(result.declined.isEmpty)
            }
            let count = tenant.requests("POST", "/token")
            #expect(try await granted(false) == all)
            #expect(try Self.extras(try await Self.token(client, "Calendars.Read")).contains("Calendars.Read"))
            #expect(tenant.requests("POST", "/token") == count, "from the cache")
            #expect(try await granted(true) == all)
            try await tenant.signIn(.ana, with: client, Self.request())
            for refreshes in [false, true] { #expect(try await granted(refreshes).isEmpty) }
            // What that sign-in left out does not come back.
            try await tenant.signIn(.ana, with: client, Self.request("Mail.Read"))
            for refreshes in [false, true] { #expect(try await granted(refreshes) == ["Mail.Read"]) }
        }
    }

    @Test("the scopes that one account was granted are not those of another person who signs in")
    func keepsScopesOfPeopleApart() async throws {
        try await Self.withGraph { tenant, client in
            try await tenant.signIn(.ana, with: client, Self.request("Mail.Read"))
            // Ana is current, and Ben comes back.
            let ben = try await tenant.signIn(.ben, with: client, Self.request("Calendars.Read"))
            #expect(ben.account.label == LocalTenant.Person.ben.email && ben.declined.isEmpty)
            #expect(try Self.extras(try await Self.token(client, refreshes: true)) == ["Calendars.Read"])
        }
    }

    private static let read = "https://contoso.onmicrosoft.com/hello/demo.read"

    /// Returns the claims of a token under the password policy.
    private static func claims(_ tenant: LocalTenant, _ scopes: String...) async throws -> JSONNode {
        let selection = AccountSelection(policy: PolicyName("b2c_1_ROPC"))
        let token = try await tenant.client().token(
            api: nil, of: selection, options: TokenRequestOptions(scopes: scopes))
        return try SignedToken(parsing: token.secret).claims
    }

    @Test("a password sign-in requests a token for a named API, or for the application if there is none")
    func requestsScopesWithoutSignInPage() async throws {
        try await withLocalTenant(policies: { addingPasswordPolicy(to: $0) }) { tenant in
            let ana = LocalTenant.Person.ana
            _ = try await tenant.client().signIn(SignInRequest(), credentials: ana.credentials)
            // The file has one API, so that it need not be named.
            #expect(try await Self.claims(tenant)["scp"]?.string == "demo.read")
            let file = try tenant.susi.home.policiesFile.text()
            let second = "\"apis\": { \"write\": { \"baseUrl\": \"http://localhost/w\", \"scopes\": [\"a/b\"] },"
            try tenant.susi.home.writePolicies(file.replacing("\"apis\": {", with: second))
            let several = await expectRefusal(.ambiguousName) { try await Self.claims(tenant) }
            #expect(several?.candidates == ["write", "hello"], "\(String(describing: several))")
            let apis = try #require(file.firstRange(of: "\"hello\": {"))
            try tenant.susi.home.writePolicies(file[..<apis.lowerBound] + "} } } }")
            #expect(try await Self.claims(tenant)["aud"]?.string == "11111111-1111-1111-1111-111111111111")
            // A scope that is named replaces the application's own.
            #expect(try await Self.claims(tenant, Self.read)["scp"]?.string == "demo.read")
        }
    }

    @Test("a sign-in that waited for another one asks for the scopes that it brought, too")
    func readsAgainAfterWait() async throws {
        try await Self.withGraph { tenant, client in
            try await tenant.signIn(.ana)
            let (events, feed) = AsyncStream<SignInEvent>.makeStream()
            let surface = SignInSurface(browser: nil) { feed.yield($0) }
            let earlier = Task { try await client.signIn(Self.request("Calendars.Read"), through: surface) }
            var asked: [String: String] = [:]
            for await case .waiting(let waiting) in events {
                let (seen, look) = AsyncStream<SignInEvent>.makeStream()
                let probe = AddressProbe()
                let second = try tenant.client()
                let later = Task {
                    try? await second.signIn(
                        Self.request("Mail.Read"), through: SignInSurface(browser: probe) { look.yield($0) })
                }
                for await case .waitingForAnother in seen { break }
                try await FormBrowser(answers: LocalTenant.Person.ana.answers).open(waiting.shortURL)
                _ = try await earlier.value
                _ = await later.value
                asked = probe.parameters
                break
            }
            let scope = asked["scope"] ?? ""
            #expect(scope.contains("Calendars.Read") && scope.contains("Mail.Read"), "\(asked)")
        }
    }
}
