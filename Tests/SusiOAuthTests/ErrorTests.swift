import SusiOAuth
import Testing

@Suite("Refusals of the server")
struct ErrorTests {
    @Test("the description's lines")
    func lines() {
        let refusal = ServerRefusal(
            error: "access_denied",
            description:
                "AADB2C90091: The user cancelled.\r\nCorrelation ID: 0b2c-1 \r\nTimestamp: 2025-01-02 03:04:05Z\r\n")
        #expect(refusal.text == "AADB2C90091: The user cancelled.")
        #expect(refusal.number == 90091)
        #expect(refusal.correlationID == "0b2c-1")
        #expect(refusal.timestamp == "2025-01-02 03:04:05Z")
        #expect(refusal.row?.consequence == .cancelled)
    }

    @Test(
        "a description without a code, or of another shape",
        arguments: ["", "AADB2C", "AADB2C: x", "AADB2Cx", "AADSTS50049: x", "see AADB2C90118", "<b>AADB2C90118</b>"])
    func noCode(text: String) {
        let refusal = ServerRefusal(error: "invalid_grant", description: text)
        #expect(refusal.number == nil)
        #expect(refusal.text == text)
        #expect(refusal.correlationID == nil)
        #expect(refusal.consequence == .signIn)
    }

    @Test("a number that is in no table, or in no integer")
    func unknownNumber() {
        let refusal = ServerRefusal(error: "access_denied", description: "AADB2C12345: x")
        #expect(refusal.number == 12345)
        #expect(refusal.row == nil)
        #expect(refusal.consequence == .cancelled)
        #expect(ServerRefusal(error: "x", description: "AADB2C99999999999999999999999: x").number == nil)
    }

    @Test(
        "without a code the OAuth error decides",
        arguments: [
            ("invalid_grant", .signIn), ("interaction_required", .signIn), ("login_required", .signIn),
            ("consent_required", .signIn), ("access_denied", .cancelled), ("temporarily_unavailable", .retryLater),
            ("invalid_client", .misconfigured), ("unauthorized_client", .misconfigured),
            ("invalid_scope", .misconfigured), ("redirect_uri_mismatch", .misconfigured), ("server_error", .failed),
            ("", .failed), ("INVALID_GRANT", .failed),
        ] as [(String, AADB2CCode.Consequence)])
    func consequence(error: String, expected: AADB2CCode.Consequence) {
        #expect(ServerRefusal(error: error, description: "x").consequence == expected)
    }

    static let rows: [(number: Int, consequence: AADB2CCode.Consequence)] = [
        (90118, .resetPassword), (90091, .cancelled), (90273, .cancelled), (90077, .signIn), (90080, .signIn),
        (90088, .failed), (90128, .signIn), (90129, .signIn), (90085, .signIn), (90086, .misconfigured),
        (90006, .misconfigured), (90205, .misconfigured), (90117, .misconfigured), (90055, .misconfigured),
        (90146, .misconfigured), (90182, .failed), (90183, .failed), (90184, .failed), (99002, .signIn),
        (90035, .retryLater), (90244, .retryLater),
    ]

    @Test("each known code with what follows", arguments: rows)
    func row(number: Int, consequence: AADB2CCode.Consequence) throws {
        let row = try #require(AADB2CCode.row(number))
        #expect(row.consequence == consequence)
        #expect(!row.meaning.isEmpty && !row.next.isEmpty)
        let refusal = ServerRefusal(error: "server_error", description: "AADB2C\(number): text")
        #expect(refusal.consequence == consequence)
    }

    @Test("the table has these rows and no other, in order, each once")
    func table() {
        #expect(AADB2CCode.table.map(\.number) == Self.rows.map(\.number).sorted())
    }
}
