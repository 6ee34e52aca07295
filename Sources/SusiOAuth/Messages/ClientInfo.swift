import SusiPolicies

/// `client_info`: the cache's handle as the server gives it. It is not signed and says nothing of who somebody is.
public struct ClientInfo: Hashable, Sendable {
    /// `<oid>-<policy in lower case>`; a custom policy without an object id leaves the part before the dash empty.
    public let uid: String
    /// The tenant's GUID.
    public let utid: String

    /// Decodes base64url JSON with `uid` and `utid`.
    public init(decoding text: String) throws(ProtocolViolation) {
        guard let bytes = Base64URL.decode(text), let node = try? JSONNode(parsing: bytes),
            let uid = node["uid"]?.string, let utid = node["utid"]?.string
        else {
            throw ProtocolViolation(
                .clientInfo, "it is not base64url JSON with uid and utid", source: "MSAL, client_info")
        }
        self.uid = uid
        self.utid = utid
    }
}
