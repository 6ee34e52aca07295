import NIOHTTP1
import SusiBase
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Forged tokens", .inTurn, .timeLimit(.minutes(5)))
struct ForgeTests {
    @Test("equals the access token of a sign-in without flaws")
    func equalsIssuedToken() async throws {
        try await withFixture { fixture in
            let token = try fixture.emulator.forge(TokenOrder(user: "ana@contoso.example"))
            let response = try await fixture.call("/api/hello", .string(token)).expecting(200)
            #expect(try response.json["oid"] == .string(EmulatorFixture.ana))
            let claims = try JSON.object(["t": .string(token)]).claims("t")
            let real = try await fixture.tokens().claims("access_token")
            guard case .object(let forged) = claims, case .object(var issued) = real else {
                Issue.record("no claims")
                return
            }
            issued["nonce"] = nil
            #expect(forged == issued)
        }
    }

    // The flaws that a web API can detect; only the client checks the nonce.
    private static let visible = TokenOrder.Flaw.allCases.filter { ![.noNonce, .otherNonce].contains($0) }

    @Test("is refused by the sample API for each flaw, with its reason")
    func isRefusedByAPI() async throws {
        try await withFixture { fixture in
            for flaw in Self.visible { try await expectRefused(flaw, fixture) }
        }
    }

    private func expectRefused(_ flaw: TokenOrder.Flaw, _ fixture: EmulatorFixture) async throws {
        if flaw == .withdrawnKey { try fixture.emulator.rotateKeys(withdrawing: true) }
        let token = try fixture.emulator.forge(TokenOrder(user: EmulatorFixture.ana, flaws: [flaw]))
        let response = try await fixture.call("/api/hello", .string(token))
        #expect(response.status == 401, "\(flaw)")
        let reason =
            switch flaw {
            case .expired: "The token has expired"
            case .notYetValid: "The token is not valid yet"
            case .otherAudience:
                "The token has a different audience; this API is "
                    + derivedGUID("https://contoso.onmicrosoft.com/hello")
            case .otherIssuer, .otherTenant: "The token has a different issuer"
            case .unsigned, .hmacWithPublicKey: "The token has an unsupported signature algorithm"
            case .unknownKey, .withdrawnKey: "The token is signed with an unknown key"
            case .wrongSignature: "The token has an invalid signature"
            case .noNonce, .otherNonce: "-"
            }
        #expect(response.header("www-authenticate")?.contains(reason) == true, "\(flaw)")
        #expect(fixture.emulator.requests(1).first?.reason?.hasPrefix(reason) == true)
    }

    @Test("another issuer is another one, also where the tenant has a host of its own")
    func forgesIssuerAtHostOfTenant() async throws {
        var tenant = Kinds.external
        tenant.issuerForm = .tenantHost
        try await withFixture(tenants: [tenant]) { fixture in
            for (flaws, start) in [([], "http://\(tenant.id).localhost:"), ([.otherIssuer], "https://login.example/")]
                as [([TokenOrder.Flaw], String)]
            {
                let token = try fixture.emulator.forge(TokenOrder(user: EmulatorFixture.ana, flaws: flaws))
                let claims: JSON = ["token": .string(token)]
                #expect(try claims.claims("token")["iss"]?.string?.hasPrefix(start) == true)
            }
        }
    }

    @Test("replaces and removes claims; headers show the flaw")
    func replacesClaims() async throws {
        try await withFixture { fixture in
            var order = TokenOrder(user: "ben@contoso.example", kind: .id)
            order.nonce = "n"
            order.claims = [
                "name": "Mallory", "oid": .null, "newUser": true, "amr": ["pwd", 1],
            ]
            let claims = try JSON.object(["t": .string(try fixture.emulator.forge(order))]).claims("t")
            #expect(claims["name"] == "Mallory" && claims["oid"] == nil && claims["newUser"] == .bool(true))
            #expect(claims["amr"] == ["pwd", 1] && claims["nonce"] == "n")
            #expect(claims["aud"] == .string(EmulatorFixture.client))
            let forged = try await fixture.administer(
                .POST, "/tokens",
                [
                    "user": "ana@contoso.example", "kind": "id", "nonce": "n", "flaws": ["noNonce", "unsigned"],
                    "claims": ["emails": .null, "deep": ["list": [1, "two", .null]]],
                ])
            #expect(forged["header"] == ["alg": "none", "typ": "JWT"])
            #expect(forged["claims"]?["nonce"] == nil && forged["claims"]?["emails"] == nil)
            #expect(forged["claims"]?["deep"] == ["list": [1, "two", .null]])
            #expect(forged["token"]?.string?.hasSuffix(".") == true)
        }
    }

    @Test("reports why an order cannot be met")
    func reportsImpossibleOrder() async throws {
        try await withFixture { fixture in
            func field(_ change: (inout TokenOrder) -> Void) -> String? {
                var order = TokenOrder(user: "ana@contoso.example")
                change(&order)
                let changed = order
                let error = #expect(throws: TokenOrderError.self) { try fixture.emulator.forge(changed) }
                return error?.field
            }
            #expect(field { $0.user = "unknown" } == "user")
            #expect(field { $0.policy = "B2C_1_none" } == "policy")
            #expect(field { $0.clientID = "none" } == "client")
            #expect(field { $0.scope = "openid" } == "scope")
            #expect(field { $0.scope = "openid nonsense" } == "scope")
            #expect(field { $0.tenant = "none" } == "tenant")
            #expect(field { $0.flaws = [.withdrawnKey] } == "flaws")
        }
    }

    @Test("supports every algorithm, and the kinds other than b2c")
    func supportsKindsAndAlgorithms() async throws {
        var entra = Kinds.entra
        entra.algorithm = .ps256
        try await withFixture(tenants: [Kinds.external, entra, Kinds.openid]) { fixture in
            for (tenant, path) in [
                (Kinds.external, "/fabrikam.onmicrosoft.com/v2.0"), (entra, "/tailspin.onmicrosoft.com/v2.0"),
                (Kinds.openid, "/login"),
            ] {
                let door = try await Door(fixture, path)
                var order = TokenOrder(user: "ana@contoso.example", kind: .id)
                order.tenant = tenant.id
                #expect(try await door.verified(.string(fixture.emulator.forge(order)))["iss"]?.string != nil)
                order.flaws = [.wrongSignature]
                let wrong = JSON.string(try fixture.emulator.forge(order))
                await #expect(throws: TokenVerifier.Refused.self) { try await door.verified(wrong) }
                order.flaws = [.otherTenant]
                let other = try await door.verified(.string(fixture.emulator.forge(order)))
                #expect(other["iss"] != door.metadata["issuer"], "\(path)")
            }
        }
    }
}
