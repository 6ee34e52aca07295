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

    private typealias Rule = @Sendable (EffectivePolicy, RequestFacts) -> String

    private static let names: [String: Rule] = [
        "tenant": { $1.tenant }, "relyingpartytenantid": { $1.tenant }, "trustframeworktenantid": { $1.tenant },
        "tenantid": { $1.tenantObjectID },
        "policy": { policy, _ in policy.file.policyID },
        // The engine of the service; nothing here is asked at its address.
        "service:te": { $1.hostName },
    ]

    private static let grouped: [String: Rule] = [
        "context:buildnumber": { _, _ in "1.0.0.0" }, "context:correlationid": { $1.correlationID },
        "context:datetimeinutc": { ClaimTime.invariantText($1.milliseconds) },
        "context:deploymentmode": { policy, _ in policy.file.root["DeploymentMode"] ?? "Production" },
        "context:hostname": { $1.hostName }, "context:ipaddress": { $1.ipAddress },
        "context:kmsi": { $1.keepsSignedIn ? "true" : "false" }, "culture:rfc5646": { $1.language },
        "culture:languagename": { Locales.language($1.language) }, "culture:lcid": { Locales.number(of: $1.language) },
        "culture:regionname": { Locales.region(of: $1.language) },
        "policy:policyid": { policy, _ in policy.file.policyID }, "policy:tenantobjectid": { $1.tenantObjectID },
        "policy:relyingpartytenantid": { $1.tenant }, "policy:trustframeworktenantid": { $1.tenant },
    ]

    // Parameters of a request by their names after `OIDC:`.
    private static let parameters = [
        "authenticationcontextreferences": "acr_values", "clientid": "client_id", "domainhint": "domain_hint",
        "loginhint": "login_hint", "maxage": "max_age", "nonce": "nonce", "password": "password", "prompt": "prompt",
        "redirecturi": "redirect_uri", "resource": "resource", "scope": "scope", "username": "username",
    ]

    /// Replaces each `{name}` for which `value` has one; what is inserted is not read again.
    static func replacing(in text: String, _ value: (String) -> String?) -> String {
        var (result, rest) = ("", text[...])
        while let close = rest.firstIndex(of: "}") {
            let piece = rest[..<close]
            rest = rest[close...].dropFirst()
            if let open = piece.lastIndex(of: "{"), let value = value(String(piece[open...].dropFirst())) {
                result += piece[..<open] + value
            } else {
                result += piece + "}"
            }
        }
        return result + rest
    }

    static func value(
        of name: String, in policy: EffectivePolicy, _ bag: ClaimsBag, _ facts: RequestFacts, _ scope: Scope
    ) -> String? {
        if let rule = names[name] { return rule(policy, facts) }
        guard scope == .all || scope == .tokenRequest && isOfTokenRequest(name) else { return nil }
        if let rule = grouped[name] { return rule(policy, facts) }
        let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        return switch parts[0] {
        case "claim": bag[parts[1]]?.text ?? ""
        case "oauth-kv": facts.parameters[parts[1]] ?? ""
        case "oidc": parameters[parts[1]].map { facts.parameters[$0] ?? "" }
        // The answer of a provider has them; here is none.
        case "oauth2", "saml": ""
        default: nil
        }
    }

    private static func isOfTokenRequest(_ name: String) -> Bool { ["oidc:username", "oidc:password"].contains(name) }

    private static let groups = ["culture:", "policy:", "oidc:", "context:", "claim:", "oauth-kv:", "oauth2:", "saml:"]

    /// Returns the first one in a text that needs the metadata of its profile.
    static func first(in text: String) -> String? {
        var first: String?
        _ = replacing(in: text) { name in
            let known = name.lowercased()
            if first == nil, groups.contains(where: known.hasPrefix), !isOfTokenRequest(known) { first = "{\(name)}" }
            return nil
        }
        return first
    }
}

extension EffectivePolicy {
    /// Returns a text of this policy with its claim resolvers resolved; one that finds nothing leaves nothing.
    func resolve(
        _ text: String, _ bag: ClaimsBag, _ facts: RequestFacts, _ scope: ClaimResolver.Scope = .all
    ) -> String {
        ClaimResolver.replacing(in: text) { ClaimResolver.value(of: $0.lowercased(), in: self, bag, facts, scope) }
    }
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

    private static let numbers: [String: String] = Dictionary(
        uniqueKeysWithValues: table.split(separator: " ").map { row in
            let parts = row.split(separator: "=").map(String.init)
            return (parts[0], parts[1])
        })

    private static let table = """
        bg=1026 bn=1093 ca=1027 cs=1029 da=1030 de=1031 el=1032 en=1033 en-gb=2057 es=3082 et=1061 eu=1069 fi=1035 \
        fr=1036 gl=1110 gu=1095 hi=1081 hr=1050 hu=1038 id=1057 it=1040 ja=1041 kk=1087 kn=1099 ko=1042 lt=1063 \
        lv=1062 ml=1100 mr=1102 ms=1086 nb=1044 nl=1043 pa=1094 pl=1045 pt=1046 pt-pt=2070 ro=1048 ru=1049 sk=1051 \
        sl=1060 sr=9242 sv=1053 ta=1097 te=1098 th=1054 tr=1055 uk=1058 vi=1066 zh=2052 zh-hans=2052 zh-hant=1028
        """
}
