import NIOHTTP1
import SusiBase
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiEmulator

@Suite("Users of Graph", .inTurn, .timeLimit(.minutes(5)))
struct GraphUsersTests {
    private static let dora = """
        {"displayName":"Dora","accountEnabled":true,"city":"Kyoto","passwordPolicies":"DisablePasswordExpiration",
         "identities":[{"signInType":"emailAddress","issuer":"contoso.onmicrosoft.com","issuerAssignedId":"d'ora@contoso.example"}],
         "extension_0123456789abcdef0123456789ABCDEF_Level":7,"jobTitle":null,
         "passwordProfile":{"password":"Good-enough-1","forceChangePasswordNextSignIn":false}}
        """

    private func send(
        _ method: HTTPMethod, _ path: String, _ body: String?, _ fixture: EmulatorFixture, secret: String? = nil
    ) async throws -> Received {
        let headers = [
            ("Authorization", "Bearer \(secret ?? fixture.emulator.adminSecret)"), ("Content-Type", "application/json"),
        ]
        return try await fixture.browser().send(
            method, "\(fixture.emulator.origin)\(path)", headers, body)
    }

    @Test("says at which address it lists users") func namesOwnAddress() async throws {
        try await withFixture { fixture in
            let headers = [("Authorization", "Bearer \(fixture.emulator.adminSecret)"), ("Via", "1.1 proxy")]
            let refused = try await fixture.browser().get("/v1.0/users", headers).expecting(401)
            #expect(refused.text.contains("only at \(fixture.emulator.origin)"), "\(refused.text)")
        }
    }

    @Test("adds, finds, changes and deletes a user, who signs in with the password of the profile")
    func managesUser() async throws {
        try await withFixture { fixture in
            let users = "/contoso.onmicrosoft.com/v1.0/users"
            let made = try await send(.POST, users, Self.dora, fixture)
            #expect(try made.status == 201 && made.json["city"] == "Kyoto")
            let id = try #require(try made.json["id"]?.string)
            let extensionName = "extension_0123456789abcdef0123456789ABCDEF_Level"
            let by =
                "identities/any(c:c/issuerAssignedId eq 'd''ora@contoso.example' and c/issuer eq 'contoso.onmicrosoft.com')"
            let query = "?$filter=\(PercentEncoding.encode(by))&$select=id,\(extensionName)"
            let found = try await send(.GET, users + query, nil, fixture).json
            #expect(found == ["value": [["id": .string(id), .init(extensionName): 7]]])
            #expect(
                try await fixture.signIn(fixture.browser(), as: "d'ora@contoso.example", password: "Good-enough-1")
                    .redirect["code"] != nil)

            // Without a tenant, the first one is meant.
            let blocked =
                #"{"accountEnabled":false,"surname":"Ek","identities":[{"signInType":"userName","issuerAssignedId":"dora"}]}"#
            #expect(try await send(.PATCH, "/v1.0/users/\(id)", blocked, fixture).status == 204)
            let user = try #require(try fixture.database.user(objectID: id))
            #expect(user.isBlocked && user.surname == "Ek" && user.userName == "dora" && user.email == nil)
            try fixture.database.change(id) { $0.attributes["groups"] = ["staff"] }
            let groups = try await send(.GET, "\(users)/\(id)/memberOf", nil, fixture).json
            #expect(
                groups["value"] == [["@odata.type": "#microsoft.graph.group", "id": "staff", "displayName": "staff"]])
            #expect(try await send(.DELETE, "\(users)/\(id)", nil, fixture).status == 204)
            let gone = try await send(.GET, "\(users)/\(id)", nil, fixture)
            #expect(try gone.status == 404 && gone.json["error"]?["code"] == "Request_ResourceNotFound")
        }
    }

    @Test("refuses requests in Graph's form")
    func refusesInvalidRequests() async throws {
        try await withFixture { fixture in
            let ana = #"{"identities":[{"signInType":"emailAddress","issuerAssignedId":"ana@contoso.example"}]}"#
            for (method, query, body) in [
                (.GET, "?$filter=startswith(mail,'a')", nil), (.POST, "", #"{"displayNam":"Dora"}"#), (.POST, "", ana),
                (.POST, "", "{"), (.PUT, "", "{}"), (.GET, "/x/y", nil),
            ] as [(HTTPMethod, String, String?)] {
                let refused = try await send(method, "/v1.0/users\(query)", body, fixture)
                #expect(try refused.status == 400 && refused.json["error"]?["code"] == "Request_BadRequest", "\(query)")
            }
            let other = try await send(.GET, "/v1.0/users", nil, fixture, secret: "another")
            #expect(try other.status == 401 && other.json["error"]?["code"] == "InvalidAuthenticationToken")
        }
    }

    @Test("a users file may have the users that Graph exports")
    func readsExport() throws {
        let node = try GraphUsers.translated(try JSONNode(parsing: Self.dora.utf8))
        let user = try User(node, of: tenantOfTests(), FileReader(file: "users", folder: "/"))
        #expect(user.email == "d'ora@contoso.example" && user.password == "Good-enough-1" && !user.mustResetPassword)
        #expect(user.attributes == ["city": "Kyoto", "extension_Level": 7])
    }
}
