import SusiBase

/// The claims that a profile gives to another party: each with the name that the party knows.
struct Inputs {
    var list: [Input]

    struct Input {
        let claim: String
        let name: String
        let value: ClaimValue
    }

    subscript(name: String) -> ClaimValue? { list.first { $0.name.lowercased() == name.lowercased() }?.value }

    /// As JSON by name, the names as the policy writes them.
    var json: [String: JSONNode] { Dictionary(list.map { ($0.name, $0.value.json) }) { $1 } }
}

/// Runs a technical profile on its inputs: it finishes the profile, or needs something.
typealias Handler = @Sendable (inout JourneyRun, Profile, Inputs) throws -> Need?

extension Profile {
    /// The handlers that run without a page, by class or protocol.
    static let handlers: [String: Handler] = [
        "AzureActiveDirectoryProvider": { run, profile, inputs in try run.directory(profile, inputs) },
        "OpenIdConnect": { run, profile, inputs in try run.provider(profile, inputs) },
        "OAuth2": { run, profile, inputs in try run.provider(profile, inputs) },
        "OAuth1": { run, profile, inputs in try run.provider(profile, inputs) },
        "SAML2": { run, profile, inputs in try run.provider(profile, inputs) },
        "RestfulProvider": { run, profile, inputs in try run.rest(profile, inputs) },
        "OneTimePasswordProtocolProvider": { run, profile, inputs in try run.oneTimePassword(profile, inputs) },
        "AadSsprProtocolProvider": { run, profile, inputs in try run.emailCode(profile, inputs) },
        "AzureMfaProtocolProvider": { run, profile, inputs in try run.phoneCode(profile, inputs) },
        "None": { run, profile, _ in try run.redeemed(profile) },
        "UserJourneyContextProvider": { run, profile, _ in try run.redeemed(profile) },
        "": { run, profile, _ in try run.redeemed(profile) },
        "ClaimsTransformationProtocolProvider": { run, profile, _ in try run.finishNow(profile) },
        "ApplicationInsightsProvider": { run, profile, _ in try run.finishNow(profile) },
        "AzureApplicationInsightsProvider": { run, profile, _ in try run.finishNow(profile) },
    ]

    static let selfAsserted = "SelfAssertedAttributeProvider"
    static let phoneFactor = "PhoneFactorProtocolProvider"

    /// `Proprietary` for the service's own classes, `None`, or the protocol of another party.
    var partnerProtocol: String { element.child("Protocol")?["Name"] ?? "None" }

    var isOfAnotherParty: Bool { !["Proprietary", "None"].contains(partnerProtocol) }
}

extension JourneyRun {
    /// Starts the profile of an exchange.
    mutating func start(_ profile: Profile, exchange: String) throws -> Need? {
        work.exchange = exchange
        let page: PageModel.Kind? = [Profile.selfAsserted: .selfAsserted, Profile.phoneFactor: .phone][profile.handler]
        if let page { return try open(OpenPage(kind: page, profile: profile.id)) }
        return try settle(profile) { try $0.run(profile) }
    }

    /// Runs a profile that has no page, in the order of technical-profiles-overview (spec §3.2).
    mutating func run(_ profile: Profile) throws -> Need? {
        try transform("InputClaimsTransformation", of: profile)
        let inputs = try inputs(profile.inputClaims, of: profile)
        guard let handler = Profile.handlers[profile.handler] else {
            throw Failure.policy("profiles of \(profile.handler) are not supported here", profile)
        }
        work.inputs = inputs.list
        return try handler(&self, profile, inputs)
    }

    /// The last parts of every profile: output claims, transformations, session.
    mutating func finish(_ profile: Profile, _ values: PartyValues) throws {
        for entry in profile.outputClaims { try output(entry, of: profile, values) }
        // A default value of an input claim makes a claim for this profile, which its transformations see
        // (technicalprofiles, InputClaim); samples compare with such a claim.
        let made = work.inputs.filter { !claims.isSet($0.claim) }
        for input in made { claims[input.claim] = input.value }
        try transform("OutputClaimsTransformation", of: profile)
        for input in made where claims[input.claim] == input.value { claims.remove(input.claim) }
        work.inputs = []
        complete(profile)
    }

