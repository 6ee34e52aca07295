import Testing

@testable import SusiOAuth

/// What real services were seen to send, replayed to the client's readers, with values of the test's own making.
@Suite("Replayed captures")
struct CaptureReplayTests {
    @Test("reads each captured token response", arguments: Replayed.all(["token-response"]))
    func readsTokenResponse(message: Replayed) throws {
        let response = try TokenResponse(parsing: message.body, status: 200)
        #expect((response.accessToken != nil) == message.has("access_token"))
        #expect((response.idToken != nil) == message.has("id_token"))
        #expect((response.refreshToken != nil) == message.has("refresh_token"))
        // A number in a string is one too.
        #expect((response.expiresIn != nil) == message.has("expires_in"))
        #expect((response.scopes != nil) == message.has("scope"))
    }

    @Test(
        "reads each captured error: the service's number, without ids and times in the text",
        arguments: Replayed.all(["error-response", "native-error"]))
    func readsError(message: Replayed) throws {
        let refusal = try #require(throws: ServerRefusal.self) { try TokenResponse(parsing: message.body, status: 400) }
        guard message.has("error_description") else { return }
        #expect(refusal.code == message.code)
        #expect(!refusal.text.contains("Correlation ID") && !refusal.text.contains("2026-"))
        if message.says.contains("Correlation ID") { #expect(refusal.correlationID == Replayed.guid) }
    }

    @Test("reads each captured error redirect", arguments: Replayed.all(["error-redirect"]))
    func readsRedirect(message: Replayed) throws {
        let (error, text) = (message.text("error"), message.text("error_description"))
        let refusal = ServerRefusal(error: try #require(error), description: text ?? "")
        #expect(refusal.code == message.code)
        #expect(!refusal.text.contains("Correlation ID"))
    }

    @Test("explains each number that the services were seen to send, but for those listed")
    func explainsNumbers() {
        let messages = Replayed.all(["error-response", "error-redirect", "native-error"])
        let unexplained = Set(messages.compactMap(\.code)).filter { ErrorCode.row($0) == nil }
        #expect(unexplained == [])
    }
}
