import Testing

@testable import SusiOAuth

/// The device authorization grant, RFC 8628.
@Suite("Device code")
struct DeviceTests {
    private static let full = [
        "device_code": #""d""#, "user_code": #""WDJB-MJHT""#, "verification_uri": #""https://example.com/device""#,
        "verification_uri_complete": #""https://example.com/device?user_code=WDJB-MJHT""#, "expires_in": "1800",
        "interval": "7",
    ]

    private static func response(_ changes: [String: String?] = [:]) -> [UInt8] {
        Array(Contoso.json(full, changes).utf8)
    }

    @Test func readsDeviceCode() throws {
        let code = try DeviceCode(parsing: Self.response(), status: 200)
        #expect(code.deviceCode == "d" && code.userCode == "WDJB-MJHT")
        #expect(code.verificationURI == "https://example.com/device")
        #expect(code.completeURI == "https://example.com/device?user_code=WDJB-MJHT")
        #expect(code.expiresIn == 1_800 && code.interval == 7)
        let least = try DeviceCode(
            parsing: Self.response(["verification_uri_complete": nil, "interval": nil, "expires_in": #""900""#]),
            status: 200)
        #expect(least.completeURI == nil && least.interval == 5 && least.expiresIn == 900)
        let old = try DeviceCode(
            parsing: Self.response(["verification_uri": nil, "verification_url": #""https://old.example""#]),
            status: 200)
        #expect(old.verificationURI == "https://old.example")
        let endless = try DeviceCode(parsing: Self.response(["expires_in": "99999999", "interval": "-5"]), status: 200)
        #expect(endless.expiresIn == 3_600 && endless.interval == 1)
    }

    @Test(
        arguments: [
            ("device_code", nil), ("device_code", #""""#), ("user_code", nil), ("verification_uri", nil),
            ("expires_in", nil), ("expires_in", "0"), ("expires_in", #""soon""#),
            ("verification_uri", #""http://example.com""#), ("verification_uri", #""javascript:alert(1)""#),
            ("verification_uri_complete", #""http://example.com/?c""#), ("user_code", "5"),
        ] as [(String, String?)])
    func rejectsInvalidDeviceCodes(name: String, value: String?) {
        #expect(throws: ProtocolViolation.self) { try DeviceCode(parsing: Self.response([name: value]), status: 200) }
    }

    @Test func reportsErrors() throws {
        let error = #"{"error":"invalid_client","error_description":"AADSTS7000218: no"}"#
        #expect(throws: ServerRefusal(error: "invalid_client", description: "AADSTS7000218: no")) {
            try DeviceCode(parsing: Array(error.utf8), status: 400)
        }
        for (body, status) in [("<html>", 200), ("", 200), ("{}", 404), ("", 503)] {
            #expect(throws: ProtocolViolation.self) { try DeviceCode(parsing: Array(body.utf8), status: status) }
        }
        #expect(throws: ProtocolViolation.self) { try DeviceCode(parsing: Self.response(), status: 201) }
    }

    @Test func decidesByError() {
        let steps: [(String, DevicePolling.Step)] = [
            ("authorization_pending", .again), ("slow_down", .again), ("access_denied", .cancelled),
            ("authorization_declined", .cancelled), ("expired_token", .expired), ("invalid_grant", .failed),
            ("bad_verification_code", .failed), ("", .failed),
        ]
        for (error, step) in steps {
            var polling = DevicePolling(interval: 5)
            #expect(polling.after(ServerRefusal(error: error, description: "")) == step, "\(error)")
        }
    }

    @Test func lengthensPause() {
        var polling = DevicePolling(interval: 2)
        var pauses = [polling.pause]
        let refusal = { (error: String) in ServerRefusal(error: error, description: "") }
        for error in ["authorization_pending", "slow_down", "authorization_pending", "slow_down"] {
            _ = polling.after(refusal(error))
            pauses.append(polling.pause)
        }
        for _ in 0..<4 {
            polling.afterNoResponse()
            pauses.append(polling.pause)
        }
        _ = polling.after(refusal("authorization_pending"))
        pauses.append(polling.pause)
        #expect(pauses == [2, 2, 7, 7, 12, 24, 48, 60, 60, 12])
        var eager = DevicePolling(interval: 0)
        eager.afterNoResponse()
        #expect(eager.pause == 1)
    }

    @Test func writesBothBodies() throws {
        let claims = try ClaimsRequest(parsing: "{}".utf8)
        #expect(
            try MessageTests.fields(DeviceRequest(clientID: "c", scopes: ScopeSet(["x"]), claims: claims).body) == [
                "client_id": "c", "scope": "offline_access openid profile x", "claims": "{}",
            ])
        #expect(
            try MessageTests.fields(TokenRequest.deviceCode("d", clientID: "c").body) == [
                "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": "c", "device_code": "d",
                "client_info": "1",
            ])
    }
}
