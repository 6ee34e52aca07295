import HTTPTypes
import SusiBase
import SusiPolicies
import SusiSQLite
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiEmulator

/// The way in which an error is returned.
enum ErrorChannel: Sendable {
    case query
    case fragment
    case page
    case json
}

/// One error of Azure AD B2C and a request that causes it.
struct ErrorRow: Sendable {
    let code: ErrorCode
    let number: Int
    let error: String
    let channel: ErrorChannel
    let cause: @Sendable (ErrorStage) async throws -> Received

    init(
        _ code: ErrorCode, _ number: Int, _ error: String, _ channel: ErrorChannel,
        _ cause: @escaping @Sendable (ErrorStage) async throws -> Received
    ) {
        (self.code, self.number, self.error, self.channel, self.cause) = (code, number, error, channel, cause)
    }

    /// Makes a row for an error that the authorization request alone causes.
    init(
        _ code: ErrorCode, _ number: Int, _ error: String = "invalid_request", _ channel: ErrorChannel = .query,
        asked changed: [String: String?]
    ) {
        self.init(code, number, error, channel) { stage in
            try await stage.fixture.browser().get(stage.fixture.authorize(changed))
        }
    }

    /// Makes a row for an error of a token request with the code of a sign-in.
    init(_ code: ErrorCode, _ number: Int, _ error: String = "invalid_request", redeemed changed: [String: String?]) {
        self.init(code, number, error, .json) { stage in
            try await stage.fixture.redeem(try await stage.code(), changed)
        }
    }
}

/// An emulator and a browser in which Ana is signed in.
struct ErrorStage: Sendable {
    let fixture: EmulatorFixture
    let cookies: [String: String]

    func browser() -> Browser {
        let browser = fixture.browser()
        browser.cookies = cookies
        return browser
    }

    func code(_ changed: [String: String?] = [:]) async throws -> String? {
        try await browser().get(fixture.authorize(changed)).redirect["code"]
    }

    func refreshToken() async throws -> String? {
        try await fixture.redeem(try await code()).json["refresh_token"]?.string
    }

    func password(_ password: String) async throws -> Received {
        try await fixture.password("ben@contoso.example", password)
    }

    func withoutAna(_ body: () async throws -> Received) async throws -> Received {
        let database = try Connection(path: fixture.folder.appending("emulator.sqlite").string)
        try database.execute("UPDATE users SET object_id = 'gone' WHERE object_id = ?", [.text(EmulatorFixture.ana)])
        let response = try await body()
        try database.execute("UPDATE users SET object_id = ? WHERE object_id = 'gone'", [.text(EmulatorFixture.ana)])
        return response
    }
}

@Suite("Every error of Azure AD B2C", .inTurn, .timeLimit(.minutes(5)))
struct ErrorTableTests {
    static let other = "https://contoso.onmicrosoft.com/other/items.write"

