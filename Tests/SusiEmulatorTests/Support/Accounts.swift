import SusiBase
import SusiPolicies
import Testing

@testable import SusiEmulator

extension TenantConfiguration {
    /// Changes the settings of the tests' sign-in policy.
    mutating func change(_ policy: String = "B2C_1_susi", _ body: (inout PolicySettings) -> Void) {
        body(&settings[PolicyName(policy), default: PolicySettings()])
    }

    /// Registers a client at the usual address, with a secret or without.
    mutating func register(_ clientID: String, secret: String? = nil) {
        var application = RegisteredApplication(clientID: clientID, redirectAddresses: ["http://localhost:8400/"])
        application.secrets = secret.map { [$0] } ?? []
        applications.append(application)
    }

    /// Adds the policy for names and passwords.
    mutating func addPasswordPolicy(_ name: String = "B2C_1_ropc") {
        policies.append(Policy(name: PolicyName(name), kind: .resourceOwner))
    }

    /// Adds a user with the usual password.
    mutating func add(
        _ number: Int, email: String? = nil, userName: String? = nil, _ body: (inout User) -> Void = { _ in }
    ) {
        var user = User(
            objectID: "e0e0e0e0-0000-4000-8000-00000000000\(number)", email: email, userName: userName,
            password: User.usualPassword, displayName: "Person \(number)", givenName: "", surname: "")
        body(&user)
        users.append(user)
    }
}

extension EmulatorFixture {
    /// The database of the emulator's first tenant.
    var database: Database { emulator.site.tenants[0].database }

    /// Returns the code that was sent last; checks its recipient and its purpose.
    func code(to recipient: String, for purpose: OutboxMessage.Purpose) throws -> String {
        let message = try #require(try database.outbox(limit: 1).first, "nothing was sent")
        #expect(message.recipient == recipient && message.purpose == purpose)
        #expect(message.code.count == 6 && message.code.allSatisfy(\.isNumber))
        return message.code
    }

    /// Returns a code other than the last one.
    func wrongCode() throws -> String {
        try database.outbox(limit: 1).first?.code == "000000" ? "000001" : "000000"
    }

    /// Calls an API at a path or an address with a token.
    func call(_ address: String, _ token: JSON?) async throws -> Received {
        let bearer = ("Authorization", "Bearer \(token?.string ?? "")")
        return try await browser().get((address.hasPrefix("/") ? emulator.origin : "") + address, [bearer])
    }

    /// Returns the claims of the id token for the code in a redirect.
    func idToken(_ redirect: Received, policy: String = "B2C_1_susi") async throws -> JSON {
        let response = try await redeem(try redirect.redirect["code"], policy: policy)
        try #require(response.status == 200, "\(response.text)")
        return try response.json.claims("id_token")
    }
}
