import NIOHTTP1
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Forged tokens", .inTurn, .timeLimit(.minutes(2)))
struct ForgeTests {
    /// What the sample API says to an access token.
    private func judged(_ token: String, _ scene: Scene) async throws -> Received {
        try await scene.browser().get(scene.emulator.origin + "/api/hello", [("Authorization", "Bearer \(token)")])
    }

    @Test("an unchanged access token passes, and says what one of a sign-in says")
    func unchanged() async throws {
        try await withScene { scene in
            let token = try scene.emulator.forge(TokenOrder(user: "ana@contoso.example"))
            let answer = try await judged(token, scene)
            #expect(answer.status == 200)
            #expect(try answer.json["oid"] == .string(Scene.ana))
            let claims = try JSON.object(["t": .string(token)]).claims("t")
            let real = try await scene.tokens().claims("access_token")
            guard case .object(let forged) = claims, case .object(var issued) = real else { return }
            issued["nonce"] = nil
            #expect(forged == issued)
        }
    }

    // What a web API can see; a nonce is the client's own business.
    private static let visible = TokenOrder.Flaw.allCases.filter { ![.noNonce, .otherNonce].contains($0) }

    @Test("the sample API refuses each flaw, with its reason", arguments: visible)
    func refused(flaw: TokenOrder.Flaw) async throws {
        try await withScene { scene in
            if flaw == .withdrawnKey { try scene.emulator.rotateKeys(withdrawing: true) }
            let token = try scene.emulator.forge(TokenOrder(user: Scene.ana, flaws: [flaw]))
            let answer = try await judged(token, scene)
            #expect(answer.status == 401, "\(flaw)")
            let reason =
                switch flaw {
                case .expired: "The token has expired"
                case .notYetValid: "The token is not valid yet"
                case .otherAudience: "The token has a different audience"
                case .otherIssuer, .otherTenant: "The token has a different issuer"
                case .unsigned, .hmacWithPublicKey: "The token has an unsupported signature algorithm"
                case .unknownKey, .withdrawnKey: "The token is signed with an unknown key"
                case .wrongSignature: "The token has an invalid signature"
                case .noNonce, .otherNonce: "-"
                }
            #expect(answer.header("www-authenticate")?.contains(reason) == true, "\(flaw)")
            #expect(scene.emulator.requests(1).first?.reason?.hasPrefix(reason) == true)
        }
    }

    @Test("claims are replaced and left out; headers say what the flaw is")
    func claims() async throws {
        try await withScene { scene in
            var order = TokenOrder(user: "ben@contoso.example", kind: .id)
            order.nonce = "n"
            order.claims = [
                "name": .text("Mallory"), "oid": .absent, "newUser": .flag(true),
                "amr": .list([.text("pwd"), .number(1)]),
            ]
            let claims = try JSON.object(["t": .string(try scene.emulator.forge(order))]).claims("t")
            #expect(claims["name"] == "Mallory" && claims["oid"] == nil && claims["newUser"] == .bool(true))
            #expect(claims["amr"] == ["pwd", 1] && claims["nonce"] == "n")
            #expect(claims["aud"] == .string(Scene.client))
            let forged = try await scene.administer(
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

    @Test("an order that cannot be met says why")
    func impossible() async throws {
        try await withScene { scene in
            func field(_ change: (inout TokenOrder) -> Void) -> String? {
                var order = TokenOrder(user: "ana@contoso.example")
                change(&order)
                let changed = order
                let error = #expect(throws: TokenOrderError.self) { try scene.emulator.forge(changed) }
                return error?.field
            }
            #expect(field { $0.user = "nobody" } == "user")
            #expect(field { $0.policy = "B2C_1_none" } == "policy")
            #expect(field { $0.clientID = "none" } == "client")
            #expect(field { $0.scope = "openid" } == "scope")
            #expect(field { $0.scope = "openid nonsense" } == "scope")
            #expect(field { $0.tenant = "none" } == "tenant")
            #expect(field { $0.flaws = [.withdrawnKey] } == "flaws")
        }
    }

    @Test("every kind of tenant and every algorithm: the unchanged one is right, a flawed one is not")
    func kinds() async throws {
        try await withScene(tenants: [Kinds.external, Kinds.entra, Kinds.openid]) { scene in
            for (tenant, path) in [
                (Kinds.external, "/fabrikam.onmicrosoft.com/v2.0"), (Kinds.entra, "/tailspin.onmicrosoft.com/v2.0"),
                (Kinds.openid, "/login"),
            ] {
                let door = try await Door(scene, path)
                var order = TokenOrder(user: "ana@contoso.example", kind: .id)
                order.tenant = tenant.id
                #expect(try await door.verified(.string(scene.emulator.forge(order)))["iss"]?.string != nil)
                order.flaws = [.wrongSignature]
                let wrong = JSON.string(try scene.emulator.forge(order))
                await #expect(throws: TokenVerifier.Refused.self) { try await door.verified(wrong) }
                order.flaws = [.otherTenant]
                let other = try await door.verified(.string(scene.emulator.forge(order)))
                #expect(other["iss"] != door.metadata["issuer"], "\(path)")
            }
        }
    }
}
