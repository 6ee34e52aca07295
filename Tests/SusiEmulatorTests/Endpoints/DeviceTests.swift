import NIOHTTP1
import SusiBase
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Device code", .inTurn, .timeLimit(.minutes(5)))
struct DeviceTests {
    private struct Device {
        let door: Door
        let response: JSON

        init(_ door: Door, _ scope: String = "openid offline_access") async throws {
            self.door = door
            response = try await door.fixture.browser().post(
                try door.endpoint("device_authorization_endpoint"),
                ["client_id": EmulatorFixture.client, "scope": scope]
            ).json
        }

        var userCode: String { response["user_code"]?.string ?? "" }

        func poll(_ changed: [String: String] = [:]) async throws -> Received {
            try await door.token(
                [
                    "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
                    "device_code": response["device_code"]?.string ?? "",
                ].merging(changed) { $1 })
        }

        func error(_ changed: [String: String] = [:]) async throws -> String? {
            try await poll(changed).json["error"]?.string
        }

        /// Enters the code and signs in. Returns the confirmation page.
        func enter(_ browser: Browser, code: String? = nil) async throws -> Received {
            let page = try await browser.get(response["verification_uri"]?.string ?? "")
            let signIn = try await browser.submit(page, ["user_code": code ?? userCode])
            guard signIn.text.contains("type=\"password\"") else { return signIn }
            return try await browser.submit(signIn, EmulatorFixture.answers)
        }
    }

    private static let doors = [
        "/tailspin.onmicrosoft.com/v2.0", "/common/v2.0", "/fabrikam.onmicrosoft.com/v2.0", "/login",
    ]

    private func withDoors(_ paths: [String] = doors, _ body: (Door, String) async throws -> Void) async throws {
        try await withFixture(tenants: [try tenantOfTests(), Kinds.entra, Kinds.external, Kinds.openid]) { fixture in
            for path in paths { try await body(try await Door(fixture, path), path) }
        }
    }

    @Test("reports pending, then issues tokens once after sign-in and confirmation")
    func issuesTokensOnce() async throws {
        try await withDoors { door, path in
            let device = try await Device(door)
            #expect(device.response["expires_in"] == .integer(900))
            #expect(device.response["interval"] == .integer(5))
            #expect(device.userCode.wholeMatch(of: #/[B-Z]{4}-[B-Z]{4}/#) != nil)
            #expect(try await device.error() == "authorization_pending")
            let browser = door.fixture.browser()
            let question = try await device.enter(browser, code: device.userCode.lowercased().replacing("-", with: " "))
            #expect(question.text.contains("Sign in on a device?") && question.text.contains(device.userCode))
            #expect(try await device.error() == "slow_down")
            let done = try await browser.submit(question, [:])
            #expect(done.text.contains("You have signed in on your device"))
            let tokens = try await device.poll().json
            #expect(try await door.verified(tokens["id_token"])["sub"] != nil)
            #expect(try await door.refresh(tokens).status == 200)
            #expect(try await device.poll().status == 400)
            // A signed-in browser is asked for the confirmation only.
            let second = try await Device(door)
            let entry = "\(second.response["verification_uri"]?.string ?? "")?user_code=\(second.userCode)"
            let complete = second.response["verification_uri_complete"]?.string
            #expect((complete != nil) == (path == "/login"))
            #expect(try await browser.get(complete ?? entry).text.contains("Sign in on a device?"))
            #expect(try await second.error() == "authorization_pending")
        }
    }

    @Test("accepts the older, short grant name in Microsoft's kinds only")
    func acceptsShortGrantName() async throws {
        try await withDoors { door, path in
            let device = try await Device(door)
            let expected = path == "/login" ? "unsupported_grant_type" : "authorization_pending"
            #expect(try await device.error(["grant_type": "device_code"]) == expected)
        }
    }

    @Test("refuses a device after revocation or expiry")
    func refusesLateDevice() async throws {
        try await withDoors(["/tailspin.onmicrosoft.com/v2.0"]) { door, _ in
            for expected in ["invalid_grant", "expired_token"] {
                let (device, browser) = (try await Device(door), door.fixture.browser())
                let question = try await device.enter(browser)
                _ = try await browser.submit(question, [:])
                if expected == "invalid_grant" {
                    try await door.fixture.admin(
                        .POST, "/users/ana@contoso.example/revoke?tenant=tailspin.onmicrosoft.com"
                    ).expecting(200)
                } else {
                    door.fixture.emulator.clock.advance(by: 900)
                }
                #expect(try await device.error() == expected)
            }
        }
    }

    @Test("reports a declined device with the error of each kind")
    func reportsDeclined() async throws {
        try await withDoors(["/login", "/common/v2.0"]) { door, path in
            let device = try await Device(door)
            let browser = door.fixture.browser()
            let question = try await device.enter(browser)
            let done = try await browser.submit(question, ["cancel": "1"])
            #expect(done.text.contains("Your device was not signed in"))
            #expect(try await device.error() == (path == "/login" ? "access_denied" : "authorization_declined"))
            // The code is no longer valid.
            let again = try await device.enter(door.fixture.browser())
            #expect(again.text.contains("No device is waiting with this code"))
        }
    }

    @Test("slows down fast polling and expires late codes")
    func slowsDownAndExpires() async throws {
        try await withDoors(["/login"]) { door, _ in
            let device = try await Device(door)
            let clock = door.fixture.emulator.clock
            #expect(try await device.error() == "authorization_pending")
            clock.advance(by: 4)
            #expect(try await device.error() == "slow_down")
            clock.advance(by: 9)
            #expect(try await device.error() == "slow_down")
            clock.advance(by: 15)
            #expect(try await device.error() == "authorization_pending")
            clock.advance(by: 900)
            #expect(try await device.error() == "expired_token")
            let page = try await device.enter(door.fixture.browser())
            #expect(
                page.alerts == ["No device is waiting with this code. Check the code, or start again on the device."])
        }
    }

    @Test("refuses another client, another tenant, unknown codes and unknown scopes, and everything in B2C")
    func refusesWrongRequests() async throws {
        try await withDoors(["/login"]) { door, _ in
            let device = try await Device(door)
            #expect(try await device.error(["device_code": "nonsense"]) == "invalid_grant")
            #expect(try await device.error(["client_id": "other"]) == "invalid_client")
            let entra = try await Door(door.fixture, "/common/v2.0")
            let moved = try await entra.token([
                "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
                "device_code": device.response["device_code"]?.string ?? "",
            ])
            #expect(try moved.json["error"] == "bad_verification_code")
            #expect(try await Device(door, "openid unknown.scope").response["error"] == "invalid_scope")
            // B2C serves no devices.
            let b2c = try await Door(door.fixture, "/contoso.onmicrosoft.com/B2C_1_susi/v2.0")
            try await door.fixture.browser().post(
                "\(door.fixture.tenant)/B2C_1_susi/oauth2/v2.0/devicecode", ["client_id": EmulatorFixture.client]
            ).expecting(404)
            let grant = try await b2c.token([
                "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": "x",
            ])
            #expect(try grant.json.code == 90086)
        }
    }
}
