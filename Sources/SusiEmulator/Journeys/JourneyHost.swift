import Crypto
import FoundationEssentials
import SusiBase
import SusiJourneys
import SusiPolicies

/// Runs a journey of a custom policy: satisfies each need until the user has to do something, or the journey ends.
struct JourneyHost {
    let endpoint: PolicyEndpoint
    let policy: EffectivePolicy
    let facts: RequestFacts
    let clientID: String
    let now: Int64
    /// What the session of the browser has.
    var session = SessionEntries()

    /// Why a journey does not go on by itself.
    enum Stop: Sendable {
        case page(PageModel)
        case provider(ProviderCall)
        case done(Outcome)
    }

    func run(_ journey: inout Journey, _ first: Answer? = nil) throws -> Stop {
        var answer = first
        while true {
            switch try journey.next(answer, in: policy, facts) {
            case .page(let page): return .page(page)
            case .provider(let call): return .provider(call)
            case .done(let outcome): return .done(outcome)
            case .session: answer = .session(session)
            case .directory(let call): answer = .directory(try JourneyDirectory(endpoint).perform(call))
            case .password(let name, let password): answer = .password(try check(password, of: name))
            case .http(let call): answer = .http(try JourneyService(tenant: endpoint.tenant).send(call))
            case .token(let call): answer = .token(try JourneyHint(host: self).claims(call))
            case .code(let call):
                try send(call)
                answer = .code
            }
        }
    }

    /// Runs a journey that has no page, for a request of an application.
    func runToEnd(_ journey: inout Journey) throws -> Outcome {
        switch try run(&journey) {
        case .done(let outcome): return outcome
        case .page(let page): throw Self.needsPage(page.profile ?? page.kind.rawValue)
        case .provider(let call): throw Self.needsPage(call.profile)
        }
    }

    private static func needsPage(_ profile: String) -> Refusal {
        Refusal(.internalError, "The user journey needs a page (\(profile)), and this endpoint has none.")
    }

    private func check(_ password: String, of name: String) throws -> PasswordAnswer {
        let directory = JourneyDirectory(endpoint)
        // Any sign-in name is accepted; the password belongs to the user.
        let found =
            try directory.find("signInNames", .string(name)) ?? directory.find("userPrincipalName", .string(name))
        guard let user = found, user.identityProvider == nil else { return .refused(.unknownUser) }
        switch try endpoint.check(password, of: user.signInName, clientID: clientID, now: now) {
        case .wrong: return .refused(.wrongPassword)
        case .blocked: return .refused(.disabled)
        case .locked: return .refused(.locked)
        case .accepted(let user):
            return user.mustResetPassword ? .refused(.expired) : .accepted(try directory.tokenClaims(of: user))
        }
    }

    private func send(_ call: CodeCall) throws {
        let isPhone = call.channel == .phone || call.channel == .service && !call.address.contains("@")
        try endpoint.tenant.database.send(
            call.code, to: call.address, by: isPhone ? .phone : .email, for: isPhone ? .secondFactor : .verifyEmail,
            now: now)
    }
}

extension RequestFacts {
    /// What the journey of a policy may know of a request.
    init(_ endpoint: PolicyEndpoint, _ context: RequestContext, _ parameters: [String: String], id: String) {
        let configuration = endpoint.tenant.configuration
        self.init(tenant: configuration.name, now: Double(context.now)) { Array(SHA256.hash(data: Data($0))) }
        self.parameters = Dictionary(parameters.map { ($0.key.lowercased(), $0.value) }) { $1 }
        tenantObjectID = configuration.id
        language =
            self.parameters["ui_locales"]?.split(separator: " ").first.map(String.init)
            ?? context.words.language.rawValue
        ipAddress = context.ipAddress
        hostName = (try? WebAddress(endpoint.origin).host) ?? ""
        correlationID = derivedGUID(id)
        keepsSignedIn = context.form["rememberMe"] != nil
        policyKeys = Dictionary(configuration.policyKeys.map { ($0.key.lowercased(), $0.value) }) { $1 }
    }
}
