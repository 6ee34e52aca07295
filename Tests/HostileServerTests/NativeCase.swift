import Testing

/// A sign-in by native authentication at a server with one invalid response, or an unusual but valid one.
struct NativeCase: Sendable, CustomTestStringConvertible {
    /// A short description.
    let name: String
    /// The document that decides.
    let source: String
    let flow: NativeScript.Flow
    let expected: Outcome
    let change: @Sendable (inout Script) throws -> Void

    enum Outcome: Sendable {
        /// Accepted; the account is stored.
        case accepted
        /// Exits with 4, because no scope was granted; the account is stored.
        case nothingGranted
        /// Exits with this code and this text in the error; nothing is stored.
        case refused(Int32, String)
    }

    init(
        _ name: String, _ source: String, _ expected: Outcome, _ flow: NativeScript.Flow = .password,
        _ change: @escaping @Sendable (inout Script) throws -> Void
    ) {
        self.name = name
        self.source = source
        self.flow = flow
        self.expected = expected
        self.change = change
    }

    /// A case with other responses of one endpoint.
    init(
        _ name: String, _ source: String, _ expected: Outcome, _ flow: NativeScript.Flow,
        _ endpoint: NativeScript.Endpoint, _ replies: Reply?...
    ) {
        self.init(name, source, expected, flow) { $0.native[endpoint] = replies }
    }

    var testDescription: String { "\(name) (\(source))" }
}
