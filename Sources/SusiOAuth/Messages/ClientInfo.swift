import SusiPolicies

/// `client_info`: the cache's handle as the server gives it. It is not signed and says nothing of who somebody is.
public struct ClientInfo: Hashable, Sendable {
    /// `<oid>-<policy in lower case>` in B2C, the object id in the home tenant elsewhere; a custom policy of B2C without an
    /// object id leaves the part before the dash empty.
    public let uid: String
    /// The GUID of the tenant in which the person is at home.
    public let utid: String

    /// Decodes base64url JSON with `uid` and `utid`.
    public init(decoding text: String) throws(ProtocolViolation) {
        guard let bytes = Base64URL.decode(text), let node = try? JSONNode(parsing: bytes),
            let uid = node["uid"]?.string, let utid = node["utid"]?.string
        else {
            throw ProtocolViolation(
                .clientInfo, "not base64url JSON with uid and utid", source: "MSAL, client_info")
        }
        self.uid = uid
        self.utid = utid
    }

    /// Whether it names nobody, as under a custom policy without an object id.
    var hasNoSubject: Bool { uid.isEmpty || uid.hasPrefix("-") }

    /// Whether it is that handle; neither part has a case.
    func isHandle(_ handle: HomeAccountID) -> Bool {
        uid.lowercased() == handle.uid.lowercased() && utid.lowercased() == handle.utid.lowercased()
    }
}

extension HomeAccountID {
    /// The handle of an account: from `client_info` when the server sent one, else from the signed claims.
    init(
        _ account: Account, clientInfo: String?, claims: JSONNode, of authority: Authority
    ) throws(ProtocolViolation) {
        guard authority.kind.sendsClientInfo, let clientInfo else {
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
    /// In B2C and External ID both name the one tenant. In a workforce tenant the handle is of the tenant in which the person
    /// is at home: another one for a guest, whose claim `idp`, where it is there, then names that tenant. Who signs in at
    /// `common` and its like always does so at home.
    func agrees(_ info: ClientInfo, tenant: Tenant, _ claims: JSONNode) -> Bool {
        let home = info.utid.lowercased()
        guard home != tenant.id else { return true }
        guard kind.admitsGuests, !isMultiTenant, home.isGUID else { return false }
        let provider = claims["idp"]?.string?.lowercased().split(separator: "/").map(String.init) ?? []
        return provider.contains(home) || !provider.contains(where: \.isGUID)
    }
}
