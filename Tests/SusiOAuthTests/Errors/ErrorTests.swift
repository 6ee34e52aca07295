import SusiOAuth
import SusiPolicies
import Testing

@Suite("Refusals of the server")
struct ErrorTests {
    @Test func readsLinesOfDescription() {
        let refusal = ServerRefusal(
            error: "access_denied",
            description:
                "AADB2C90091: The user cancelled.\r\nCorrelation ID: 0b2c-1 \r\nTimestamp: 2025-01-02 03:04:05Z\r\n")
        #expect(refusal.text == "AADB2C90091: The user cancelled.")
        #expect(refusal.code == "AADB2C90091")
        #expect(refusal.correlationID == "0b2c-1")
        #expect(refusal.timestamp == "2025-01-02 03:04:05Z")
        #expect(refusal.row?.consequence == .cancelled)
    }

    @Test(
        arguments: [
            "", "AADB2C", "AADB2C: x", "AADB2Cx", "AADSTSx: x", "AADSTS: x", "see AADB2C90118", "<b>AADB2C90118</b>",
        ])
    func acceptsDescriptionWithoutCode(text: String) {
        let refusal = ServerRefusal(error: "invalid_grant", description: text)
        #expect(refusal.code == nil)
        #expect(refusal.text == text)
        #expect(refusal.correlationID == nil)
        #expect(refusal.consequence == .signIn)
    }

    @Test func readsUnknownNumbers() {
        let refusal = ServerRefusal(error: "access_denied", description: "AADB2C12345: x")
        #expect(refusal.code == "AADB2C12345")
        #expect(refusal.row?.name == "access_denied")
        #expect(refusal.consequence == .failed)
        #expect(ServerRefusal(error: "x", description: "AADB2C99999999999999999999999: x").code == nil)
    }

    @Test(
        arguments: [
            ("invalid_grant", .signIn), ("interaction_required", .interact), ("login_required", .interact),
            ("consent_required", .consent), ("authorization_pending", .pending), ("slow_down", .pending),
            ("access_denied", .failed), ("temporarily_unavailable", .retryLater),
            ("invalid_client", .misconfigured), ("unauthorized_client", .misconfigured),
            ("invalid_scope", .misconfigured), ("redirect_uri_mismatch", .misconfigured), ("server_error", .failed),
            ("", .failed), ("INVALID_GRANT", .failed),
        ] as [(String, Consequence)])
    func decidesByOAuthError(error: String, expected: Consequence) {
        #expect(ServerRefusal(error: error, description: "x").consequence == expected)
    }

