import SusiOAuth
import SusiPolicies

/// The rules that an API applies to a token. The order and the codes are those of Microsoft.Identity.Web 4.14 (its source:
/// `MicrosoftIdentityWebApiAuthenticationBuilderExtensions`, `RegisterValidAudience`, `AadIssuerValidator`) with ASP.NET Core 8
/// and IdentityModel 8, and of fastapi-azure-auth 5.3.
struct APICheck {
    struct Metadata {
        let issuer: String
        let keys: KeySet
    }

    enum Reading {
        case read(Metadata)
        /// There is none at that address: the API cannot read it either.
        case absent(reason: String)
        /// It was not asked for, or this machine could not reach it.
        case unread(reason: String)

        var found: Metadata? { if case .read(let found) = self { found } else { nil } }
    }

    let settings: APISettings
    let header: JSONNode
    let claims: JSONNode
    let signed: SignedToken?
    let metadata: Reading
    /// The same of its version 1 tokens, for such a token; `nil` for others.
    let firstVersion: Reading?
    /// The application that signs in; a token for it is for no API.
    let applicationID: String
    let now: Int64

    var isIdentityWeb: Bool { settings.library == .identityWeb }

    private var loaded: Metadata? { metadata.found }

    /// Whether all that the rules need was read, or is absent for the API too.
    private var isComplete: Bool {
        [metadata, firstVersion].allSatisfy { if case .unread? = $0 { false } else { true } }
    }

    /// The verdict on a text that is no signed JWT.
    static func noToken(_ settings: APISettings, reason: String) -> APIVerdict {
        let code = settings.library == .identityWeb ? "IDX14100" : "Invalid token format"
        let refusal = APIRefusal(status: 401, code: code)
        let rule = APIRule(
            name: .form, detail: reason,
            outcome: .broken(refusal, change: "send the access token alone, after “Bearer ” and without quotes"))
        return APIVerdict(rules: [rule], refusal: refusal, isComplete: true, failure: nil)
    }

    func verdict(failure: SusiError? = nil) -> APIVerdict {
        let rules = [form, metadataRule, key, signature, time, issuer, audience, required, scope, policy].compactMap(
            \.self)
        let first = order.lazy.compactMap { name in rules.first { $0.name == name }?.refusal }.first
        return APIVerdict(rules: rules, refusal: first, isComplete: isComplete, failure: failure)
    }

    /// The library's own order. Without a key, Microsoft.Identity.Web looks at the claims first.
    private var order: [APIRule.Name] {
        guard isIdentityWeb else {
            let start: [APIRule.Name] = [.form, .scope, .metadata, .key, .signature]
            return start + (missing.isEmpty ? [] : [.claims]) + [.time, .issuer, .audience, .claims]
        }
        return signature?.refusal != nil
            ? [.form, .signature]
            : key?.refusal != nil || metadataRule.refusal != nil
                ? [.form, .time, .issuer, .metadata, .audience, .key] : [.form, .time, .audience, .issuer, .scope]
    }

    // MARK: Rules

    private var form: APIRule {
        let version = claims["ver"]?.string.map { ", version \($0)" } ?? ""
        return APIRule(name: .form, detail: "a signed JWT\(version)", outcome: .met)
    }

    private var metadataRule: APIRule {
        let place = "\(settings.authority)/.well-known/openid-configuration"
        switch metadata {
        case .read: return APIRule(name: .metadata, detail: place, outcome: .met)
        case .unread(let reason): return APIRule(name: .metadata, detail: "not read: \(reason)", outcome: .open)
        case .absent(let reason):
            return broken(
                .metadata, "none at \(place): \(reason)", isIdentityWeb ? "IDX40001" : "Unable to validate token",
                status: isIdentityWeb ? 401 : 400, change: metadataChange)
        }
    }

    private var key: APIRule? {
        guard let loaded, header["alg"]?.string?.lowercased() != "none" || !isIdentityWeb else { return nil }
        let keyID = header["kid"]?.string
        if loaded.keys.hasKey(keyID), keyID != nil || isIdentityWeb {
            return APIRule(name: .key, detail: "\(keyID ?? "without kid") is one of the authority’s", outcome: .met)
        }
        return broken(
            .key, "\(keyID.map { "“\($0)”" } ?? "without kid,") is not one of the keys of this authority",
            isIdentityWeb ? "IDX10503" : "Unable to verify token, no signing keys found", change: keyChange)
    }

