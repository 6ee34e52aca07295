import Susi
import SusiBase
import SusiTools

/// The result of `inspect`. Does not contain the token.
struct InspectionReport: CommandResult {
    private let inspection: TokenInspection
    private let application: String
    private let now: Int64

    init(_ inspection: TokenInspection, _ context: Context) {
        self.inspection = inspection
        application = context.application.name
        now = context.now
    }

    private var header: JSONNode? {
        switch inspection.token {
        case .signed(let header, _), .encrypted(let header): header
        case .opaque: nil
        }
    }

    private var claims: JSONNode? { if case .signed(_, let claims) = inspection.token { claims } else { nil } }

    private var findings: [String] { inspection.findings.map(text) }

    var json: JSONObject {
        let (signature, signedBy, reason): (String, String?, String?) =
            switch inspection.signature {
            case .valid(let authority): ("valid", authority, nil)
            case .wrong(let reason): ("wrong", nil, reason)
            case .unchecked(let why): ("notChecked", nil, text(why))
            }
        return [
            "schemaVersion": 1, "form": inspection.token.form, "isValid": inspection.isValid, "signature": signature,
            "signedBy": signedBy, "signatureReason": reason, "policy": inspection.policy?.spelling,
            "findings": findings, "header": header.map { JSON($0) }, "claims": claims.map { JSON($0) },
        ]
    }

    func lines(_ style: Style) -> [String] {
        var lines = Table.lines([[headline(style)]] + findings.map { ["  \(style.warning(Terminal.safe($0)))"] }, style)
        for (title, part) in [("header", header), ("claims", claims)] {
            guard let part else { continue }
            lines += ["", style.strong(title)] + ClaimLines.lines(part, now: now, style: style)
        }
        return lines
    }

    // Says “valid” only if the signature was checked.
    private func headline(_ style: Style) -> String {
        switch (inspection.token, inspection.signature) {
        case (.opaque, _): return "not a JWT; only its issuer can read it"
        case (.encrypted, _): return "encrypted JWT; only its audience can read it"
        case (.signed, .valid(let authority)):
            let by = "signed by \(Terminal.safe(authority))"
            guard inspection.isValid else { return "\(style.warning("not valid now")), \(by)" }
            let end = claims?["exp"]?.lenientInteger
            return "\(style.good("valid")) \(end.map { Timestamp.span(from: now, to: $0) } ?? ""), \(by)"
        case (.signed, .wrong(let reason)): return "\(style.bad("not valid")): \(Terminal.safe(reason))"
        case (.signed, .unchecked(let why)):
            return "\(style.warning("signature not checked")): \(Terminal.safe(text(why)))"
        }
    }

    private func text(_ finding: TokenInspection.Finding) -> String {
        switch finding {
        case .ended(let time): "expired \(Timestamp.span(from: time, to: now)) ago"
        case .notYet(let time): "not valid before \(Timestamp(time).rfc3339); compare the clocks"
        case .endless: "no expiry time (exp)"
        case .forAudience(let names):
            names.isEmpty
                ? "no audience (aud)"
                : "the audience is \(names.joined(separator: ", ")), not this application"
        case .ofType(let type):
            ["at+jwt", "application/at+jwt"].contains(type.lowercased())
                ? "an access token (RFC 9068), not an id token" : "not an id token: its type is “\(type)”"
        case .namesNoPerson: "identifies no person: no oid and no usable sub"
        case .error(let code):
            "contains the error \(code.name): \(code.meaning); next: \(GivenOptions().text(code.next))"
        }
    }

    private func text(_ why: TokenInspection.Unchecked) -> String {
        switch why {
        case .offline: "--offline"
        case .notReadable: "the token has no readable signature"
        case .unknownIssuer(let issuer): "no authority of the application “\(application)” issues tokens as “\(issuer)”"
        case .onlyTheAPI: "only its audience can check it"
        case .failed(let error): error.description
        }
    }
}
