import Susi

/// The result of `inspect`. Does not contain the token.
struct InspectionReport: CommandResult {
    let schemaVersion = 1
    let form: String
    let isValid: Bool
    let signature: String
    let signedBy: String?
    let signatureReason: String?
    let policy: String?
    let findings: [String]
    let header: ForeignJSON?
    let claims: ForeignJSON?
    private let ends: Int64?
    private let now: Int64

    private enum CodingKeys: CodingKey {
        case schemaVersion, form, isValid, signature, signedBy, signatureReason, policy, findings, header, claims
    }

    init(_ inspection: TokenInspection, _ context: Context) {
        now = context.now
        isValid = inspection.isValid
        policy = inspection.policy?.spelling
        findings = inspection.findings.map { Self.text($0, context) }
        switch inspection.token {
        case .signed(let header, let claims):
            (form, self.header, self.claims) = ("jwt", ForeignJSON(header), ForeignJSON(claims))
            ends = claims["exp"]?.lenientInteger
        case .encrypted(let header): (form, self.header, claims, ends) = ("encrypted", ForeignJSON(header), nil, nil)
        case .opaque: (form, header, claims, ends) = ("opaque", nil, nil, nil)
        }
        switch inspection.signature {
        case .valid(let authority): (signature, signedBy, signatureReason) = ("valid", authority, nil)
        case .wrong(let reason): (signature, signedBy, signatureReason) = ("wrong", nil, reason)
        case .unchecked(let why): (signature, signedBy, signatureReason) = ("notChecked", nil, Self.text(why, context))
        }
    }

    func lines(_ style: Style) -> [String] {
        var lines = Table.lines([[headline(style)]] + findings.map { ["  \(style.warning(Terminal.safe($0)))"] }, style)
        for (title, part) in [("header", header), ("claims", claims)] {
            guard let part else { continue }
            lines += ["", style.strong(title)] + ClaimLines.lines(part.node, now: now, style: style)
        }
        return lines
    }

    // Says “valid” only if the signature was checked.
    private func headline(_ style: Style) -> String {
        let reason = Terminal.safe(signatureReason ?? "")
        switch (form, signature) {
        case ("opaque", _): return "not a JWT; only its issuer can read it"
        case ("encrypted", _): return "encrypted JWT; only its audience can read it"
        case (_, "valid"):
            let by = "signed by \(Terminal.safe(signedBy ?? ""))"
            guard isValid else { return "\(style.warning("not valid now")), \(by)" }
            return "\(style.good("valid")) \(ends.map { Timestamp.span(from: now, to: $0) } ?? ""), \(by)"
        case (_, "wrong"): return "\(style.bad("not valid")): \(reason)"
        default: return "\(style.warning("signature not checked")): \(reason)"
        }
    }

    private static func text(_ finding: TokenInspection.Finding, _ context: Context) -> String {
        switch finding {
        case .ended(let time): "expired \(Timestamp.span(from: time, to: context.now)) ago"
        case .notYet(let time): "not valid before \(Timestamp(time).rfc3339); compare the clocks"
        case .endless: "no expiry time (exp)"
        case .forAudience(let names):
            names.isEmpty
                ? "no audience (aud)"
                : "the audience is \(names.joined(separator: ", ")), not this application"
        case .ofType(let type):
            ["at+jwt", "application/at+jwt"].contains(type.lowercased())
                ? "an access token (RFC 9068), not an id token" : "not an id token: its type is “\(type)”"
        case .namesNobody: "identifies no person: no oid and no usable sub"
        case .error(let code):
            "contains the error \(code.name): \(code.meaning); next: \(GivenOptions.none.text(code.next))"
        }
    }

    private static func text(_ why: TokenInspection.Unchecked, _ context: Context) -> String {
        switch why {
        case .offline: "--offline"
        case .notReadable: "the token has no readable signature"
        case .unknownIssuer(let issuer):
            "no authority of the application “\(context.application.name)” issues tokens as “\(issuer)”"
        case .onlyTheAPI: "only its audience can check it"
        case .failed(let error): error.description
        }
    }
}