    private var signature: APIRule? {
        let isNone = header["alg"]?.string?.lowercased() == "none"
        guard let loaded, key?.refusal == nil else {
            return isNone && isIdentityWeb ? unsigned : nil
        }
        if isNone { return unsigned }
        if let signed, loaded.keys.hasSigned(signed) {
            return APIRule(name: .signature, detail: "valid, \(signed.algorithm)", outcome: .met)
        }
        return broken(
            .signature, "not valid", isIdentityWeb ? "IDX10511" : "Unable to validate token", change: signatureChange)
    }

    private var unsigned: APIRule {
        broken(
            .signature, "none (alg is “none”)", isIdentityWeb ? "IDX10504" : "Unable to validate token",
            change: signatureChange)
    }

    private var time: APIRule {
        // A time before 1970 is long ago, and differences stay in range.
        let seconds = { (node: JSONNode?) in (node?.lenientInteger).map { max($0, 0) } }
        let (end, leeway) = (seconds(claims["exp"]), settings.leeway)
        let starts = [claims["nbf"], isIdentityWeb ? nil : claims["iat"]].compactMap(seconds)
        guard let end else {
            // Without it, fastapi-azure-auth misses a claim.
            guard isIdentityWeb else { return APIRule(name: .time, detail: "no expiry time (exp)", outcome: .open) }
            return broken(.time, "no expiry time (exp)", "IDX10225", change: "get the token from the authority")
        }
        if let start = starts.max(), start > now + leeway {
            return broken(
                .time, "not valid before \(Span.text(start - now)) from now",
                isIdentityWeb ? "IDX10222" : "Token contains invalid claims", change: "compare the clocks")
        }
        if isIdentityWeb ? end < now - leeway : end <= now - leeway {
            return broken(
                .time, "expired \(Span.text(now - end)) ago",
                isIdentityWeb ? "IDX10223" : "Token signature has expired", change: "get a new token in the client")
        }
        let late = end <= now ? ", expired \(Span.text(now - end)) ago, within five minutes of leeway" : ""
        return APIRule(name: .time, detail: end > now ? "valid \(Span.text(end - now))" : "valid\(late)", outcome: .met)
    }

    private var issuer: APIRule {
        let found = claims["iss"]?.string ?? ""
        if isIdentityWeb, let rule = unsupportedIssuer(found) { return rule }
        let allowed =
            settings.issuers.map(\.value)
            + (isIdentityWeb || settings.issuers.isEmpty ? [ofMetadata].compactMap(\.self) : [])
        guard !allowed.isEmpty || isComplete && loaded != nil else {
            return APIRule(name: .issuer, detail: "“\(found)”, not compared", outcome: .open)
        }
        if allowed.contains(found) { return APIRule(name: .issuer, detail: found, outcome: .met) }
        return broken(
            .issuer, "“\(found)”, accepted: \(Self.list(allowed))",
            isIdentityWeb ? "IDX40001" : "Token contains invalid claims", change: issuerChange(found, allowed))
    }

    // In the metadata of several tenants, the token's own tenant is inserted.
    private var ofMetadata: String? {
        let isFirst = isIdentityWeb && !Self.isSecondVersion(claims["iss"]?.string ?? "")
        let template = isFirst ? firstVersion?.found?.issuer : loaded?.issuer
        return template?.replacing("{tenantid}", with: claims["tid"]?.string ?? "")
    }

    // Without `tid`, the tenant is read from an issuer of the form `/{id}/v2.0/`.
    private func unsupportedIssuer(_ found: String) -> APIRule? {
        guard claims["tid"] == nil, claims["tenantId"] == nil else { return nil }
        let segments = (try? WebAddress(found))?.segments ?? []
        guard segments.count != 2 else { return nil }
        let isOfPolicy = segments.first == "tfp"
        return broken(
            .issuer, "“\(found)” \(isOfPolicy ? "names the policy" : "names no tenant")",
            isOfPolicy ? "IDX40002" : "IDX40003", change: issuerFormChange)
    }

