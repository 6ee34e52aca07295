import SusiBase
import SusiTestSupport
import Testing

@testable import SusiEmulator

/// Who may redeem what was sent to a redirect address of a type.
@Suite("Redirect types", .inTurn, .timeLimit(.minutes(5)))
struct RedirectTypeTests {
    /// A request for tokens, and whether a page may read the response.
    private struct Row: Sendable {
        let type: RedirectType
        var secret: String?
        var isOfPage = false
        var error: String?
        var isReadable = false

        var page: String { "http://localhost:840\(RedirectType.allCases.firstIndex(of: type) ?? 0)" }
        var headers: [(String, String)] { isOfPage ? [("Origin", page)] : [] }

        func fields(_ token: String?) -> [String: String] {
            ["grant_type": "refresh_token", "refresh_token": token ?? "", "client_secret": secret ?? ""]
        }
    }

    private static let secret = "a secret"
    // The first row of each type gets tokens.
    private static let b2c = [
        Row(type: .web, secret: secret), Row(type: .web, error: "AADB2C90079"),
        Row(type: .web, secret: "another", error: "AADB2C90081"),
        Row(type: .web, isOfPage: true, error: "AADB2C90079", isReadable: true),
        Row(type: .web, secret: secret, isOfPage: true),
        Row(type: .spa, isOfPage: true, isReadable: true), Row(type: .spa),
        Row(type: .spa, secret: secret, isOfPage: true, error: "AADB2C90084", isReadable: true),
        Row(type: .native), Row(type: .native, isOfPage: true),
        Row(type: .native, secret: secret, error: "AADB2C90084"),
    ]
    private static let entra = [
        Row(type: .web, secret: secret), Row(type: .web, error: "AADSTS7000218"),
        Row(type: .web, secret: secret, isOfPage: true, error: "AADSTS9002326", isReadable: true),
        Row(type: .spa, isOfPage: true, isReadable: true), Row(type: .spa, error: "AADSTS9002327"),
        Row(type: .spa, secret: secret, isOfPage: true, error: "AADSTS700025", isReadable: true),
        Row(type: .native), Row(type: .native, isOfPage: true, error: "AADSTS9002326", isReadable: true),
        Row(type: .native, secret: secret, error: "AADSTS700025"),
    ]

    private static func typed(_ tenant: TenantConfiguration) -> TenantConfiguration {
        var tenant = tenant
        tenant.applications[0].redirectAddresses = []
        for type in RedirectType.allCases { tenant.applications[0][type] = [Row(type: type).page + "/"] }
        tenant.applications[0].secrets = [secret]
        return tenant
    }

    private func check(_ rows: [Row], at path: String, _ fixture: EmulatorFixture) async throws {
        let (door, browser, scope) = (try await Door(fixture, path), fixture.browser(), "openid offline_access")
        _ = try await door.signIn(browser, scope, ["redirect_uri": Row(type: .spa).page + "/"])
        var tokens: [RedirectType: String] = [:]
        for row in rows {
            let address = ["redirect_uri": row.page + "/"]
            let redirect = try await browser.get(try door.authorize(scope, address.mapValues { $0 }))
            let secret = ["client_secret": row.secret ?? ""]
            let response = try await door.redeem(redirect, address.merging(secret) { $1 }, row.headers)
            try check(row, response)
            if row.error == nil { tokens[row.type] = try response.json["refresh_token"]?.string }
            // A refresh follows the rules of its sign-in.
            try check(row, try await door.token(row.fields(tokens[row.type]), row.headers))
        }
        // Only those of a single-page application end after a day.
        fixture.emulator.clock.advance(by: 86_400)
        for row in rows where row.error == nil {
            let response = try await door.token(row.fields(tokens[row.type]), row.headers)
            #expect((response.status == 200) == (row.type != .spa), "\(row): \(response.text)")
        }
    }

    private func check(_ row: Row, _ response: Received) throws {
        let description = try response.json["error_description"]?.string
        #expect((response.status == 200) == (row.error == nil), "\(row): \(response.text)")
        #expect(description?.hasPrefix("\(row.error ?? ""):") != false, "\(row): \(response.text)")
        #expect(response.header("access-control-allow-origin") == (row.isReadable ? row.page : nil), "\(row)")
    }

    @Test("the type decides who sends a secret and which pages read tokens, and in Entra ID who redeems a code")
    func decidesWhoRedeems() async throws {
        try await withFixture(tenants: [Self.typed(try tenantOfTests()), Self.typed(Kinds.entra)]) { fixture in
            try await check(Self.b2c, at: "/contoso.onmicrosoft.com/B2C_1_susi/v2.0", fixture)
            try await check(Self.entra, at: "/tailspin.onmicrosoft.com/v2.0", fixture)
        }
    }
}
