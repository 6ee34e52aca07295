/// The kinds of authority, one line each; the rules of a kind stand in its own file.
public enum AuthorityKind: String, CaseIterable, Sendable {
    /// An Azure AD B2C tenant: every policy is an authority of its own.
    case b2c

    /// The rules of the kind.
    var rules: any AuthorityRules {
        switch self {
        case .b2c: B2CRules()
        }
    }
}

/// What differs from kind to kind. Implementations are pure: they name addresses and judge issuers, and contact nobody.
protocol AuthorityRules: Sendable {
    /// Where the OpenID configuration is (OpenID Connect Discovery 1.0 section 4).
    func discovery(of authority: Authority) -> WebAddress
    /// Whether `issuer` may speak for the authority, whose tenant has the id `tenantID` when that is known.
    func accepts(issuer: String, from authority: Authority, tenantID: String?) -> Bool
    /// The tenant that an issuer names, when the issuer is right for the authority.
    func tenantID(inIssuer issuer: String, of authority: Authority) -> String?
    /// The tenant as the base address names it; nil when the base names none.
    func tenant(of base: WebAddress) -> String?
    /// Why `base` cannot be the base of an authority of this kind; nil when it can.
    func complaint(about base: WebAddress) -> String?
}
