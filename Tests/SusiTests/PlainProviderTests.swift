import Susi
import SusiEmulator
import SusiTestSupport
import Synchronization
import Testing

/// Requests to providers other than Microsoft, and the checks of their responses.
@Suite("Plain providers", .inTurn, .timeLimit(.minutes(5)))
struct PlainProviderTests {
    private static func withProvider(_ body: (LocalTenant, PublicClient) async throws -> Void) async throws {
        try await withLocalTenant(policies: onlyApplication("openid", "login")) { tenant in
            try await body(tenant, try tenant.client())
        }
    }

    @Test(
        "a refresh asks for nothing beyond its sign-in, and of two APIs each keeps its own: both get tokens an hour later"
    )
    func refreshesEachAPI() async throws {
        let apis = ["hello", "other"].map {
            "\"\($0)\": { \"baseUrl\": \"http://localhost:8480/api/\($0)\", \"scopes\": [\"https://api.example/\($0)/read\"] }"
        }
        let more = "\"apis\": { \(apis.joined(separator: ", ")) },"
        try await withLocalTenant(policies: onlyApplication("openid", "login", more: more)) { tenant in
            try await tenant.signIn(.ana, api: "hello")
            await expectRefusal(.signInNeeded, next: "for “other”") {
                try await tenant.client().token(api: "other")
            }
            try await tenant.signIn(.ana, api: "other")
            tenant.emulator.clock.advance(by: 3_700)
            let late = try tenant.client(ahead: 3_700)
            for api in ["hello", "other", "hello"] {
                let scopes = try await late.refreshed(api: api).scopes
                #expect(scopes.granted == ScopeSet(["https://api.example/\(api)/read"]) && scopes.declined.isEmpty)
            }
        }
    }

    /// Replaces a text in the provider's configuration.
    private static func replace(_ old: String, with new: String, _ tenant: LocalTenant) async throws {
        let address = "\(tenant.emulator.origin)/login/.well-known/openid-configuration"
        let text = try await PlainVisit.get(address).body
        try #require(text.contains("\"\(old)\""))
        let changed = text.replacing("\"\(old)\"", with: "\"\(new)\"")
        tenant.emulator.faults.add(Fault(.status(200, body: changed), at: .metadata))
    }

    /// Removes the supported prompts from the provider's configuration.
    private static func hidePrompts(_ tenant: LocalTenant) async throws {
        try await replace("prompt_values_supported", with: "x_prompts", tenant)
    }

    @Test("offline_access is left out if the provider lists its scopes without it, or if the file says so")
    func leavesOutOfflineAccess() async throws {
        try await Self.withProvider { tenant, client in
            #expect(await client.asked()["scope"] == "offline_access openid profile")
            let policy = #""policies": { "default": { "kind": "signUpOrSignIn", "offlineAccess": false } },"#
            let without = try tenant.client { _ in
                onlyApplication("openid", "login", more: policy)("").replacing(
                    "http://localhost:8480", with: tenant.emulator.origin)
            }
            #expect(await without.asked()["scope"] == "openid profile")
            try await Self.replace("scopes_supported", with: "x_scopes", tenant)
            #expect(await client.asked()["scope"] == "offline_access openid profile")
        }
        try await Self.withProvider { tenant, client in
            try await Self.replace("offline_access", with: "address", tenant)
            #expect(await client.asked()["scope"] == "openid profile")
            try await tenant.signIn(.ana, with: client)
            #expect(try await client.account(AccountSelection()).tokens.allSatisfy { $0.kind != .refresh })
        }
    }

    @Test("prompt=create is sent to External ID and to a provider that announces it, and to no other one")
    func sendsCreateOnlyIfSupported() async throws {
        try await withLocalTenant(policies: onlyApplication("external", "fabrikam.onmicrosoft.com")) { tenant in
            let client = try tenant.client()
            #expect(await client.asked(Self.asking(.create))["prompt"] == "create")
        }
        let refused = { (client: PublicClient) async in
            await expectRefusal(.invalidRequest, why: "prompt_values_supported") {
                try await client.signIn(Self.asking(.create), through: SignInSurface(browser: AddressProbe()))
            }
        }
        try await withLocalTenant { tenant in await _ = refused(try tenant.client()) }
        try await Self.withProvider { tenant, client in
            await _ = refused(client)
            try await Self.replace("select_account", with: "create", tenant)
            #expect(await client.asked(Self.asking(.create))["prompt"] == "create")
        }
    }

    private static func asking(_ prompt: Prompt) -> SignInRequest {
        SignInRequest(options: AuthorizationOptions(prompt: prompt), choosesAccount: false)
    }

    @Test("select_account is sent by default only if the provider announces it; a typed prompt is always sent")
    func sendsPromptOnlyIfSupported() async throws {
        try await Self.withProvider { tenant, client in
            #expect(await client.asked()["prompt"] == "select_account")
            try await Self.hidePrompts(tenant)
            #expect(await client.asked()["prompt"] == nil)
            for prompt in [Prompt.selectAccount, .login] {
                #expect(await client.asked(Self.asking(prompt))["prompt"] == prompt.rawValue)
            }
        }
    }

    @Test("if the provider has no account choice, the way to sign in another person is told once one is stored")
    func explainsSignInOfAnotherPerson() async throws {
        try await Self.withProvider { tenant, client in
            try await Self.hidePrompts(tenant)
            let choices = { (request: SignInRequest) async -> [String] in
                let told = Told()
                _ = try? await client.signIn(
                    request, through: SignInSurface(browser: AddressProbe(), tell: { told.add($0) }))
                return told.choices
            }
            #expect(await choices(SignInRequest()).isEmpty)
            try await tenant.signIn(.ana)
            let next = await choices(SignInRequest())
            #expect(next.count == 1 && next.first?.contains("login") == true, "\(next)")
            #expect(await choices(Self.asking(.login)).isEmpty)
            // A whole address of a person who is not stored: the person who came is another one.
            for name in ["ben@contoso.example", "ana@contoso.exam"] {
                let error = await expectRefusal(.differentPerson) {
                    try await tenant.signIn(.ana, with: client, SignInRequest(expected: .named(name)))
                }
                guard
                    case .run(let run)? = error?.nextStep.parts.first(where: {
                        if case .run = $0 { true } else { false }
                    })
                else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
                #expect(run.prompt == "login" && run.account == name)
            }
        }
    }

    /// The commands that an event names for another account.
    private final class Told: Sendable {
        private let box = Mutex<[String]>([])
        var choices: [String] { box.withLock { $0 } }
        func add(_ event: SignInEvent) {
            if case .noAccountChoice(let next) = event { box.withLock { $0.append(next) } }
        }
    }
}
