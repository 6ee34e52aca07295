import Susi

/// The rules of an API about one token: what its settings demand, as a list without an order.
struct APICheck {
    enum Reading {
        case read(at: WebAddress, issuer: String, keys: KeySet)
        /// There is none at that address: the API cannot read it either.
        case absent(reason: String)
        /// It was not asked for, or this machine could not reach it.
        case unread(reason: String)
    }

    let settings: APISettings
    let header: JSONNode
    let claims: JSONNode
    let signed: SignedToken?
    let metadata: Reading
    /// The application that signs in. A token for it is for no API.
    let application: Application
    let now: Int64
    /// Whether the names of the cloud lead to a copy.
    var isAsCloud = false

    /// The rule that a text breaks which is no signed JWT.
    static let noToken = APIRule(
        .form, .broken, "not a signed JWT", wanted: "header, claims and signature",
        [.init(place: .client, text: "send the access token alone, after “Bearer ” and without quotes")])

    var rules: [APIRule] {
        let version = claims["ver"]?.string.map { ", version \($0)" } ?? ""
        let first = [APIRule(.form, .met, "a signed JWT\(version)"), metadataRule, key, signature, time, issuer]
        return first + [audience].compactMap(\.self) + settings.claims.compactMap(claim) + scopes
    }

    // MARK: The authority

    private var place: String { "\(settings.authority)/.well-known/openid-configuration" }
    private var places: String { settings.places.joined(separator: " or ") }

    private var metadataRule: APIRule {
        switch metadata {
        case .read(let address, _, _): APIRule(.metadata, .met, "\(address)/.well-known/openid-configuration")
        case .unread(let reason): APIRule(.metadata, .open, "not read: \(reason)")
        case .absent(let reason): broken(.metadata, reason, place, api("correct \(places)"))
        }
    }

    private var hasSignature: Bool { header["alg"]?.string?.lowercased() != "none" }

    private var key: APIRule {
        let id = header["kid"]?.string
        let found = id.map { "“\($0)”" } ?? "without kid"
        guard case .read(_, _, let keys) = metadata, hasSignature else { return APIRule(.key, .open, found) }
        if keys.hasKey(id), id != nil || !settings.isExact { return APIRule(.key, .met, found) }
        return broken(
            .key, found, "a key of this authority",
            api("compare \(places) with the client’s authority, which has other keys"))
    }

    private var signature: APIRule {
        let unchanged = client("send the token unchanged, as the authority issued it")
        guard hasSignature else {
            return broken(.signature, "none (alg is “none”)", "a signature", unchanged)
        }
        guard case .read(_, _, let keys) = metadata, key.outcome == .met else {
            return APIRule(.signature, .open, "not checked without the key")
        }
        if let signed, keys.hasSigned(signed) { return APIRule(.signature, .met, "valid, \(signed.algorithm)") }
        let ofGraph = "request a scope of this API in the client: only Microsoft Graph can check its tokens"
        return broken(
            .signature, "not valid", "one made with the key",
            header["nonce"] == nil ? unchanged : client(ofGraph))
    }

    private var time: APIRule {
        // A time before 1970 is long ago, and differences stay in range.
        let seconds = { (name: String) in (claims[name]?.lenientInteger).map { max($0, 0) } }
        let leeway: Int64 = settings.isExact ? 0 : 300
        guard let end = seconds("exp") else {
            return broken(.time, "no expiry time (exp)", "one", client("get the token from the authority"))
        }
        if let start = seconds("nbf"), start > now + leeway {
            return broken(
                .time, "not valid before \(Span.text(start - now)) from now", "a time until now",
                api("compare its clock with the authority’s"))
        }
        if end > now { return APIRule(.time, .met, "valid \(Span.text(end - now))") }
        let expired = "expired \(Span.text(now - end)) ago"
        guard end <= now - leeway else { return APIRule(.time, .met, "\(expired), within five minutes of leeway") }
        return broken(.time, expired, "a later time", client("get a new token"))
    }

