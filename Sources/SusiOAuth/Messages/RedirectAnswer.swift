/// What came to the redirect address (RFC 6749 4.1.2), after its `state` was compared.
public enum RedirectAnswer: Hashable, Sendable {
    /// A code to exchange.
    case code(String)
    /// The server refused, or the person did.
    case refused(ServerRefusal)

    /// Reads the query. A wrong or missing `state` throws: the answer is then somebody else's, and waiting goes on.
    ///
    /// A parameter that stands twice makes the answer invalid (RFC 6749 section 3.1).
    public init(query: String, expecting state: String) throws(ProtocolViolation) {
        guard let fields = FormEncoding.decode(query) else {
            throw ProtocolViolation(.redirect, "its query is not form-encoded text", source: "RFC 6749 appendix B")
        }
        let values = Dictionary(grouping: fields, by: \.name)
        guard values["state"]?.map(\.value) == [state] else {
            throw ProtocolViolation(.redirect, "its state is not the one that was sent", source: "RFC 6749 10.12")
        }
        if let twice = values.first(where: { $0.value.count > 1 })?.key {
            throw ProtocolViolation(.redirect, "the parameter “\(twice)” stands twice", source: "RFC 6749 3.1")
        }
        let value = { (name: String) in values[name]?.first?.value }
        if let error = value("error") {
            self = .refused(ServerRefusal(error: error, description: value("error_description") ?? ""))
        } else if let code = value("code"), !code.isEmpty {
            self = .code(code)
        } else {
            throw ProtocolViolation(.redirect, "it has neither a code nor an error", source: "RFC 6749 4.1.2")
        }
    }
}
