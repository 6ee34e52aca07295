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

    /// The catalog of errors has the consequence of every code.
    @Test(arguments: [("AADB2C90118", .resetPassword), ("AADSTS65001", .consent)] as [(String, Consequence)])
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
        for row in ErrorCode.table { #expect(!row.meaning.isEmpty && !row.remedy.text.isEmpty) }
        #expect(Set(ErrorCode.table.map(\.name)).count == ErrorCode.table.count)
        #expect(ErrorCode.table.count > 180)
        #expect(
            ErrorCode.table.filter { $0.consequence == .signIn }.allSatisfy { $0.remedy.text.hasPrefix("sign") })
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
        try #require(TokenResponse.refusal(in: Array(json.utf8)))
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