    private var issuer: APIRule {
        let (found, named) = (claims["iss"]?.string ?? "", settings.issuers.map(\.value))
        let isOfPolicy = (try? WebAddress(found))?.segments.first == "tfp"
        if !settings.isExact, isOfPolicy {
            return broken(
                .issuer, "“\(found)”", "one without the policy, for Microsoft.Identity.Web",
                tenant(
                    "user flow, Properties, Token compatibility settings, Issuer (iss) claim: the form with the tenant ID",
                    file: "remove issuerForm “policy”"))
        }
        var accepted = named
        if named.isEmpty || !settings.isExact {
            guard case .read(_, let issuer, _) = metadata else {
                return APIRule(.issuer, named.contains(found) ? .met : .open, "“\(found)”")
            }
            // In the metadata of several tenants, the token's own tenant is inserted.
            accepted.append(issuer.replacing("{tenantid}", with: claims["tid"]?.string ?? ""))
        }
        if accepted.contains(found) { return APIRule(.issuer, .met, "“\(found)”") }
        let write = settings.issuers.first.map { "write “\(found)” as \($0.name), with every slash" }
        return broken(
            .issuer, "“\(found)”", Self.list(accepted),
            api(write ?? "compare \(places) with the client’s authority: the token is of another tenant"), secondVersion
        )
    }

    // MARK: The API

    private var audience: APIRule? {
        let isFirst = claims["ver"]?.string != "2.0"
        let accepted = (isFirst ? settings.firstVersionAudiences : nil) ?? settings.audiences
        guard let setting = accepted.first else { return nil }
        let found = claims["aud"]?.strings ?? []
        let plain = { (text: String) in settings.isExact || !text.hasSuffix("/") ? text : String(text.dropLast()) }
        if accepted.contains(where: { found.map(plain).contains(plain($0.value)) }) {
            return APIRule(.audience, .met, Self.list(found))
        }
        let wanted = Self.list(accepted.map(\.value))
        if found.contains(application.clientID) {
            return broken(
                .audience, Self.list(found), wanted,
                client(
                    "send the access token of this API (susi token --scope SCOPE): this one is for the client itself, as each id token is"
                ))
        }
        let name = found.first ?? ""
        // The client ID implies the audience, and stays.
        let beside = settings.firstVersionAudiences == nil ? setting.name : "Audience, beside \(setting.name)"
        // A copy makes up the name in its tokens unless the tenant file says it; the cloud has that of the settings.
        let own = setting.value.replacing("api://", with: "")
        let isMadeUp = isCopy && own.isGUID && !found.contains(own)
        return broken(
            .audience, Self.list(found), wanted,
            isMadeUp
                ? tenant("", file: "if the token is for this API, write “\(own)” as its clientId")
                : api("write “\(name)” as \(beside), if that is the API"),
            client("request a scope of “\(setting.value)”"), secondVersion)
    }

    private func claim(_ demand: APISettings.Claim) -> APIRule? {
        let name = demand.name
        let missing = tenant("add “\(name)” to the claims of the tokens", file: "add “\(name)” to the policy’s claims")
        guard let value = claims[name] else {
            if demand.isOptional { return nil }
            let other = ClaimComparison.alternative(to: name, in: claims)
            let change = other.map { "read “\($0)” in place of “\(name)”" } ?? "do not require “\(name)”"
            return broken(.claims, other ?? "none", name, api(change), missing)
        }
        if let type = demand.type, value.kind != type {
            return broken(
                .claims, "\(name), \(value.kind)", "\(name), \(type)",
                api("read “\(name)” as \(value.kind)"))
        }
        guard let values = demand.values, !values.contains(where: { value.strings == [$0] }) else { return nil }
        let change =
            ["oid", "sub"].contains(name)
            ? "replace stored values of “\(name)”: they differ between tenants, and may between applications"
            : "accept this value of “\(name)”"
        let found = value.strings.map(Self.list) ?? value.kind
        return broken(.claims, "\(name) \(found)", Self.list(values), api(change))
    }

