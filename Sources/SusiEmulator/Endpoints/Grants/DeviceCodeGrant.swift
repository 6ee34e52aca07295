import SusiBase

/// `grant_type=urn:ietf:params:oauth:grant-type:device_code` (RFC 8628 section 3.4).
enum DeviceCodeGrant {
    static func tokens(for request: TokenRequest) throws -> JSON {
        guard let code = request.form["device_code"] else { throw Refusal.missing("device_code") }
        let database = request.endpoint.tenant.database
        guard let device = try database.device(code: code), device.clientID == request.clientID else {
            throw Refusal(.deviceUnknown, "The device code is unknown, or was not issued for this client.")
        }
        guard !device.isDeclined else { throw Refusal(.deviceDeclined, "The end-user denied the request.") }
        guard let id = device.grantID, let grant = try database.grant(id) else {
            throw try pending(device, request)
        }
        try request.check(grant)
        guard request.now < device.expires else { throw expired }
        let user = try request.user(of: grant)
        guard try database.use(deviceCode: code) else {
            throw Refusal.revoked.because("The device code was already used")
        }
        return try request.issue(grant, to: user, scopes: request.scopes(grant.scope))
    }

    private static let expired = Refusal(.deviceExpired, "The device code has expired. Start again.")

    private static func pending(_ device: DeviceRecord, _ request: TokenRequest) throws -> Refusal {
        guard request.now < device.expires else { return expired }
        // Section 3.5: polling too soon adds 5 seconds to the interval.
        let isTooSoon = request.now < device.polled + device.pause
        let pause = device.pause + (isTooSoon ? 5 : 0)
        try request.endpoint.tenant.database.notePoll(device.userCode, at: request.now, pause: pause)
        return isTooSoon
            ? Refusal(.deviceTooFast, "The device polls too often. Wait \(pause) seconds between two requests.")
            : Refusal(.devicePending, "OAuth 2.0 device flow error. Authorization is pending. Continue polling.")
    }
}
