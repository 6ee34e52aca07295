import SusiJourneys
import SusiPolicies

/// A relying party with the settings that follow from its elements.
struct CustomPolicy: Sendable {
    let policy: EffectivePolicy
    let settings: PolicySettings

    init(_ policy: EffectivePolicy) {
        self.policy = policy
        settings = Self.settings(of: policy)
    }

    /// A journey without pages serves the password grant; else the pages tell, or the name does.
    static func kind(of policy: EffectivePolicy) -> PolicyKind {
        guard policy.hasPages else { return .resourceOwner }
        guard !policy.isCombined, let guess = PolicyKind(guessing: policy.name), guess.hasPage else {
            return .signUpOrSignIn
        }
        return guess
    }

    var servesUserInfo: Bool { policy.journey(of: "UserInfo") != nil }

    private static func settings(of policy: EffectivePolicy) -> PolicySettings {
        var settings = PolicySettings()
        settings.identifier = .either
        settings.session = session(policy.behaviors)
        let items = policy.issuerItems
        // The forms of issuer and acr (jwt-issuer-technical-profile).
        settings.policyClaim =
            items["authenticationcontextreferenceclaimpattern"]?.lowercased() == "none" ? .absent : .acr
        settings.issuerForm =
            items["issuanceclaimpattern"]?.lowercased() == "authoritywithtfp" ? .policy : .tenant
        settings.numbersAsStrings = items["sendtokenresponsebodywithjsonnumbers"]?.lowercased() == "false"
        settings.journeyLifetimes = lifetimes(items)
        return settings
    }

    // By key, what the issuer's metadata says in seconds.
    private static func lifetimes(_ items: [String: String]) -> PolicySettings.JourneyLifetimes {
        let seconds = { (name: String) in items[name].flatMap { Int64($0) } }
        let isEndless = items["allow_infinite_rolling_refresh_token"]?.lowercased() == "true"
        return PolicySettings.JourneyLifetimes(
            accessToken: seconds("token_lifetime_secs"), idToken: seconds("id_token_lifetime_secs"),
            refreshToken: seconds("refresh_token_lifetime_secs"),
            slidingWindow: isEndless ? Self.century : seconds("rolling_refresh_token_lifetime_secs"))
    }

    private static let century: Int64 = 100 * 365 * 86_400

    // UserJourneyBehaviors (relyingparty).
    private static func session(_ behaviors: [String: String]) -> PolicySettings.Session {
        var session = PolicySettings.Session()
        session.scope =
            switch behaviors["SingleSignOn/Scope"]?.lowercased() {
            case "application": .application
            case "policy": .policy
            case "suppressed": .suppressed
            default: .tenant
            }
        session.keepSeconds = behaviors["SingleSignOn/KeepAliveInDays"].flatMap { Int64($0) }.map { $0 * 86_400 }
        if session.keepSeconds == 0 { session.keepSeconds = nil }
        session.requiresIDToken = behaviors["SingleSignOn/EnforceIdTokenHintOnLogout"]?.lowercased() == "true"
        session.isRolling = behaviors["SessionExpiryType"]?.lowercased() != "absolute"
        if let seconds = behaviors["SessionExpiryInSeconds"].flatMap({ Int64($0) }), seconds > 0 {
            session.seconds = seconds
        }
        return session
    }
}

extension PolicySettings {
    /// The lifetimes that a policy's token issuer sets, in seconds.
    struct JourneyLifetimes: Hashable, Sendable {
        var accessToken, idToken, refreshToken, slidingWindow: Int64?

        /// The tenant's lifetimes with these: one that the tenant file or an option sets takes precedence, for tests that cannot
        /// wait.
        func over(_ tenant: Lifetimes) -> Lifetimes {
            var lifetimes = tenant
            let usual = Lifetimes()
            if tenant.accessToken == usual.accessToken { lifetimes.accessToken = accessToken ?? usual.accessToken }
            if tenant.idToken == usual.idToken { lifetimes.idToken = idToken ?? usual.idToken }
            if tenant.refreshToken == usual.refreshToken { lifetimes.refreshToken = refreshToken ?? usual.refreshToken }
            if tenant.slidingWindow == usual.slidingWindow {
                lifetimes.slidingWindow = slidingWindow ?? usual.slidingWindow
            }
            return lifetimes
        }
    }
}

extension [TenantConfiguration] {
    /// The tenants with a folder of custom policies, which names its tenant. A tenant that is not among them gets the
    /// applications and APIs of the first one of its kind, so that a client can use it.
    package func serving(_ folder: PolicyFolderSettings, of name: String) -> [TenantConfiguration] {
        var tenants = self
        let possible = indices.filter { self[$0].kind.dialect.traits.servesCustomPolicies }
        if let index = possible.first(where: { self[$0].name.lowercased() == name.lowercased() }) {
            tenants[index].policyFolder = folder
            return tenants
        }
        let model = possible.first.map { self[$0] }
        var tenant = TenantConfiguration(
            name: name, applications: model?.applications ?? [], apis: model?.apis ?? [])
        tenant.lifetimes = model?.lifetimes ?? Lifetimes()
        tenant.policyFolder = folder
        return [tenant] + tenants
    }
}

extension TenantConfiguration {
    /// The tenant with the policies of its folder. Throws if the folder cannot be read or has mistakes.
    package func includingCustomPolicies() throws(EmulatorError) -> TenantConfiguration {
        guard let policyFolder else { return self }
        let policies: CustomPolicies
        do throws(PolicyFiles.Unusable) {
            policies = CustomPolicies(try PolicyFiles(policyFolder.path), policyFolder)
        } catch {
            throw .policiesUnusable(path: policyFolder.path, lines: [error.text])
        }
        guard policies.mistakes.isEmpty else {
            throw .policiesUnusable(path: policyFolder.path, lines: policies.mistakes)
        }
        guard let owner = policies.tenant else {
            throw .policiesUnusable(path: policyFolder.path, lines: ["no policy in it has a RelyingParty"])
        }
        guard owner.lowercased() == name.lowercased() else {
            let line = "TenantId of the policies is \(owner), and the tenant is \(name)"
            throw .policiesUnusable(path: policyFolder.path, lines: [line])
        }
        var tenant = self
        let served = policies.all
        tenant.policies.removeAll { policy in served.contains { $0.name == policy.name } }
        tenant.policies += served
        return tenant
    }
}
