import SusiBase
import SusiPolicies

/// The device authorization endpoint (RFC 8628 section 3.1).
enum DeviceEndpoint {
    static func respond(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        do {
            return .json(try begin(endpoint, context)).setting("Pragma", "no-cache")
        } catch let refusal as Refusal {
            return try endpoint.json(refusal, context)
        }
    }

    private static func begin(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> JSON {
        let form = context.form
        let clientID = try endpoint.client(form, context).clientID
        guard let scope = form["scope"] else {
            throw Refusal(.scopeMissing, "The request does not contain a scope parameter.")
        }
        let configuration = endpoint.tenant.configuration
        // Invalid scopes are refused now, not after the user has signed in.
        _ = try RequestedScopes(scope, clientID: clientID, configuration)
        let lifetimes = endpoint.lifetimes
        let userCode = UserCode.make()
        let device = DeviceRecord(
            userCode: userCode, clientID: clientID, scope: scope, grantID: nil, isDeclined: false,
            pause: lifetimes.devicePause, polled: context.now - lifetimes.devicePause,
            expires: context.now + lifetimes.deviceCode)
        let code = try endpoint.tenant.database.add(device, now: context.now)
        let address = endpoint.address(.deviceVerification) ?? ""
        var members: [String: JSON] = [
            "device_code": .string(code), "user_code": .string(userCode), "verification_uri": .string(address),
            "expires_in": .integer(lifetimes.deviceCode), "interval": .integer(lifetimes.devicePause),
        ]
        members.merge(endpoint.dialect.deviceMembers(userCode: userCode, address: address)) { $1 }
        return .object(members)
    }
}

/// The code that a device shows: eight consonants, which form no words and do not look like digits (RFC 8628 section 6.1).
enum UserCode {
    private static let letters = Array("BCDFGHJKLMNPQRSTVWXZ")

    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return spelled(String((0..<8).compactMap { _ in letters.randomElement(using: &generator) }))
    }

    /// The code as it was issued, from any spelling. Returns `nil` if the text is not a code.
    static func read(_ text: String) -> String? {
        let kept = text.uppercased().filter(letters.contains)
        return kept.count == 8 ? spelled(kept) : nil
    }

    private static func spelled(_ letters: String) -> String { "\(letters.prefix(4))-\(letters.suffix(4))" }
}
