import Foundation
import SusiBase
import Testing

@testable import SusiJourneys

/// Steps and profiles one by one, and what is stored and traced.
@Suite struct JourneyStepTests {
    private typealias Fixture = JourneyFixture

    /// What a hint gives, a condition, and whether the step runs.
    @Test(
        arguments: [
            (["email": "a@b.example"], ["email"], false), ([:], ["email"], true), (["email": ""], ["email"], true),
            (["email": "a@b.example"], ["email", "a@b.example"], false),
            (["email": "A@b.example"], ["email", "a@b.example"], true),
            ([:], ["email", "a@b.example"], true), (["flag": "true"], ["newUser", "True"], false),
            (["flag": "true"], ["newUser", "true"], true),
        ] as [([String: String], [String], Bool)])
    func comparesInPreconditions(hint: [String: String], unless: [String], runs: Bool) throws {
        let flag = #"<OutputClaim ClaimTypeReferenceId="newUser" PartnerClaimType="flag" />"#
        let step = Fixture.exchange("NothingPage", unless: unless)
        var host = try Fixture.host(
            [Fixture.hint, step, Fixture.send()],
            replacing: [
                (
                    #"<OutputClaims><OutputClaim ClaimTypeReferenceId="email" /></OutputClaims></TechnicalProfile>"#,
                    #"<OutputClaims><OutputClaim ClaimTypeReferenceId="email" />\#(flag)</OutputClaims></TechnicalProfile>"#
                )
            ])
        host.facts.parameters["id_token_hint"] = "hint"
        host.hint = .claims(hint.mapValues { .string($0) })
        #expect(try host.run { _, _ in nil }?.claims?["note"] == (runs ? "no page" : nil))
    }

    @Test func runsStepsWithASatisfiedConditionThatIsNegated() throws {
        let step = Fixture.exchange("NothingPage", unless: "email").replacing(
            "ExecuteActionsIf='true'", with: "ExecuteActionsIf='false'")
        #expect(try Fixture.run([step, Fixture.send()])?.claims?["note"] == nil)
    }

    /// Steps that cannot go on, and how the journey ends.
    @Test(arguments: [
        ([Fixture.exchange("NothingPage", "Level"), Fixture.send()], "AADB2C90304"),
        ([Fixture.hint, Fixture.send()], "AADB2C90272"),
        ([Fixture.exchange("NothingPage")], "AADB2C90040"),
        ([Fixture.exchange("Level"), Fixture.send()], "AADB2C90075"),
        ([Fixture.exchange("FindByEmail"), Fixture.send()], "the required input claim “email” has no value"),
        (["Type='ConsentScreen'>", Fixture.send()], "steps of type ConsentScreen are not supported"),
        (
            (0..<65).map { Fixture.exchange("NothingPage").replacing("NothingExchange", with: "E\($0)") },
            "more than 64 claims exchanges in a run"
        ),
        ([Fixture.select("Disabled"), Fixture.exchange("Disabled"), Fixture.send()], "AADB2C90051"),
        ([Fixture.exchange("Issuer"), Fixture.send()], "AADB2C90273"),
    ])
    func ends(steps: [String], failure: String) throws {
        var host = try Fixture.host(steps)
        host.provider = nil
        host.services["/level"] = .failure(.timeout)
        #expect(try host.run { _, _ in nil }?.failure == failure)
    }

    @Test(
        arguments: [
            (PageAnswer.Action.cancel, "AADB2C90091"), (.forgotPassword, "AADB2C90118"),
            (.choose("SocialExchange"), nil),
            (.choose("CreateSocialExchange"), "page"),
        ] as [(PageAnswer.Action, String?)])
    func leavesAPage(action: PageAnswer.Action, failure: String?) throws {
        var host = try Fixture.host(Fixture.signIn)
        let outcome = try host.run { page, host in host.pages.count == 1 ? page.act(action) : nil }
        #expect((outcome == nil ? "page" : outcome?.failure) == failure)
    }

