import Foundation
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

@testable import Susi
@testable import SusiCommand
@testable import SusiTools

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
        let settings = try Self.settings(text)
        #expect(settings.authority.description == authority)
        #expect((settings.firstVersionAudiences ?? settings.audiences).map(\.value) == audiences)
        #expect(settings.permissions.flatMap(\.scopes) == scopes)
    }

    private static func appSettings(
        _ texts: [String], section: String? = nil, variables: [String: String] = [:]
    ) throws -> AppSettings {
        let files = texts.enumerated().map { (name: $0 == 0 ? "appsettings.json" : "\($0)", bytes: Array($1.utf8)) }
        return try AppSettings(files, section: section) { variables[$0] }
    }

    private static func settings(_ texts: String..., variables: [String: String] = [:]) throws -> APISettings {
        try appSettings(texts, variables: variables).settings(scopes: [])
    }

    @Test("each file is over the one before it, and variables are over all files")
    func mergesFiles() throws {
        let (first, second) = (
            Self.samples[0].text, #"{"azureadb2c": {"instance": "https://localhost:8490/", "Domain": ""}}"#
        )
        let file = """
            # of the container
            export AzureAdB2C__ClientId='a=b'
            AzureAdB2C__Domain=a.onmicrosoft.com\r
            """
        let merged = try Self.settings(first, second, file)
        #expect(merged.authority.description == "https://localhost:8490/a.onmicrosoft.com/B2C_1_susi_reset_v2/v2.0")
        #expect(merged.audiences == [.init("AzureAdB2C.ClientId (2, line 2)", "a=b")])
        let variables = ["AzureAdB2C__ClientId": "c", "AzureAdB2C__SignUpSignInPolicyId": "B2C_1_x", "ClientId": "d"]
        let over = try Self.settings(first, second, file, variables: variables)
        #expect(over.audiences == [.init("the variable AzureAdB2C__ClientId", "c")])
        #expect(over.authority.description.hasSuffix("/B2C_1_x/v2.0"))
        // .NET replaces the elements of a list one by one.
        let lists = ["[\"a\", \"b\"]", "[\"c\"]"].map {
            #"{"A": {"Authority": "https://a/v2.0", "ClientId": "c", "TokenValidationParameters": {"ValidAudiences": \#($0)}}}"#
        }
        #expect(try Self.settings(lists[0], lists[1]).audiences.map(\.value) == ["c", "b"])
    }

    @Test("an action demands the scopes of its own key, or the roles of the same one")
    func readsScopesOfKeys() throws {
        let keys =
            #""Scopes": {"Read": "a.read a.write", "Write": "a.write"}, "AppPermissions": {"Read": "A.Read.All"}"#
        let text = #"{"AzureAd": {"Authority": "https://a/t/v2.0", "ClientId": "c", \#(keys)}}"#
        let place = "(appsettings.json, line 1)"
        #expect(
            try Self.settings(text).permissions == [
                .init("AzureAd.Scopes.Read \(place)", scopes: ["a.read", "a.write"], roles: ["A.Read.All"]),
                .init("AzureAd.Scopes.Write \(place)", scopes: ["a.write"]),
            ])
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
                "AzureAd.ClientId (appsettings.json, line 2) is a placeholder"
            ),
            (
                #"{"AzureAd": {"Instance": "https://Enter_the_Tenant_Subdomain_Here.ciamlogin.com", "ClientId": "c", "TenantId": "t"}}"#,
                "AzureAd.Instance (appsettings.json, line 1) is a placeholder"
            ),
            (
                #"{"A": {"Instance": "https://a/", "TenantId": "t", "ClientId": "your-client-id"}}"#, "is a placeholder"
            ),
            (#"{"AzureAd": {"Instance": "http://localhost/", "ClientId": "c", "TenantId": "t"}}"#, "is not https"),
            (#"{"AzureAd": {"Instance": "login", "ClientId": "c", "TenantId": "t"}}"#, "expected a whole address"),
            (
                #"{"A": {"Instance": "https://a/", "ClientId": "c"}, "B": {"Instance": "https://a/", "ClientId": "c"}}"#,
                "next: name the API’s with --section"
            ),
        ])
    func refusesFile(text: String, reason: String) throws {
        let error = try #require(throws: (any Error).self) { try Self.settings(text) }
        let (explained, code) = try #require(SusiCommand.Program.explained(error, of: [], GivenOptions()))
        let lines = explained.error.lines(Style(isColored: false)).joined(separator: "\n")
        #expect(code != .notSafe && lines.contains(reason), "\(lines)")
    }

    @Test("members that the library does not read are named") func namesUnreadMembers() throws {
        let text = #"""
            {"AzureAd": {"Instance": "https://contoso.ciamlogin.com", "TenantId": "t", "ClientId": "c", "Audiences": ["x"],
              "DefaultUserFlow": "B2C_1_susi", "Scopes": {"Read": ["ToDoList.Read"]}}}
            """#
        let settings = try Self.appSettings([text], section: "azuread")
        #expect(settings.remarks.count == 3 && settings.remarks.allSatisfy { $0.contains("AzureAd.") })
        #expect(try settings.settings(scopes: []).permissions.isEmpty)
    }

    // MARK: The command

    private func text(_ section: [String: String]) -> String {
        let members = section.map { "\"\($0)\": \"\($1)\"" } + ["\"RequireHttpsMetadata\": false"]
        return "{\"AzureAdB2C\": {\n\(members.sorted().joined(separator: ",\n"))\n}}"
    }

    private func write(_ section: [String: String], _ susi: SusiBinary) throws {
        let file = susi.home.work("appsettings.json")
        try file.write(text(section))
    }

    /// Returns what an API with these settings does with a token.
    private func verdict(
        on token: String, _ section: [String: String], by client: PublicClient? = nil
    ) async throws -> APIVerdict {
        let application = try #require(try PoliciesFile.builtIn().application(nil))
        let nowhere = PublicClient(
            application: application, folder: StoreFolder("/nowhere"), clock: TestEnvironment.realTime)
        return try await (client ?? nowhere).verdict(on: token, of: try Self.settings(text(section)))
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
            try await susi.run("inspect", "-a", "ana@contoso.example", "--for-api", "appsettings.json").exits(
                0, printing: "accepted\n")

            var wrong = section(tenant, audience: "api://\(own)")
            wrong["SignUpSignInPolicyId"] = "B2C_1_partner"
            wrong["Scopes"] = "https://contoso.onmicrosoft.com/hello/demo.read"
            try write(wrong, susi)
            try await susi.run("inspect", "-", "--for-api", "appsettings.json", input: token).exits(
                7, printing: "refused: audience, scope\n", "write “demo.read” as AzureAdB2C.Scopes")
            let authority = "\(tenant.emulator.origin)/contoso.onmicrosoft.com/B2C_1_susi/v2.0"
            let both = ["--scope", "demo.read", "--scope", "demo.write"]
            let needed = "“https://contoso.onmicrosoft.com/hello/demo.read”, “demo.write”, with the API’s address"
            try await susi.command(
                ["inspect", "-", "--authority", authority, "--audience", own] + both, input: .text(token)
            ).run().exits(7, printing: needed)
            try await readsMoreFiles(token, own, susi)
            let options = ["inspect", "@token.txt", "--for-api", "appsettings.json", "--no-color"]
            let shown = try await susi.command(options).inTerminal(columns: 60).run().standardOutput
            for line in shown.split(whereSeparator: \.isNewline) where DisplayWidth.of(line) > 60 {
                #expect(line.split(separator: " ").count == 1, "\(line)")
            }
            let idToken = try await tenant.client().idToken(of: AccountSelection()).token
            try await susi.run("inspect", "-", "--for-api", "appsettings.json", input: idToken).exits(
                7, printing: "send the access token")
        }
    }

    /// In the cloud, the API of a made-up client ID would refuse every token.
    @Test(
        "at a copy, the change is in the tenant file; the API keeps its settings",
        arguments: [
            ("https://fabrikam.b2clogin.com", false, "in the API: write “made-up” as AzureAdB2C.ClientId"),
            (
                "https://fabrikam.b2clogin.com", true,
                "in the tenant: if the token is for this API, write “\(InitSource.id)” as its clientId"
            ),
            ("https://contoso.b2clogin.com", true, "in the API: write “made-up” as AzureAdB2C.ClientId"),
            (
                "https://localhost:8490", false,
                "in the tenant: if the token is for this API, write “\(InitSource.id)” as its clientId"
            ),
        ])
    func namesChangeAtACopy(instance: String, isAsCloud: Bool, change: String) async throws {
        let policies = """
            { "applications": { "web": { "kind": "b2c", "authority": "https://fabrikam.b2clogin.com/fabrikam.onmicrosoft.com",
              "clientId": "\(InitSource.otherID)", "policies": { "B2C_1_susi": { "kind": "signUpOrSignIn" } } } } }
            """
        try await withSusi(policies: policies) { susi in
            try write(
                [
                    "Instance": instance, "Domain": "fabrikam.onmicrosoft.com", "ClientId": InitSource.id,
                    "SignUpSignInPolicyId": "B2C_1_susi",
                ], susi)
            let token = try token(try Signer.main.get(), ["iss": "https://evil.example/", "aud": "made-up"])
            let command = ["inspect", "-", "--for-api", "appsettings.json", "--offline"]
            let environment = isAsCloud ? ["SUSI_EMULATOR_PROXY": "http://127.0.0.1:1"] : [:]
            try await susi.command(command, environment: environment, input: .text(token)).run().exits(
                7, printing: "      next: \(change)")
        }
    }

    /// The settings refuse the token; a file and a variable over them do not.
    private func readsMoreFiles(_ token: String, _ audience: String, _ susi: SusiBinary) async throws {
        let more = [
            ("token.txt", token), ("more.env", "AzureAdB2C__Scopes=demo.read"),
            ("appsettings.Development.json", #"{"AzureAdB2C": {"SignUpSignInPolicyId": "B2C_1_susi"}}"#),
        ]
        for (name, text) in more {
            try susi.home.work(name).write(text)
        }
        try await susi.run("inspect", "@token.txt", "--for-api", "appsettings.json").exits(
            7, printing: "appsettings.Development.json was not read")
        let files = ["appsettings.json", "appsettings.Development.json", "more.env"]
        let variables = ["AzureAdB2C__ClientId": audience]
        try await susi.command(["inspect", "--for-api"] + files + ["@token.txt"], environment: variables).run().exits(
            0, printing: "accepted\n")
        let place = { (name: String) in susi.home.work(name).string }
        try await susi.refusal("inspect", place("appsettings.json")).exits(
            64, saying: "next: susi inspect --for-api \(place("appsettings.json")) ")
        #expect(try await susi.refusal("inspect", place("token.txt")).next == "susi inspect @\(place("token.txt"))")
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
            let file = susi.home.work("appsettings.json").string
            try await susi.refusal("inspect", "--for-api", file, "--offline").exits(
                64, saying: "next: susi token | susi inspect - --offline\n")
            #expect(tenant.requestLines.count == before)
        }
    }

    private func token(_ signer: Signer, _ changes: [String: String]) throws -> String {
        let claims = ["aud": "c", "tid": "t1", "ver": "2.0", "scp": "x"].merging(changes) { $1 }
        let members = claims.map { "\"\($0)\": \"\($1)\"" } + ["\"exp\": 99999999999"]
        return try signer.token("{\(members.sorted().joined(separator: ", "))}")
    }

    /// A version 1 token of Entra ID has the issuer of the metadata without `/v2.0`, and `api://` before the client ID.
    @Test(
        "the issuer is that of the metadata, for a version 1 token of its own metadata if there are any",
        arguments: [
            ("https://sts.windows.net/t1/", "api://c", true, []),
            ("https://sts.windows.net/t2/", "api://c", true, [.issuer]),
            ("https://sts.windows.net/t1/", "c", true, [.audience]),
            ("https://evil.example/t1/", "api://c", false, [.issuer]),
            ("https://login.example/t1/v2.0", "api://c", false, []), ("", "api://c", false, [.issuer]),
        ] as [(String, String, Bool, [APIRule.Name])])
    func readsMetadata(issuer: String, audience: String, hasFirst: Bool, broken: [APIRule.Name]) async throws {
        let signer = try Signer.main.get()
        let keys = Signer.keySet(try signer.jwk())
        let issuers = ["/t1/v2.0": "https://login.example/t1/v2.0"]
            .merging(hasFirst ? ["/t1": "https://sts.windows.net/t1/"] : [:]) { $1 }
        try await ScriptedServer.with({ request in
            let path = String(request.head.split(separator: " ")[1])
            if path == "/keys" { return .ok(keys) }
            guard let issuer = issuers[path.replacing("/.well-known/openid-configuration", with: "")] else {
                return .status("404 Not Found", "no")
            }
            return .ok("{\"issuer\": \"\(issuer)\", \"jwks_uri\": \"http://\(request.header("Host") ?? "")/keys\"}")
        }) { server in
            let section = ["Instance": server.origin, "TenantId": "t1", "ClientId": "c"]
            let token = try token(signer, ["iss": issuer, "aud": audience, "ver": "1.0"])
            let verdict = try await verdict(on: token, section)
            #expect(verdict.rules.filter { $0.outcome == .broken }.map(\.name) == broken)
            #expect(verdict.isAccepted == broken.isEmpty)
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
                let section = ["Instance": server.origin, "TenantId": "t", "ClientId": "c"]
                let verdict = try await verdict(on: try token(signer, ["iss": "\(server.origin)/t/v2.0"]), section)
                #expect(!verdict.isRefused && !verdict.isAccepted && !verdict.isComplete)
                #expect(!server.requests.isEmpty && elsewhere.requests.isEmpty)
            }
        }
    }

    @Test("an authority that this machine cannot reach, or that has plain http, is no refusal")
    func tellsNetworkFailure() async throws {
        for (place, code) in [("localhost:\(try await freePort())", SusiError.Code.network), ("susi.invalid", nil)] {
            let section = ["Instance": "http://\(place)", "TenantId": "t", "ClientId": "c"]
            let verdict = try await verdict(on: try token(try Signer.main.get(), ["iss": "i/v2.0"]), section)
            #expect(!verdict.isRefused && !verdict.isComplete && verdict.failure?.code == code, "\(place)")
        }
    }

    @Test("a token of Entra ID is accepted by the metadata of several tenants") func acceptsEntraToken() async throws {
        let scope = "api://22222222-2222-2222-2222-222222222222/demo.read"
        let api = #""apis": { "hello": { "baseUrl": "http://localhost:8480/api/hello", "scopes": ["\#(scope)"] } },"#
        try await withLocalTenant(policies: onlyApplication("entra", "tailspin.onmicrosoft.com", more: api)) { tenant in
            let token = try await helloToken(tenant)
            let section = [
                "Instance": tenant.emulator.origin, "TenantId": "common", "ClientId": try audience(of: token),
                "Scopes": "demo.read",
            ]
            let verdict = try await verdict(on: token, section, by: tenant.client())
            #expect(verdict.isAccepted, "\(verdict)")
        }
    }
}
