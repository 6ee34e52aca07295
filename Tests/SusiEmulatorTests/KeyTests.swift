import NIOHTTP1
import SusiPolicies
import SusiSQLite
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Signing keys", .inTurn, .timeLimit(.minutes(2)))
struct KeyTests {
    @Test("each algorithm: announced, in the header, right by the published key", arguments: SigningAlgorithm.allCases)
    func algorithm(algorithm: SigningAlgorithm) async throws {
        try await withScene {
            $0.algorithm = algorithm
        } _: { scene in
            let door = try await Door(scene, "/contoso.onmicrosoft.com/B2C_1_susi/v2.0")
            let announced: JSON = algorithm == .rs256 ? ["RS256"] : [.string(algorithm.rawValue), "RS256"]
            #expect(door.metadata["id_token_signing_alg_values_supported"] == announced)
            let tokens = try await scene.tokens()
            let header = try #require(tokens["id_token"]?.string?.split(separator: ".").first)
            let alg = try JSON(parsing: try #require(bytes(base64URL: header)))["alg"]
            #expect(alg == .string(algorithm.rawValue))
            #expect(try await door.verified(tokens["id_token"])["oid"] == .string(Scene.ana))
            let call = [("Authorization", "Bearer \(tokens["access_token"]?.string ?? "")")]
            #expect(try await scene.browser().get(scene.emulator.origin + "/api/hello", call).status == 200)
        }
    }

    @Test("after a rotation the new key signs; the old one stays published unless it is withdrawn")
    func rotation() async throws {
        try await withScene(tenants: [Kinds.openid]) { scene in
            let door = try await Door(scene, "/login")
            let old = try await door.tokens("openid offline_access")
            try scene.emulator.rotateKeys()
            let new = try await door.refresh(old).json
            #expect(header(old) != header(new))
            _ = try await door.verified(old["id_token"])
            _ = try await door.verified(new["id_token"])
            try scene.emulator.rotateKeys(withdrawing: true)
            await #expect(throws: TokenVerifier.Refused.self) { try await door.verified(new["id_token"]) }
            _ = try await door.verified(try await door.tokens("openid")["id_token"])
        }
    }

    @Test("the next key is published before it signs; one key is withdrawn alone, and a restart knows all of that")
    func announced() async throws {
        try await withScene { scene in
            func states() async throws -> [String] {
                try await scene.administer(.GET, "/keys")["keys"]?.elements.compactMap { $0["state"]?.string } ?? []
            }
            func published() async throws -> [JSON] {
                let address = "\(scene.tenant)/B2C_1_susi/discovery/v2.0/keys"
                return try await scene.browser().get(address).json["keys"]?.elements ?? []
            }
            let old = try await scene.tokens()
            #expect(try await states() == ["signing"])
            try scene.emulator.announceKeys()
            _ = try await scene.administer(.POST, "/keys/announce")
            #expect(try await states() == ["next", "signing"])
            let next = try #require(try await published().first?["kid"])
            #expect(try await published().count == 2)
            #expect(header(try await scene.tokens()) == header(old))
            _ = try await scene.administer(.POST, "/keys/rotate")
            #expect(try await states() == ["signing", "published"])
            let signing = try await scene.administer(.GET, "/keys")["keys"]?.elements.first?["id"]
            #expect(signing == next, "the announced key signs")
            let id = try await scene.administer(.GET, "/keys")["keys"]?.elements.last?["id"]?.string ?? ""
            #expect(try await scene.admin(.DELETE, "/keys/\(id)").status == 204)
            #expect(try await states() == ["signing", "withdrawn"])
            #expect(try await published().map { $0["kid"] } == [next])
            let call = [("Authorization", "Bearer \(old["access_token"]?.string ?? "")")]
            #expect(try await scene.browser().get(scene.emulator.origin + "/api/hello", call).status == 401)
            let tenant = try tenantOfTests()
            try await withEmulator(tenant, folder: scene.folder, clock: scene.emulator.clock) { again in
                let kept = try again.site.tenants[0].keys.all()
                #expect(kept.map(\.state) == [.published, .withdrawn] && .string(kept[0].key.id) == next)
            }
        }
    }

    @Test("how long metadata and keys may be kept")
    func caching() async throws {
        try await withScene {
            $0.lifetimes.metadata = 86_400
        } _: { scene in
            for path in ["v2.0/.well-known/openid-configuration", "discovery/v2.0/keys"] {
                let answer = try await scene.browser().get("\(scene.tenant)/B2C_1_susi/\(path)")
                #expect(answer.header("cache-control") == "max-age=86400, private")
            }
        }
        try await withScene { scene in
            let answer = try await scene.browser().get("\(scene.tenant)/B2C_1_susi/discovery/v2.0/keys")
            #expect(answer.header("cache-control") == "no-store")
        }
    }

    @Test("a key set keeps its keys over a restart, and a changed algorithm adds one")
    func restart() async throws {
        try await withScene { scene in
            let keys = { (path: String) in
                try await scene.browser().get("\(path)/contoso.onmicrosoft.com/B2C_1_susi/discovery/v2.0/keys").json
            }
            try scene.emulator.rotateKeys()
            let before = try await keys(scene.emulator.origin)
            guard case .array(let all)? = before["keys"] else { return }
            #expect(all.count == 2)
            var changed = try tenantOfTests()
            try await withEmulator(changed, folder: scene.folder, clock: scene.emulator.clock) { again in
                let after = try await keys(again.origin)
                #expect(after == before)
            }
            changed.algorithm = .es256
            try await withEmulator(changed, folder: scene.folder, clock: scene.emulator.clock) { again in
                guard case .array(let more)? = try await keys(again.origin)["keys"] else { return }
                #expect(more.count == 3 && more.first?["crv"] == "P-256")
            }
        }
    }

    private func header(_ tokens: JSON) -> Substring? { tokens["id_token"]?.string?.split(separator: ".").first }
}
