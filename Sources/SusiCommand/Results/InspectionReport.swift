import Susi

/// What `inspect` says of a token; the token itself is not in it.
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

    // “Valid” is said only of what was checked.
    private func headline(_ style: Style) -> String {
        let reason = Terminal.safe(signatureReason ?? "")
        switch (form, signature) {
        case ("opaque", _): return "opaque: only the server that gave it can read it"
        case ("encrypted", _): return "encrypted: only the one it is for can read it"
        case (_, "valid"):
            let by = "signed by \(Terminal.safe(signedBy ?? ""))"
            guard isValid else { return "\(style.warning("not valid now")), \(by)" }
            return "\(style.good("valid")) \(ends.map { Moment.span(from: now, to: $0) } ?? ""), \(by)"
        case (_, "wrong"): return "\(style.bad("not valid")): \(reason)"
        default: return "\(style.warning("signature not checked")): \(reason)"
        }
    }

    private static func text(_ finding: TokenInspection.Finding, _ context: Context) -> String {
        switch finding {
        case .ended(let time): "it ended \(Moment.span(from: time, to: context.now)) ago"
        case .notYet(let time): "it is valid only from \(Moment(time).rfc3339) on; compare the clocks"
        case .endless: "it has no end (exp)"
        case .forAudience(let names):
            names.isEmpty
                ? "it is for nobody: it has no aud"
                : "it is for \(names.joined(separator: ", ")), not for this application"
        case .ofType(let type):
            ["at+jwt", "application/at+jwt"].contains(type.lowercased())
                ? "it is an access token (RFC 9068)" : "it is no id token: its type is “\(type)”"
        case .namesNobody: "it names nobody: it has no oid and no real sub"
        case .error(let code): "it holds \(code.name): \(code.meaning); next: \(code.next)"
        }
    }

    private static func text(_ why: TokenInspection.Unchecked, _ context: Context) -> String {
        switch why {
        case .offline: "nobody was asked"
        case .notReadable: "there is none to check"
        case .unknownIssuer(let issuer):
            "no authority of the application “\(context.application.name)” issues tokens as “\(issuer)”"
        case .onlyTheAPI: "only the API that it is for can check it"
        case .failed(let error): error.description
        }
    }
}
