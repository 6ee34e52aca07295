import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// Sign-in, silent token and check, for each kind of tenant.
@Suite("Kinds of authority", .inTurn, .timeLimit(.minutes(5)))
struct KindSignInTests {
    static let rows: [(kind: String, authority: String, known: String)] = [
        ("b2c", "http://localhost:8480/tfp/contoso.onmicrosoft.com", "http://localhost:8480"),
        ("external", "http://localhost:8480/fabrikam.onmicrosoft.com", "http://localhost:8480"),
        ("entra", "http://localhost:8480/tailspin.onmicrosoft.com", "http://localhost:8480/tailspin.onmicrosoft.com"),
        ("entra", "http://localhost:8480/common", "http://localhost:8480/common"),
        ("openid", "http://localhost:8480/login", "http://localhost:8480/login"),
    ]

    /// Returns the built-in application as one of another kind; `place` is added beside the authority.
    static func policies(_ kind: String, _ authority: String, _ known: String, place: String = "") -> (String) -> String
    {
        { text in
            var text = text.replacing("\"kind\": \"b2c\",", with: "\"kind\": \"\(kind)\", \(place)")
                .replacing(
                    "\"knownAuthorities\": [\"http://localhost:8480/contoso.onmicrosoft.com\"]",
                    with: "\"knownAuthorities\": [\"\(known)\"]"
                )
                .replacing(
                    "\"authority\": \"http://localhost:8480/contoso.onmicrosoft.com\"",
                    with: "\"authority\": \"\(authority)\"")
            if kind != "b2c", let start = text.range(of: "\"policies\"")?.lowerBound,
                let end = text.range(of: "\"knownAuthorities\"")?.lowerBound
            {
                text.removeSubrange(start..<end)
            }
            return text
        }
    }

    @Test("each kind signs in, refreshes with one exchange, and passes the check", arguments: rows)
    func signsInRefreshesAndChecks(kind: String, authority: String, known: String) async throws {
        let edit = Self.policies(kind, authority, known)
        try await withLocalTenant(policies: edit, configure: { $0.algorithm = .rs256 }) { tenant in
            let client = try tenant.client()
            let check = try await client.check()
            #expect(check.allSatisfy { $0.problems.isEmpty }, "\(check)")
            try await tenant.signIn(.ana)
            let before = tenant.requestLines.count
            let token = try await Self.refresh(client)
            #expect(token.account.profile.name == "Ana Lima")
            #expect(tenant.requestLines.count == before + 1)
            #expect(try await client.token(api: nil, of: AccountSelection()).secret == token.secret)
        }
    }

    private static func refresh(_ client: PublicClient) async throws -> IssuedToken {
        try await client.token(
            api: nil, of: AccountSelection(), options: TokenRequestOptions(forcesRefresh: true))
    }

    @Test("External ID's issuer may be at the tenant's own host") func acceptsHostOfTenant() async throws {
        let row = Self.rows[1]
        let edit = Self.policies(row.kind, row.authority, row.known)
        try await withLocalTenant(policies: edit, configure: { $0.issuerForm = .tenantHost }) { tenant in
            let client = try tenant.client()
            try await tenant.signIn(.ana)
            let issuer = try SignedToken(parsing: try await Self.refresh(client).secret).claims["iss"]?.string ?? ""
            let form = #/http:\/\/([0-9a-f-]{36})\.localhost:\d+\/([0-9a-f-]{36})\/v2\.0/#
            let found = try #require(issuer.wholeMatch(of: form), "\(issuer)")
            #expect(found.1 == found.2)
            #expect(try await client.check().allSatisfy { $0.problems.isEmpty })
        }
    }

    @Test("a policy's tokens may leave out its name") func acceptsTokensWithoutPolicy() async throws {
        try await withLocalTenant(configure: { tenant in
            for policy in tenant.policies {
                tenant.settings[policy.name, default: PolicySettings()].policyClaim = .absent
            }
        }) { tenant in
            let client = try tenant.client()
            try await tenant.signIn(.ana)
            let token = try await Self.refresh(client)
            for claims in [
                try SignedToken(parsing: token.secret).claims, try JSONNode(parsing: token.account.claims.utf8),
            ] { #expect(claims["name"]?.string == "Ana Lima" && claims["tfp"] == nil && claims["acr"] == nil) }
            // The account belongs to its policy all the same.
            let partner = AccountSelection(policy: PolicyName("B2C_1_partner"))
            await expectRefusal(.signInNeeded) { try await client.token(api: nil, of: partner) }
        }
    }
}
