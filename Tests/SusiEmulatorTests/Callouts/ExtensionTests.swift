import Crypto
import CryptoExtras
import Foundation
import NIOCore
import NIOPosix
import SusiBase
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiEmulator

/// The calls of the developer's code by External ID.
@Suite("Custom authentication extensions", .inTurn, .timeLimit(.minutes(5))) struct ExtensionTests {
    private static let app = "77777777-7777-7777-7777-777777777777"
    private static let scope = "openid \(Kinds.scope)"

    private func withExternal(
        _ change: @escaping (inout Callout) -> Void = { _ in }, _ body: (CodeStage, Door) async throws -> Void
    ) async throws {
        try await withCode(Kinds.external, policies: ["default": .authenticationExtensions]) { callout, _ in
            callout.appID = Self.app
            change(&callout)
        } _: { stage in
            try await body(stage, try await Door(stage.fixture, "/fabrikam.onmicrosoft.com/v2.0"))
        }
    }

    private static func isNonRetryable(_ received: Received) throws -> Bool {
        let fields = try received.redirect
        return fields["error"] == "server_error"
            && fields["error_description"]?.hasPrefix("AADSTS1100001: Non-retryable error has occurred.") == true
    }

    @Test("prefills, blocks, changes and refuses what a sign-up collects") func obeysAtSignUp() async throws {
        try await withExternal { stage, door in
            let browser = stage.fixture.browser()
            let begin = { try await browser.get(try door.authorize(Self.scope, ["prompt": "create"])) }
            stage.code[.attributeCollectionStart] = { _ in
                Code.action("setPrefillValues", #","inputs":{"city":"Lima","stray":"x"}"#)
            }
            let page = try await begin()
            #expect(try page.form().fields["city"] == "Lima")
            stage.code[.attributeCollectionSubmit] = { _ in
                Code.action("showValidationError", #","message":"<Fix>","attributeErrors":{"city":"No <city>"}"#)
            }
            let refused = try await stage.signUp(page, browser)
            #expect(refused.alerts.sorted() == ["<Fix>", "No <city>"])
            stage.code[.attributeCollectionSubmit] = { _ in
                Code.action(
                    "modifyAttributeValues",
                    #","attributes":{"city":"Bergen","extension_\#("0".repeated(32))_Level":3}"#)
            }
            let done = try await stage.signUp(refused, browser)
            let claims = try await door.verified(try await door.redeem(done).expecting(200).json["id_token"])
            #expect(claims["city"] == "Bergen" && claims["extn.Level"] == 3)

            for (step, action) in [
                (Callout.Step.attributeCollectionStart, "attributeCollectionStart.showBlockPage"),
                (.attributeCollectionSubmit, "showBlockPage"),
            ] {
                stage.code[step] = { _ in Code.action(action, #","title":"Hold <on>","message":"Wait <b>""#) }
                let first = try await begin()
                let blocked = step == .attributeCollectionStart ? first : try await stage.signUp(first, browser)
                #expect(blocked.alerts == ["Wait <b>"] && blocked.text.contains("<h1>Hold &lt;on&gt;</h1>"))
                stage.code[step] = nil
            }
            stage.code[.attributeCollectionSubmit] = { _ in Code.action("setPrefillValues") }
            #expect(try Self.isNonRetryable(try await stage.signUp(try await begin(), browser)))

            let data = try #require(try stage.bodies(.attributeCollectionSubmit)[0]["data"])
            let level = stage.fixture.emulator.site.tenants[0].configuration.directoryName("extension_Level")
            #expect(data["@odata.type"] == "microsoft.graph.onAttributeCollectionSubmitCalloutData")
            let attributes = data["userSignUpInfo"]?["attributes"]
            let city: JSON = [
                "@odata.type": "microsoft.graph.stringDirectoryAttributeValue", "value": "Kyoto",
                "attributeType": "builtIn",
            ]
            #expect(attributes?["city"] == city && attributes?[level]?["value"] == 0)
            #expect(data["userSignUpInfo"]?["identities"]?.array?.first?["signInType"] == "email")
        }
    }

    @Test("adds claims to tokens, and fails as the service does") func addsClaims() async throws {
        let rows: [(@Sendable (ScriptedServer.Request) -> ScriptedServer.Response, [String: JSON]?, String)] = [
            (
                { _ in
                    Code.action(
                        "provideClaimsForToken",
                        #","claims":{"DateOfBirth":"1980","roles2":["a"],"flag":true,"oid":"x","sub":"x"}"#)
                }, ["DateOfBirth": "1980", "roles2": ["a"], "flag": .null, "oid": .string(EmulatorFixture.ana)], ""
            ), ({ _ in .status("200 OK", #"{"data":{"actions":[]}}"#, headers: Code.headers) }, nil, "1003010"),
            ({ _ in .ok(#"{"data":{"actions":[]}}"#) }, nil, "1003006"),
            ({ _ in .status("200 OK", "{", headers: Code.headers) }, nil, "1003003"),
            ({ _ in .status("401 Unauthorized", "") }, nil, "1003002"),
            ({ _ in Code.action("provideClaimsForToken") }, nil, "1003007"),
            (
                { _ in Code.action("provideClaimsForToken", #","claims":{"a":"\#("x".repeated(3_100))"}"#) }, nil,
                "1003025"
            ), ({ _ in Code.action("showBlockPage") }, nil, "1003012"),
            ({ _ in .status("200 OK", "x".repeated(70_000), headers: Code.headers) }, nil, "1003003"),
        ]
        try await withExternal { stage, door in
            for (response, expected, number) in rows {
                stage.code[.tokenIssuanceStart] = response
                let received = try await door.signIn(stage.fixture.browser(), Self.scope)
                guard let expected else {
                    #expect(try Self.isNonRetryable(received), "\(number)")
                    #expect(stage.fixture.log.lines.last?.contains(number) == true, "\(number)")
                    continue
                }
                let tokens = try await door.redeem(received).expecting(200).json
                for token in ["id_token", "access_token"] {
                    let claims = try await door.verified(tokens[token])
                    for (name, value) in expected { #expect(claims[name] ?? .null == value, "\(token): \(name)") }
                }
            }
            let request = try #require(stage.server.requests.first)
            let bearer = try #require(request.header("Authorization")?.trimmingPrefix("Bearer "))
            let caller = try await door.verified(.string(String(bearer)))
            #expect(caller["azp"] == "99045fe1-7639-4a75-9d4a-577b6ca3810f" && caller["aud"] == .string(Self.app))
            #expect(caller["iss"] == door.metadata["issuer"])
            let body = try JSON(parsing: request.body.utf8)
            #expect(Set(try #require(body.members).keys) == ["type", "source", "data"])
            let context = body["data"]?["authenticationContext"]
            #expect(context?["user"]?["id"] == .string(EmulatorFixture.ana))
            #expect(context?["clientServicePrincipal"]?["appId"] == .string(EmulatorFixture.client))
        }
    }

    @Test("gives up twice after the time limit, and says so to the log alone")
    func givesUp() async throws {
        // Connections are queued, and never accepted.
        let silent = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.autoRead, value: false).bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(silent.localAddress?.port)
        try await withExternal {
            $0.url = "http://127.0.0.1:\(port)/"
        } _: { stage, door in
            let received = try await door.signIn(stage.fixture.browser(), Self.scope)
            #expect(try Self.isNonRetryable(received))
            let lines = stage.fixture.log.lines.filter { $0.contains(" at 127.0.0.1:\(port): no response (") }
            let times = lines.compactMap { $0.firstMatch(of: #/ ([0-9]+) ms$/#).flatMap { Int($0.1) } }
            #expect(times.count == 2 && times.allSatisfy((2_000..<8_000).contains), "\(lines)")
            #expect(stage.fixture.log.lines.last?.contains("1003005") == true)
        }
        try await silent.close()
    }

    // MARK: Passwords

    /// A certificate that the emulator has made, and its key.
    private struct Keys: Sendable {
        let der: [UInt8]

        init(_ fixture: EmulatorFixture, _ certificate: FilePath) throws {
            let made = try fixture.emulator.site.tenants[0].keyRings[0].current()
            der = made.der
            let text = try #require(made.certificateMembers["x5c"]?.array?.first?.string)
            let pem = "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n"
            try Data(pem.utf8).write(to: URL(filePath: certificate.string))
        }

        func claims(_ request: ScriptedServer.Request) throws -> JSON {
            let token = try JSON(parsing: request.body.utf8)["data"]?["encryptedPasswordContext"]?.string ?? ""
            let parts = token.split(separator: ".").compactMap { Base64URL.decode($0) }
            try #require(parts.count == 5)
            let key = try _RSA.Encryption.PrivateKey(derRepresentation: der)
            let secret = try key.decrypt(parts[1], padding: .PKCS1_OAEP)
            let plain = try AES._CBC.decrypt(
                parts[3], using: SymmetricKey(data: secret.suffix(16)), iv: try AES._CBC.IV(ivBytes: parts[2]))
            // One stored block of DEFLATE, then an unsigned token.
            let inner = String(decoding: plain.dropFirst(5), as: UTF8.self).split(separator: ".")
            return try JSON(parsing: try #require(Base64URL.decode(inner[1])))
        }
    }

    @Test("moves the right password once, on pages and in native authentication, and obeys the other actions")
    func movesPassword() async throws {
        try await withMigration { stage, door, keys in
            let (fixture, code) = (stage.fixture, stage.code)
            let response = { (action: String, password: String) -> Code.Response in
                { request in
                    let claims = try keys.claims(request)
                    #expect(claims["iss"] == .string("api://fabrikam.onmicrosoft.com/\(Self.app)"))
                    let isRight = claims["user-password"]?.string == password
                    return Code.action(
                        isRight ? action : "Retry", #","title":"T","message":"M <b>""#, nonce: claims["nonce"]?.string)
                }
            }
            let signIn = { (name: String, password: String) in
                let browser = fixture.browser()
                let page = try await browser.get(try door.authorize(Self.scope))
                return try await browser.submit(page, ["signInName": name, "password": password])
            }
            code[.passwordSubmit] = response("MigratePassword", "From B2C 1")
            #expect(try await signIn("p1@x.example", "Other pass 1").alerts.count == 1)
            for _ in 0..<2 { #expect(try await signIn("p1@x.example", "From B2C 1").redirect["code"] != nil) }
            #expect(try stage.bodies(.passwordSubmit).count == 2)
            #expect(
                try fixture.database.user(email: "p1@x.example")?.attributes["extension_toBeMigrated"] == .bool(false))
            let native = NativeClient(fixture)
            let challenged = try await native.challenged("password redirect", as: "p2@x.example")
            try await native.token(challenged.next, ["grant_type": "password", "password": "From B2C 1"]).expecting(200)
            #expect(try stage.bodies(.passwordSubmit).count == 3)

            code[.passwordSubmit] = response("MigratePassword", "weak")
            #expect(try await signIn("p3@x.example", "weak").text.contains("id=\"newPassword\""))
            code[.passwordSubmit] = response("UpdatePassword", "From B2C 1")
            #expect(try await signIn("p5@x.example", "From B2C 1").text.contains("id=\"newPassword\""))
            code[.passwordSubmit] = response("Block", "From B2C 1")
            #expect(try await signIn("p4@x.example", "From B2C 1").alerts == ["M <b>"])
            code[.passwordSubmit] = { _ in Code.action("MigratePassword", nonce: "another") }
            #expect(try Self.isNonRetryable(try await signIn("p4@x.example", "From B2C 1")))
            let calls = try stage.bodies(.passwordSubmit).count
            // The stored password needs no call, and neither does a user without the attribute.
            #expect(try await signIn("p4@x.example", "Passw0rd!").redirect["code"] != nil)
            #expect(try await signIn("ana@contoso.example", "Wrong pass 1").alerts.count == 1)
            #expect(try stage.bodies(.passwordSubmit).count == calls)
        }
    }

    private func withMigration(_ body: (CodeStage, Door, Keys) async throws -> Void) async throws {
        let file = FilePath(FileManager.default.temporaryDirectory.path).appending("\(UUID().uuidString).pem")
        defer { try? FileManager.default.removeItem(atPath: file.string) }
        let code = Code()
        try await ScriptedServer.with({ code.response($0) }) { server in
            var tenant = Kinds.external
            for number in 1...5 {
                tenant.add(number, email: "p\(number)@x.example") {
                    $0.attributes["extension_toBeMigrated"] = .bool(true)
                }
            }
            tenant.change("default") { settings in
                var callout = Callout()
                callout.url = "\(server.origin)/passwordSubmit"
                callout.appID = Self.app
                callout.certificate = file
                callout.migrationProperty = "extension_toBeMigrated"
                settings.callouts = [.passwordSubmit: callout]
            }
            try await withFixture(tenants: [tenant]) { fixture in
                let keys = try Keys(fixture, file)
                let stage = CodeStage(fixture: fixture, code: code, server: server)
                try await body(stage, try await Door(fixture, "/fabrikam.onmicrosoft.com/v2.0"), keys)
            }
        }
    }
}

extension String { fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) } }
