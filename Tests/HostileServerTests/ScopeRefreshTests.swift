import Susi
import Testing

/// The scopes of a refresh after the provider granted fewer of them.
@Suite("Scopes of a refresh", .timeLimit(.minutes(5)))
struct ScopeRefreshTests {
    private static let more = "https://contoso.onmicrosoft.com/hello/demo.write"

    @Test("a sign-in without more scopes drops them, also if the provider grants them all the same")
    func requestsNoScopeOfEarlierSignIn() async throws {
        try await Stage.with(.entra) { stage, _ in
            let asks = { stage.asked("scope", at: "token")?.split(separator: " ").contains(Substring(Self.more)) }
            _ = try await stage.signIn()
            stage.change { $0.response["scope"] = "\"openid \(Provider.scope) \(Self.more)\"" }
            _ = try await stage.client.token(api: "hello", options: TokenRequestOptions(scopes: [Self.more]))
            _ = try await stage.refresh()
            #expect(asks() == true)
            _ = try await stage.signIn()
            _ = try await stage.refresh()
            #expect(asks() == false)
        }
    }

    @Test(
        "a refresh without an access token leads to a sign-in for the API, and only a sign-in without one to the portal"
    )
    func suggestsSignInForAPI() async throws {
        try await Stage.with(.b2c) { stage, _ in
            _ = try await stage.signIn()
            stage.change {
                $0.response["access_token"] = .some(nil)
                $0.response["scope"] = "\"\""
                $0.response["expires_in"] = .some(nil)
            }
            let refresh = await #expect(throws: SusiError.self) { try await stage.refresh() }
            let signsInForAPI = refresh?.nextStep.parts.contains {
                if case .run(let run) = $0 { run.kind == .signUpOrSignIn && run.api == "hello" } else { false }
            }
            #expect(refresh?.code == .scopesDeclined && signsInForAPI == true, "\(String(describing: refresh))")
            let result = try await stage.signIn()
            let signIn = #expect(throws: SusiError.self) { try stage.client.requireScopes(of: result) }
            #expect(signIn?.next.contains("portal") == true, "\(String(describing: signIn))")
        }
    }

    @Test("after a consent was withdrawn, the refresh after the next one no longer requests the scope")
    func requestsNoWithdrawnScope() async throws {
        try await Stage.with(.entra) { stage, _ in
            let asks = { stage.asked("scope", at: "token")?.split(separator: " ").contains(Substring(Self.more)) }
            _ = try await stage.signIn()
            stage.change { $0.response["scope"] = "\"openid \(Provider.scope) \(Self.more)\"" }
            _ = try await stage.client.token(api: "hello", options: TokenRequestOptions(scopes: [Self.more]))
            #expect(asks() == true)
            _ = try await stage.refresh()
            #expect(asks() == true)
            // The response to this request is the first that lacks the scope.
            stage.change { $0.response["scope"] = "\"openid \(Provider.scope)\"" }
            _ = try await stage.refresh()
            #expect(asks() == true)
            for _ in 1...2 {
                _ = try await stage.refresh()
                #expect(asks() == false)
            }
        }
    }
}
