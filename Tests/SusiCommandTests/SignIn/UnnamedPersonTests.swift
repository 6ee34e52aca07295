import Susi
import SusiEmulator
import SusiTestSupport
import Testing

/// People whose address the policy does not send, as commands show them: a user flow sends only the claims that are chosen for it.
@Suite("People without an address", .inTurn, .timeLimit(.minutes(5)))
struct UnnamedPersonTests {
    private static let ana = User.standard[0].objectID

    @Test("a person without an address is shown by name, provider and the beginning of the identifier")
    func showsUnnamedPerson() async throws {
        let configure = { (tenant: inout TenantConfiguration) in
            tenant.users.append(
                User(
                    objectID: "e0e0e0e0-0000-4000-8000-00000000000e", email: "eva@social.example",
                    displayName: "Eva Sol", identityProvider: "social.example"))
            Self.sending(["name", "idp"], providers: [.local, .social])(&tenant)
        }
        try await withLocalTenant(configure: configure) { tenant, susi in
            try await tenant.interact(["sign-in"], as: .ana).exits(0, printing: "Ana Lima (a0a0a0a0)")
            try await tenant.interact(
                ["sign-in", "--domain-hint", "social.example"], as: .ben, typing: ["email": "eva@social.example"]
            ).exits(0, printing: "Eva Sol (social.example, e0e0e0e0)")
            let list = try await susi.run("accounts").exits(0, printing: "Ana Lima (a0a0a0a0)")
            let json = try await susi.run("accounts", "--json").json()
            let providers = (json["accounts"]?.array ?? []).map { $0["identityProvider"]?.string }
            #expect(Set(providers) == [nil, "social.example"])
            #expect(!list.standardOutput.contains("@"), "\(list)")
            for arguments in [["token", "-a"], ["switch"]] {
                try await susi.command(arguments + ["a0a0a0a0"]).inTerminal(columns: 160).run().exits(0)
            }
            // Where no person sees what it chose, the identifier is whole.
            try await susi.run("token", "-a", "a0a0a0a0").exits(5, saying: Self.ana)
        }
    }

    @Test("what a person typed becomes no name")
    func storesNoTypedName() async throws {
        try await withLocalTenant(policies: { addingPasswordPolicy(to: $0) }, configure: Self.sending([])) { tenant in
            try await tenant.susi.run(
                "sign-in", "-p", "B2C_1_ropc", "--username", "ana@contoso.example", "--password-stdin",
                input: User.standard[0].password
            ).exits(0, printing: Self.ana)
            try await tenant.signIn(.ana)
            for command in [["accounts", "--all", "--json"], ["status", "--claims"]] {
                try await tenant.susi.command(command).run().exits(0, hiding: "ana@")
            }
        }
    }

    /// Makes every policy send only these claims.
    private static func sending(
        _ claims: [String], providers: [PolicySettings.IdentityProvider] = [.local]
    ) -> (inout TenantConfiguration) -> Void {
        { tenant in
            for policy in tenant.policies {
                var settings = tenant.settings(of: policy.name)
                (settings.claims, settings.identityProviders) = (claims, providers)
                tenant.settings[policy.name] = settings
            }
        }
    }
}
