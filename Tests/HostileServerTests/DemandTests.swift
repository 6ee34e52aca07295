import Susi
import SusiTestSupport
import Testing

/// Claims that a server demands: they are requested once, and no server can make them permanent.
@Suite("Claims challenges", .timeLimit(.minutes(5)))
struct DemandTests {
    @Test func sendsClaimsChallengeAtNextSignIn() async throws {
        try await Stage.with(.entra) { stage, _ in
            _ = try await stage.signIn()
            stage.change {
                $0.refuseToken(
                    "interaction_required", "AADSTS50076: x Correlation ID: c-1 Timestamp: 2027-01-15 08:00:00Z",
                    more: #","claims":"{\"access_token\":{\"polids\":{\"essential\":true}}}""#)
            }
            let error = await #expect(throws: SusiError.self) { try await stage.refresh() }
            #expect(error?.refusal?.claims?.json == #"{"access_token":{"polids":{"essential":true}}}"#)
            #expect(error?.refusal?.code == "AADSTS50076" && error?.correlationID == "c-1")
            #expect(error?.refusal?.timestamp == "2027-01-15 08:00:00Z")
            stage.change { $0.tokenReply = nil }
            _ = try await stage.signIn()
            #expect(stage.asked("claims", at: "authorize") == #"{"access_token":{"polids":{"essential":true}}}"#)
        }
    }

    private static let demand = #"{"access_token":{"polids":{"essential":true,"value":"p1"}}}"#

    /// Signs in and stores a claims challenge of an API.
    private func demanding(_ stage: Stage) async throws -> Account {
        let account = try await stage.signIn().account
        try await stage.client.remember(claimsChallenge: Self.demand, for: account)
        return account.account
    }

    @Test("a sign-in that meets a challenge removes the tokens of other APIs, which are older than it")
    func removesOlderTokensAfterMetChallenge() async throws {
        try await Stage.with(.entra) { stage, _ in
            let account = try await stage.signIn().account
            let other = { try await stage.client.token(resource: "api://other") }
            stage.change { $0.response["scope"] = "\"openid api://other/read\"" }
            let before = try await other()
            #expect(try await other().secret == before.secret)
            stage.change { $0.response["scope"] = .none }
            // A sign-in without a challenge keeps them.
            _ = try await stage.signIn()
            #expect(try await other().secret == before.secret)
            try await stage.client.remember(claimsChallenge: Self.demand, for: account)
            _ = try await stage.signIn()
            let count = stage.tokenRequests
            #expect(try await other().secret != before.secret)
            #expect(stage.tokenRequests == count + 1)
        }
    }

    @Test("a sign-in by password cannot meet a challenge; the next one on a page still sends it")
    func keepsChallengeAtPasswordSignIn() async throws {
        try await Stage.with(.entra) { stage, _ in
            stage.change { $0.claims["preferred_username"] = "\"ada@example.com\"" }
            let account = try await stage.signIn().account
            try await stage.client.remember(claimsChallenge: Self.demand, for: account)
            // The response to a password has no nonce.
            stage.change { _ in }
            let credentials = PasswordCredentials(username: "ada@example.com", password: "Passw0rd!")
            let again = try await stage.client.signIn(SignInRequest(), credentials: credentials)
            #expect(again.account.account == account.account)
            _ = try await stage.signIn()
            #expect(stage.asked("claims", at: "authorize") == Self.demand)
        }
    }

    @Test(
        "a sign-in without an essential acr in the id token is refused (OpenID Connect Core 5.5.1.1)",
        arguments: [
            (#"{"essential":true,"values":["1","2"]}"#, "\"2\"", true),
            (#"{"essential":true,"value":"1"}"#, nil, false), (#"{"essential":false,"value":"1"}"#, nil, true),
        ])
    func requiresEssentialACR(asked: String, answered: String?, isAccepted: Bool) async throws {
        try await Stage.with(.openid) { stage, _ in
            stage.change { $0.claims["acr"] = .some(answered) }
            let claims = try ClaimsRequest(parsing: #"{"id_token":{"acr":\#(asked)}}"#.utf8)
            switch await Result(of: { () async throws(SusiError) in try await stage.signIn(claims: claims) }) {
            case .success: #expect(isAccepted)
            case .failure(let error):
                #expect(!isAccepted && error.code == .invalidResponse && error.why.contains("acr"), "\(error)")
            }
            #expect(try await stage.client.accounts().count == (isAccepted ? 1 : 0))
        }
    }

    @Test(
        "a missing auth_time is explained where the registration has to ask for it",
        arguments: [(Provider.entra, true), (.common, true), (.external, true), (.openid, false), (.b2c, false)])
    func explainsMissingAuthTime(provider: Provider, isOptional: Bool) async throws {
        try await Stage.with(provider) { stage, _ in
            stage.change { $0.claims["auth_time"] = .some(nil) }
            var request = SignInRequest(api: "hello")
            request.options.maximumAge = 600
            let error = await #expect(throws: SusiError.self) { try await stage.signIn(request, with: stage.client) }
            #expect(error?.why.contains("no auth_time") == true, "\(String(describing: error))")
            #expect(error.map { "\($0.next)".contains("Add optional claim") } == isOptional)
        }
    }

    @Test(arguments: [
        ("auth_time", "\(Provider.now - 3_600)", false), ("auth_time", "\(Provider.now - 30)", true),
        ("acr", "\"1\"", false), ("acr", "\"2\"", true),
    ])
    func checksClaimsOfDeviceSignIn(claim: String, value: String, isAccepted: Bool) async throws {
        try await Stage.with(.openid) { stage, _ in
            stage.change {
                $0.discovery["device_authorization_endpoint"] = "\"\($0.origin)/device\""
                $0.device = RelyingPartyTests.deviceCode("ABCD", "\($0.origin)/visit")
                $0.claims[claim] = .some(value)
            }
            var request = SignInRequest()
            if claim == "auth_time" { request.options.maximumAge = 600 }
            if claim == "acr" {
                request.options.claims = try ClaimsRequest(
                    parsing: #"{"id_token":{"acr":{"essential":true,"value":"2"}}}"#.utf8)
            }
            do throws(SusiError) {
                _ = try await stage.client.signInOnAnotherDevice(request, pause: { _ in }, tell: { _ in })
                #expect(isAccepted)
            } catch {
                // The clause of OpenID Connect Core 3.1.3.7 that the token violates.
                let clause = claim == "acr" ? "3.1.3.7 (12)" : "3.1.3.7 (13)"
                #expect(!isAccepted && error.code == .invalidResponse && error.why.contains(clause), "\(error)")
            }
            #expect(try await stage.client.accounts().count == (isAccepted ? 1 : 0))
        }
    }

    @Test("a challenge for an acr that the provider does not return fails one sign-in only")
    func unmetACRChallengeFailsOneSignIn() async throws {
        try await Stage.with(.openid) { stage, _ in
            let account = try await stage.signIn().account
            let demand = #"{"id_token":{"acr":{"essential":true,"values":["2"]}}}"#
            try await stage.client.remember(claimsChallenge: demand, for: account)
            let error = await #expect(throws: SusiError.self) { try await stage.signIn() }
            #expect(error?.code == .invalidResponse && stage.asked("claims", at: "authorize") == demand)
            _ = try await stage.signIn()
            #expect(stage.asked("claims", at: "authorize") == nil)
        }
    }

    @Test(
        "a refused sign-in removes the challenge; a cancelled or temporarily failed one keeps it",
        arguments: [
            ("invalid_request", "AADSTS900144: x", false, false),
            ("unmet_authentication_requirements", "", false, false),
            ("access_denied", "", false, false), ("interaction_required", "AADSTS53003: x", true, false),
            ("temporarily_unavailable", "", false, true), ("access_denied", "AADSTS65004: x", false, true),
            ("server_error", "", false, false), ("server_error", "AADSTS90033: x", false, true),
            ("temporarily_unavailable", "", true, true),
        ])
    func removesChallengeAfterFinalRefusal(error: String, description: String, atTokenEndpoint: Bool, isKept: Bool)
        async throws
    {
        try await Stage.with(.entra) { stage, _ in
            let account = try await demanding(stage)
            stage.change {
                if atTokenEndpoint { $0.refuseToken(error, description) } else { $0.refuse(error, description) }
            }
            await #expect(throws: SusiError.self) { try await stage.signIn() }
            #expect(stage.asked("claims", at: "authorize") == Self.demand)
            #expect(try stage.store.pendingClaims(of: account)?.text == (isKept ? Self.demand : nil))
        }
    }

    @Test("a challenge that another process stores during a sign-in is kept", arguments: [true, false])
    func keepsChallengeStoredDuringSignIn(succeeds: Bool) async throws {
        try await Stage.with(.entra) { stage, _ in
            let account = try await demanding(stage)
            let (folder, newer) = (stage.folder, try ClaimsRequest(parsing: #"{"id_token":{"acr":null}}"#.utf8))
            stage.change {
                $0.rewrite = { right in
                    try? AccountStore(opening: folder).remember(newer, for: account)
                    return succeeds ? .text(right) : .text(#"{"error":"invalid_request"}"#, status: 400)
                }
            }
            #expect((try? await stage.signIn()) != nil || !succeeds)
            #expect(stage.asked("claims", at: "authorize") == Self.demand)
            #expect(try stage.store.pendingClaims(of: account) == newer)
        }
    }

    @Test("the body of a response that refuses the token is not read to its end", arguments: [true, false])
    func ignoresBodyOfRefusal(demandsClaims: Bool) async throws {
        try await Stage.with(.entra) { stage, _ in
            _ = try await stage.signIn()
            let challenge =
                demandsClaims
                ? "error=\"insufficient_claims\", claims=\"\(Base64URL.encode(Self.demand.utf8))\""
                : "error=\"invalid_token\""
            let head = "HTTP/1.1 401 X\r\nWWW-Authenticate: Bearer \(challenge)\r\nTransfer-Encoding: chunked\r\n\r\n"
            let endless = Reply.endless(
                start: head, piece: Reply.chunk(Array(repeating: 0x20, count: 65_536)), pause: 0)
            stage.change { $0.apiReplies = [endless, .text("fine")] }
            if demandsClaims {
                await expectRefusal(.signInNeeded) {
                    try await stage.client.call(CallRequest(api: "hello")) { _, _ in }
                }
            } else {
                let head = try await stage.client.call(CallRequest(api: "hello")) { head, _ in
                    #expect(head.status == 200, "the refusal was passed on")
                }
                #expect(head.status == 200 && stage.tokenRequests == 2)
            }
        }
    }
}
