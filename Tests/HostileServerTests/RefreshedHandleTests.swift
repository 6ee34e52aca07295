import Susi
import SusiTestSupport
import Testing

/// What the response to a refresh leaves as it is: the account at home (`client_info`, OpenID Connect Core 12.2), the refresh
/// token after a failure of the service, the person's name.
@Suite("Refreshed handles", .timeLimit(.minutes(5)))
struct RefreshedHandleTests {
    private static let other = "bbbbbbbb-0000-4000-8000-00000000000b"

    /// A provider, with a `client_info` at the sign-in and one at the refresh.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let provider: Provider
        let signIn: String?
        let refresh: String?
        let isAccepted: Bool

        init(_ name: String, _ provider: Provider, _ signIn: String?, refresh: String?, isAccepted: Bool) {
            (self.name, self.provider, self.signIn, self.refresh) = (name, provider, signIn, refresh)
            self.isAccepted = isAccepted
        }

        var testDescription: String { name }
    }

    private static let own = Provider.clientInfo("\(other)-b2c_1_susi")
    private static let plain = Provider.clientInfo(Provider.object)
    private static let policy = Provider.clientInfo("\(Provider.object)-b2c_1_susi")

    private static let rows = [
        Row("the same", .entra, plain, refresh: Provider.clientInfo(Provider.object.uppercased()), isAccepted: true),
        Row("another object id", .entra, plain, refresh: Provider.clientInfo(other), isAccepted: false),
        Row(
            "another home tenant", .entra, plain, refresh: Provider.clientInfo(Provider.object, Provider.home),
            isAccepted: false),
        Row("no subject", .external, plain, refresh: Provider.clientInfo(""), isAccepted: true),
        Row("none at a refresh", .entra, plain, refresh: nil, isAccepted: true),
        // In some tenants of B2C, client_info and the ID token contain different object ids; both stay.
        Row(
            "an object id of its own", .b2c, own, refresh: Provider.clientInfo("\(other)-B2C_1_susi"), isAccepted: true),
        Row("no longer an object id of its own", .b2c, own, refresh: policy, isAccepted: false),
        Row("none after an object id of its own", .b2c, own, refresh: nil, isAccepted: true),
        Row(
            "another policy", .b2c, policy, refresh: Provider.clientInfo("\(Provider.object)-b2c_1_edit"),
            isAccepted: false),
        // A custom policy without an object id.
        Row(
            "no object id", .b2c, Provider.clientInfo("-b2c_1_susi"), refresh: Provider.clientInfo("-b2c_1_susi"),
            isAccepted: true),
        Row("the object id missing later", .b2c, own, refresh: Provider.clientInfo("-b2c_1_susi"), isAccepted: false),
        Row("no client_info at the sign-in", .b2c, nil, refresh: policy, isAccepted: true),
        Row("a foreign meaning", .openid, nil, refresh: Provider.clientInfo(other), isAccepted: true),
    ]

    @Test("a refresh that names another account at home is refused, and the account keeps its own", arguments: rows)
    func refusesOtherHandle(row: Row) async throws {
        try await Stage.with(row.provider) { stage, _ in
            stage.change { $0.response["client_info"] = .some(row.signIn) }
            let before = try await stage.signIn().account
            stage.change { $0.response["client_info"] = .some(row.refresh) }
            if row.isAccepted {
                #expect(try await stage.refresh().secret == "at-2")
            } else {
                await expectRefusal(.invalidResponse, why: "client_info: ") { try await stage.refresh() }
            }
            #expect(try stage.store.account(before.account)?.homeAccountID == before.homeAccountID)
            let kept = row.isAccepted ? "2" : "1"
            #expect(try stage.store.secret(.refresh(before.account))?.secret == "rt-\(kept)")
            #expect(try await stage.client.token(api: "hello").secret == "at-\(kept)")
        }
    }

    @Test(
        "a refusal that does not prove the end of the refresh token keeps it: the next refresh succeeds",
        arguments: [
            (.b2c, "AADB2C90090: x", ""), (.b2c, "AADB2C90999: x", ""), (.entra, "AADSTS70000: x", ""),
            (.entra, "AADSTS70043: x", ",\"suberror\":\"token_expired\",\"error_codes\":[70043]"),
            (.entra, "AADSTS99999: x", ""),
        ] as [(Provider, String, String)])
    func keepsRefreshToken(provider: Provider, description: String, more: String) async throws {
        try await Stage.with(provider) { stage, _ in
            _ = try await stage.signIn()
            stage.change { $0.refuseToken("invalid_grant", description, more: more) }
            await expectRefusal(.signInNeeded) { try await stage.refresh() }
            stage.change { $0.tokenReply = nil }
            #expect(try await stage.refresh().secret == "at-2")
        }
    }

    @Test("B2C may change auth_time at a refresh, which is logged")
    func acceptsChangedAuthTimeOfB2C() async throws {
        try await Stage.with(.b2c) { stage, _ in
            let log = Log()
            let client = try stage.client(log: log)
            stage.change { $0.claims["auth_time"] = "\(Provider.now - 60)" }
            _ = try await stage.signIn()
            stage.change { $0.claims["auth_time"] = "\(Provider.now)" }
            _ = try await stage.refresh(with: client)
            #expect(log.text.contains("auth_time of the refreshed"))
            let same = Log()
            _ = try await stage.refresh(with: try stage.client(log: same))
            #expect(!same.text.isEmpty && !same.text.contains("auth_time of the refreshed"))
        }
    }

    @Test("claims that a refresh lacks keep the name and the address of the account")
    func keepsNamesThatRefreshLacks() async throws {
        try await Stage.with(.b2c) { stage, _ in
            let before = try await stage.signIn().account
            #expect(before.profile.name == "Ada" && before.label == "ada@example.com")
            stage.change { script in for name in ["name", "emails", "sub"] { script.claims[name] = .some(nil) } }
            _ = try await stage.refresh()
            #expect(try await stage.client.accounts().first?.profile == before.profile)
            let named = AccountSelection(text: "ada@example.com")
            #expect(try await stage.client.token(api: "hello", of: named).secret == "at-2")
        }
    }
}