    static let rows: [(code: String, consequence: Consequence)] = [
        ("AADB2C90118", .resetPassword), ("AADB2C90091", .cancelled), ("AADB2C90273", .failed),
        ("AADB2C90077", .interact), ("AADB2C90080", .signIn), ("AADB2C90088", .failed), ("AADB2C90128", .interact),
        ("AADB2C90129", .signIn), ("AADB2C90085", .interact), ("AADB2C90086", .misconfigured),
        ("AADB2C90006", .misconfigured), ("AADB2C90205", .misconfigured), ("AADB2C90117", .misconfigured),
        ("AADB2C90055", .misconfigured), ("AADB2C90146", .misconfigured), ("AADB2C90182", .failed),
        ("AADB2C90183", .failed), ("AADB2C90184", .failed), ("AADB2C99002", .interact), ("AADB2C90035", .retryLater),
        ("AADB2C90244", .retryLater), ("AADB2C90229", .retryLater), ("AADB2C90152", .retryLater),
        ("AADB2C90090", .interact), ("AADB2C90211", .interact), ("AADB2C90021", .misconfigured),
        ("AADB2C90261", .failed), ("AADSTS500208", .misconfigured), ("AADSTS500210", .misconfigured),
        ("AADSTS530036", .interact), ("AADSTS16000", .interact), ("AADSTS50011", .misconfigured),
        ("AADSTS50020", .failed), ("AADSTS50034", .interact), ("AADSTS50049", .misconfigured),
        ("AADSTS50053", .retryLater), ("AADSTS50055", .interact), ("AADSTS50056", .interact), ("AADSTS50057", .failed),
        ("AADSTS50058", .interact), ("AADSTS50059", .misconfigured), ("AADSTS50072", .interact),
        ("AADSTS50074", .interact), ("AADSTS50076", .interact), ("AADSTS50078", .interact), ("AADSTS50079", .interact),
        ("AADSTS50105", .failed), ("AADSTS50126", .interact), ("AADSTS50128", .misconfigured), ("AADSTS50132", .signIn),
        ("AADSTS50133", .signIn), ("AADSTS50140", .interact), ("AADSTS50144", .interact), ("AADSTS50158", .interact),
        ("AADSTS50173", .signIn), ("AADSTS50194", .misconfigured), ("AADSTS53000", .interact),
        ("AADSTS53001", .interact), ("AADSTS53003", .interact), ("AADSTS65001", .consent), ("AADSTS65004", .cancelled),
        ("AADSTS650052", .adminConsent), ("AADSTS650057", .misconfigured), ("AADSTS70000", .interact),
        ("AADSTS70001", .misconfigured), ("AADSTS700016", .misconfigured), ("AADSTS70002", .misconfigured),
        ("AADSTS70008", .signIn), ("AADSTS700082", .signIn), ("AADSTS70011", .misconfigured), ("AADSTS70016", .pending),
        ("AADSTS70018", .interact), ("AADSTS70019", .interact), ("AADSTS70020", .interact), ("AADSTS70043", .interact),
        ("AADSTS700003", .interact), ("AADSTS700084", .signIn), ("AADSTS7000215", .misconfigured),
        ("AADSTS7000218", .misconfigured), ("AADSTS90002", .misconfigured), ("AADSTS90014", .failed),
        ("AADSTS90072", .failed), ("AADSTS90094", .adminConsent), ("AADSTS90095", .adminConsent),
        ("AADSTS900941", .adminConsent), ("AADSTS900144", .failed), ("AADSTS9002313", .failed),
        ("AADSTS9002325", .misconfigured), ("AADSTS900971", .misconfigured),
    ]

    @Test(arguments: rows)
    func findsRowOfCode(code: String, consequence: Consequence) throws {
        let row = try #require(ErrorCode.row(code))
        #expect(row.consequence == consequence)
        let refusal = ServerRefusal(error: "server_error", description: "\(code): text")
        #expect(refusal.consequence == consequence && refusal.row == row)
    }

    @Test("knows each code that Azure AD B2C publishes, and no other one")
    func knowsPublishedCodes() {
        let published = Set((PublishedCodes.b2c + PublishedCodes.elsewhere).map { "AADB2C\($0)" })
        let known = Set(ErrorCode.table.map(\.name).filter { $0.hasPrefix("AADB2C") })
        #expect(published.subtracting(known).sorted() == [])
        #expect(known.subtracting(published).sorted() == [])
    }

    @Test("a code of an API's library is no reason to sign in again, to wait or to drop a token")
    func codesOfAPIsHaveNoConsequence() {
        #expect(ErrorCode.table.filter(\.isOfAPI).count > 10)
        for row in ErrorCode.table where row.isOfAPI {
            #expect(row.consequence == .failed && ErrorCode.name(in: "\(row.name): x") == nil, "\(row.name)")
        }
    }

    @Test("every row says what it means and what to do, and stands once")
    func rowsAreCompleteAndUnique() {
        for row in ErrorCode.table { #expect(!row.meaning.isEmpty && !row.next.isEmpty) }
        #expect(Set(ErrorCode.table.map(\.name)).count == ErrorCode.table.count)
        #expect(ErrorCode.table.count > 180)
        #expect(
            ErrorCode.table.filter { $0.consequence == .signIn }.allSatisfy { $0.next.description.hasPrefix("sign") })
    }

