import SusiBase
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Revocation", .inTurn, .timeLimit(.minutes(5)))
struct RevocationTests {
    @Test("revokes a sign-in by its refresh token, refuses a revoked access token, ignores an unknown one")
    func revokesTokens() async throws {
        var tenant = Kinds.openid
        tenant.register("another")
        try await withDoor(tenant, "/login") { fixture, door in
            let address = try door.endpoint("revocation_endpoint")
            let revoke = { (token: String?, client: String) in
                var fields = ["client_id": client]
                fields["token"] = token
                return try await fixture.browser().post(address, fields)
            }
            let tokens = try await door.tokens("openid offline_access")
            let access = tokens["access_token"]?.string
            let info = try door.endpoint("userinfo_endpoint")
            let ask = { try await fixture.call(info, tokens["access_token"]).status }
            #expect(try await revoke(tokens["refresh_token"]?.string, "other").json["error"] == "invalid_client")
            // Only the client's own tokens (RFC 7009 section 2.1).
            #expect(try await revoke(access, "another").json["error"] == "invalid_grant")
            #expect(try await revoke(nil, EmulatorFixture.client).json["error"] == "invalid_request")
            let first = try await ask()
            #expect(first == 200)
            #expect(try await revoke(access, EmulatorFixture.client).status == 200)
            let second = try await ask()
            #expect(second == 401)
            #expect(try await revoke(tokens["refresh_token"]?.string, EmulatorFixture.client).status == 200)
            #expect(try await revoke("nonsense", EmulatorFixture.client).status == 200)
            #expect(try await door.refresh(tokens).json["error"] == "invalid_grant")
        }
    }

    @Test("refuses a revoked token with another valid signature")
    func refusesOtherSignature() async throws {
        try await withDoor(Kinds.openid, "/login") { fixture, door in
            let token = try #require(try await door.tokens("openid")["access_token"]?.string)
            let parts = token.split(separator: ".")
            let signature = try #require(Base64URL.decode(parts[2]))
            // In ECDSA, (r, n - s) is as valid as (r, s).
            let order: [UInt8] =
                [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0] + [UInt8](repeating: 0xff, count: 8) + [
                    0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
                ]
            var (other, borrow) = (Array(signature), 0)
            for index in (0..<32).reversed() {
                let difference = Int(order[index]) - Int(signature[32 + index]) - borrow
                borrow = difference < 0 ? 1 : 0
                other[32 + index] = UInt8(truncatingIfNeeded: difference)
            }
            let twin = "\(parts[0]).\(parts[1]).\(Base64URL.encode(other))"
            let info = try door.endpoint("userinfo_endpoint")
            let ask = { try await fixture.call(info, .string(twin)).status }
            let before = try await ask()
            #expect(before == 200)
            _ = try await fixture.browser().post(
                try door.endpoint("revocation_endpoint"), ["client_id": EmulatorFixture.client, "token": token])
            let after = try await ask()
            #expect(after == 401)
        }
    }
}
