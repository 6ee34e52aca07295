import SusiOAuth
import SusiPolicies
import SusiStore

/// What a sign-in requests and what it keeps, decided from the request and from what is stored.
struct SignInPlan {
    /// The options of the page, with what servers demanded.
    let options: AuthorizationOptions
    /// The scopes to request: those of the file and of the request, and if the request adds some, also those that the account was
    /// granted before.
    let asked: ScopeSet
    /// The account of the person who probably signs in.
    let account: StoredAccount?
    let demand: ClaimsRequest?
    private let ofRequest: WantedScopes
    private let addsScopes: Bool

    /// Decides. `idToken` is that of the account, for a policy that sends it as a hint; `demand` is what servers demanded of the
    /// account's next sign-in, and `holderHint` the hint for the person to whom a shared store belongs.
    init(
        _ request: SignInRequest, to target: TokenTarget, as account: StoredAccount?, idToken: String? = nil,
        demand: ClaimsRequest? = nil, holderHint: String? = nil
    ) {
        (self.account, self.demand, addsScopes) = (account, demand, !request.scopes.isEmpty)
        let wanted = WantedScopes(target, beside: request.scopes)
        ofRequest = wanted
        asked = request.scopes.isEmpty ? wanted.all : account.map { wanted.union(with: $0.tokens) } ?? wanted.all
        var options = request.options.adding(demand)
        options.storedIDToken = idToken
        // A requested choice is offered: only a hint that was typed replaces it.
        if options.prompt != .selectAccount {
            options.loginHint = options.loginHint ?? request.expected?.hint ?? holderHint
        }
        self.options = options
    }

    /// Returns the scopes for which a token is stored. What another account was granted before was not meant for this one.
    func wanted(of grant: TokenGrant) -> WantedScopes {
        isOfAccount(grant) ? WantedScopes(own: ofRequest.own, all: asked) : ofRequest
    }

    func meetsDemand(_ grant: TokenGrant) -> Bool { demand != nil && isOfAccount(grant) }

    /// Returns whether the account's tokens for these requested scopes are removed.
    ///
    /// After a demand, its tokens for other APIs are refreshed when they are needed. A sign-in that adds no scopes starts again
    /// from the file's: a token with more would bring them back.
    func isOutdated(_ scopes: ScopeSet, after grant: TokenGrant) -> Bool {
        meetsDemand(grant) || !addsScopes && ofRequest.isExceeded(by: scopes)
    }

    private func isOfAccount(_ grant: TokenGrant) -> Bool { grant.account == account?.account }
}

extension AuthorizationOptions {
    /// Returns the options with what servers demanded. If both set the same, the caller's value is used: an old demand does not
    /// change what is requested now.
    fileprivate func adding(_ demand: ClaimsRequest?) -> AuthorizationOptions {
        guard let demand else { return self }
        var options = self
        guard let stepUp = StepUpChallenge(kept: demand) else {
            options.claims = claims.map { demand.merged(with: $0) } ?? demand
            return options
        }
        let namesContexts = claims?.namesACR ?? false || extra.contains { $0.name.lowercased() == "acr_values" }
        options.acrValues = acrValues ?? (namesContexts ? nil : stepUp.acrValues)
        options.maximumAge = maximumAge ?? stepUp.maximumAge
        return options
    }
}
