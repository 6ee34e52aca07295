import SusiBase
import SusiPolicies

/// The response of a device authorization endpoint (RFC 8628 3.2): the device code and the user code.
public struct DeviceCode: Hashable, Sendable {
    /// The device code for the token endpoint. It is a secret.
    package let deviceCode: String
    /// The user code. It is the server's text: escape it before showing it.
    public let userCode: String
    /// Where the person enters the code: `verification_uri` (RFC 8628 3.2).
    public let verificationURI: String
    /// The page for local accounts of the tenant, if `verificationURI` refuses them (External ID, AADSTS500208).
    public package(set) var localAccountURI: String?
    /// The verification address with the code, if the server sent one.
    public let completeURI: String?
    /// The lifetime of both codes in seconds.
    public let expiresIn: Int64
    /// Seconds between two polls, at least one.
    package let interval: Int64

    /// The default polling interval in seconds (RFC 8628 3.2).
    package static let usualInterval: Int64 = 5
    private static let longestLife: Int64 = 3_600

    /// Parses the body of a response with that status. An error response is thrown as a ``ServerRefusal``.
    package init(parsing body: [UInt8], status: Int) throws {
        let node = try? JSONNode(parsing: body)
        if let refusal = node.flatMap({ ServerRefusal(response: $0) }) { throw refusal }
        guard status == 200, let node else {
            throw Self.violation(
                status == 200 ? "not JSON" : "status \(status) without an OAuth error")
        }
        let text = { (name: String) in node[name]?.string.flatMap { $0.isEmpty || $0.utf8.count > 2_048 ? nil : $0 } }
        guard let deviceCode = text("device_code"), let userCode = text("user_code"),
            // An older name that some servers still send.
            let address = text("verification_uri") ?? text("verification_url"),
            let life = node["expires_in"]?.lenientInteger, life > 0
        else {
            throw Self.violation("one of device_code, user_code, verification_uri, expires_in is missing")
        }
        let complete = text("verification_uri_complete")
        for address in [address, complete ?? address] where !Self.isSecure(address) {
            throw Self.violation("the verification address “\(address)” is not an https address")
        }
        self.deviceCode = deviceCode
        self.userCode = userCode
        verificationURI = address
        completeURI = complete
        expiresIn = min(life, Self.longestLife)
        interval = min(max(node["interval"]?.lenientInteger ?? Self.usualInterval, 1), 300)
    }

    private static func isSecure(_ address: String) -> Bool {
        let base = try? WebAddress(ignoringQuery: address)
        return base?.isSecure ?? false
    }

    private static func violation(_ reason: String) -> ProtocolViolation {
        ProtocolViolation(.tokenResponse, reason, source: "RFC 8628 3.2")
    }
}
