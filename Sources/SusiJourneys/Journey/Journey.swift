package import SusiBase

/// A user journey that runs (spec §5, §10.3): it goes on until it needs something, and goes on with the answer.
///
/// What is encoded has no password, no code and no key: a submit in work is left out, so that after a crash the page is
/// there again (spec §0 B3).
package struct Journey: Codable, Sendable {
    var state: State
    var work = Work()

    /// What starts a journey.
    package enum Start: Sendable {
        case authorize
        /// A redeemed refresh token, with the claims that were stored when it was issued.
        case refresh(ClaimsBag)
        /// A verified access token of this tenant.
        case userInfo([String: JSONNode])
    }

    /// Starts the journey that a policy has for a request.
    package init(_ start: Start, in policy: EffectivePolicy) throws(PolicyError) {
        let journey = try policy.journey(for: start)
        state = State(places: [Place(journey: journey["Id"] ?? "")])
        state.keepsAssertion = journey.text(of: "PreserveOriginalAssertion")?.lowercased() == "true"
        switch start {
        case .authorize: state.hasBrowser = true
        case .refresh(let claims): state.redeemed = claims
        case .userInfo(let claims): work.token = claims
        }
    }

    /// Goes on until something is needed. An answer that does not belong to the last need is an error of the host.
    package mutating func next(
        _ answer: Answer?, in policy: EffectivePolicy, _ facts: RequestFacts
    ) throws(UnexpectedAnswer) -> Need {
        var run = JourneyRun(policy: policy, facts: facts, state: state, work: work)
        let result = Result { () throws(UnexpectedAnswer) in try run.next(answer) }
        (state, work) = (run.state, run.work)
        return try result.get()
    }

    package struct UnexpectedAnswer: Error {}

    package var trace: [TraceLine] { state.trace }

    package init(from decoder: any Decoder) throws { state = try State(from: decoder) }

    package func encode(to encoder: any Encoder) throws {
        var stored = state
        for id in state.bag.ids where isUnstored(id, in: state.bag) { stored.bag.remove(id) }
        if let page = state.page {
            for id in page.results.ids where isUnstored(id, in: page.results) { stored.page?.results.remove(id) }
        }
        try stored.encode(to: encoder)
    }

    private func isUnstored(_ id: String, in bag: ClaimsBag) -> Bool {
        state.unstored.contains(id) || bag[id].map { work.passwords.contain(in: $0.text) } ?? false
    }
}

extension Journey {
    /// A journey, or a sub journey that a step of it calls, and the index of its step.
    struct Place: Codable {
        let journey: String
        var isSub = false
        var index = 0
    }

    /// A profile whose provider a user visits, and its exchange.
    struct OpenProvider: Codable {
        let profile: String
        let exchange: String
    }

    struct State: Codable, Sendable {
        var places: [Place]
        var hasStarted = false
        var hasBrowser = false
        var bag = ClaimsBag()
        var redeemed: ClaimsBag?
        var keepsAssertion = false
        /// The exchange that was chosen.
        var chosen: String?
        var page: OpenPage?
        /// The sign-in with a provider that is not over.
        var provider: OpenProvider?
        var pages = 0
        var exchanges = 0
        var codes: [String: SentCode] = [:]
        /// What the browser's session had when the journey began.
        var session: SessionEntries?
        /// What this run adds to it.
        var added = SessionEntries()
        /// Whether another person signed in than the session's.
        var hasOtherIdentity = false
        var keepsSignedIn = false
        var trace: [TraceLine] = []
        /// Claims whose values the trace hides.
        var hidden: Set<String> = []
        /// Claims that are never stored: passwords and codes.
        var unstored: Set<String> = []
        var hasEnded = false
    }

    /// What is in work between a need and its answer, and never stored.
    struct Work: Sendable {
        var submit: Submit?
        var call: Call?
        var token: [String: JSONNode]?
        /// Whether a code of the page itself is on its way.
        var sendsCode = false
        /// The exchange that runs.
        var exchange: String?
        var passwords = SecretList()
        var secrets = SecretList()
        /// The inputs of the profile that runs.
        var inputs: [Inputs.Input] = []
        /// The claims at the last line of the trace.
        var seen: ClaimsBag?
    }

    /// A call of a profile that waits for its answer.
    struct Call: Sendable {
        let profile: Profile
        let read: Reader
    }
}

/// Reads the answer to a need as the values that a profile outputs.
typealias Reader = @Sendable (Answer) throws -> PartyValues
/// The values of the other party, by its names; `nil` if it has none, and JSON's null if it has an empty one.
typealias PartyValues = @Sendable (_ name: String) -> JSONNode?

extension EffectivePolicy {
    func journey(for start: Journey.Start) throws(PolicyError) -> Element {
        let endpoint: String? =
            switch start {
            case .authorize: nil
            case .refresh: "Token"
            case .userInfo: "UserInfo"
            }
        guard let endpoint else {
            if let journey { return journey }
            throw PolicyError("the relying party has no user journey", file.policyID, file.root.place)
        }
        guard let journey = self.journey(of: endpoint) else {
            throw PolicyError("no journey for the endpoint \(endpoint)", file.policyID, file.root.place)
        }
        return journey
    }

    /// The journey of an endpoint, such as Token (spec §5.7). For refresh tokens the issuer may name it too.
    package func journey(of endpoint: String) -> Element? {
        let listed = relyingParty?.all("Endpoints", "Endpoint").first { $0["Id"] == endpoint }
        if let listed { return self[.journey, listed["UserJourneyReferenceId"]] }
        guard endpoint == "Token", let journey else { return nil }
        let issuers = Self.steps(of: journey).filter { $0.type == "SendClaims" }.compactMap { issuer(of: $0, journey) }
        return issuers.lazy.compactMap { self[.journey, $0.metadata("RefreshTokenUserJourneyId")] }.first
    }

    /// The profile that makes what a step sends.
    func issuer(of step: JourneyStep, _ journey: Element?) -> Profile? {
        profile(
            step.element["CpimIssuerTechnicalProfileReferenceId"]
                ?? journey?["DefaultCpimIssuerTechnicalProfileReferenceId"])
    }
}
