import NIOCore
import NIOPosix
import SusiBase
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiEmulator

/// The calls of the developer's code by Azure AD B2C.
@Suite("API connectors and technical profiles", .inTurn, .timeLimit(.minutes(5))) struct CalloutTests {
    /// What the user or the application gets; a text may be a part of it.
    enum Outcome {
        case claims([String: JSON])
        case alert(String)
        case error(String)
    }

    struct Row {
        let step: Callout.Step
        let status: String
        let body: String
        let outcome: Outcome

        init(_ step: Callout.Step, _ status: String, _ body: String, _ outcome: Outcome) {
            (self.step, self.status, self.body, self.outcome) = (step, status, body, outcome)
        }

        var policy: String { step.group == .apiConnectors ? flow : custom }
    }

    private static let (flow, custom) = ("B2C_1_susi", "B2C_1A_susi")
    private static let extended = "extension_99999999111141118111aaaaaaaaaaaa_Level"

    private func withB2C(
        _ change: @escaping (inout Callout, Callout.Step) -> Void = { _, _ in },
        _ body: (CodeStage) async throws -> Void
    ) async throws {
        var tenant = try tenantOfTests()
        tenant.policies.append(Policy(name: PolicyName(Self.custom), kind: .signUpOrSignIn))
        tenant.change(Self.flow) { $0.identityProviders = [.local, .social] }
        tenant.extensionsAppID = "99999999-1111-4111-8111-AAAAAAAAAAAA"
        let policies: [String: Callout.Group] = [Self.flow: .apiConnectors, Self.custom: .restTechnicalProfiles]
        try await withCode(tenant, policies: policies, change, body)
    }

    private func check(_ received: Received, _ row: Row, _ outcome: Outcome, _ stage: CodeStage) async throws {
        switch outcome {
        case .claims(let expected):
            let claims = try await stage.fixture.idToken(received, policy: row.policy)
            for (name, value) in expected { #expect(claims[name] ?? .null == value, "\(row): \(name)") }
        case .alert(let text):
            #expect(received.alerts.count == 1 && received.alerts[0].contains(text), "\(row): \(received.alerts)")
        case .error(let text):
            let fields = try received.redirect
            #expect(fields["error"] == "server_error" && fields["error_description"]?.contains(text) == true, "\(row)")
        }
    }

    @Test("obeys the answer before a user is created") func obeysBeforeCreatingUser() async throws {
        let rows = [
            Row(
                .postAttributeCollection, "200",
                #"{"version":"1","action":"Continue","city":"Lima","\#(Self.extended)":7,"stray":"x"}"#,
                .claims(["city": "Lima", "extension_Level": 7, "stray": .null, "newUser": .bool(true)])),
            Row(
                .postAttributeCollection, "200",
                #"{"version":"1","action":"ShowBlockPage","userMessage":"<b>No"}"#, .alert("<b>No")),
            Row(
                .postAttributeCollection, "400",
                #"{"version":"1","action":"ValidationError","status":400,"userMessage":"No <city>"}"#,
                .alert("No <city>")),
            Row(
                .postAttributeCollection, "400", #"{"version":"1","action":"ValidationError","userMessage":"x"}"#,
                .alert(
                    "'PreUserWriteRestful' specified in step '1' returned HTTP error response with Code 'BadRequest'")),
            Row(.postAttributeCollection, "200", "Lima", .alert("error response that could not be parsed.")),
            Row(
                .validation, "200", #"{"promo":"24534","town":"Lima"}"#,
                .claims(["promoCode": "24534", "city": "Lima"])),
            Row(.validation, "409", #"{"version":"1","status":409,"userMessage":"Unknown"}"#, .alert("Unknown")),
            Row(.validation, "302", "", .alert("'Validation' specified")),
        ]
        try await withB2C { callout, _ in
            callout.inputClaims = ["email": "mail", "city": "town"]
            callout.outputClaims = ["city": "town", "promoCode": "promo"]
        } _: { stage in
            for row in rows {
                let headers = Code.headers + ["Location: \(stage.server.origin)/elsewhere"]
                stage.code[row.step] = { _ in .status("\(row.status) Reason", row.body, headers: headers) }
                let browser = stage.fixture.browser()
                let signIn = try await browser.get(stage.fixture.authorize(row.policy))
                let page = try await browser.get(signIn.link("createAccount"))
                let received = try await stage.signUp(page, browser)
                try await check(received, row, row.outcome, stage)
                guard case .alert = row.outcome else { continue }
                stage.code[row.step] = nil
                if received.text.contains("id=\"blocked\"") {
                    let again = try await stage.signUp(page, browser)
                    #expect(again.text.contains("This page has expired"))
                } else {
                    // The form is kept, and can be sent again.
                    #expect(try received.form().fields["city"] == "Kyoto")
                    let again = try await stage.signUp(received, browser)
                    try await check(again, row, .claims(["newUser": .bool(true)]), stage)
                }
            }
            let first = try #require(try stage.bodies(.postAttributeCollection).first?.members)
            #expect(Set(first.keys) == ["email", "displayName", "city", "step", "client_id", "ui_locales"])
            #expect(first["step"] == "PostAttributeCollection" && first["client_id"] == .string(EmulatorFixture.client))
            #expect(try stage.bodies(.validation)[0]["town"] == "Kyoto")
            #expect(try stage.bodies(.validation)[0].members?.count == 2)
            #expect(stage.server.requests.allSatisfy { Code.step($0) != nil })
            #expect(try stage.bodies(.postFederationSignup).isEmpty)
        }
    }

    @Test("obeys the answer before tokens are issued, also of a session, and repeats it after a refresh")
    func obeysBeforeIssuingTokens() async throws {
        let rows = [
            Row(
                .preTokenIssuance, "200",
                #"{"version":"1","action":"Continue","city":"Lima","oid":"x","acr":"x","email":"x@y.z"}"#,
                .claims([
                    "city": "Lima", "oid": .string(EmulatorFixture.ana), "acr": .null,
                    "emails": ["ana@contoso.example"],
                ])),
            Row(
                .preTokenIssuance, "200", #"{"version":"1","action":"ShowBlockPage","userMessage":"x"}"#,
                .claims(["city": .null])),
            Row(.preTokenIssuance, "500", "{}", .error("AADB2C90075: The claims exchange 'PreTokenIssuance'")),
            Row(.preTokenIssuance, "200", "{}", .error("AADB2C90261: ")),
            Row(
                .preTokenIssuance, "400",
                #"{"version":"1","action":"ValidationError","status":400,"userMessage":"Not now"}"#,
                .error("with Code 'BadRequest' and Reason 'Not now'.")),
            Row(.claimsExchange, "200", #"{"g":["a"]}"#, .claims(["groups": ["a"]])),
            Row(
                .claimsExchange, "409", #"{"userMessage":"Not you"}"#,
                .error("with Code 'Conflict' and Reason 'Not you'.")),
        ]
        try await withB2C { callout, _ in
            callout.outputClaims = ["groups": "g"]
        } _: { stage in
            for row in rows {
                stage.code[row.step] = { _ in .status("\(row.status) Reason", row.body, headers: Code.headers) }
                let browser = stage.fixture.browser()
                let received = try await stage.fixture.signIn(browser, policy: row.policy)
                try await check(received, row, row.outcome, stage)
                guard case .claims = row.outcome else { continue }
                let silent = try await browser.get(stage.fixture.authorize(row.policy, ["prompt": "none"]))
                try await check(silent, row, row.outcome, stage)
            }
            let sent = try #require(try stage.bodies(.preTokenIssuance).first)
            #expect(sent["objectId"] == .string(EmulatorFixture.ana) && sent["step"] == "PreTokenIssuance")
            let identity: JSON = [
                "signInType": "emailAddress", "issuer": "contoso.onmicrosoft.com",
                "issuerAssignedId": "ana@contoso.example",
            ]
            #expect(sent["identities"] == [identity])
            stage.code[.preTokenIssuance] = { _ in
                .status("200 OK", #"{"version":"1","action":"Continue","city":"Lima"}"#, headers: Code.headers)
            }
            let tokens = try await stage.fixture.tokens()
            stage.code[.preTokenIssuance] = { _ in .status("500 Broken", "") }
            let refreshed = try await stage.fixture.refresh(tokens["refresh_token"]?.string).expecting(200).json
            #expect(
                try refreshed.claims("id_token")["city"] == "Lima" && refreshed.claims("access_token")["city"] == "Lima"
            )
        }
    }

    @Test("prefills the form of a new user of another provider, or blocks it") func obeysAfterFederation() async throws
    {
        try await withB2C { stage in
            for (response, expected) in [
                (#"{"version":"1","action":"Continue","city":"Lima"}"#, nil),
                (#"{"version":"1","action":"ShowBlockPage","userMessage":"No"}"#, "No"),
            ] {
                stage.code[.postFederationSignup] = { _ in .status("200 OK", response, headers: Code.headers) }
                let browser = stage.fixture.browser()
                let social = try await browser.get(
                    stage.fixture.authorize(Self.flow, ["domain_hint": "social.example"]))
                let page = try await browser.submit(
                    social, ["email": "pat@mail.example", "displayName": "Pat"])
                #expect(page.alerts == (expected.map { [$0] } ?? []))
                if expected == nil { #expect(try page.form().fields["city"] == "Lima") }
            }
            stage.code[.postFederationSignup] = { _ in
                .status(
                    "400 Bad Request",
                    #"{"version":"1","action":"ValidationError","status":400,"userMessage":"Not now"}"#,
                    headers: Code.headers)
            }
            let browser = stage.fixture.browser()
            let social = try await browser.get(stage.fixture.authorize(Self.flow, ["domain_hint": "social.example"]))
            let refused = try await browser.submit(social, ["email": "pam@mail.example", "displayName": "Pam"])
            #expect(try refused.redirect["error_description"]?.contains("Reason 'Not now'.") == true)
            let identity: JSON = [
                "signInType": "federated", "issuer": "social.example", "issuerAssignedId": "pat@mail.example",
            ]
            #expect(try stage.bodies(.postFederationSignup)[0]["identities"] == [identity])
        }
    }

    @Test(
        "authenticates itself, repeats a call without a response once, and logs neither secret nor query",
        arguments: [nil, 7]) func callsOnceMore(within limit: Int64?) async throws
    {
        try await withB2C { callout, _ in
            (callout.username, callout.password, callout.timeLimit) = ("user", "sécret", limit)
        } _: { stage in
            stage.code[.preTokenIssuance] = { _ in .raw("") }
            let refused = try await stage.fixture.signIn(stage.fixture.browser()).redirect
            #expect(refused["error_description"]?.contains("within timeout limit \(limit ?? 5) seconds") == true)
            #expect(stage.server.requests.count == 2)
            #expect(stage.server.requests[0].header("Authorization") == "Basic dXNlcjpzw6ljcmV0")
            let lines = stage.fixture.log.lines.filter { $0.contains("preTokenIssuance") }
            let call = "called preTokenIssuance at 127.0.0.1:\(stage.server.port): no response ("
            #expect(lines.count == 3 && lines.dropLast().allSatisfy { $0.hasPrefix(call) })
            #expect(!stage.fixture.log.lines.contains { $0.contains("hidden") || $0.contains("sécret") })
        }
    }

    @Test(
        "presents its certificate; without one, or with one of another authority, the call fails",
        .enabled(if: TestAuthority.isPossible)) func presentsCertificate() async throws
    {
        try await withTemporaryFolder { folder in
            let other = folder.appending("other")
            try other.makeFolder()
            let (known, unknown) = (try await TestAuthority(in: folder), try await TestAuthority(in: other))
            let certificates = [
                "B2C_1_known": try await known.client(), "B2C_1_unknown": try await unknown.client(), "B2C_1_none": nil,
            ]
            let server = try await known.issue("DNS:localhost")
            let response = ScriptedServer.Response.status(
                "200 OK", #"{"version":"1","action":"Continue","city":"Lima"}"#)
            try await ScriptedServer.with({ _ in response }) { code in
                try await SecureRelay.with(leadingTo: code.port, showing: server, demanding: known) { relay in
                    var tenant = try tenantOfTests()
                    tenant.trustedCertificates = known.certificate
                    for (policy, certificate) in certificates {
                        tenant.policies.append(Policy(name: PolicyName(policy), kind: .signUpOrSignIn))
                        var callout = Callout()
                        (callout.url, callout.clientCertificate) = (relay.origin(), certificate)
                        tenant.change(policy) { $0.callouts[.preTokenIssuance] = callout }
                    }
                    try await withFixture(tenants: [tenant]) { fixture in
                        for policy in certificates.keys {
                            let received = try await fixture.signIn(fixture.browser(), policy: policy)
                            guard policy != "B2C_1_known" else {
                                #expect(try await fixture.idToken(received, policy: policy)["city"] == "Lima")
                                continue
                            }
                            let text = try received.redirect["error_description"] ?? ""
                            #expect(text.hasPrefix("AADB2C90075: ") && text.contains("within timeout limit"), "\(text)")
                        }
                        #expect(code.requests.count == 1, "\(fixture.log.lines)")
                    }
                }
            }
        }
    }

    @Test("ends at the application if the user is deleted meanwhile") func endsWithoutUser() async throws {
        try await withB2C { stage in
            stage.code[.preTokenIssuance] = { _ in
                _ = try stage.fixture.emulator.site.tenants[0].database.removeUser(objectID: EmulatorFixture.ana)
                return .status("200 OK", #"{"version":"1","action":"Continue"}"#, headers: Code.headers)
            }
            let fields = try await stage.fixture.signIn(stage.fixture.browser()).redirect
            #expect(fields["error"] == "server_error" && fields["error_description"]?.contains("AADB2C90085") == true)
        }
    }

    @Test("reports a response that is too large, and does not repeat the call") func reportsLargeResponse() async throws
    {
        try await withB2C { stage in
            stage.code[.preTokenIssuance] = { _ in .status("200 OK", String(repeating: " ", count: 70_000) + "{}") }
            let refused = try await stage.fixture.signIn(stage.fixture.browser()).redirect
            #expect(refused["error_description"]?.contains("that could not be parsed") == true, "\(refused)")
            #expect(stage.fixture.log.lines.contains { $0.contains("the response is larger than 65536 bytes") })
            #expect(stage.server.requests.count == 1)
        }
    }

    @Test("no call waits for another, and calls that are held block no other request") func holdsCalls() async throws {
        let count = 20
        let (calls, called) = AsyncStream.makeStream(of: (any Channel).self)
        try await withListener(connect: { _ = called.yield($0) }) { port in
            try await withB2C { callout, _ in
                (callout.url, callout.timeLimit) = ("http://127.0.0.1:\(port)/", 20)
            } _: { stage in
                try await withThrowingTaskGroup(of: Received.self) { group in
                    for _ in 0..<count {
                        group.addTask { try await stage.fixture.signIn(stage.fixture.browser(), policy: Self.custom) }
                    }
                    var held: [any Channel] = []
                    for await call in calls {
                        held.append(call)
                        if held.count == count { break }
                    }
                    #expect(try await stage.fixture.browser().get("/health").status == 200)
                    #expect(try await stage.fixture.browser().get(stage.fixture.authorize()).status == 200)
                    for call in held {
                        let response = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
                        call.writeAndFlush(ByteBuffer(string: response), promise: nil)
                    }
                    for try await received in group { #expect(try received.redirect["code"] != nil) }
                }
            }
        }
    }

    @Test("ends a call when the emulator stops") func endsCallAtStop() async throws {
        let (calls, called) = AsyncStream.makeStream(of: Void.self)
        let silent = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in channel.eventLoop.makeCompletedFuture { _ = called.yield() } }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(silent.localAddress?.port)
        let clock = ContinuousClock()
        var start = clock.now
        try await withB2C { callout, _ in
            callout.url = "http://127.0.0.1:\(port)/"
        } _: { stage in
            let signIn = Task { try await stage.fixture.signIn(stage.fixture.browser(), policy: Self.custom) }
            for await _ in calls { break }
            start = clock.now
            signIn.cancel()
        }
        // Two attempts take twenty seconds.
        #expect(clock.now - start < .seconds(10))
        try await silent.close()
    }

    @Test(
        "reports code of another machine, of another kind of policy, and without what its step needs",
        arguments: [
            (
                "b2c", "B2C_1_a", #""apiConnectors": { "preTokenIssuance": { "url": "https://code.example/" } }"#,
                "another machine"
            ),
            (
                "b2c", "B2C_1_a",
                #""apiConnectors": { "preTokenIssuance": { "url": "http://localhost@code.example/" } }"#, "expected"
            ),
            (
                "b2c", "B2C_1_a",
                #""apiConnectors": { "preTokenIssuance": { "url": "http://localhost.evil.example/" } }"#,
                "host of “url”"
            ),
            (
                "b2c", "B2C_1_a", #""apiConnectors": { "preTokenIssuance": { "url": "http://127.1/" } }"#,
                "host of “url”"
            ),
            (
                "b2c", "B2C_1_a", #""apiConnectors": { "preTokenIssuance": { "url": "http://[::ffff:127.0.0.1]/" } }"#,
                "host of “url”"
            ),
            (
                "b2c", "B2C_1_a",
                #""apiConnectors": { "preTokenIssuance": { "url": "http://localhost/", "clientCertificate": "a.pem" } }"#,
                "needs https"
            ),
            ("b2c", "B2C_1A_a", #""invitations": { "metadata": "https://code.example/?a=1" }"#, "another machine"),
            ("b2c", "B2C_1A_a", #""invitations": { "issuer": "a" }"#, "one of “metadata”, “jwks” and “secret”"),
            (
                "b2c", "B2C_1A_a", #""invitations": { "issuer": "a", "secret": "s", "metadata": "http://localhost/" }"#,
                "exactly one"
            ), ("b2c", "B2C_1A_a", #""invitations": { "secret": "s" }"#, "“issuer” is missing"),
            (
                "b2c", "B2C_1A_a", #""apiConnectors": { "preTokenIssuance": { "url": "http://localhost/" } }"#,
                "“restTechnicalProfiles”"
            ),
            (
                "b2c", "B2C_1_a",
                #""authenticationExtensions": { "tokenIssuanceStart": { "url": "http://[::1]:7/" } }"#,
                "“apiConnectors”"
            ),
            (
                "external", "default",
                #""authenticationExtensions": { "tokenIssuanceStart": { "url": "http://127.0.0.1/" } }"#,
                "“appId” is missing"
            ),
            (
                "external", "default",
                #""authenticationExtensions": { "passwordSubmit": { "url": "http://127.0.0.1/", "appId": "a" } }"#,
                "“certificate”"
            ),
            (
                "entra", "default",
                #""authenticationExtensions": { "tokenIssuanceStart": { "url": "http://127.0.0.1/" } }"#,
                "not supported"
            ),
        ]) func reportsMistakes(kind: String, policy: String, callouts: String, expected: String) throws
    {
        let text = """
            { "tenants": { "t": { "kind": "\(kind)", "policies": { "\(policy)": { "kind": "signUpOrSignIn",
            \(callouts) } } } } }
            """
        let error = #expect(throws: PolicyFileError.self) {
            try TenantFile(text: text.utf8, source: "tenants.json", folder: "/folder")
        }
        #expect(error.map { "\($0)" }?.contains(expected) == true, "\(error.map { "\($0)" } ?? "")")
        let allowed = text.replacing(
            #""kind": "\#(kind)""#, with: #""kind": "\#(kind)", "allowedHosts": ["Code.example"]"#)
        if expected == "another machine" {
            _ = try TenantFile(text: allowed.utf8, source: "tenants.json", folder: "/folder")
        }
    }
}

extension TestAuthority {
    /// A file with a client's certificate and its key.
    fileprivate func client() async throws -> FilePath {
        let identity = try await issue(commonName: "client")
        let file = identity.certificate.removingLastComponent().appending("client.pem")
        try file.write(try identity.certificate.text() + identity.key.text())
        return file
    }
}
