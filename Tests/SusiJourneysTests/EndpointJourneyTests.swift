import SusiBase
import Testing

@testable import SusiJourneys

/// Journeys without a browser: refresh, password grant, user information.
@Suite struct EndpointJourneyTests {
    private typealias Fixture = JourneyFixture

    @Test func repeatsStoredClaimsInARefresh() throws {
        let refresh = [Fixture.exchange("Redeemed"), Fixture.exchange("Read"), Fixture.send()]
        var host = try Fixture.host(Fixture.signIn, refresh: refresh)
        let outcome = try host.run { page, _ in page.submit(["email": "ana@contoso.example", "password": "Secret-1"]) }
        guard case .token(var issued) = outcome else { return #expect(Bool(false), "no token") }
        #expect(try host.run(.refresh(issued.stored)) { _, _ in nil }?.failure == "AADB2C90085")
        issued.stored["level"] = .int(5)
        let claims = try host.run(.refresh(issued.stored)) { _, _ in nil }?.claims
        #expect(
            claims?["sub"] == "ana" && claims?["level"] == .number(5) && claims?["issued"] == .number(1_700_000_000))
        #expect(claims?["email"] == nil && claims?["source"] == "never")
        host.users = [:]
        #expect(try host.run(.refresh(issued.stored)) { _, _ in nil }?.failure == "AADB2C90128")
    }

    @Test func hasNoPagesInARefreshOrAPasswordGrant() throws {
        let page = [Fixture.exchange("ProfilePage"), Fixture.send()]
        var host = try Fixture.host(page, refresh: page)
        let reason = "a page in a request without a browser"
        #expect(try host.run(.refresh(ClaimsBag())) { _, _ in nil }?.failure == reason)
        host.facts.parameters["grant_type"] = "password"
        #expect(try host.run { _, _ in nil }?.failure == reason)
    }

    @Test(arguments: [("Secret-1", nil), ("Secret-2", "AADB2C90225")] as [(String, String?)])
    func takesAPasswordGrantWithoutPages(password: String, failure: String?) throws {
        var host = try Fixture.host([Fixture.exchange("Ropc"), Fixture.exchange("Read"), Fixture.send()])
        host.facts.parameters = ["grant_type": "password", "username": "ana@contoso.example", "password": password]
        let outcome = try host.run { _, _ in nil }
        #expect(outcome?.failure == failure && outcome?.claims?["sub"] == (failure == nil ? "ana" : nil))
        #expect(!host.trace.contains { $0.text.contains(password) || $0.added.values.contains(password) })
    }

    @Test func readsTheUserOfAnAccessToken() throws {
        var host = try Fixture.host(
            [Fixture.send()], userInfo: [Fixture.exchange("Read"), Fixture.send("UserInfoIssuer")])
        let outcome = try host.run(.userInfo(["sub": "ana", "aud": "app-2"])) { _, _ in nil }
        guard case .userInfo(let claims) = outcome else { return #expect(Bool(false), "\(outcome?.failure ?? "")") }
        #expect(claims == ["objectId": "ana", "displayName": "Ana"])
        #expect(try host.run(.userInfo(["sub": "ana", "aud": "app-3"])) { _, _ in nil }?.failure == "invalid_token")
    }
}
