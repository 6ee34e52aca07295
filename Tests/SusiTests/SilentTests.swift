import Foundation
import SusiEmulator
import SusiTestSupport
import Testing

@testable import Susi

/// Tokens without a page: from the cache, else by the refresh token, by the client's own clock.
@Suite("Silent tokens", .inTurn, .timeLimit(.minutes(5)))
struct SilentTests {
    private static let path = "/oauth2/v2.0/token"

    private func token(
        _ tenant: LocalTenant, at time: Int64? = nil, options: TokenRequestOptions = TokenRequestOptions()
    ) async throws -> IssuedToken {
        let client = try tenant.client(time: time)
        return try await client.token(api: nil, options: options)
    }

    @Test("a failed early refresh leaves the cached token until its end, unless more is asked of it")
    func usesCachedTokenAfterFailedRefresh() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let cached = try await token(tenant)
            let end = try #require(cached.info.expiresOn)
            let asked = { tenant.requests("POST", Self.path) }
            let before = asked()
            #expect(try await token(tenant, at: end - 300).secret == cached.secret && asked() == before)
            let fault = tenant.emulator.faults.add(Fault(.status(503), at: .token))
            #expect(try await token(tenant, at: end - 299).secret == cached.secret && asked() > before)
            #expect(try await token(tenant, at: end - 1).secret == cached.secret)
            let more: [(Int64, TokenRequestOptions)] = [
                (end, TokenRequestOptions()), (end - 299, TokenRequestOptions(minimum: 600)),
                (end - 299, TokenRequestOptions(forcesRefresh: true)),
            ]
            for (time, options) in more {
                await expectRefusal(.network) { try await token(tenant, at: time, options: options) }
            }
            #expect(tenant.emulator.faults.remove(fault))
            // Two tokens of one second are equal.
            tenant.emulator.clock.advance(by: 1)
            let early = try await token(tenant, at: end - 299)
            #expect(early.secret != cached.secret)
        }
    }

    @Test("an id token is refreshed by the rules for access tokens; if a refresh brings none, a sign-in is needed")
    func refreshesIDToken() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let token = { (time: Int64?, options: TokenRequestOptions) in
                try await tenant.client(time: time).idToken(options: options)
            }
            let (usual, forced) = (TokenRequestOptions(), TokenRequestOptions(forcesRefresh: true))
            let cached = try await token(nil, usual)
            #expect(try await tenant.client().idToken().token == cached.secret)
            let end = try #require(cached.expiresOn)
            let before = tenant.requests("POST", Self.path)
            #expect(try await token(end - 300, usual).secret == cached.secret)
            #expect(tenant.requests("POST", Self.path) == before)
            tenant.emulator.clock.advance(by: 1)
            let renewed = try await token(nil, forced)
            #expect(renewed.secret != cached.secret && renewed.info.kind == .id)
            // OpenID Connect Core 12.2: a refresh may bring no id token.
            let body = #"{"access_token":"a","token_type":"Bearer","expires_in":3600}"#
            tenant.emulator.faults.add(Fault(.status(200, body: body), at: .token))
            let latest = try #require(renewed.expiresOn)
            #expect(try await token(latest - 1, usual).secret == renewed.secret)
            await expectRefusal(.signInNeeded) { try await token(latest, usual) }
            await expectRefusal(.signInNeeded) { try await token(nil, forced) }
        }
    }

    @Test("a token that is too short for the minimum is not returned; the account keeps it")
    func refusesShortToken() async throws {
        try await withLocalTenant(configure: { $0.lifetimes.accessToken = 1_200 }, signedIn: [.ana]) { tenant in
            let short = TokenRequestOptions(minimum: 1_800)
            await expectRefusal(.refused) { try await token(tenant, options: short) }
            let before = tenant.requests("POST", Self.path)
            _ = try await token(tenant, options: TokenRequestOptions(minimum: 600))
            #expect(tenant.requests("POST", Self.path) == before, "the new token is cached")
        }
    }

    @Test("a refused refresh token is dropped, unless a newer one is stored: that is tried, once")
    func dropsRefusedRefreshToken() async throws {
        try await withLocalTenant(configure: { $0.refreshRotation = .strict }, signedIn: [.ana]) { tenant in
            let forced = TokenRequestOptions(forcesRefresh: true)
            let store = try AccountStore(opening: StoreFolder(tenant.susi.home.susiHome, owner: getuid()))
            let account = try await tenant.client().account().account
            let refresh = { try store.secret(.refresh(account))?.secret }
            let old = try #require(try refresh())
            _ = try await token(tenant, options: forced)
            #expect(try refresh() != nil && refresh() != old)
            // A server that fails proves nothing.
            let fault = tenant.emulator.faults.add(Fault(.status(500), at: .token))
            await expectRefusal(.network) { try await token(tenant, options: forced) }
            #expect(try refresh() != nil && tenant.emulator.faults.remove(fault))
            // Nor does a refusal that asks for something else, or another error.
            for (error, code) in [("invalid_grant", "AADSTS50076"), ("server_error", "AADSTS50173")] {
                let body = #"{"error":"\#(error)","error_description":"\#(code): x"}"#
                let demand = tenant.emulator.faults.add(Fault(.status(400, body: body), at: .token))
                await #expect(throws: SusiError.self) { try await token(tenant, options: forced) }
                #expect(try refresh() != nil && tenant.emulator.faults.remove(demand), "\(error)")
            }
            // The spent token is refused.
            let (client, stored) = (try tenant.client(), try #require(try store.account(account)))
            let spent = TokenGrant(
                account: account, homeAccountID: stored.homeAccountID, tenantName: "", profile: stored.profile,
                claims: stored.claims, idToken: nil, idTokenExpiresOn: nil, accessToken: nil,
                refreshToken: .init(secret: old, expiresOn: nil), receivedOn: stored.claimsOn)
            try store.refresh(spent, in: Registration(client.application, try client.policy(nil)))
            let before = tenant.requests("POST", Self.path)
            await expectRefusal(.signInNeeded) { try await token(tenant, options: forced) }
            #expect(tenant.requests("POST", Self.path) == before + 1)
            #expect(try refresh() == nil)
            await expectRefusal(.signInNeeded) { try await token(tenant, options: forced) }
            #expect(tenant.requests("POST", Self.path) == before + 1, "there is nothing to send")
            // The access token is good until its end.
            _ = try await token(tenant)
        }
    }
}
