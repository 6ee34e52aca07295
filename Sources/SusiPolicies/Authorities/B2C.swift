/// Azure AD B2C: `https://HOST/TENANT/POLICY`, or `https://HOST/tfp/TENANT/POLICY`.
struct B2CRules: AuthorityRules {
    func discovery(of authority: Authority) -> WebAddress {
        authority.address.appending("v2.0", ".well-known", "openid-configuration")
    }

    // The usual issuer holds no policy and is no prefix of the authority; a tenant can be switched to the form that
    // OpenID Connect Discovery 1.0 section 4.3 wants, which holds both. Nothing else is right.
    func accepts(issuer: String, from authority: Authority, tenantID: String?) -> Bool {
        guard let found = self.tenantID(inIssuer: issuer, of: authority) else { return false }
        return tenantID.map { $0.lowercased() == found } ?? true
    }

    func tenantID(inIssuer issuer: String, of authority: Authority) -> String? {
        guard issuer.hasSuffix("/"), let address = try? WebAddress(issuer), address.origin == authority.base.origin
        else { return nil }
        let segments = address.segments
        let plain = segments.count == 2 && segments[1] == "v2.0"
        let withPolicy =
            segments.count == 4 && segments[0] == "tfp" && segments[3] == "v2.0"
            && PolicyName(segments[2]) == authority.policy
        guard plain || withPolicy else { return nil }
        let found = segments[withPolicy ? 1 : 0].lowercased()
        guard isGUID(found), namesSameTenant(found, authority) else { return nil }
        return found
    }

    // A base that names the tenant by GUID takes no issuer of another GUID.
    private func namesSameTenant(_ found: String, _ authority: Authority) -> Bool {
        guard let named = tenant(of: authority.base)?.lowercased(), isGUID(named) else { return true }
        return named == found
    }

    func tenant(of base: WebAddress) -> String? {
        base.segments.first == "tfp" ? base.segments.dropFirst().first : base.segments.first
    }

    func complaint(about base: WebAddress) -> String? {
        let path = base.segments.first == "tfp" ? Array(base.segments.dropFirst()) : base.segments
        switch path.count {
        case 0: return "it names no tenant: write it behind the host, as in \(base.origin)/contoso.onmicrosoft.com"
        case 1: return nil
        default: return "it has more than a tenant in its path: leave out the policy, which is added for each request"
        }
    }
}

/// Whether `text` has the form of a GUID in lower case: 8-4-4-4-12 hexadecimal digits.
func isGUID(_ text: String) -> Bool {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12]
        && groups.joined().allSatisfy { $0.isHexDigit && !$0.isUppercase && $0.isASCII }
}