    @Test(
        "only an error without a reason, or with a code that means it, is a cancellation",
        arguments: [
            ("access_denied", "", .cancelled), ("access_denied", "AADB2C90091: x", .cancelled),
            ("access_denied", "AADSTS65004: x", .cancelled), ("access_denied", "AADB2C99999: x", .failed),
            ("access_denied", "U123456: You are not allowed", .failed), ("access_denied", "Under 18", .failed),
            ("access_denied", "AADSTS50105: x", .failed), ("access_denied", "AADB2C90118_own: x", .failed),
            ("access_denied", "\r\nCorrelation ID: 1", .cancelled),
            ("server_error", inner("temporarily_unavailable", "try later"), .failed),
            ("access_denied", inner("access_denied", "Permissions error"), .failed),
            ("access_denied", inner("interaction_required", "AADSTS16000: x"), .failed),
            ("access_denied", inner("access_denied", "AADSTS50105: x"), .failed),
            ("access_denied", inner("access_denied", "AADSTS65004: x"), .cancelled),
            ("access_denied", inner("access_denied", ""), .cancelled),
            ("server_error", inner("user_cancelled_login", "The user cancelled LinkedIn login"), .cancelled),
            ("access_denied", "AADB2C90273: x", .failed), ("access_denied", "AADB2C90273: 'Error: ", .failed),
        ] as [(String, String, Consequence)])
    func recognizesCancellation(error: String, description: String, expected: Consequence) {
        #expect(ServerRefusal(error: error, description: description).consequence == expected)
    }

    private static func inner(_ error: String, _ text: String) -> String {
        "AADB2C90273: An invalid response was received : 'Error: \(error),Error Description: \(text)'."
    }

    static func refusal(_ json: String) throws -> ServerRefusal {
        try #require(TokenAnswer.refusal(in: Array(json.utf8)))
    }

    @Test func readsErrorOfEntra() throws {
        let refusal = try Self.refusal(
            """
            {"error":"invalid_grant","error_description":"AADSTS50173: Revoked. Trace ID: t-1 Correlation ID: c-1 Timestamp: \
            2026-01-02 03:04:05Z","error_codes":[50173],"timestamp":"2026-01-02 03:04:06Z","trace_id":"t-1",\
            "correlation_id":"c-2","error_uri":"https://login.microsoftonline.com/error?code=50173","suberror":"bad_token"}
            """)
        #expect(refusal.text == "AADSTS50173: Revoked." && refusal.code == "AADSTS50173")
        #expect(refusal.correlationID == "c-2" && refusal.timestamp == "2026-01-02 03:04:06Z")
        #expect(refusal.suberror == "bad_token" && refusal.endsGrant)
        let bare = try Self.refusal(#"{"error":"invalid_grant","error_codes":[1,"65001"],"error_description":"no"}"#)
        #expect(bare.code == "AADSTS65001" && bare.consequence == .consent)
        let line = ServerRefusal(error: "e", description: "x Trace ID: t Correlation ID: c Timestamp: 2026")
        #expect(line.text == "x" && line.correlationID == "c" && line.timestamp == "2026")
        let finer = try Self.refusal(#"{"error":"invalid_grant","suberror":"consent_required"}"#)
        #expect(finer.consequence == .consent && !finer.endsGrant)
    }

    @Test(
        arguments: [
            (#""{\"access_token\":{\"acrs\":{\"value\":\"c1\"}}}""#, true), (#""[]""#, false), (#""x""#, false),
            (#"{"access_token":{}}"#, false),
            (#""{\"a\":\""# + String(repeating: "a", count: 17_000) + #"\"}""#, false),
        ])
    func keepsClaimsChallenge(value: String, isKept: Bool) throws {
        let refusal = try Self.refusal("{\"error\":\"interaction_required\",\"claims\":\(value)}")
        #expect((refusal.claims != nil) == isKept)
        #expect(refusal.consequence == .interact)
    }

    @Test func truncatesLongTexts() throws {
        let long = String(repeating: "ä", count: 200_000)
        let refusal = ServerRefusal(error: long, description: long)
        #expect(refusal.error.utf8.count < 1_100 && refusal.text.utf8.count < 1_100)
        #expect(ProtocolViolation(.redirect, long, source: "").reason.utf8.count < 600)
    }
}