    @Test func runsAnExchangeForForgottenPasswords() throws {
        let link = #"<Item Key="setting.forgotPasswordLinkOverride">ResetExchange</Item>"#
        let item = #"<Item Key="setting.retryLimit">3</Item>"#
        let steps = [Fixture.combined("Social", "ResetPage"), Fixture.exchange("Social", "ResetPage"), Fixture.send()]
        for (version, profile) in [("unifiedssp:2.1.2", "ResetPage"), ("unifiedssp:2.1.1", nil)] {
            var host = try Fixture.host(steps, replacing: [(item, link), ("unifiedssp:2.1.7", version)])
            let outcome = try host.run { page, host in host.pages.count == 1 ? page.act(.forgotPassword) : nil }
            #expect(host.pages[0].buttons.map(\.id) == ["SocialExchange"] + (profile == nil ? ["ResetExchange"] : []))
            #expect(outcome?.failure == (profile == nil ? "AADB2C90118" : nil))
            #expect(profile == nil || host.pages.last?.profile == profile)
        }
    }

    @Test func choosesAProviderByItsDomain() throws {
        var host = try Fixture.host(Fixture.signIn)
        host.facts.parameters["domain_hint"] = "Social.example"
        #expect(try host.run { _, _ in nil }?.claims?["sub"] == "user-2")
        #expect(host.pages.isEmpty)
        #expect(
            try Fixture.run([
                Fixture.select("Social", display: "ShowSingleProvider"), Fixture.exchange("Social"), Fixture.send(),
            ]) == nil)
    }

    @Test func ignoresAnOlderPage() throws {
        var host = try Fixture.host(Fixture.signIn)
        let outcome = try host.run { page, host in
            host.pages.count == 1 ? PageAnswer(number: page.number - 1, .cancel) : nil
        }
        #expect(outcome == nil && host.pages.map(\.number) == [1, 1])
    }

    @Test func endsWithTooManyClaimsAndCutsTheTraceFirst() throws {
        var host = try Fixture.host(
            (0..<5).map { Fixture.exchange("Level").replacing("LevelExchange", with: "E\($0)") } + [Fixture.send()])
        host.services["/level"] = .json(200, #"{"note": "\#(String(repeating: "x", count: 258_000))"}"#)
        #expect(try host.run { _, _ in nil }?.claims?["note"] != nil)
        #expect(host.trace.count { $0.subject == "trace" } == 1)
        host.services["/level"] = .json(200, #"{"note": "\#(String(repeating: "x", count: 300_000))"}"#)
        #expect(try host.run { _, _ in nil }?.failure == "the claims are more than 1000, or larger than 256 KiB")
    }

    @Test func saysWhereAPolicyFails() throws {
        let steps = [Fixture.exchange("FindByEmail"), Fixture.send()]
        let policy = try Fixture.policy(steps)
        guard case .policyError(let error)? = try Fixture.run(steps) else { return #expect(Bool(false), "no error") }
        let line = try PolicyFixture.line(of: "<TechnicalProfile Id=\"FindByEmail\"", in: PolicyFixture.text("Flow"))
        #expect(error.subject == "FindByEmail" && policy.location(of: error.place) == "Flow.xml:\(line)")
    }

    @Test func removesAttributes() throws {
        var host = try Fixture.host([Fixture.combined(), Fixture.exchange("Remove"), Fixture.send()])
        host.users["ana"]?["city"] = "Graz"
        _ = try host.run { page, _ in page.submit(["email": "ana@contoso.example", "password": "Secret-1"]) }
        #expect(host.users["ana"]?["city"] == nil && host.users["ana"]?["objectid"] == "ana")
    }

    @Test func hidesSecretsByValue() throws {
        var host = try Fixture.host([
            Fixture.combined(), Fixture.exchange("Level"), Fixture.exchange("ResetPage"), Fixture.send(),
        ])
        host.services["/level"] = .json(200, #"{"note": "about Secret-1"}"#)
        host.facts.parameters["id_token_hint"] = "hint-token"
        _ = try host.run { page, host in
            switch host.pages.count {
            case 1: page.submit(["email": "ana@contoso.example", "password": "Secret-1"])
            case 2: page.act(.control("Code", action: "SendCode"), ["email": "ana@contoso.example"])
            default: nil
            }
        }
        let secrets = ["Secret-1", "key-secret", "hint-token", host.lastCode]
        let traced = String(decoding: try JSONEncoder().encode(host.trace), as: UTF8.self)
        for secret in secrets {
            #expect(!host.stored.contains(secret), "\(secret) is stored")
            #expect(!traced.contains(secret), "\(secret) is in the trace")
        }
        #expect(traced.contains("•••") && host.trace.contains { $0.text.contains(#""otp":"•••""#) })
        #expect(host.trace.contains { $0.added["copy"] == "•••" && $0.subject == "CopyPassword" })
        #expect(host.calls.last?.body?.contains(host.lastCode) == true)
    }
}
