import FoundationEssentials
import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Applications with a secret", .inTurn, .timeLimit(.minutes(5)))
struct ConfidentialTests {
    private static let secret = "s&cret: ü"
    private static let resource = "https://contoso.onmicrosoft.com/hello"

    // An application with two valid secrets, as portals allow.
    private static var web: RegisteredApplication {
        var application = RegisteredApplication(clientID: "web", redirectAddresses: ["http://localhost:8400/"])
        application.secrets = ["an older one", secret]
        return application
    }

    private func withWeb(
        configured change: (inout TenantConfiguration) -> Void = { _ in },
        _ body: (EmulatorFixture) async throws -> Void
    ) async throws {
        try await withFixture(
            {
                $0.applications.append(Self.web)
                change(&$0)
            }, body)
    }

    private func basic(_ user: String, _ password: String) -> [(String, String)] {
        let text = "\(PercentEncoding.encode(user)):\(PercentEncoding.encode(password))"
        return [("Authorization", "Basic \(Data(text.utf8).base64EncodedString())")]
    }

    private func post(
        _ fixture: EmulatorFixture, _ fields: [String: String], _ headers: [(String, String)] = [],
        policy: String = "B2C_1_susi"
    ) async throws -> Received {
        try await fixture.browser().post("\(fixture.tenant)/\(policy)/oauth2/v2.0/token", fields, headers)
    }

    /// Returns a token request with a code of the web application, which sends no challenge.
    private func code(_ fixture: EmulatorFixture) async throws -> [String: String] {
        let redirect = try await fixture.signIn(
            fixture.browser(), ["client_id": "web", "code_challenge": nil, "code_challenge_method": nil])
        return [
            "grant_type": "authorization_code", "code": try #require(try redirect.redirect["code"]),
            "redirect_uri": "http://localhost:8400/",
        ]
    }

    @Test("accepts the secret in the form or by HTTP Basic, with or without PKCE")
    func acceptsSecret() async throws {
        try await withWeb { fixture in
            let form = ["client_id": "web", "client_secret": Self.secret]
            try await post(fixture, try await code(fixture).merging(form) { $1 }).expecting(200)
            let header = basic("web", Self.secret)
            let second = try await post(fixture, try await code(fixture), header).expecting(200)
            let refresh = [
                "grant_type": "refresh_token", "refresh_token": try #require(try second.json["refresh_token"]?.string),
            ]
            #expect(try await post(fixture, refresh, header).status == 200)
            let older = ["client_id": "web", "client_secret": "an older one"]
            #expect(try await post(fixture, refresh.merging(older) { $1 }).status == 200)
            #expect(fixture.log.lines.last?.contains("“spa”") == false)
            let page = [("Origin", "http://localhost:8400")]
            #expect(try await post(fixture, refresh.merging(older) { $1 }, page).status == 200)
            #expect(fixture.log.lines.last?.contains("list its redirect address under “spa”") == true)
            #expect(try await post(fixture, refresh.merging(["client_id": "web"]) { $1 }).json.code == 90079)
            let log = fixture.log.lines.joined()
            #expect(!log.contains(Self.secret) && !log.contains(PercentEncoding.encode(Self.secret)))
        }
    }

