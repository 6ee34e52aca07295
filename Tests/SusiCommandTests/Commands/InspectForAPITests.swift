import ArgumentParser
import Foundation
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

@testable import Susi
@testable import SusiCommand

/// `inspect --for-api`: why an API refuses a token. `YourApplicationTests/verdicts` compares it with a real API.
@Suite("Inspect for an API", .inTurn, .timeLimit(.minutes(5)))
struct InspectForAPITests {
    // MARK: appsettings.json

    /// The shapes of Microsoft's own samples for web APIs, with other values.
    static let samples: [(text: String, authority: String, audiences: [String], scopes: [String])] = [
        (
            """
            {
              "AzureAdB2C": {
                "Instance": "https://fabrikam.b2clogin.com",
                "ClientId": "90c0fe63-0000-44d5-8fb7-b8bbc0b29dc6",
                "Domain": "fabrikam.onmicrosoft.com",
                "SignedOutCallbackPath": "/signout/B2C_1_susi_reset_v2",
                "SignUpSignInPolicyId": "B2C_1_susi_reset_v2"
                //"CallbackPath": "/signin/B2C_1_sign_up_in"  // defaults to /signin-oidc
              },
              "Kestrel": { "Endpoints": { "Http": { "Url": "https://localhost:44332" } } },
              "AllowedHosts": "*"
            }
            """, "https://fabrikam.b2clogin.com/fabrikam.onmicrosoft.com/B2C_1_susi_reset_v2/v2.0",
            ["90c0fe63-0000-44d5-8fb7-b8bbc0b29dc6"], []
        ),
        (
            #"""
            {"AzureAdB2C": {"Instance": "https://contoso.b2clogin.com/tfp/", "ClientId": "c", "Domain": "contoso.onmicrosoft.com",
              "SignUpSignInPolicyId": "B2C_1_susi"}}
            """#, "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_susi/v2.0", ["c"], []
        ),
        (
            #"""
            {"AzureAd": {"Instance": "https://login.microsoftonline.com/", "Domain": "lab.onmicrosoft.com",
              "TenantId": "10c419d4-0000-45b2-aa4e-919fb84df24f", "ClientId": "a021aff4", "Scopes": "access_as_user other"}}
            """#, "https://login.microsoftonline.com/10c419d4-0000-45b2-aa4e-919fb84df24f/v2.0", ["api://a021aff4"],
            ["access_as_user", "other"]
        ),
        (
            #"""
            {"AzureAd": {"Instance": "https://login.microsoftonline.com/", "TenantId": "lab.onmicrosoft.com",
              "ClientId": "d3fa02c0", "ClientSecret": "secret", "Audience": "api://d3fa02c0"},
             "CalledApi": { /* 'Scopes' contains space separated scopes */ "Scopes": "user.read",
              "BaseUrl": "https://graph.microsoft.com/v1.0/"}}
            """#, "https://login.microsoftonline.com/lab.onmicrosoft.com/v2.0", ["api://d3fa02c0"], []
        ),
        (
            #"{"AZUREAD": {"AUTHORITY": "https://contoso.ciamlogin.com/", "clientid": "c"}}"#,
            "https://contoso.ciamlogin.com/contoso.onmicrosoft.com/v2.0", ["api://c"], []
        ),
        (
            #"""
            {"AzureAd": {"Authority": "https://login.microsoftonline.com/common/v2.0?dc=1", "ClientId": "c",
              "TokenValidationParameters": {"ValidAudiences": ["a", "b"]}}}
            """#, "https://login.microsoftonline.com/common/v2.0", ["a", "b"], []
        ),
    ]

    @Test("the settings of an API are read as the library reads them", arguments: samples)
    func readsSettings(text: String, authority: String, audiences: [String], scopes: [String]) throws {
        let settings = try AppSettings(Array(text.utf8), named: "appsettings.json", section: nil).settings(scopes: [])
        #expect(settings.authority.description == authority)
        #expect(settings.accepted(version: "1.0").map(\.value) == audiences)
        #expect(settings.scopes.map(\.value) == scopes)
    }

    @Test(
        "a file without usable settings is refused with the line to correct",
        arguments: [
            (
                #"{"AzureAdB2C": {"Tenant": "fabrikam.onmicrosoft.com", "ClientId": "c", "Policy": "b2c_1_susi"}}"#,
                "has no settings"
            ),
            ("[]", "has no settings"), ("{", "is no appsettings.json"), ("", "is no appsettings.json"),
            ("export const config = {}", "is no appsettings.json"),
            (
                #"{"A": {"Instance": "https://a.b2clogin.com", "ClientId": "c", "Domain": "d.onmicrosoft.com"}}"#,
                "A.SignUpSignInPolicyId is missing"
            ),
            (#"{"A": {"Instance": "https://a/", "TenantId": "t", "ClientId": "YOUR_CLIENT_ID"}}"#, "is a placeholder"),
            (
                #"{"AzureAd": {"Instance": "https://login.microsoftonline.com/", "ClientId": "c"}}"#,
                "AzureAd.TenantId is missing"
            ),
            (
                "{\"AzureAd\": {\"Instance\": \"https://login.microsoftonline.com/\", \"TenantId\": \"t\",\n"
                    + "\"ClientId\": \"[Enter the Client Id (Application ID)]\"}}",
                "AzureAd.ClientId (line 2) is a placeholder"
            ),
            (
                #"{"AzureAd": {"Instance": "https://Enter_the_Tenant_Subdomain_Here.ciamlogin.com", "ClientId": "c", "TenantId": "t"}}"#,
                "AzureAd.Instance (line 1) is a placeholder"
            ),
            (#"{"AzureAd": {"Instance": "http://localhost/", "ClientId": "c", "TenantId": "t"}}"#, "is not https"),
            (#"{"AzureAd": {"Instance": "login", "ClientId": "c", "TenantId": "t"}}"#, "expected a whole address"),
            (
                #"{"A": {"Instance": "https://a/", "ClientId": "c"}, "B": {"Instance": "https://a/", "ClientId": "c"}}"#,
                "next: name the API’s with --section"
            ),
        ])
    func refusesFile(text: String, reason: String) throws {
        let error = try #require(throws: (any Error).self) {
            try AppSettings(Array(text.utf8), named: "appsettings.json", section: nil).settings(scopes: [])
        }
        let (explained, code) = try #require(SusiCommand.Program.explained(error, of: [], GivenOptions()))
        let lines = explained.error.lines(Style(isColored: false)).joined(separator: "\n")
        #expect(code != .notSafe && lines.contains(reason), "\(lines)")
    }

    @Test("members that the library does not read are named") func namesUnreadMembers() throws {
        let text = #"""
            {"AzureAd": {"Instance": "https://contoso.ciamlogin.com", "TenantId": "t", "ClientId": "c", "Audiences": ["x"],
              "DefaultUserFlow": "B2C_1_susi", "Scopes": {"Read": ["ToDoList.Read"]}}}
            """#
        let settings = try AppSettings(Array(text.utf8), named: "appsettings.json", section: "azuread")
        #expect(settings.remarks.count == 3 && settings.remarks.allSatisfy { $0.contains("AzureAd.") })
        #expect(try settings.settings(scopes: []).scopes.isEmpty)
    }

    // MARK: The command

    private func text(_ section: [String: String]) -> String {
        let members = section.map { "\"\($0)\": \"\($1)\"" } + ["\"RequireHttpsMetadata\": false"]
        return "{\"AzureAdB2C\": {\n\(members.sorted().joined(separator: ",\n"))\n}}"
    }

    private func write(_ section: [String: String], _ susi: SusiBinary) throws {
        let file = susi.home.workingFolder.appending("appsettings.json").string
        try Data(text(section).utf8).write(to: URL(filePath: file))
    }

    /// Returns what an API with these settings does with a token, in the words of the report.
    private func verdict(
        on token: String, _ section: [String: String], by client: PublicClient? = nil, isOffline: Bool = false
    ) async throws -> (verdict: APIVerdict, text: String) {
        let settings = try AppSettings(Array(text(section).utf8), named: "appsettings.json", section: nil)
            .settings(scopes: [])
        return try await verdict(on: token, settings, by: client, isOffline: isOffline)
    }

    private func verdict(
        on token: String, _ settings: APISettings, by client: PublicClient? = nil, isOffline: Bool = false
    ) async throws -> (verdict: APIVerdict, text: String) {
        let application = try #require(try PoliciesFile.builtIn().application(nil))
        let nowhere = PublicClient(
            application: application, folder: StoreFolder("/nowhere"), clock: TestEnvironment.realTime)
        let verdict = try await (client ?? nowhere).verdict(on: token, of: settings, isOffline: isOffline)
        let report = VerdictReport(verdict: verdict, library: settings.library, remarks: [])
        return (verdict, report.lines(Style(isColored: false)).joined(separator: "\n"))
    }

    private func section(_ tenant: LocalTenant, audience: String) -> [String: String] {
        [
            "Instance": tenant.emulator.origin, "Domain": "contoso.onmicrosoft.com", "ClientId": audience,
            "SignUpSignInPolicyId": "B2C_1_susi", "Scopes": "demo.read",
        ]
    }

    private func audience(of token: String) throws -> String {
        guard case .signed(_, let claims) = DecodedToken(token.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return try #require(claims["aud"]?.string)
    }

    @Test("each broken rule names the line to change; the exit code is 0 or 7") func tellsWhatToChange() async throws {
        try await withLocalTenant { tenant in
            let susi = tenant.susi
            let token = try await helloToken(tenant)
            let own = try audience(of: token)
            try write(section(tenant, audience: own), susi)
            // Without a source, the account's access token.
            let accepted = try await susi.run("inspect", "-a", "ana@contoso.example", "--for-api", "appsettings.json")
            #expect(accepted.status == 0 && accepted.standardOutput.hasPrefix("accepted by "), "\(accepted)")
            #expect(!accepted.standardOutput.contains("✗") && accepted.standardOutput.contains("✓ audience"))

            var wrong = section(tenant, audience: "api://\(own)")
            wrong["SignUpSignInPolicyId"] = "B2C_1_partner"
            wrong["Scopes"] = "https://contoso.onmicrosoft.com/hello/demo.read"
            try write(wrong, susi)
            let refused = try await susi.run("inspect", "-", "--for-api", "appsettings.json", input: token)
            #expect(
                refused.status == 7 && refused.standardOutput.hasPrefix("refused with 401, IDX10214, by "), "\(refused)"
            )
            for line in [
                "write “\(own)” as AzureAdB2C.ClientId (line 2)",
                "write “demo.read” as AzureAdB2C.Scopes (line 6)", "○ policy",
            ] { #expect(refused.standardOutput.contains(line), "\(line)\n\(refused)") }
            let file = susi.home.workingFolder.appending("token.txt").string
            try Data(token.utf8).write(to: URL(filePath: file))
            for columns in [60, 80] {
                let options = ["inspect", "@token.txt", "--for-api", "appsettings.json", "--no-color"]
                let shown = try await susi.command(options).inTerminal(columns: columns).run().standardOutput
                for line in shown.split(whereSeparator: \.isNewline) where DisplayWidth.of(line) > columns {
                    #expect(line.split(separator: " ").count == 1, "\(columns): \(line)")
                }
            }
            let idToken = try await tenant.client().idToken(of: AccountSelection()).token
            let id = try await susi.run("inspect", "-", "--for-api", "appsettings.json", input: idToken)
            #expect(id.status == 7 && id.standardOutput.contains("send the access token"), "\(id)")
        }
    }

    /// Signs Ana in for the API “hello” and returns its token.
    private func helloToken(_ tenant: LocalTenant) async throws -> String {
        try await tenant.signIn(.ana, api: "hello")
        return try await tenant.client().token(api: "hello", of: AccountSelection()).secret
    }

    @Test("without a network, the rules that need none are checked, and nothing is sent") func worksOffline()
        async throws
    {
        try await withLocalTenant { tenant in
            let susi = tenant.susi
            let token = try await helloToken(tenant)
            try write(section(tenant, audience: try audience(of: token)), susi)
            let before = tenant.requestLines.count
            let options = ["inspect", "-", "--for-api", "appsettings.json", "--offline"]
            let met = try await susi.command(options, input: .text(token)).run()
            #expect(met.status == 3 && met.standardOutput.hasPrefix("not checked completely"), "\(met)")
            #expect(met.standardOutput.contains("○ metadata") && !met.standardOutput.contains("✗"), "\(met)")
            let broken = try await verdict(
                on: token, section(tenant, audience: "other"), by: tenant.client(), isOffline: true)
            #expect(broken.verdict.refusal != nil && broken.text.contains("✗ audience"), "\(broken.text)")
            let file = susi.home.workingFolder.appending("appsettings.json").string
            let stored = try await susi.refusal("inspect", "--for-api", file, "--offline")
            #expect(stored.status == 64 && stored.next == "susi token | susi inspect - --offline", "\(stored)")
            #expect(tenant.requestLines.count == before)
        }
    }

    @Test(
        "times out of range are no crash", arguments: ["-9223372036854775808", "9223372036854775807", "1e300", "\"x\""])
    func readsAnyTime(time: String) async throws {
        let claims = "{\"exp\": \(time), \"nbf\": \(time), \"iat\": \(time), \"aud\": \"c\", \"ver\": \"2.0\"}"
        let token = ["{\"alg\": \"none\"}", claims, ""].map { Base64URL.encode($0.utf8) }.joined(separator: ".")
        let section = ["Instance": "https://login.example", "TenantId": "t", "ClientId": "c"]
        #expect(try await verdict(on: token, section, isOffline: true).verdict.refusal != nil)
        let options = try APIOptions.parse(["--authority", "https://a.example", "--audience", "c"])
        let settings = try #require(try await options.settings()).settings
        #expect(try await verdict(on: token, settings, isOffline: true).verdict.refusal != nil)
    }

    /// Answers with the configurations whose path is given, each with its issuer, and with the keys of ``Signer/main``.
    private func withAuthority(
        _ issuers: [String: String], _ body: (ScriptedServer, Signer) async throws -> Void
    ) async throws {
        let signer = try Signer.main.get()
        let keys = Signer.keySet(try signer.jwk())
        try await ScriptedServer.with({ request in
            let path = String(request.head.split(separator: " ")[1])
            if path == "/keys" { return .ok(keys) }
            guard let issuer = issuers[path.replacing("/.well-known/openid-configuration", with: "")] else {
                return .status("404 Not Found", "no")
            }
            return .ok("{\"issuer\": \"\(issuer)\", \"jwks_uri\": \"http://\(request.header("Host") ?? "")/keys\"}")
        }) { try await body($0, signer) }
    }

    private func token(_ signer: Signer, _ changes: [String: String]) throws -> String {
        let claims = ["aud": "c", "tid": "t1", "ver": "2.0", "scp": "x"].merging(changes) { $1 }
        let members = claims.map { "\"\($0)\": \"\($1)\"" } + ["\"exp\": 99999999999"]
        return try signer.token("{\(members.sorted().joined(separator: ", "))}")
    }

    @Test(
        "an issuer is refused if the authority has none to compare it with",
        arguments: ["https://evil.example/t1/", "https://evil.example/t1/v2.0", ""])
    func refusesIssuerWithoutMetadata(issuer: String) async throws {
        try await withAuthority(["/t1/v2.0": "https://login.example/t1/v2.0"]) { server, signer in
            let section = ["Instance": server.origin, "TenantId": "t1", "ClientId": "c"]
            let verdict = try await verdict(on: try token(signer, ["iss": issuer]), section).verdict
            #expect(verdict.refusal?.code == "IDX40001")
        }
    }

    @Test("where there is no authority, each setting that makes its address is named")
    func namesSettingsOfAuthority() async throws {
        try await withAuthority([:]) { server, signer in
            let section = ["Instance": server.origin, "TenantId": "t1", "ClientId": "c"]
            let issuer = ["iss": "https://login.example/t1/v2.0"]
            let tenant = try await verdict(on: try token(signer, issuer), section)
            let names = "correct AzureAdB2C.Instance (line 3) or AzureAdB2C.TenantId (line 5)"
            #expect(tenant.verdict.refusal != nil && tenant.text.contains(names), "\(tenant.text)")
            let ofPolicy = try token(signer, issuer.merging(["tfp": "B2C_1_x"]) { $1 })
            let policy = try await verdict(on: ofPolicy, section)
            #expect(policy.text.contains("write “B2C_1_x” as SignUpSignInPolicyId"), "\(policy.text)")
        }
    }

    @Test(
        "the advice about an audience never repeats the setting",
        arguments: [
            (["ver": "1.0"], "write “c” as Audience, beside AzureAdB2C.ClientId"),
            (["ver": "1.0", "iss": "https://sts.windows.net/t1/"], "set requestedAccessTokenVersion to 2"),
            (["aud": "api://c"], "write “api://c” as Audience, beside AzureAdB2C.ClientId"),
            (["ver": "1.0", "tfp": "B2C_1_x"], "write “B2C_1_x” as SignUpSignInPolicyId beside AzureAdB2C.ClientId"),
        ])
    func advisesOnAudience(claims: [String: String], advice: String) async throws {
        let section = ["Instance": "https://login.example", "TenantId": "t1", "ClientId": "c"]
        let token = try token(try Signer.main.get(), claims)
        let outcome = try await verdict(on: token, section, isOffline: true)
        #expect(outcome.verdict.refusal != nil && outcome.text.contains(advice), "\(outcome.text)")
    }

    /// A version 1 token of Entra ID: the issuer of the metadata without `/v2.0`, and `api://` before the client ID.
    @Test(
        "a version 1 token is compared with version 1 metadata",
        arguments: [
            ("https://sts.windows.net/t1/", "api://c", true), ("https://sts.windows.net/t2/", "api://c", false),
            ("https://sts.windows.net/t1/", "c", false),
        ])
    func readsFirstVersion(issuer: String, audience: String, isAccepted: Bool) async throws {
        let issuers = ["/t1/v2.0": "https://login.example/t1/v2.0", "/t1": "https://sts.windows.net/t1/"]
        try await withAuthority(issuers) { server, signer in
            let section = ["Instance": server.origin, "TenantId": "t1", "ClientId": "c"]
            let token = try token(signer, ["iss": issuer, "aud": audience, "ver": "1.0"])
            let outcome = try await verdict(on: token, section)
            #expect(outcome.verdict.isAccepted == isAccepted, "\(outcome.text)")
            let before = server.requests.count
            let offline = try await verdict(on: token, section, isOffline: true)
            #expect(offline.text.contains("✓ time") && server.requests.count == before, "\(offline.text)")
        }
    }

    @Test("keys at another origin than the authority's are not requested; the token is not checked completely")
    func requestsNoKeysElsewhere() async throws {
        let signer = try Signer.main.get()
        let keys = Signer.keySet(try signer.jwk())
        try await ScriptedServer.with({ _ in .ok(keys) }) { elsewhere in
            let place = "http://127.0.0.1:\(elsewhere.port)/keys"
            try await ScriptedServer.with({ request in
                .ok("{\"issuer\": \"http://\(request.header("Host") ?? "")/t/v2.0\", \"jwks_uri\": \"\(place)\"}")
            }) { server in
                let authority = "\(server.origin)/t/v2.0"
                let options = try APIOptions.parse(["--authority", authority, "--audience", "c"])
                let settings = try #require(try await options.settings()).settings
                let outcome = try await verdict(on: try token(signer, ["iss": authority]), settings)
                #expect(!outcome.verdict.isAccepted && !outcome.verdict.isComplete, "\(outcome.text)")
                #expect(!server.requests.isEmpty && elsewhere.requests.isEmpty)
            }
        }
    }

    @Test("an authority that this machine cannot reach is no refusal") func tellsNetworkFailure() async throws {
        try await withLocalTenant { tenant in
            let susi = tenant.susi
            let token = try await helloToken(tenant)
            var settings = section(tenant, audience: try audience(of: token))
            settings["Instance"] = "http://localhost:\(try await freePort())"
            try write(settings, susi)
            let unreached = try await susi.run("inspect", "-", "--for-api", "appsettings.json", input: token)
            #expect(unreached.status == 3 && unreached.standardOutput.contains("○ metadata"), "\(unreached)")
        }
    }

    @Test(
        "a token of Entra ID is accepted by its own tenant and by common",
        arguments: ["tailspin.onmicrosoft.com", "common"])
    func acceptsEntraToken(tenantName: String) async throws {
        let policies = """
            {"applications": {"work": {"kind": "entra", "authority": "http://localhost:8480/tailspin.onmicrosoft.com",
              "clientId": "11111111-1111-1111-1111-111111111111", "redirectPorts": [0],
              "knownAuthorities": ["http://localhost:8480"],
              "apis": {"hello": {"baseUrl": "http://localhost:8480/api/hello", "scopes": ["api://22222222-2222-2222-2222-222222222222/demo.read"]}}}}}
            """
        try await withLocalTenant(policies: { _ in policies }) { tenant in
            let token = try await helloToken(tenant)
            let section = [
                "Instance": tenant.emulator.origin, "TenantId": tenantName, "ClientId": try audience(of: token),
                "Scopes": "demo.read",
            ]
            let outcome = try await verdict(on: token, section, by: tenant.client())
            #expect(outcome.verdict.isAccepted && outcome.text.contains("version 2.0"), "\(outcome.text)")
        }
    }
}
