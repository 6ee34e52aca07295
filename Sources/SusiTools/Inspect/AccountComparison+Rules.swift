import Susi

extension AccountComparison {
    /// The rules that the second account's tokens do not meet at an API that accepts the first account's: of the access tokens,
    /// else of the ID tokens, which are for no API and have no scopes.
    static func rules(_ first: ComparedAccount, _ second: ComparedAccount) -> [APIRule] {
        for (own, other) in [(first.accessToken, second.accessToken), (first.idToken, second.idToken)] {
            guard case .signed(let header, let claims) = own, case .signed(let otherHeader, let others) = other else {
                continue
            }
            // Two people of one issuer have different identifiers and attributes.
            let isPerson =
                first.account.account.person == second.account.account.person || claims["iss"] != others["iss"]
            let check = APICheck(
                settings: APISettings(
                    accepting: claims, of: first, isAccess: own == first.accessToken, isSamePerson: isPerson),
                header: otherHeader, claims: others, signed: nil, metadata: .unread(reason: ""),
                application: second.application, now: 0)
            let isSameKey = header["kid"] != nil && header["kid"] == otherHeader["kid"]
            return (isSameKey ? [] : keys(first, second)) + check.comparable
        }
        return []
    }

    // Without both stored configurations, their addresses are compared, which name the keys.
    private static func keys(_ first: ComparedAccount, _ second: ComparedAccount) -> [APIRule] {
        let isStored = first.keys != nil && second.keys != nil
        let (wanted, found) = isStored ? (first.keys, second.keys) : (first.configuration, second.configuration)
        guard let wanted, let found, wanted != found else { return [] }
        let change = APIRule.Change(place: .api, text: "read \(isStored ? "the keys" : "the metadata") at “\(found)”")
        return [APIRule(isStored ? .key : .metadata, .broken, "“\(found)”", wanted: "“\(wanted)”", [change])]
    }
}

extension APICheck {
    /// The rules that need no authority and no clock, with what to change in the API.
    fileprivate var comparable: [APIRule] {
        let names: Set<APIRule.Name> = [.issuer, .audience, .claims, .scope]
        return rules.filter { names.contains($0.name) && $0.wanted != nil }.map { rule in
            APIRule(rule.name, rule.outcome, rule.found, wanted: rule.wanted, rule.changes.filter { $0.place == .api })
        }
    }
}

extension APISettings {
    /// The settings of an API that accepts a token, and reads every claim of it.
    fileprivate init(accepting token: JSONNode, of account: ComparedAccount, isAccess: Bool, isSamePerson: Bool) {
        self.init(account.configuration.address, places: ["the API’s authority"], isExact: true)
        let hasPolicies = account.application.kind.traits.hasPolicies
        let values = { (name: String, place: String) in
            (token[name]?.strings ?? []).map { Setting("the API’s \(place)", $0) }
        }
        issuers = values("iss", "issuer")
        claims = token.members.compactMap { member in
            switch member.name {
            case "ver", "tid", "azp", "appid", "client_id": Claim(member.name, values: member.node.strings)
            case "oid", "sub": isSamePerson ? Claim(member.name, values: member.node.strings) : nil
            case "tfp", "acr": hasPolicies ? Claim(member.name) : nil
            case "scp", "scope": Claim(member.name, type: member.node.kind, isOptional: true)
            // The issuer and the audience have rules of their own, and permissions may be missing.
            case "iss", "aud", "amr", "appidacr", "azpacr", "groups", "hasgroups", "idp", "roles", "wids": nil
            case let name:
                isSamePerson && ClaimComparison.counts(name) && !name.hasPrefix("xms_")
                    ? Claim(name, type: member.node.kind) : nil
            }
        }
        guard isAccess else { return }
        audiences = values("aud", "audience")
        scopeClaim = token["scp"] == nil ? "scope" : "scp"
        let scopes = values(scopeClaim, "").flatMap { $0.value.split(separator: " ").map(String.init) }
        permissions = scopes.isEmpty ? [] : [.init("the API’s scopes", scopes: scopes)]
    }
}
