import SusiBase

/// Any other OpenID provider: the authority is its issuer, letter for letter (OpenID Connect Discovery 1.0 section 4.3).
struct OpenIDProviderRules: AuthorityRules {
    var traits: AuthorityTraits {
        AuthorityTraits(
            hasPolicies: false, authorityIsIssuer: true, allowsCustomDomains: false, endpointsNameTenantID: false,
            msalType: nil,
            hasObjectIDs: false, hasTenantIDs: false, authTimeIsOptional: false,
            sendsClientInfo: false, admitsGuests: false,
            offersAccountChoice: false, listsAccounts: false, ignoresRedirectPort: false, tenantKeepingBrowser: nil,
            otherResponseOrigins: [],
            passwordGrantNeedsResponseType: false, nativeAuthenticationPath: nil,
            scopesNameAPIs: false, impliesGraph: false, clientIDIsScope: false, refreshServesEveryAPI: false,
            refreshServesEveryTenant: false, keepsAuthTime: true, mayRevokeTokens: true, clientIDIsGUID: false,
            policyPrefixes: [])
    }

    // The issuer identifies the provider; there are no tenants that a client could distinguish.
    func tenant(of base: WebAddress) -> String? { base.spelling }

    func discovery(of authority: Authority) -> Endpoint {
        Endpoint(authority.base.appending(".well-known", "openid-configuration"))
    }

    func tenant(
        ofIssuer issuer: String, from authority: Authority, known: KnownAuthorities
    ) throws(InvalidInput) -> IssuingTenant {
        guard issuer == authority.base.spelling else {
            let isNear = (try? WebAddress(issuer)) == authority.base
            throw InvalidInput(
                isNear
                    ? "the authority is written “\(authority.base.spelling)”; write it exactly as the server does"
                    : "it is not the authority “\(authority.base.spelling)”")
        }
        return IssuingTenant(origin: authority.base.origin, id: issuer)
    }

    func isServiceHost(_ address: WebAddress) -> Bool { false }

    // Paths are case-sensitive here.
    func isCovered(_ authority: Authority, by path: [String]) -> Bool {
        authority.base.segments.starts(with: path)
    }

    func complaint(about base: WebAddress) -> String? {
        if B2CRules().isServiceHost(base) { return "\(base.host) is an authority of the kind “b2c”" }
        if base.segments.contains(".well-known") {
            return "the address of the configuration: write the issuer, the part before /.well-known"
        }
        return nil
    }
}
