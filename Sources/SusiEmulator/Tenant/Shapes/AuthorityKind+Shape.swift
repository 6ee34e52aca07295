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

    /// The kind in a person's words.
    var label: String {
        switch self {
        case .b2c: "A local tenant in the manner of Azure AD B2C."
        case .external: "A local tenant in the manner of Entra External ID."
        case .entra: "A local tenant in the manner of Entra ID for a workforce."
        case .openid: "A local OpenID provider."
        }
    }
}
