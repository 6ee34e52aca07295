import SusiBase
import SusiPolicies

/// The response at the redirect address (RFC 6749 4.1.2), in a query or in the body of a form.
package enum AuthorizationResponse: Hashable, Sendable {
    case code(String)
    /// The server or the person refused.
    case refused(ServerRefusal)

    private static let longestText = 65_536
    private static let longestCode = 16_384

    /// Parses form-encoded text; returns `nil` if it is malformed or its `state` belongs to another request, so that
    /// the caller keeps waiting.
    ///
    /// Throws if a response to this request breaks a rule: a duplicate parameter (RFC 6749 3.1), or an `iss` that is
    /// wrong or missing although announced (RFC 9207 2.4). Unknown parameters are ignored, `error_uri` among them.
    package init?(
        form text: String, to request: AuthorizationRequest, from metadata: ProviderMetadata
    ) throws(ProtocolViolation) {
        guard text.utf8.count <= Self.longestText, let fields = FormEncoding.decode(text) else { return nil }
        let values = Dictionary(grouping: fields, by: \.name)
        guard values["state"]?.map(\.value) == [request.state] else { return nil }
        if let twice = values.filter({ $0.value.count > 1 }).keys.min() {
            throw Self.violation("duplicate parameter “\(twice)”", "RFC 6749 3.1")
        }
        let value = { (name: String) in values[name]?.first?.value }
        try Self.check(issuer: value("iss"), request.authority, metadata)
        if let error = value("error") {
            self = .refused(
                ServerRefusal(
                    error: error, description: value("error_description") ?? "",
                    hiding: SentSecrets(request.options.idTokenHint)))
        } else if let code = value("code"), !code.isEmpty {
            self = .code(try Self.checked(code))
        } else {
            throw Self.violation("neither a code nor an error", "RFC 6749 4.1.2")
        }
    }

    // Compared whenever it is present, announced or not.
    private static func check(
        issuer: String?, _ authority: Authority, _ metadata: ProviderMetadata
    ) throws(ProtocolViolation) {
        guard let issuer else {
            guard !metadata.announcesIssuerParameter else {
                throw violation("no iss, although the server's metadata announces it", "RFC 9207 2.4")
            }
            return
        }
        // If the issuer is a template, any tenant of the authority may respond.
        let segments = issuer.split(separator: "/").map(String.init)
        let isOne =
            metadata.tenantID == nil
            && segments.contains { tenantID in
                authority.issuer(template: metadata.issuer, tenantID: tenantID) == issuer
            }
        guard isOne || issuer == metadata.issuer else {
            throw violation("iss is “\(issuer)”, not “\(metadata.issuer)”", "RFC 9207 2.4")
        }
    }

    private static func checked(_ code: String) throws(ProtocolViolation) -> String {
        guard code.utf8.count <= longestCode else {
            throw violation("the code is longer than \(longestCode) bytes", "RFC 6749 4.1.2")
        }
        guard code.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
            throw violation("the code contains characters that are not allowed", "RFC 6749 A.11")
        }
        return code
    }

    private static func violation(_ reason: String, _ source: String) -> ProtocolViolation {
        ProtocolViolation(.redirect, reason, source: source)
    }
}
