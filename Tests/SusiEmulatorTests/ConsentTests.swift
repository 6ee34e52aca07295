import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Consent", .inTurn, .timeLimit(.minutes(2)))
struct ConsentTests {
    private let path = "/tailspin.onmicrosoft.com/v2.0"

    private func withTenant(
        _ change: (inout TenantConfiguration) -> Void, _ body: (Door) async throws -> Void
    ) async throws {
        var tenant = Kinds.entra
        change(&tenant)
        try await withScene(tenants: [tenant]) { scene in try await body(try await Door(scene, path)) }
    }

    @Test("a scope that needs agreement: refused silently, asked once on a page, then there")
    func person() async throws {
        try await withTenant {
            $0.userConsent = [Kinds.scope]
        } _: { door in
            let browser = door.scene.browser()
            let origin = door.scene.emulator.origin
            let plain = try await door.redeem(try await door.signIn(browser, "openid offline_access User.Read")).json
            let silent = try await door.refresh(plain, ["scope": Kinds.scope])
            #expect(try silent.json["error"] == "invalid_grant")
            #expect(try silent.json["suberror"] == "consent_required")
            #expect(try silent.json["error_codes"] == [.integer(65_001)])
            let scope = "openid offline_access \(Kinds.scope)"
            let none = try await browser.get(try door.authorize(scope, ["prompt": "none"])).redirect
            #expect(none["error"] == "consent_required")
            let page = try await browser.get(try door.authorize(scope))
            #expect(page.text.contains("Permissions requested") && page.text.contains(Kinds.scope))
            let cancelled = try await browser.submit(page, at: origin, ["cancel": "1"]).redirect
            #expect(cancelled["error"] == "access_denied")
            #expect(cancelled["error_description"]?.hasPrefix("AADSTS65004: ") == true)
            let again = try await browser.get(try door.authorize(scope))
            #expect(try await door.redeem(try await browser.submit(again, at: origin, [:])).status == 200)
            #expect(try await browser.get(try door.authorize(scope)).redirect["code"] != nil)
            #expect(try await door.refresh(plain, ["scope": Kinds.scope]).status == 200)
            // It was Ana who agreed.
            let ben = try await door.signIn(door.scene.browser(), as: "ben@contoso.example", scope)
            #expect(ben.text.contains("Permissions requested"))
        }
    }

    @Test("prompt=consent asks although nothing needs it; the sign-in before it starts a session")
    func prompt() async throws {
        try await withTenant { _ in
        } _: { door in
            let browser = door.scene.browser()
            let page = try await door.signIn(browser, "openid", ["prompt": "consent"])
            #expect(page.text.contains("Permissions requested"))
            let redirect = try await browser.submit(page, at: door.scene.emulator.origin, [:])
            #expect(try await door.redeem(redirect).status == 200)
            #expect(try await browser.get(try door.authorize("openid")).redirect["code"] != nil)
        }
    }

    @Test("a scope that needs an administrator is refused, in the words of each kind")
    func administrator() async throws {
        try await withTenant {
            $0.administratorConsent = [Kinds.scope]
        } _: { door in
            let answer = try await door.signIn(door.scene.browser(), "openid \(Kinds.scope)").redirect
            #expect(answer["error"] == "access_denied")
            #expect(answer["error_description"]?.hasPrefix("AADSTS90094: ") == true)
            let plain = try await door.tokens("openid offline_access")
            let refused = try await door.refresh(plain, ["scope": Kinds.scope])
            #expect(try refused.json["error_codes"] == [.integer(65_001)])
        }
        try await withScene {
            $0.administratorConsent = [Scene.scope]
        } _: { scene in
            let answer = try await scene.signIn(scene.browser()).redirect
            #expect(answer["error"] == "invalid_request")
            #expect(answer["error_description"]?.hasPrefix("AADB2C90205: ") == true)
        }
    }
}
