import SusiBase
import Testing

@testable import SusiJourneys

@Suite struct JourneyTests {
    private typealias Fixture = JourneyFixture
    private let signIn = ["email": "ana@contoso.example", "password": "Secret-1"]

    private func host(_ steps: [String], replacing parts: [(String, String)] = []) throws -> ScriptedHost {
        var host = ScriptedHost(try Fixture.policy(steps, replacing: parts))
        host.users = Fixture.ana
        return host
    }

    @Test func signsInWithOnlyTheClaimsThatArePartOfTheRelyingParty() throws {
        var host = try host(Fixture.signIn)
        host.facts.parameters["login_hint"] = "hint@contoso.example"
        let outcome = try host.run { page, _ in page.submit(signIn) }
        #expect(
            outcome?.claims == [
                "sub": "ana", "name": "Ana", "source": "local", "email": "ana@contoso.example", "copy": "Secret-1",
                "tid": "tenant-id",
            ])
        let page = try #require(host.pages.first)
        #expect(page.kind == .combined && page.contentDefinition == "api.signin")
        #expect(page.fields.map(\.claim) == ["email", "password"])
        #expect(page.fields.first?.value == "hint@contoso.example")
        #expect(page.buttons == [PageButton(id: "SocialExchange", label: "Social")])
        #expect(page.signUp?.id == "SignUpExchange")
    }
}
