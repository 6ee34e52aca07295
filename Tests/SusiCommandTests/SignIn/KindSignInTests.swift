import Susi
import SusiEmulator
import SusiTestSupport
import SusiTools
import Testing

/// What tokens of some tenants have or lack. Sign-in, silent token and check of each kind: `TenantCopyTests`.
@Suite("Kinds of authority", .inTurn, .timeLimit(.minutes(5)))
struct KindSignInTests {
    @Test("External ID's issuer may be at the tenant's own host") func acceptsHostOfTenant() async throws {
        let edit = onlyApplication("external", "fabrikam.onmicrosoft.com", more: helloAPI)
        try await withLocalTenant(policies: edit, configure: { $0.issuerForm = .tenantHost }) { tenant in
            let client = try tenant.client()
            try await tenant.signIn(.ana)
            let issuer = try SignedToken(parsing: try await client.refreshed().secret).claims["iss"]?.string ?? ""
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
            let token = try await client.refreshed()
            for claims in [
                try SignedToken(parsing: token.secret).claims, try JSONNode(parsing: token.account.claims.utf8),
            ] { #expect(claims["name"]?.string == "Ana Lima" && claims["tfp"] == nil && claims["acr"] == nil) }
            // The account belongs to its policy all the same.
            let partner = AccountSelection(policy: PolicyName("B2C_1_partner"))
            await expectRefusal(.signInNeeded) { try await client.token(api: nil, of: partner) }
        }
    }
}