    /// The last parts of a page.
    mutating func finishPage(of profile: Profile) throws {
        try transform("OutputClaimsTransformation", of: profile)
        complete(profile)
    }

    private mutating func complete(_ profile: Profile) {
        compareIdentity(after: profile)
        storeSession(of: profile)
        note(profile.id, "ran")
    }

    mutating func finishNow(_ profile: Profile) throws -> Need? {
        try finish(profile) { _ in nil }
        return nil
    }

    // In a refresh, what was stored with the token (spec §0 A5).
    mutating func redeemed(_ profile: Profile) throws -> Need? {
        let redeemed = state.redeemed
        try finish(profile) { redeemed?[$0]?.json }
        return nil
    }
}

extension JourneyRun {
    func inputs(_ list: [Element], of profile: Profile) throws -> Inputs {
        var (found, missing) = (Inputs(list: []), [(claim: String, name: String)]())
        for entry in list {
            guard let id = entry.claim else { continue }
            let name = name(of: entry, profile)
            if let value = try inputValue(of: entry, profile) {
                found.list.append(Inputs.Input(claim: id, name: name, value: value))
            } else if entry["Required"] == "true" {
                missing.append((id, name))
            }
        }
        // A profile that includes another one gives its names other claims (add-password-change-policy).
        if let first = missing.first(where: { found[$0.name] == nil }) {
            throw Failure.policy("the required input claim “\(first.claim)” has no value", profile)
        }
        return found
    }

    /// The value of an entry of a list of claims: that of the bag, or the default value.
    func inputValue(of entry: Element, _ profile: Profile) throws -> ClaimValue? {
        guard let id = entry.claim else { return nil }
        if entry["DefaultValue"] != nil, entry["AlwaysUseDefaultValue"] == "true" || !claims.exists(id) {
            return try defaultValue(of: entry, profile)
        }
        return claims.exists(id) ? claims[id] : nil
    }

    private static let tokens = ["access_token", "refresh_token", "id_token"]

    private mutating func output(_ entry: Element, of profile: Profile, _ values: PartyValues) throws {
        guard let id = entry.claim else { return }
        let name = name(of: entry, profile)
        if entry["AlwaysUseDefaultValue"] == "true", entry["DefaultValue"] != nil {
            claims[id] = try defaultValue(of: entry, profile)
        } else if let node = values(name) {
            claims[id] = try converted(node, to: id, of: profile)
            if state.unstored.contains(id) { work.passwords.add(claims[id]?.text) }
            if Self.tokens.contains(where: name.lowercased().contains) { hideClaim(id) }
            if name.lowercased() == "otpgenerated" { hideClaim(id, isStored: false) }
        } else if !claims.isSet(id), let value = try defaultValue(of: entry, profile) {
            claims[id] = value
        }
    }

    func name(of entry: Element, _ profile: Profile) -> String {
        policy.partnerName(of: entry, in: profile.partnerProtocol)
    }

    func defaultValue(of entry: Element, _ profile: Profile) throws -> ClaimValue? {
        do {
            return try policy.defaultValue(of: entry, in: profile, claims, facts)
        } catch {
            throw Failure.policy(
                "cannot convert the DefaultValue of “\(entry.claim ?? "")” to \(error.type.rawValue)", entry)
        }
    }

    func converted(_ node: JSONNode, to claim: String, of profile: Profile) throws -> ClaimValue? {
        do {
            return try ClaimValue.make(node, as: policy.claimType(claim)?.dataType ?? .string)
        } catch {
            throw Failure.policy(
                "cannot convert \(error.found) to the type \(error.type.rawValue) of “\(claim)”", profile)
        }
    }
}