    private var audience: APIRule {
        let found = claims["aud"]?.strings ?? []
        let accepted = settings.accepted(version: claims["ver"]?.string)
        guard !accepted.isEmpty else {
            return APIRule(name: .audience, detail: "\(Self.list(found)), not compared", outcome: .open)
        }
        let values = accepted.map(\.value)
        let isMet = found.contains { audience in
            values.contains { isIdentityWeb ? Self.plain($0) == Self.plain(audience) : $0 == audience }
        }
        if isMet { return APIRule(name: .audience, detail: Self.list(found), outcome: .met) }
        return broken(
            .audience, "\(Self.list(found)), accepted: \(Self.list(values))",
            isIdentityWeb ? "IDX10214" : "Token contains invalid claims", change: audienceChange(found, accepted))
    }

    private var missing: [String] { ["exp", "aud", "iat", "nbf", "sub", "iss"].filter { claims[$0] == nil } }

    // fastapi-azure-auth requires these claims, and reads some others into a model at the end.
    private var required: APIRule? {
        guard !isIdentityWeb else { return nil }
        let change = "let the policy issue these claims so"
        if !missing.isEmpty {
            let names = missing.joined(separator: ", ")
            return broken(.claims, "missing: \(names)", "Token contains invalid claims", change: change)
        }
        let wrong = [
            claims["aud"]?.string == nil ? "aud is not one text" : nil,
            ["1.0", "2.0"].contains(claims["ver"]?.string) ? nil : "ver is not 1.0 or 2.0",
            ["0", "1", nil].contains(claims["acr"]?.string) ? nil : "acr is not 0 or 1",
        ].compactMap(\.self)
        guard !wrong.isEmpty else { return nil }
        return broken(.claims, wrong.joined(separator: ", "), "Unable to process token", change: change)
    }

    private var scope: APIRule? {
        let found = (claims["scp"]?.string?.split(separator: " ").map(String.init) ?? claims["scp"]?.strings) ?? []
        let hasNone = ["scp", "roles"].allSatisfy { (claims[$0]?.string ?? claims[$0]?.strings?.first ?? "").isEmpty }
        if isIdentityWeb, hasNone, !settings.acceptsNoScope {
            return broken(.scope, "neither scopes (scp) nor roles", "IDW10201", change: noScopeChange)
        }
        let wanted = settings.scopes
        guard !wanted.isEmpty else {
            let detail = found.isEmpty ? "none, and none is required" : "\(Self.list(found)); none is required here"
            return APIRule(name: .scope, detail: detail, outcome: .met)
        }
        if !isIdentityWeb, let scopes = claims["scp"], scopes.string == nil {
            return broken(
                .scope, "scp is not one text", "Token contains invalid formatted scopes", status: 403,
                change: "let the policy issue scp as one text")
        }
        let missing = wanted.filter { !found.contains($0.value) }
        if isIdentityWeb ? missing.count < wanted.count : missing.isEmpty {
            return APIRule(name: .scope, detail: Self.list(found), outcome: .met)
        }
        return broken(
            .scope, "\(Self.list(found)), required: \(Self.list(wanted.map(\.value)))",
            isIdentityWeb ? "" : "Required scope missing", status: 403, change: scopeChange(found, missing))
    }

    // Neither library compares it.
    private var policy: APIRule? {
        guard let expected = settings.policy, let found = (claims["tfp"] ?? claims["acr"])?.string else { return nil }
        let isSame = PolicyName(found) == PolicyName(expected.value)
        return APIRule(
            name: .policy, detail: isSame ? found : "\(found), not \(expected.value); the API does not compare it",
            outcome: isSame ? .met : .open)
    }

    // MARK: Helpers

    private func broken(
        _ name: APIRule.Name, _ detail: String, _ code: String, status: Int = 401, change: String
    ) -> APIRule {
        APIRule(name: name, detail: detail, outcome: .broken(APIRefusal(status: status, code: code), change: change))
    }

    static func isSecondVersion(_ issuer: String) -> Bool { issuer.hasSuffix("/v2.0") || issuer.hasSuffix("/v2.0/") }

    static func list(_ texts: [String]) -> String {
        texts.isEmpty ? "none" : texts.map { "“\($0)”" }.joined(separator: ", ")
    }

    // Slashes at the end are ignored.
    private static func plain(_ audience: String) -> Substring {
        audience.hasSuffix("/") ? audience.dropLast() : audience[...]
    }
}
