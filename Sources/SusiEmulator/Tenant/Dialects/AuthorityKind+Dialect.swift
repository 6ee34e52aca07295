import SusiPolicies

extension AuthorityKind {
    private static let b2cDialect: any TenantDialect = B2CDialect()
    private static let externalDialect: any TenantDialect = ExternalDialect()
    private static let entraDialect: any TenantDialect = EntraDialect()
    private static let openIDDialect: any TenantDialect = OpenIDDialect()

    /// The dialect of the kind. Dialects are independent of the client's rules of the same kind.
    var dialect: any TenantDialect {
        switch self {
        case .b2c: Self.b2cDialect
        case .external: Self.externalDialect
        case .entra: Self.entraDialect
        case .openid: Self.openIDDialect
        }
    }
}