    private var scopes: [APIRule] {
        let values = { (name: String) -> [String] in
            (claims[name]?.string?.split(separator: " ").map(String.init) ?? claims[name]?.strings ?? [])
        }
        let (found, roles) = (values(settings.scopeClaim), values("roles"))
        let shown = Self.list(found) + (roles.isEmpty ? "" : ", roles \(Self.list(roles))")
        if !settings.isExact, found.isEmpty, roles.isEmpty, !settings.acceptsNoScope {
            let isID = claims["nonce"] != nil || claims["at_hash"] != nil
            let change = isID ? "send the access token, not the id token" : "request a scope of the API"
            return [broken(.scope, shown, "a scope or a role", client(change), consent)]
        }
        if settings.permissions.isEmpty { return [APIRule(.scope, .met, "\(shown); none is required here")] }
        let met = settings.permissions.map { permission in
            let missing = permission.scopes.filter { !found.contains($0) }
            return settings.isExact
                ? missing.isEmpty
                : missing.count < permission.scopes.count || permission.roles.contains(where: roles.contains)
        }
        return zip(settings.permissions, met).map { permission, isMet in
            if isMet { return APIRule(.scope, .met, shown) }
            let wanted = Self.list(permission.scopes + permission.roles)
            let accepting = found.isEmpty ? "require no scope" : "accept \(Self.list(found))"
            let names = permission.scopes.map(wholeScope)
            let isPart = application.kind.traits.scopesNameAPIs && !names.allSatisfy { $0.contains("/") }
            let rest = isPart ? ", with the API’s address before it" : ""
            let request = [client("request \(Self.list(names + permission.roles))\(rest)"), consent]
            // With the scope of another action, the API accepts the token for that.
            return APIRule(
                .scope, met.contains(true) ? .open : .broken, shown,
                wanted: met.count > 1 ? "\(wanted) (\(permission.name))" : wanted,
                spelling(of: permission, found).map { [api($0)] + request }
                    ?? request + [api("\(accepting) in \(permission.name)")])
        }
    }

    // An API knows its scopes by their last part; its services are asked for the whole.
    private func wholeScope(_ name: String) -> String {
        let known = application.apis.flatMap(\.scopes).filter { $0.hasSuffix("/\(name)") }
        return known.count == 1 ? known[0] : name
    }

    private func spelling(of permission: APISettings.Permission, _ found: [String]) -> String? {
        if found.isEmpty, let other = ClaimComparison.alternative(to: settings.scopeClaim, in: claims) {
            return "read “\(other)” in place of “\(settings.scopeClaim)”"
        }
        let wanted = permission.scopes.map { $0.split(separator: "/").last.map { $0.lowercased() } ?? $0 }
        let spelled = found.first { wanted.contains($0.lowercased()) }
        return spelled.map { "write “\($0)” as \(permission.name), as tokens spell this scope" }
    }

    // MARK: Changes

    // Whether the API's authority is that of a copy: on this machine, or under one of the cloud's names that lead to it.
    private var isCopy: Bool {
        settings.authority.isLoopback || isAsCloud && application.cloudHosts.contains(settings.authority.authority)
    }

    private func broken(
        _ name: APIRule.Name, _ found: String, _ wanted: String, _ changes: APIRule.Change?...
    ) -> APIRule { APIRule(name, .broken, found, wanted: wanted, changes) }

    private func api(_ text: String) -> APIRule.Change { .init(place: .api, text: text) }
    private func client(_ text: String) -> APIRule.Change { .init(place: .client, text: text) }
    private func tenant(_ portal: String, file: String) -> APIRule.Change {
        .init(place: .tenant, text: isCopy ? "\(file) in the tenant file" : portal)
    }

    private var consent: APIRule.Change {
        tenant("API permissions: add the scope, then grant consent", file: "add the scope to “scopes” of the API")
    }

    // Entra ID and External ID issue version 1 tokens to an API until its registration asks for version 2.
    private var secondVersion: APIRule.Change? {
        let isSecond = (claims["iss"]?.string ?? "").contains("/v2.0")
        guard claims["ver"]?.string == "1.0", !isSecond else { return nil }
        return .init(place: .tenant, text: "manifest of the API’s registration: requestedAccessTokenVersion 2")
    }

    static func list(_ texts: [String]) -> String {
        texts.isEmpty ? "none" : texts.map { "“\($0)”" }.joined(separator: ", ")
    }
}