    static let requests: [ErrorRow] = [
        ErrorRow(.clientMissing, 90008, "", .page, asked: ["client_id": nil]),
        ErrorRow(.clientUnknown, 90068, "", .page, asked: ["client_id": "<b>"]),
        ErrorRow(.badParameter, 90083, "", .page, asked: ["redirect_uri": nil]),
        ErrorRow(
            .redirectNotRegistered, 90006, "redirect_uri_mismatch", asked: ["redirect_uri": "http://localhost:1/"]),
        ErrorRow(.badParameter, 90083, asked: ["response_type": nil]),
        ErrorRow(.responseTypeUnsupported, 90013, "unsupported_response_type", asked: ["response_type": "none"]),
        ErrorRow(.responseTypeUnsupported, 90013, "unsupported_response_type", asked: ["response_type": "code secret"]),
        ErrorRow(.responseTypeUnsupported, 90013, "unsupported_response_type", asked: ["response_type": "code code"]),
        ErrorRow(.responseModeUnsupported, 90014, asked: ["response_mode": "web"]),
        ErrorRow(
            .implicitNotAllowed, 90057, "unauthorized_client", .fragment,
            asked: ["response_type": "id_token", "client_id": "plain"]),
        ErrorRow(.promptInvalid, 90043, asked: ["prompt": "soon"]),
        ErrorRow(.maxAgeInvalid, 90120, asked: ["max_age": "soon"]),
        ErrorRow(.maxAgeInvalid, 90120, asked: ["max_age": "-1"]),
        ErrorRow(.scopeMissing, 90010, asked: ["scope": nil]),
        ErrorRow(.scopeUnsupported, 90117, asked: ["scope": "openid https://contoso.example/x"]),
        ErrorRow(.resourceMissing, 90055, asked: ["scope": "openid demo.read"]),
        ErrorRow(
            .openIDMissing, 90110, "invalid_request", .fragment,
            asked: ["response_type": "id_token", "scope": EmulatorFixture.scope]),
        ErrorRow(.nothingAsked, 90115, asked: ["scope": "offline_access"]),
        ErrorRow(.twoResources, 90146, asked: ["scope": "openid \(EmulatorFixture.scope) \(other)"]),
        ErrorRow(.requestObject, 90083, "request_not_supported", asked: ["request": "a.b.c"]),
        ErrorRow(
            .requestAddress, 90083, "request_uri_not_supported",
            asked: ["request_uri": "https://contoso.example/request"]),
        ErrorRow(.challengeMissing, 99059, asked: ["code_challenge": nil]),
        ErrorRow(.challengeMethod, 90184, asked: ["code_challenge_method": "s256"]),
        ErrorRow(.badParameter, 90083, asked: ["code_challenge": "x"]),
        ErrorRow(.badParameter, 90083, asked: ["code_challenge": "x", "code_challenge_method": nil]),
        ErrorRow(.noSession, 90077, "interaction_required", asked: ["prompt": "none"]),
        ErrorRow(.hintInvalid, 90233, asked: ["id_token_hint": "nonsense"]),
        ErrorRow(.hintOfAnotherIssuer, 90232, "invalid_request", .query) { stage in
            let hint = try stage.fixture.emulator.site.tenants[0].keyRings[0].sign([
                "iss": "http://localhost:1/", "sub": "x",
            ])
            return try await stage.fixture.ask(["id_token_hint": hint])
        },
        ErrorRow(.userUnknown, 99002, "server_error", .query) { stage in
            let tokens = try await stage.fixture.redeem(try await stage.code()).json
            let address = stage.fixture.authorize(["id_token_hint": tokens["id_token"]?.string])
            return try await stage.withoutAna { try await stage.fixture.browser().get(address) }
        },
        ErrorRow(.scopeWithComma, 99005, asked: ["scope": "openid,\(EmulatorFixture.scope)"]),
        ErrorRow(.administratorNeeded, 90205, "invalid_request", .query) { stage in
            try await stage.browser().get(stage.fixture.authorize(["scope": "openid \(Self.other)"]))
        },
        ErrorRow(.cancelled, 90091, "access_denied", .query) { stage in
            let browser = stage.fixture.browser()
            let page = try await browser.get(stage.fixture.authorize())
            return try await browser.submit(page, ["cancel": "1"])
        },
        ErrorRow(.passwordForgotten, 90118, "access_denied", .query) { stage in
            let browser = stage.fixture.browser()
            let page = try await browser.get(stage.fixture.authorize())
            return try await browser.get(try page.link("forgotPassword"))
        },
        ErrorRow(.landingInvalid, 90067, "", .page) { stage in
            let logout = "\(stage.fixture.tenant)/B2C_1_susi/oauth2/v2.0/logout"
            return try await stage.fixture.browser().get("\(logout)?post_logout_redirect_uri=javascript:alert(1)")
        },
        ErrorRow(.hintMissing, 90272, "", .page) { stage in
            try await stage.fixture.browser().get("\(stage.fixture.tenant)/B2C_1_ropc/oauth2/v2.0/logout")
        },
    ]

