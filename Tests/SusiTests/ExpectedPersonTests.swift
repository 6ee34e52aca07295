import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// Who is meant by a name: a person is a tenant and a subject, and a name never stands for two people.
@Suite("Expected persons", .inTurn, .timeLimit(.minutes(5)))
struct ExpectedPersonTests {
    private static let ana = "ana@contoso.example"
    private static let anaID = LocalTenant.Person.ana.user.objectID
    private static let benID = LocalTenant.Person.ben.user.objectID

    /// Gives Ben a user name in place of an address.
    static func namingBen(_ name: String) -> @Sendable (inout TenantConfiguration) -> Void {
        { tenant in
            tenant.users[1].email = nil
            tenant.users[1].userName = name
            for policy in tenant.policies {
                tenant.settings[policy.name, default: PolicySettings()].identifier = .either
            }
        }
    }

    /// Signs a person in whom the text names.
    @discardableResult
    private func signIn(
        _ person: LocalTenant.Person, as text: String, _ tenant: LocalTenant, typing: [String: String] = [:]
    ) async throws -> StoredAccount {
        let client = try tenant.client()
        let expected = try await client.expectedPerson(AccountSelection(text: text)).person
        return try await tenant.signIn(person, with: client, SignInRequest(expected: expected), typing: typing).account
    }

    private func labels(_ tenant: LocalTenant) async throws -> [String] {
        try await tenant.client().accounts().map(\.label)
    }

    private func suggested(_ error: SusiError?) -> PolicyRun? {
        for case .run(let run) in error?.nextStep.parts ?? [] { return run }
        return nil
    }

    @Test("a person of another tenant with the same object ID and address is another person")
    func comparesTenants() async throws {
        let policies = onlyApplication("entra", "common")
        try await withHome { home in
            let port = try await withLocalTenant(in: home, policies: policies, signedIn: [.ana]) {
                tenant async throws -> UInt16 in
                try await signIn(.ana, as: Self.ana, tenant)
                return tenant.emulator.port
            }
            try home.folder.appending("emulator").remove()
            let moved = { (tenant: inout TenantConfiguration) in
                tenant.users[0].homeTenant = "9188040d-6c67-4c5b-b112-36a304b66dad"
            }
            try await withLocalTenant(in: home, port: port, policies: policies, configure: moved) { tenant in
                await expectRefusal(.differentPerson) { try await signIn(.ana, as: Self.ana, tenant) }
                #expect(try await labels(tenant) == [Self.ana])
                try await tenant.signIn(.ana)
                #expect(try await labels(tenant) == [Self.ana, Self.ana])
            }
        }
    }

    @Test(
        "a user name with the text of another person's identifier does not make that person",
        arguments: [("openid", "login"), ("entra", "tailspin.onmicrosoft.com")])
    func ignoresUserNameOfIdentifier(kind: String, path: String) async throws {
        try await withLocalTenant(policies: onlyApplication(kind, path), configure: Self.namingBen(Self.anaID)) {
            tenant in
            let typed = ["signInName": Self.anaID]
            await expectRefusal(.differentPerson) { try await signIn(.ben, as: Self.anaID, tenant, typing: typed) }
            #expect(try await labels(tenant).isEmpty)
            try await signIn(.ana, as: Self.anaID, tenant)
            // Ben is expected by his own identifier.
            try await signIn(.ben, as: Self.benID, tenant, typing: typed)
        }
    }

    @Test("a display name with the text of another person's identifier does not make that person either")
    func ignoresDisplayNameOfIdentifier() async throws {
        try await withLocalTenant(configure: { $0.users[1].displayName = Self.anaID }) { tenant in
            let client = try tenant.client()
            for person in [LocalTenant.Person.ben, .ana] { try await tenant.signIn(person) }
            for name in [Self.anaID, Self.ana] {
                let error = await expectRefusal(.differentPerson) { try await signIn(.ben, as: name, tenant) }
                // The error names addresses, even if the person was named by an object ID.
                for address in ["ben@contoso.example", Self.ana] {
                    #expect(error?.description.contains(address) == true, "\(String(describing: error))")
                }
            }
            _ = try await client.remove(try await client.account(AccountSelection(text: Self.ana)))
            await expectRefusal(.unknownAccount) { try await client.account(AccountSelection(text: Self.anaID)) }
            await expectRefusal(.differentPerson) { try await signIn(.ben, as: Self.anaID, tenant) }
        }
    }

