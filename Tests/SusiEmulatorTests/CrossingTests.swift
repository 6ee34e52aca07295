import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

/// What one person, one browser or one page has shown counts for nothing else.
@Suite("Nothing counts twice", .inTurn, .timeLimit(.minutes(2)))
struct CrossingTests {
    private static let ben = ["signInName": "ben@contoso.example", "password": "Passw0rd!"]

    /// The form of another page, sent with the transaction of this one.
    private func send(
        _ page: Received, as name: String, _ more: [String: String], _ scene: Scene, _ browser: Browser
    ) async throws -> Received {
        let (action, fields) = try page.form()
        let folder = action.prefix(through: try #require(action.lastIndex(of: "/")))
        return try await browser.post(scene.emulator.origin + folder + name, fields.merging(more) { $1 })
    }

    @Test("a second factor is its person's: whoever comes after in the same transaction shows their own")
    func factor() async throws {
        try await withScene {
            $0.change("B2C_1_edit_profile") { $0.multiFactor = .always }
        } _: { scene in
            let browser = scene.browser()
            let asked = try await scene.signIn(browser, policy: "B2C_1_edit_profile")
            let code = try await scene.submit(asked, browser, [:])
            let right = try scene.code(to: "ana@contoso.example", for: .secondFactor)
            let profile = try await scene.submit(code, browser, ["emailVerificationCode": right])
            #expect(profile.text.contains("Edit your profile"))
            let other = try await send(profile, as: "sign-in", Self.ben, scene, browser)
            #expect(other.text.contains("A code will be sent to b***@contoso.example."))
            let again = try await send(profile, as: "verify", ["emailVerificationCode": right], scene, browser)
            #expect(again.status == 400)
        }
    }

    @Test("a browser goes on with nothing that another one has begun")
    func browsers() async throws {
        try await withScene { scene in
            let (mine, theirs) = (scene.browser(), scene.browser())
            let page = try await mine.get(scene.authorize())
            let link = try page.link("createAccount")
            _ = try await theirs.get(scene.authorize())
            let bare = try #require(link.split(separator: "&").first).description
            for address in [link, bare, link.replacing("sign-up", with: "forgot-password")] {
                #expect(try await theirs.get(scene.emulator.origin + address).status == 403)
            }
            #expect(try await mine.get(scene.emulator.origin + link).status == 200)
            #expect(try await scene.submit(page, mine, Self.ben).redirect["code"] != nil)
        }
    }

    @Test("a password alone does not do where a second factor is asked for")
    func password() async throws {
        try await withScene {
            $0.policies.append(Policy(name: PolicyName("B2C_1_ropc"), kind: .resourceOwner))
            $0.change("B2C_1_ropc") { $0.multiFactor = .always }
        } _: { scene in
            let answer = try await scene.browser().post(
                "\(scene.tenant)/B2C_1_ropc/oauth2/v2.0/token",
                [
                    "grant_type": "password", "client_id": Scene.client, "username": "ana@contoso.example",
                    "password": "Passw0rd!", "scope": "openid \(Scene.scope)",
                ])
            #expect(answer.status == 400)
            let json = try answer.json
            #expect(json["error"] == "interaction_required" && json["access_token"] == nil)
        }
    }

    @Test("whoever must choose a new password shows the old one first, whatever session there is")
    func expiredPassword() async throws {
        try await withScene {
            $0.change { $0.multiFactor = .always }
            $0.policies.append(Policy(name: PolicyName("B2C_1_other"), kind: .signUpOrSignIn))
        } _: { scene in
            let browser = scene.browser()
            #expect(try await scene.signIn(browser, policy: "B2C_1_other").redirect["code"] != nil)
            try change(Scene.ana, scene) { $0.mustResetPassword = true }
            let page = try await browser.get(scene.authorize())
            #expect(page.text.contains("id=\"password\""))
            let new = ["newPassword": "Good-enough-1", "reenterPassword": "Good-enough-1"]
            #expect(try await send(page, as: "new-password", new, scene, browser).status == 400)
        }
    }

    @Test("an account that was blocked meanwhile changes nothing and gets nothing")
    func blocked() async throws {
        try await withScene { scene in
            let browser = scene.browser()
            let profile = try await scene.signIn(browser, policy: "B2C_1_edit_profile")
            #expect(profile.text.contains("Edit your profile"))
            try change(Scene.ana, scene) { $0.isBlocked = true }
            #expect(try await scene.submit(profile, browser, ["displayName": "Another"]).status == 400)
            #expect(try scene.database.user(objectID: Scene.ana)?.displayName == "Ana Lima")
        }
    }

    @Test("wrong codes are not forgotten at a policy that asks for a password alone")
    func wrongCodes() async throws {
        try await withScene {
            $0.change { settings in
                settings.multiFactor = .always
                settings.lockoutFailures = 3
            }
            $0.policies.append(Policy(name: PolicyName("B2C_1_other"), kind: .signUpOrSignIn))
        } _: { scene in
            var page: Received?
            for attempt in 1...3 {
                let browser = scene.browser()
                let code = try await scene.submit(try await scene.signIn(browser), browser, [:])
                page = try await scene.submit(code, browser, ["emailVerificationCode": try scene.wrongCode()])
                guard attempt < 3 else { break }
                _ = try await scene.signIn(scene.browser(), policy: "B2C_1_other")
            }
            #expect(page?.alerts.first?.hasPrefix("Your account is temporarily locked") == true)
        }
    }

    @Test("a sign-in that may be no older than this moment is a new one")
    func maximumAge() async throws {
        try await withScene { scene in
            let browser = scene.browser()
            #expect(try await scene.signIn(browser).redirect["code"] != nil)
            let page = try await browser.get(scene.authorize("B2C_1_susi", ["max_age": "0"]))
            #expect(page.text.contains("id=\"password\""))
        }
    }

    @Test("a policy that keeps nobody signed in does not shorten what another one keeps")
    func keptSession() async throws {
        try await withScene {
            $0.change { $0.session.keepSeconds = 30 * 86_400 }
            $0.policies.append(Policy(name: PolicyName("B2C_1_other"), kind: .signUpOrSignIn))
        } _: { scene in
            let browser = scene.browser()
            let page = try await browser.get(scene.authorize())
            _ = try await scene.submit(page, browser, Self.ben.merging(["keepMeSignedIn": "true"]) { $1 })
            #expect(try await browser.get(scene.authorize("B2C_1_other")).redirect["code"] != nil)
            scene.emulator.clock.advance(by: 2 * 86_400)
            #expect(try await browser.get(scene.authorize()).redirect["code"] != nil)
        }
    }

    @Test("one text for the same bytes, so that what was revoked has no other spelling")
    func spellings() {
        #expect(bytes(base64URL: "AA") == [0])
        for text in ["AB", "AAB", "A", "AA==", "A+", "A A"] { #expect(bytes(base64URL: text) == nil, "\(text)") }
    }

    private func change(_ objectID: String, _ scene: Scene, _ body: @Sendable (inout User) -> Void) throws {
        #expect(try scene.database.change(objectID, body) != nil)
    }
}