    static let grants: [ErrorRow] = [
        ErrorRow(.secretOfPublicClient, 90084, redeemed: ["client_secret": "a secret"]),
        ErrorRow(.grantTypeUnsupported, 90086, "unsupported_grant_type", redeemed: ["grant_type": "implicit"]),
        ErrorRow(.secretMissing, 90079, redeemed: ["client_id": "web"]),
        ErrorRow(.secretWrong, 90081, "invalid_client", redeemed: ["client_id": "web", "client_secret": "another"]),
        ErrorRow(
            .defaultScopeMissing, 99068,
            redeemed: [
                "client_id": "web", "client_secret": "its secret", "grant_type": "client_credentials",
                "scope": EmulatorFixture.scope,
            ]),
        ErrorRow(.otherClient, 90279, "invalid_grant", redeemed: ["client_id": "plain"]),
        ErrorRow(
            .verifierMismatch, 90182, "invalid_grant", redeemed: ["code_verifier": String(repeating: "a", count: 43)]),
        ErrorRow(.verifierInvalid, 90183, "invalid_grant", redeemed: ["code_verifier": "short"]),
        ErrorRow(.redirectNotRegistered, 90006, "redirect_uri_mismatch", redeemed: ["redirect_uri": nil]),
        ErrorRow(.clientMissing, 90008, "invalid_client", redeemed: ["client_id": nil]),
        ErrorRow(.clientUnknown, 90068, "invalid_client", redeemed: ["client_id": "unknown"]),
        ErrorRow(.badParameter, 90083, redeemed: ["grant_type": nil]),
        ErrorRow(.badParameter, 90083, redeemed: ["code": nil]),
        ErrorRow(.badParameter, 90083, redeemed: ["code_verifier": nil]),
        // Parameters in the query do not count (RFC 6749 section 2.3.1).
        ErrorRow(.badParameter, 90083, "invalid_request", .json) { stage in
            let query = "grant_type=refresh_token&client_id=\(EmulatorFixture.client)"
            return try await stage.fixture.browser().post(
                "\(stage.fixture.tenant)/B2C_1_susi/oauth2/v2.0/token?\(query)", [:])
        },
        ErrorRow(.otherPolicy, 90088, "invalid_grant", .json) { stage in
            try await stage.fixture.refresh(try await stage.refreshToken(), policy: "B2C_1_edit_profile")
        },
        ErrorRow(.accountGone, 90128, "invalid_grant", .json) { stage in
            let token = try await stage.refreshToken()
            return try await stage.withoutAna { try await stage.fixture.refresh(token) }
        },
        ErrorRow(.grantRevoked, 90129, "invalid_grant", .json) { stage in
            let token = try await stage.refreshToken()
            _ = try stage.fixture.emulator.site.tenants[0].database.revokeGrants(of: EmulatorFixture.ana)
            return try await stage.fixture.refresh(token)
        },
        ErrorRow(.codeRedeemed, 90129, "invalid_grant", .json) { stage in
            let code = try await stage.code()
            _ = try await stage.fixture.redeem(code)
            return try await stage.fixture.redeem(code)
        },
        ErrorRow(.wrongPassword, 90225, "access_denied", .json) { stage in try await stage.password("no") },
        ErrorRow(.accountLocked, 90225, "access_denied", .json) { stage in
            _ = try await stage.password("no")
            return try await stage.password("Passw0rd!")
        },
        ErrorRow(.grantExpired, 90080, "invalid_grant", .json) { stage in
            let token = try await stage.refreshToken()
            stage.fixture.emulator.clock.advance(by: 14 * 86_400)
            return try await stage.fixture.refresh(token)
        },
    ]

    func withStage(_ body: (ErrorStage) async throws -> Void) async throws {
        try await withFixture { configuration in
            configuration.administratorConsent = [Self.other]
            configuration.addPasswordPolicy()
            configuration.change("B2C_1_ropc") { ($0.lockoutFailures, $0.session.requiresIDToken) = (2, true) }
            configuration.applications[0].allowsImplicit = true
            configuration.register("plain")
            configuration.register("web", secret: "its secret")
        } _: { fixture in
            let browser = fixture.browser()
            _ = try await fixture.signIn(browser)
            try await body(ErrorStage(fixture: fixture, cookies: browser.cookies))
        }
    }

