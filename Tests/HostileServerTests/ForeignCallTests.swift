import Susi
import Testing

/// Calls that another application of `policies.json` has resolved.
@Suite("Calls of another application", .timeLimit(.minutes(5)))
struct ForeignCallTests {
    @Test("a call of an API with the same name but another address or another scope is refused; nothing is sent")
    func refusesCallOfAnotherApplication() async throws {
        try await Stage.with(.entra) { stage, elsewhere in
            _ = try await stage.signIn()
            // The access token has expired, so that a call would refresh it.
            stage.change { $0.now = Provider.now + 7_200 }
            let (own, other) = (stage.server.origin, elsewhere.origin)
            for policies in [
                Provider.entra.policies(own).replacing("\(own)/api", with: "\(other)/api"),
                Provider.entra.policies(own).replacing(Provider.scope, with: "\(Provider.scope).all"),
            ] {
                let file = try PoliciesFile(text: policies.utf8, source: "the other policies")
                let call = try CallRequest(api: "hello").resolved(in: file.applications[0])
                let called = await #expect(throws: SusiError.self) {
                    try await stage.client.call(call, of: AccountSelection()) { _, _ in }
                }
                #expect(
                    called?.code == .outsideAPI && called?.nextStep == .listPolicies, "\(String(describing: called))")
                let previewed = await #expect(throws: SusiError.self) {
                    try await stage.client.preview(call, of: AccountSelection())
                }
                #expect(previewed?.code == .outsideAPI)
            }
            #expect(stage.tokenRequests == 1 && elsewhere.connections == 0)
            #expect(!stage.server.asked.contains { $0.authorization != nil })
        }
    }
}
