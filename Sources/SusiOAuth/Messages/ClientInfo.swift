import SusiBase
import SusiPolicies

/// `client_info`: the account's identifier from the server. It is not signed and does not identify a person.
package struct ClientInfo: Hashable, Sendable {
    /// `<oid>-<policy in lower case>` in B2C, the object id in the home tenant elsewhere. In a custom policy of B2C
    /// without an object id, the part before the hyphen is empty.
    package let uid: String
    /// The GUID of the person's home tenant.
    package let utid: String

    /// Decodes base64url JSON with `uid` and `utid`.
    package init(decoding text: String) throws(ProtocolViolation) {
        guard let bytes = Base64URL.decode(text, allowsPadding: true), let node = try? JSONNode(parsing: bytes),
            let uid = node["uid"]?.string, let utid = node["utid"]?.string
        else {
            throw ProtocolViolation(
                .clientInfo, "not base64url JSON with uid and utid", source: "MSAL, client_info")
        }
        self.uid = uid
        self.utid = utid
    }

    /// Whether it contains no subject, as in a custom policy without an object id.
    var hasNoSubject: Bool { uid.isEmpty || uid.hasPrefix("-") }

    /// Whether it equals that identifier, ignoring case.
    func isHandle(_ handle: HomeAccountID) -> Bool {
        HomeAccountID(uid: uid, utid: utid).isSame(as: handle)
    }
}

extension ProtocolViolation {
    /// A response of another tenant that names another account at home.
    package static let otherHomeAccount = ProtocolViolation(
        .clientInfo, "it names another account at home", source: "MSAL, client_info")
}

extension TokenResponse {
    /// Checks that `client_info` names that account at home. It is not signed: it can refuse a response and identifies no
    /// person.
    package func checkNames(_ handle: HomeAccountID) throws(ProtocolViolation) {
        guard let clientInfo else {
            throw ProtocolViolation(
                .clientInfo, "missing in the response of another tenant", source: "MSAL, client_info")
        }
        guard try ClientInfo(decoding: clientInfo).isHandle(handle) else {
            throw ProtocolViolation.otherHomeAccount
        }
    }
}

extension TokenResponse {
    /// Checks that `client_info` in the response to a refresh, if there is one, names the account's own home account
    /// (OpenID Connect Core 12.2). It would move the account, and its tokens, to another person at home.
    func checkKeeps(_ handle: HomeAccountID, of account: Account, at kind: AuthorityKind) throws(ProtocolViolation) {
        guard kind.traits.sendsClientInfo, let clientInfo else { return }
        let info = try ClientInfo(decoding: clientInfo)
        // Without a subject it means the one in the signed claims.
        let isSame =
            info.hasNoSubject ? HomeAccountID(account, of: kind).isSame(as: handle) : info.isHandle(handle)
        guard isSame else {
            throw ProtocolViolation(
                .clientInfo, "it does not belong to the account", source: "OpenID Connect Core 12.2")
        }
    }
}

extension HomeAccountID {
    /// Makes the identifier of an account from `client_info` if the server sent it, else from the signed claims.
    init(
        _ account: Account, clientInfo: String?, claims: JSONNode, of authority: Authority
    ) throws(ProtocolViolation) {
        guard authority.kind.traits.sendsClientInfo, let clientInfo else {
            self.init(account, of: authority.kind)
            return
        }
        let info = try ClientInfo(decoding: clientInfo)
        guard authority.agrees(info, tenant: account.person.tenant, claims) else {
            throw ProtocolViolation(
                .clientInfo, "the tenant \(info.utid) is not the tenant of the id token",
                source: "Azure AD B2C, client_info")
        }
        if info.hasNoSubject {
            self.init(account, of: authority.kind)
        } else {
            self.init(uid: info.uid, utid: info.utid)
        }
    }
}

extension Authority {
    /// Whether `client_info` and the signed claims agree about the tenant.
    ///
    /// `client_info` names the home tenant. It differs from the token's tenant only for guests, whose claim `idp`, if
    /// present, names the home tenant too. At `common` and similar names everyone signs in at home.
    func agrees(_ info: ClientInfo, tenant: Tenant, _ claims: JSONNode) -> Bool {
        let home = info.utid.lowercased()
        guard home != tenant.id else { return true }
        guard kind.traits.admitsGuests, !isMultiTenant, home.isGUID else { return false }
        let provider = claims["idp"]?.string?.lowercased().split(separator: "/").map(String.init) ?? []
        return provider.contains(home) || !provider.contains(where: \.isGUID)
    }
}
