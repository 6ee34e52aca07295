import SusiPolicies

extension AuthorityKind {
    private static let b2cDialect = B2CDialect()
    private static let externalDialect = ExternalDialect()
    private static let entraDialect = EntraDialect()
    private static let openIDDialect = OpenIDDialect()

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
