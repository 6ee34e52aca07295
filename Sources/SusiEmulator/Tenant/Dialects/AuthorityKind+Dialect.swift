import SusiPolicies

extension AuthorityKind {
    /// How the emulator serves the kind, one line each; a dialect stands in a file of its own and knows nothing of how a
    /// client reads the same kind.
    var dialect: any TenantDialect {
        switch self {
        case .b2c: B2CDialect()
        case .external: ExternalDialect()
        case .entra: EntraDialect()
        case .openid: OpenIDDialect()
        }
    }
}
