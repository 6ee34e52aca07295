import Susi
import Testing

/// A server's response that is invalid, or unusual but valid.
struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    /// The clause or error code that decides: OpenID Connect, an RFC, AADB2C, AADSTS.
    let source: String
    let expected: Outcome
    let provider: Provider
    /// What the server asks for in a sign-in by native authentication; `nil` for a sign-in on a page.
    let flow: NativeScript.Flow?
    let change: @Sendable (inout Script) throws -> Void

    enum Outcome: Sendable {
        case accepted
        /// Refused with this code, and with this text in the error; nothing is stored.
        case refused(SusiError.Code, String)
    }

    init(
        _ name: String, _ source: String, _ expected: Outcome, at provider: Provider = .b2c,
        in flow: NativeScript.Flow? = nil, _ change: @escaping @Sendable (inout Script) throws -> Void
    ) {
        (self.name, self.source, self.expected) = (name, source, expected)
        self.provider = flow == nil ? provider : .external
        self.flow = flow
        self.change = change
    }

    /// A case of native authentication with other responses of one endpoint.
    init(
        _ name: String, _ expected: Outcome, in flow: NativeScript.Flow, _ endpoint: NativeScript.Endpoint,
        _ replies: Reply?...
    ) {
        self.init(name, "Native authentication API", expected, in: flow) { $0.native[endpoint] = replies }
    }

    var testDescription: String { "\(name) (\(source))" }

    /// Whether only the client's timeout ends the request.
    var hasNoEnd: Bool {
        if case .refused(.timeout, _) = expected { true } else { false }
    }

    /// Checks the result of a sign-in, and what it stored and sent.
    func check(_ result: Result<SignInResult, SusiError>, in stage: Stage, beside elsewhere: HostileServer) async throws
    {
        let stored = try await stage.client.accounts()
        switch (expected, result) {
        case (.accepted, .success(let signedIn)): #expect(stored == [signedIn.account])
        case (.refused(let code, let text), .failure(let error)):
            check(error, code, text)
            #expect(stored.isEmpty, "an account was stored")
        case (_, .success): Issue.record("accepted")
        case (_, .failure(let error)): Issue.record("refused: \(error)")
        }
        #expect(elsewhere.connections == 0, "another server was contacted")
    }

    /// Checks the error's code and text, and that it holds no secret.
    func check(_ error: SusiError, _ code: SusiError.Code, _ text: String) {
        #expect(error.code == code, "\(error)")
        let said = "\(error) \(error.next)"
        #expect(text.isEmpty || said.contains(text), "\(said)")
        for secret in ["code-1", "at-1", "rt-1", "at-2", "rt-2"] + NativeScript.secrets {
            #expect(!said.contains(secret), "a secret is in an error: \(said)")
        }
    }
}

/// A case of a refresh, with the refresh token that is stored afterwards.
struct RefreshCase: Sendable, CustomTestStringConvertible {
    let row: Case
    /// The refresh token that is stored afterwards; nil if it was removed.
    let kept: String?

    /// Makes a case; `kept` is the first refresh token unless a case names another value.
    init(
        _ name: String, _ source: String, _ expected: Case.Outcome, at provider: Provider = .b2c,
        kept: String? = "rt-1", _ change: @escaping @Sendable (inout Script) throws -> Void
    ) {
        row = Case(name, source, expected, at: provider, change)
        self.kept = kept
    }

    var testDescription: String { row.testDescription }
}

extension Result where Failure == SusiError {
    /// Catches what `body` returns or throws.
    init(of body: () async throws(SusiError) -> Success) async {
        do throws(SusiError) { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
