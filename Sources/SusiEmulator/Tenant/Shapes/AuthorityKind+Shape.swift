import SusiPolicies

extension AuthorityKind {
    /// How the emulator serves the kind, one line each; a shape stands in a file of its own and knows nothing of how a
    /// client reads the same kind.
    var shape: any TenantShape {
        switch self {
        case .b2c: B2CShape()
        case .external: ExternalShape()
        case .entra: EntraShape()
        case .openid: OpenIDShape()
        }
    }
}
