import SusiPolicies

extension AuthorityKind {
    /// The dialect of the kind. Dialects are independent of the client's rules of the same kind.
    var dialect: any TenantDialect {
        switch self {
        case .b2c: B2CDialect()
        case .external: ExternalDialect()
        case .entra: EntraDialect()
        case .openid: OpenIDDialect()
        }
    }
}