    private func check(_ row: ErrorRow, _ response: Received, at time: String) throws {
        let description: String?
        switch row.channel {
        case .query, .fragment:
            let mark = row.channel == .query ? "?" : "#"
            #expect(response.location?.hasPrefix("http://localhost:8400/\(mark)error=") == true, "\(row.number)")
            let fields = try response.redirect
            #expect(fields["error"] == row.error && fields["state"] == "a state/&", "\(row.number)")
            description = fields["error_description"]
        case .page:
            #expect(response.status == 400 && response.location == nil, "\(row.number)")
            #expect(response.header("content-type") == "text/html; charset=utf-8" && !response.text.contains("<b>"))
            // The page shows each line of the description on a separate line.
            let alert = response.text.firstMatch(of: #/(AADB2C[^<]*)<br>\s*(Correl[^<]*)<br>\s*(Timest[^<]*)<br>/#)
            description = alert.map { "\($0.1)\r\n\($0.2)\r\n\($0.3)\r\n" }
        case .json:
            let json = try response.json
            #expect(response.status == 400 && json["error"] == .string(row.error), "\(row.number): \(response.text)")
            description = json["error_description"]?.string
            #expect(json["suberror"] == nil && json["error_codes"] == nil, "\(row.number)")
        }
        let text = try #require(description, "\(row.number): \(response.status) \(response.text)")
        let form = try Regex("AADB2C\(row.number): .+\\r\\nCorrelation ID: [0-9a-f-]{36}\\r\\nTimestamp: \(time)\\r\\n")
        #expect(try form.wholeMatch(in: text) != nil, "\(text)")
    }

    /// A row with the response to its request and the line of the log.
    struct Answered: Sendable {
        let row: ErrorRow
        let response: Received
        let line: String?
    }

    /// The answers to all rows, which are asked once in their order, also for the captures of errors.
    static let answers = Task {
        var all: [Answered] = []
        try await ErrorTableTests().withStage { stage in
            for row in requests + grants {
                let response = try await row.cause(stage)
                all.append(Answered(row: row, response: response, line: stage.fixture.log.lines.last))
            }
        }
        return all
    }

    @Test("reports each error by its channel, with its OAuth error, in the format of the service")
    func reportsEachError() async throws {
        for one in try await Self.answers.value {
            let time = one.row.code == .grantExpired ? "2027-01-29 08:00:00Z" : "2027-01-15 08:00:00Z"
            try check(one.row, one.response, at: time)
            #expect(one.line?.contains("AADB2C\(one.row.number)") == true, "\(one.row.number)")
        }
    }

    @Test("reports a failure of the emulator by redirect and as JSON")
    func reportsInternalError() async throws {
        try await withStage { stage in
            let token = try await stage.refreshToken()
            let database = try Connection(path: stage.fixture.folder.appending("emulator.sqlite").string)
            try database.execute("ALTER TABLE codes RENAME TO lost")
            let redirect = try await stage.browser().get(stage.fixture.authorize())
            try check(
                ErrorRow(.internalError, 90085, "server_error", .query, asked: [:]), redirect,
                at: "2027-01-15 08:00:00Z")
            #expect(stage.fixture.log.lines.last?.contains("no such table") == true)
            try database.execute("ALTER TABLE refresh_tokens RENAME TO lost_too")
            let json = try await stage.fixture.refresh(token).expecting(400)
            #expect(try json.json["error"] == "invalid_grant" && json.json.code == 90085)
        }
    }

    @Test("replaces the OAuth errors of some codes in every channel")
    func replacesErrorsOfTenant() async throws {
        try await withFixture {
            $0.errors = ["AADB2C90088": "invalid_request", "AADB2C90077": "login_required"]
        } _: { fixture in
            let none = try await fixture.ask(["prompt": "none"]).redirect
            #expect(none["error"] == "login_required")
            #expect(none["error_description"]?.hasPrefix("AADB2C90077: ") == true)
            let refresh = try await fixture.tokens()["refresh_token"]?.string
            let other = try await fixture.refresh(refresh, policy: "B2C_1_reset").json
            #expect(other["error"] == "invalid_request" && other.code == 90088)
            #expect(try await fixture.refresh("invented").json["error"] == "invalid_grant")
        }
    }

    // Codes that other suites test: those of faults, of other kinds of tenant, and of pages that need settings.
    private static let elsewhere: Set<ErrorCode> = [
        .internalError, .busy, .tooManyRequests, .socialCancelled, .accountBlocked, .userOfAnotherTenant,
        .hintOfAnotherPerson, .hintExpired, .hintForAnother, .grantTypeNeedsTenant, .refreshAtCommon, .redeemedByPage,
        .redeemedByServer,
        .parameterRepeated,
        .claimsDemanded, .consentNeeded, .devicePending, .deviceTooFast, .deviceDeclined,
        .deviceExpired, .deviceUnknown, .calloutFailed, .calloutUnreadable,
    ]

    @Test func coversEveryError() {
        let known = Set((Self.requests + Self.grants).map(\.code)).union(Self.elsewhere)
        #expect(Set(ErrorCode.allCases).subtracting(known) == [])
    }
}
