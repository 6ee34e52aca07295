import NIOHTTP1
import SusiBase
import SusiPolicies
import SusiSQLite
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Signing keys", .inTurn, .timeLimit(.minutes(5)))
struct KeyTests {
    @Test(
        "announces each algorithm, names it in the header and signs with the published key",
        arguments: SigningAlgorithm.allCases)
    func signsWithEachAlgorithm(algorithm: SigningAlgorithm) async throws {
        try await withFixture({ $0.algorithm = algorithm }) { fixture in
            let door = try await Door(fixture, "/contoso.onmicrosoft.com/B2C_1_susi/v2.0")
            let announced: JSON = algorithm == .rs256 ? ["RS256"] : [.string(algorithm.rawValue), "RS256"]
            #expect(door.metadata["id_token_signing_alg_values_supported"] == announced)
            let tokens = try await fixture.tokens()
            let header = try #require(tokens["id_token"]?.string?.split(separator: ".").first)
            let alg = try JSON(parsing: try #require(Base64URL.decode(header)))["alg"]
            #expect(alg == .string(algorithm.rawValue))
            #expect(try await door.verified(tokens["id_token"])["oid"] == .string(EmulatorFixture.ana))
            #expect(try await fixture.call("/api/hello", tokens["access_token"]).status == 200)
        }
    }

    @Test("signs with the new key after a rotation and keeps the old one published, unless it is withdrawn")
    func rotatesKeys() async throws {
        try await withDoor(Kinds.openid, "/login") { fixture, door in
            let old = try await door.tokens("openid offline_access")
            try fixture.emulator.rotateKeys()
            let new = try await door.refresh(old).json
            #expect(header(old) != header(new))
            _ = try await door.verified(old["id_token"])
            _ = try await door.verified(new["id_token"])
            try fixture.emulator.rotateKeys(withdrawing: true)
            await #expect(throws: TokenVerifier.Refused.self) { try await door.verified(new["id_token"]) }
            _ = try await door.verified(try await door.tokens("openid")["id_token"])
        }
    }

    @Test("custom policies sign with keys of their own; an API accepts both, and the admin API changes both")
    func separatesKeysOfCustomPolicies() async throws {
        try await withFixture {
            $0.policies.append(Policy(name: PolicyName("B2C_1A_susi"), kind: .signUpOrSignIn))
        } _: { fixture in
            func keys(_ policy: String) async throws -> Set<String> {
                let response = try await fixture.browser().get("\(fixture.tenant)/\(policy)/discovery/v2.0/keys").json
                return Set(response["keys"]?.elements.compactMap { $0["kid"]?.string } ?? [])
            }
            let (flow, custom) = (try await keys("B2C_1_susi"), try await keys("B2C_1A_susi"))
            #expect(flow.count == 1 && custom.count == 1 && flow.isDisjoint(with: custom))
            #expect(try await keys("B2C_1_edit_profile") == flow)
            for (policy, expected) in [("B2C_1_susi", flow), ("B2C_1A_susi", custom)] {
                let door = try await Door(fixture, "/contoso.onmicrosoft.com/\(policy)/v2.0")
                let tokens = try await door.tokens("openid \(EmulatorFixture.scope)")
                _ = try await door.verified(tokens["id_token"])
                let header = try JSON(parsing: try #require(header(tokens).flatMap { Base64URL.decode($0) }))
                #expect(expected.contains(try #require(header["kid"]?.string)))
                #expect(try await fixture.call("/api/hello", tokens["access_token"]).status == 200)
            }
            let announced = try await fixture.administer(.POST, "/keys/announce")["keys"]?.elements ?? []
            #expect(announced.count { $0["state"] == "next" } == 2)
            let listed = try await fixture.administer(.POST, "/keys/rotate")["keys"]?.elements ?? []
            #expect(listed.count == 4 && listed.count { $0["state"] == "signing" } == 2)
            #expect(listed.contains { $0["policies"] == ["B2C_1A_susi"] && $0["state"] == "signing" })
            let old = try #require(custom.first)
            _ = try await fixture.administer(.DELETE, "/keys/\(old)")
            #expect(try await !keys("B2C_1A_susi").contains(old))
            #expect(try await keys("B2C_1_susi").isSuperset(of: flow))
        }
    }

    @Test("publishes the next key before it signs, withdraws one key, and keeps both over a restart")
    func announcesNextKey() async throws {
        try await withFixture { fixture in
            func states() async throws -> [String] {
                try await fixture.administer(.GET, "/keys")["keys"]?.elements.compactMap { $0["state"]?.string } ?? []
            }
            func published() async throws -> [JSON] {
                let address = "\(fixture.tenant)/B2C_1_susi/discovery/v2.0/keys"
                return try await fixture.browser().get(address).json["keys"]?.elements ?? []
            }
            let old = try await fixture.tokens()
            #expect(try await states() == ["signing"])
            try fixture.emulator.announceKeys()
            _ = try await fixture.administer(.POST, "/keys/announce")
            #expect(try await states() == ["next", "signing"])
            let next = try #require(try await published().first?["kid"])
            #expect(try await published().count == 2)
            #expect(header(try await fixture.tokens()) == header(old))
            _ = try await fixture.administer(.POST, "/keys/rotate")
            #expect(try await states() == ["signing", "published"])
            let signing = try await fixture.administer(.GET, "/keys")["keys"]?.elements.first?["id"]
            #expect(signing == next, "the announced key signs")
            let id = try await fixture.administer(.GET, "/keys")["keys"]?.elements.last?["id"]?.string ?? ""
            #expect(try await fixture.admin(.DELETE, "/keys/\(id)").status == 204)
            #expect(try await states() == ["signing", "withdrawn"])
            #expect(try await published().map { $0["kid"] } == [next])
            #expect(try await fixture.call("/api/hello", old["access_token"]).status == 401)
            let tenant = try tenantOfTests()
            try await withEmulator(tenant, folder: fixture.folder, clock: fixture.emulator.clock) { again in
                let kept = try again.site.tenants[0].keyRings[0].all()
                #expect(kept.map(\.state) == [.published, .withdrawn] && .string(kept[0].key.id) == next)
            }
        }
    }

    @Test("the key in use is not withdrawn, also not while the next one is announced")
    func keepsSigningKey() async throws {
        try await withFixture { fixture in
            let tokens = try await fixture.tokens()
            for announces in [false, true] {
                if announces { try fixture.emulator.announceKeys() }
                let keys = try await fixture.administer(.GET, "/keys")["keys"]?.elements ?? []
                let signing = keys.first { $0["state"] == "signing" }?["id"]?.string ?? ""
                let refused = try await fixture.admin(.DELETE, "/keys/\(signing)")
                #expect(refused.status == 409 && refused.text.contains("keys/rotate"), "\(refused.text)")
                #expect(try await fixture.administer(.GET, "/keys")["keys"]?.elements == keys)
                try await fixture.call("/api/hello", tokens["access_token"]).expecting(200)
            }
        }
    }

    @Test("sets the cache lifetime of metadata and keys")
    func setsCacheLifetime() async throws {
        try await withFixture({ $0.lifetimes.metadata = 86_400 }) { fixture in
            for path in ["v2.0/.well-known/openid-configuration", "discovery/v2.0/keys"] {
                let response = try await fixture.browser().get("\(fixture.tenant)/B2C_1_susi/\(path)")
                #expect(response.header("cache-control") == "max-age=86400, private")
            }
        }
    }

    @Test("keeps its keys over a restart and adds one for a changed algorithm")
    func keepsKeysOverRestart() async throws {
        try await withFixture { fixture in
            let keys = { (path: String) in
                try await fixture.browser().get("\(path)/contoso.onmicrosoft.com/B2C_1_susi/discovery/v2.0/keys").json
            }
            try fixture.emulator.rotateKeys()
            let usual = try await fixture.browser().get("\(fixture.tenant)/B2C_1_susi/discovery/v2.0/keys")
            #expect(usual.header("cache-control") == "no-store")
            let before = try await keys(fixture.emulator.origin)
            let all = try #require(before["keys"]?.elements)
            #expect(all.count == 2)
            var changed = try tenantOfTests()
            try await withEmulator(changed, folder: fixture.folder, clock: fixture.emulator.clock) { again in
                let after = try await keys(again.origin)
                #expect(after == before)
            }
            changed.algorithm = .es256
            try await withEmulator(changed, folder: fixture.folder, clock: fixture.emulator.clock) { again in
                let more = try #require(try await keys(again.origin)["keys"]?.elements)
                #expect(more.count == 3 && more.first?["crv"] == "P-256")
            }
        }
    }

    private func header(_ tokens: JSON) -> Substring? { tokens["id_token"]?.string?.split(separator: ".").first }
}