    @Test("accepts HTTP Basic with and without form encoding; tokens show that a secret was sent")
    func acceptsEncodedHeader() async throws {
        var tenant = Kinds.entra
        for id in ["my client", "a+b"] { tenant.register(id, secret: Self.secret) }
        tenant.register("web", secret: "a b+c")
        try await withDoor(tenant, "/tailspin.onmicrosoft.com/v2.0") { fixture, door in
            let own = ["grant_type": "client_credentials", "scope": "api://reports/.default"]
            let encoded = PercentEncoding.encode(Self.secret)
            for (text, status) in [
                ("web:a+b-c", 401), ("web:a b+c", 200), ("web:a+b%2Bc", 200), ("my+client:\(encoded)", 200),
                ("my%20client:\(encoded)", 200), ("my client:\(encoded)", 200), ("a%2Bb:\(encoded)", 200),
                ("a+b:\(encoded)", 200), ("a b:\(encoded)", 400),
            ] {
                let header = ("Authorization", "Basic \(Data(text.utf8).base64EncodedString())")
                let address = try door.endpoint("token_endpoint")
                let response = try await fixture.browser().post(address, own, [header])
                #expect(response.status == status, "\(text) \(response.text)")
                if status == 200 { #expect(try response.json.claims("access_token")["azpacr"] == "1") }
            }
        }
    }

    @Test("refuses a missing, wrong or repeated secret and keeps the code valid")
    func refusesWrongSecret() async throws {
        try await withWeb { fixture in
            let code = try await code(fixture)
            for (more, headers, number) in [
                (["client_id": "web"], [], 90079),
                (["client_id": "web", "client_secret": ""], [], 90079),
                (["client_id": "web", "client_assertion": "x"], [], 90079),
                (["client_id": "web", "client_secret": "S&cret: ü"], [], 90081),
                ([:], basic("web", "another"), 90081),
                (["client_secret": Self.secret], basic("web", Self.secret), 90083),
                (["client_id": EmulatorFixture.client], basic("web", Self.secret), 90083),
                (["client_id": EmulatorFixture.client, "client_secret": Self.secret], [], 90084),
            ] as [([String: String], [(String, String)], Int)] {
                let response = try await post(fixture, code.merging(more) { $1 }, headers)
                #expect(response.status == (number == 90081 && !headers.isEmpty ? 401 : 400))
                #expect(try response.json.code == number, "\(response.text)")
            }
            #expect(try await post(fixture, code, basic("web", Self.secret)).status == 200)
        }
    }

    @Test("issues a token for the application itself at any policy, which an API accepts")
    func issuesApplicationToken() async throws {
        try await withWeb { fixture in
            let fields = ["grant_type": "client_credentials", "scope": "\(Self.resource)/.default"]
            let response = try await post(fixture, fields, basic("web", Self.secret), policy: "B2C_1_edit_profile").json
            // Captures show the other members and claims.
            let claims = try response.claims("access_token")
            #expect(claims["sub"] == "web" && claims["azp"] == "web")
            #expect(claims["scp"] == "demo.read" && claims["tfp"] == "B2C_1_edit_profile")
            #expect(claims["aud"] == response["resource"])
            try await fixture.call("/api/hello", response["access_token"]).expecting(200)
        }
    }

    @Test("the subject of an application's token is a setting of the policy, and so is the policy's name")
    func issuesOtherSubject() async throws {
        try await withWeb(configured: {
            var settings = PolicySettings()
            settings.applicationSubject = .objectID
            settings.policyClaim = .absent
            $0.settings[PolicyName("B2C_1_susi")] = settings
        }) { fixture in
            let fields = ["grant_type": "client_credentials", "scope": "\(Self.resource)/.default"]
            let claims = try await post(fixture, fields, basic("web", Self.secret)).json.claims("access_token")
            #expect(claims["sub"] == claims["oid"] && claims["sub"] != "web" && claims["azp"] == "web")
            #expect(claims["tfp"] == nil && claims["acr"] == nil)
        }
    }

    @Test("refuses single scopes, and public clients")
    func refusesPartialScopes() async throws {
        try await withWeb { fixture in
            let all = "\(Self.resource)/.default"
            for (scope, number) in [
                ("\(Self.resource)/demo.read", 99068), ("openid \(all)", 99068), ("openid", 99068), ("web", 99068),
                ("\(all) https://contoso.onmicrosoft.com/other/.default", 90146), (".default", 99068), ("", 90083),
                ("https://contoso.onmicrosoft.com/unknown/.default", 90117),
            ] {
                let fields = ["grant_type": "client_credentials", "scope": scope]
                let response = try await post(fixture, fields, basic("web", Self.secret)).json
                #expect(response.code == number, "\(scope)")
            }
            let fields = ["grant_type": "client_credentials", "scope": all, "client_id": EmulatorFixture.client]
            let response = try await post(fixture, fields).json
            #expect(response.code == 90079)
        }
    }

    @Test("refuses with status 401 in other kinds of tenant, and issues roles or scopes")
    func servesOtherKinds() async throws {
        let tenants = [Kinds.external, Kinds.entra, Kinds.openid].map { kind in
            var tenant = kind
            tenant.applications.append(Self.web)
            return tenant
        }
        try await withFixture(tenants: tenants) { fixture in
            let paths = ["/fabrikam.onmicrosoft.com/v2.0", "/tailspin.onmicrosoft.com/v2.0", "/login"]
            for path in paths {
                let door = try await Door(fixture, path)
                let isPlain = path == "/login"
                let fields = [
                    "grant_type": "client_credentials", "client_id": "web",
                    "scope": isPlain ? "items.read" : "api://reports/.default",
                ]
                let refused = try await door.token(fields.merging(["client_secret": "another"]) { $1 })
                #expect(refused.status == 401 && refused.header("www-authenticate")?.hasPrefix("Basic ") == true)
                #expect(try refused.json["error"] == "invalid_client")
                #expect(isPlain || refused.text.contains("AADSTS7000215"))
                #expect(try await door.token(fields).status == 401)
                let single = try await door.token(
                    fields.merging(["client_secret": Self.secret, "scope": "User.Read"]) { $1 })
                #expect(try single.json["error"] == "invalid_scope")
                let words = "AADSTS1002012: The provided value for scope User.Read is not valid. Client credential"
                #expect(isPlain || single.text.contains(words), "\(single.text)")
                let response = try await door.token(fields.merging(["client_secret": Self.secret]) { $1 }).json
                let claims = try await door.verified(response["access_token"])
                #expect(response["refresh_token"] == nil && response["id_token"] == nil)
                #expect(isPlain ? claims["scope"] == "items.read" : claims["roles"] == ["items.read"])
                #expect(isPlain ? claims["sub"] == "web" : claims["sub"] == claims["oid"])
                let issued = JSON.integer(EmulatorFixture.start - (isPlain ? 0 : 300))
                #expect(claims["iat"] == issued && claims["nbf"] == (isPlain ? nil : issued))
                let api = isPlain ? "/open/reports" : "/api/reports"
                #expect(try await fixture.call(api, response["access_token"]).status == 200, "\(path)")
            }
            let common = try await Door(fixture, "/common/v2.0")
            let fields = ["grant_type": "client_credentials", "client_id": "web", "client_secret": Self.secret]
            #expect(try await common.token(fields).json["error"] == "unsupported_grant_type")
            let methods = try await Door(fixture, "/login").metadata["token_endpoint_auth_methods_supported"]
            #expect(methods == ["none", "client_secret_post", "client_secret_basic"])
        }
    }
}
