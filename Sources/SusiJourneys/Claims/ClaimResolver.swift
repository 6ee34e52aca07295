import SusiBase

/// Names in braces that stand for a value of the request, such as `{OIDC:LoginHint}` (claim-resolver-overview, spec §2.5).
enum ClaimResolver {
    /// Which of them a text may have.
    enum Scope {
        /// The older forms without a group, such as `{tenant}`.
        case names
        /// Also name and password of a token request (add-ropc-policy).
        case tokenRequest
        case all
    }

    private static let tokenRequest: Set<String> = ["oidc:username", "oidc:password"]

    // What a resolver may read.
    private struct Source {
        let policy: EffectivePolicy
        let bag: ClaimsBag
        let facts: RequestFacts

        func parameter(_ name: String) -> String { facts.parameters[name] ?? "" }
    }

    private typealias Rule = @Sendable (Source) -> String

    private static let names: [String: Rule] = [
        "tenant": { $0.facts.tenant }, "relyingpartytenantid": { $0.facts.tenant },
        "tenantid": { $0.facts.tenantObjectID }, "policy": { $0.policy.file.policyID },
        // The engine of the service; nothing here is asked at its address.
        "service:te": { $0.facts.hostName },
    ]

    private static let grouped: [String: Rule] = [
        "context:buildnumber": { _ in "1.0.0.0" }, "context:correlationid": { $0.facts.correlationID },
        "context:datetimeinutc": { ClaimTime.invariantText($0.facts.milliseconds) },
        "context:deploymentmode": { $0.policy.file.root["DeploymentMode"] ?? "Production" },
        "context:hostname": { $0.facts.hostName }, "context:ipaddress": { $0.facts.ipAddress },
        "context:kmsi": { $0.facts.keepsSignedIn ? "true" : "false" },
        "culture:languagename": { Locales.language($0.facts.language) },
        "culture:lcid": { Locales.number(of: $0.facts.language) }, "culture:rfc5646": { $0.facts.language },
        "culture:regionname": { Locales.region(of: $0.facts.language) },
        "policy:policyid": { $0.policy.file.policyID }, "policy:relyingpartytenantid": { $0.facts.tenant },
        "policy:tenantobjectid": { $0.facts.tenantObjectID }, "policy:trustframeworktenantid": { $0.facts.tenant },
        "oidc:authenticationcontextreferences": { $0.parameter("acr_values") },
        "oidc:clientid": { $0.parameter("client_id") }, "oidc:domainhint": { $0.parameter("domain_hint") },
        "oidc:loginhint": { $0.parameter("login_hint") }, "oidc:maxage": { $0.parameter("max_age") },
        "oidc:nonce": { $0.parameter("nonce") }, "oidc:password": { $0.parameter("password") },
        "oidc:prompt": { $0.parameter("prompt") }, "oidc:redirecturi": { $0.parameter("redirect_uri") },
        "oidc:resource": { $0.parameter("resource") }, "oidc:scope": { $0.parameter("scope") },
        "oidc:username": { $0.parameter("username") },
    ]

    /// Resolves a text of the policy once: what is inserted is not read again.
    static func resolve(
        _ text: String, in policy: EffectivePolicy, _ bag: ClaimsBag, _ facts: RequestFacts, _ scope: Scope
    ) -> String {
        let source = Source(policy: policy, bag: bag, facts: facts)
        var (result, rest) = ("", text[...])
        while let close = rest.firstIndex(of: "}") {
            let piece = rest[..<close]
            rest = rest[rest.index(after: close)...]
            guard let open = piece.lastIndex(of: "{"),
                let value = value(of: piece[open...].dropFirst().lowercased(), source, scope)
            else {
                result += piece + "}"
                continue
            }
            result += piece[..<open] + value
        }
        return result + rest
    }

    private static func value(of name: String, _ source: Source, _ scope: Scope) -> String? {
        if let rule = names[name] { return rule(source) }
        guard scope == .all || scope == .tokenRequest && tokenRequest.contains(name) else { return nil }
        if let rule = grouped[name] { return rule(source) }
        let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        return switch parts[0] {
        case "claim": source.bag[parts[1]]?.text ?? ""
        case "oauth-kv": source.parameter(parts[1])
        // The answer of a provider has them; here is none.
        case "oauth2", "saml": ""
        default: nil
        }
    }

    private static let groups: Set<Substring> = [
        "culture", "policy", "oidc", "context", "claim", "oauth-kv", "oauth2", "saml",
    ]

    /// Returns the first one in a text that needs the metadata of its profile.
    static func first(in text: String) -> String? {
        for part in text.split(separator: "{").dropFirst(text.hasPrefix("{") ? 0 : 1) {
            let name = part.prefix { $0 != "}" }
            guard name.endIndex < part.endIndex, let group = name.lowercased().split(separator: ":").first,
                groups.contains(group), name.contains(":"), !tokenRequest.contains(name.lowercased())
            else { continue }
            return "{\(name)}"
        }
        return nil
    }
}

extension EffectivePolicy {
    /// Returns a text of this policy with its claim resolvers resolved; one that finds nothing leaves nothing.
    func resolve(
        _ text: String, _ bag: ClaimsBag, _ facts: RequestFacts, _ scope: ClaimResolver.Scope = .all
    ) -> String { ClaimResolver.resolve(text, in: self, bag, facts, scope) }
}

extension RequestFacts {
    /// The time of the request in milliseconds since 1970.
    var milliseconds: Int64 { Int64((min(max(now, 0), Double(EpochTime.latest)) * 1_000).rounded(.down)) }
}

/// What .NET knows of a language (RFC 5646).
enum Locales {
    static func language(_ tag: String) -> String { String(tag.prefix { $0 != "-" }) }

    static func region(of tag: String) -> String {
        tag.split(separator: "-").dropFirst().first { $0.count == 2 }.map { $0.uppercased() } ?? ""
    }

    /// The locale's number in Windows, of the languages that the service has; empty for others.
    static func number(of tag: String) -> String {
        numbers[tag.lowercased()] ?? numbers[language(tag.lowercased())] ?? ""
    }

    private static let numbers: [String: String] = [
        "bn": "1093", "bg": "1026", "ca": "1027", "cs": "1029", "da": "1030", "de": "1031", "el": "1032", "en": "1033",
        "en-gb": "2057", "es": "3082", "et": "1061", "eu": "1069", "fi": "1035", "fr": "1036", "gl": "1110",
        "gu": "1095", "hi": "1081", "hr": "1050", "hu": "1038", "id": "1057", "it": "1040", "ja": "1041", "kk": "1087",
        "kn": "1099", "ko": "1042", "lt": "1063", "lv": "1062", "ml": "1100", "mr": "1102", "ms": "1086", "nb": "1044",
        "nl": "1043", "pa": "1094", "pl": "1045", "pt": "1046", "pt-pt": "2070", "ro": "1048", "ru": "1049",
        "sk": "1051", "sl": "1060", "sr": "9242", "sv": "1053", "ta": "1097", "te": "1098", "th": "1054", "tr": "1055",
        "uk": "1058", "vi": "1066", "zh": "2052", "zh-hans": "2052", "zh-hant": "1028",
    ]
}