    @Test("an identifier goes before another person's user name with the same text")
    func prefersIdentifiers() async throws {
        let configure = { @Sendable (tenant: inout TenantConfiguration) in
            Self.namingBen("ana")(&tenant)
            tenant.users[0].objectID = "ana"
        }
        try await withLocalTenant(policies: onlyApplication("openid", "login"), configure: configure) { tenant in
            let (client, named) = (try tenant.client(), AccountSelection(text: "ana"))
            let typed = ["signInName": "ana"]
            try await tenant.signIn(.ana)
            try await tenant.signIn(.ben, with: client, typing: typed)
            #expect(try await client.account(named).label == Self.ana)
            // Ben is named by his identifier, because his user name means Ana.
            let ben = try await client.account(AccountSelection(text: Self.benID.uppercased()))
            let name = await client.completeName(of: ben)
            #expect(ben.label == "ana" && name == Self.benID)
            await expectRefusal(.differentPerson) { try await signIn(.ben, as: "ana", tenant, typing: typed) }
            try await signIn(.ana, as: "ana", tenant)
            _ = try await client.remove(try await client.account(named))
            // Without that identifier, the text means the user name.
            #expect(try await client.account(named).account == ben.account)
        }
    }

    @Test("the wrong person for a shortened name that no stored person has: the error suggests the whole name")
    func completesName() async throws {
        try await withLocalTenant { tenant in
            for (name, whole) in [("ben", "ben@contoso.example"), ("ana", "ana")] {
                let other = await expectRefusal(.differentPerson) {
                    try await tenant.signIn(.ben, with: try tenant.client(), SignInRequest(expected: .named(name)))
                }
                #expect(suggested(other)?.account == whole)
            }
        }
    }

    @Test("without an account under the policy, the error names the one policy that has it")
    func namesOtherPolicy() async throws {
        try await withLocalTenant { tenant in
            try await tenant.signIn(.ana, under: "B2C_1_partner")
            for (code, name) in [(SusiError.Code.signInNeeded, nil), (.unknownAccount, "ana@contoso.example")] {
                await expectRefusal(code, why: "there is one under B2C_1_partner") {
                    try await tenant.client().token(api: "hello", of: AccountSelection(text: name))
                }
            }
        }
    }

    @Test("a suggested sign-in by password has the user name of the account")
    func suggestsUserName() async throws {
        try await withLocalTenant(policies: { addingPasswordPolicy(to: $0) }) { tenant in
            let ana = LocalTenant.Person.ana
            let policy = PolicyName("B2C_1_ropc")
            _ = try await tenant.client().signIn(
                SignInRequest(policy: policy, api: "hello"),
                credentials: ana.credentials)
            // The response to a password does not tell when its refresh token expires: the server refuses it.
            tenant.emulator.clock.advance(by: 15 * 86_400)
            let ended = await expectRefusal(.signInNeeded) {
                try await tenant.client(ahead: 15 * 86_400).token(api: "hello", of: AccountSelection(policy: policy))
            }
            #expect(suggested(ended)?.kind == .resourceOwner && suggested(ended)?.userName == ana.email)
        }
    }

    // MARK: People without an address

    /// Makes every policy send only these claims.
    private static func sending(_ claims: String...) -> @Sendable (inout TenantConfiguration) -> Void {
        { tenant in
            tenant.users[0].userName = "anau"
            for policy in tenant.policies {
                var settings = tenant.settings(of: policy.name)
                (settings.claims, settings.identifier) = (claims, .either)
                tenant.settings[policy.name] = settings
            }
        }
    }

    @Test(
        "an address or a user name that the policy does not send is refused for that reason, with a sign-in that works",
        arguments: [(ana, "address"), ("anau", "user name")])
    func refusesDemandedName(name: String, kind: String) async throws {
        try await withLocalTenant(configure: Self.sending("name")) { tenant in
            let refused = await expectRefusal(.invalidResponse) { try await signIn(.ana, as: name, tenant) }
            let said = refused.map { "\($0) \($0.next)" } ?? ""
            #expect(said.contains("B2C_1_susi sends no \(kind)") && !said.contains("signed in as"), "\(said)")
            #expect(try await labels(tenant).isEmpty)
            let next = try #require(suggested(refused)?.account)
            #expect(next == Self.anaID)
            await expectRefusal(.differentPerson) { try await signIn(.ben, as: next, tenant) }
            try await signIn(.ana, as: next, tenant)
            _ = try await tenant.client().token(api: "hello", of: AccountSelection(text: next))
        }
    }
}
