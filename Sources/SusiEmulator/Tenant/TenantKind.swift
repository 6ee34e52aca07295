/// The kinds of tenant that the emulator serves, one line each; the shape of a kind stands in its own file.
public enum TenantKind: String, CaseIterable, Sendable {
    /// Azure AD B2C: policies below a tenant.
    case b2c
    /// Entra External ID (CIAM): a tenant without policies whose people sign up themselves.
    case external
    /// Entra ID for a workforce, with `/common`, `/organizations` and `/consumers` beside the tenant's own address.
    case entra
    /// A plain OpenID provider that knows nothing of Microsoft's ways.
    case openid

    /// The shape of the kind.
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
