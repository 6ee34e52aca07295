import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// Who is meant in another tenant: the person at home, whose account there has another subject.
extension TenantTests {
    private static let ben = User(
        objectID: "9b9b9b9b-0000-4000-8000-000000000009", email: "ben@contoso.example",
        displayName: "Ben of Contoso", identityProvider: contosoID)

    private static let revoked =
        #"{"error":"invalid_grant","error_description":"AADSTS50173: revoked","error_codes":[50173]}"#

    private static func invitesBen(_ tenant: inout TenantConfiguration) {
        if tenant.name == tailspin { tenant.users.append(ben) }
    }

    private static func invitesBenAndAsksForConsent(_ tenant: inout TenantConfiguration) {
        invitesBen(&tenant)
        if tenant.name == tailspin { tenant.userConsent = ["User.Read"] }
    }

    @Test(
        "--sign-in in another tenant accepts only the person at home", arguments: [[], ["-a", "ana@contoso.example"]])
    func expectsPersonAtHome(naming: [String]) async throws {
        try await withTenants(configure: Self.invitesBenAndAsksForConsent) { tenant in
            let susi = tenant.susi
            try await tenant.signIn(.ana)
            let arguments = ["token", "graph", "--sign-in"] + naming + Self.there
            let other = try await tenant.interact(arguments, as: .ben)
            #expect(other.status == 7 && other.standardOutput.isEmpty, "\(other)")
            #expect(other.standardError.contains("ben@contoso.example"), "\(other)")
            #expect(try await susi.run(["accounts"] + Self.there).standardOutput.isEmpty)
            let token = try await tenant.interact(arguments, as: .ana)
            #expect(token.status == 0 && !token.standardOutput.isEmpty, "\(token)")
            #expect(try await susi.run(["status"] + Self.there).standardOutput.contains("Ana of Contoso"))
        }
    }

    @Test(
        "a sign-in in another tenant expects the person whom the text means at home",
        arguments: [("ana", true), ("ana@contoso.example", false), ("ana@contoso.example", true)])
    func signsInPersonAtHome(text: String, inTerminal: Bool) async throws {
        try await withTenants(configure: Self.invitesBen) { tenant in
            try await tenant.signIn(.ana)
            let arguments = ["sign-in", text, "--no-color"] + Self.there
            let other = try await tenant.interact(arguments, as: .ben, inTerminal: inTerminal)
            let output = other.standardError + other.standardOutput
            #expect(other.status == 7 && output.contains("ana@contoso.example"), "\(other)")
            let signedIn = try await tenant.interact(arguments, as: .ana, inTerminal: inTerminal)
            #expect(signedIn.status == 0 && signedIn.standardOutput.contains("Ana of Contoso"), "\(signedIn)")
        }
    }

    @Test("after a sign-out in another tenant the next request fetches the account again")
    func fetchesAgainAfterSignOut() async throws {
        try await withTenants { tenant in
            let susi = tenant.susi
            try await tenant.signIn(.ana)
            for count in 1...2 {
                let dry = try await susi.run(["call", "graph", "--dry-run"] + Self.there)
                #expect(dry.standardOutput.contains("signed in at home"), "\(dry)")
                #expect(try await susi.run(["token", "graph"] + Self.there).status == 0)
                #expect(tenant.requests("POST", "/\(Self.tailspin)/oauth2/v2.0/token") == count)
                #expect(try await susi.run(["sign-out", "--yes"] + Self.there).status == 0)
                #expect(try await susi.run(["accounts"] + Self.there).standardOutput.isEmpty)
            }
        }
    }

    /// Runs `body` after Ben and then Ana have signed in at home; both are guests of the policy's tenant.
    private func withBothAtHome(_ body: (LocalTenant) async throws -> Void) async throws {
        try await withTenants(configure: Self.invitesBen) { tenant in
            for person in [LocalTenant.Person.ben, .ana] {
                #expect(try await tenant.interact(["sign-in", "-A", "policy"], as: person).status == 0)
            }
            try await body(tenant)
        }
    }

    @Test("a sign-out under a policy at another tenant concerns only that person")
    func keepsSignOutOfOnePerson() async throws {
        try await withBothAtHome { tenant in
            let (susi, here) = (tenant.susi, ["-A", "policy"])
            #expect(try await susi.run(["token", "-p", "partner"] + here).status == 0)
            #expect(try await susi.run(["sign-out", "-p", "partner", "--yes"] + here).status == 0)
            #expect(try await susi.run(["token", "-p", "partner"] + here).status == 4)
            #expect(try await susi.run(["switch", "ben@contoso.example"] + here).status == 0)
            let token = try await susi.run(["token", "-p", "partner"] + here)
            #expect(token.status == 0, "\(token)")
            #expect(try await susi.run(["status", "-p", "partner"] + here).standardOutput.contains("Ben of Contoso"))
        }
    }

    @Test("after the other tenant revoked its tokens, a forced refresh uses the sign-in at home")
    func refreshesFromHomeAfterRevocation() async throws {
        try await withTenants { tenant in
            let susi = tenant.susi
            try await tenant.signIn(.ana)
            let first = try await susi.run(["token", "graph"] + Self.there)
            tenant.emulator.faults.add(Fault(.status(400, body: Self.revoked), at: .token))
            #expect(try await susi.run(["token", "graph", "--refresh"] + Self.there).status == 4)
            tenant.emulator.faults.removeAll()
            // The cached token is still valid.
            #expect(try await susi.run(["token", "graph"] + Self.there).standardOutput == first.standardOutput)
            let count = tenant.requests("POST", "/oauth2/v2.0/token")
            let refreshed = try await susi.run(["token", "graph", "--refresh"] + Self.there)
            #expect(refreshed.status == 0 && refreshed.standardOutput != first.standardOutput, "\(refreshed)")
            #expect(tenant.requests("POST", "/oauth2/v2.0/token") == count + 1)
        }
    }

    @Test("a person in another tenant has the token of that person's sign-in at home, even if another one is current")
    func refreshesFromOwnHome() async throws {
        try await withBothAtHome { tenant in
            let (susi, here) = (tenant.susi, ["-A", "policy"])
            let partner = ["-p", "partner"] + here
            #expect(try await susi.run(["token"] + partner).status == 0)
            #expect(try await susi.run(["switch", "ben@contoso.example"] + here).status == 0)
            tenant.emulator.faults.add(Fault(.status(400, body: Self.revoked), at: .token))
            #expect(try await susi.run(["token", "--refresh"] + partner).status == 4)
            tenant.emulator.faults.removeAll()
            let refreshed = try await susi.run(["token", "--refresh"] + partner)
            #expect(refreshed.status == 0, "\(refreshed)")
            let stored = try await susi.run(["accounts"] + partner).standardOutput
            #expect(stored.contains("Ana of Contoso") && !stored.contains("Ben of Contoso"), "\(stored)")
        }
    }

    @Test("a policy at another tenant that has accounts does not take the one that is current at home")
    func keepsToStoredAccounts() async throws {
        try await withBothAtHome { tenant in
            let (susi, here) = (tenant.susi, ["-A", "policy"])
            let partner = ["-p", "partner"] + here
            #expect(try await susi.run(["token"] + partner).status == 0)
            #expect(try await susi.run(["token", "-a", "ben@contoso.example"] + partner).status == 0)
            #expect(try await susi.run(["remove", "ana@contoso.example", "--yes"] + partner).status == 0)
            let none = try await susi.run(["token"] + partner)
            #expect(none.status == 4 && none.standardError.contains("no current account under partner"), "\(none)")
            #expect(none.standardOutput.isEmpty, "\(none)")
        }
    }

    @Test("after a sign-out under a policy at another tenant, no other account there is chosen")
    func choosesNobodyAfterSignOut() async throws {
        try await withBothAtHome { tenant in
            let (susi, here) = (tenant.susi, ["-A", "policy"])
            let partner = ["-p", "partner"] + here
            for name in ["ben@contoso.example", "ana@contoso.example"] {
                #expect(try await susi.run(["token", "-a", name] + partner).status == 0)
            }
            #expect(try await susi.run(["sign-out", "--yes"] + partner).status == 0)
            // Ana is current at home, and has an account here.
            for command in [["token"], ["sign-out", "--yes"], ["call", "graph", "--dry-run"]] {
                let outcome = try await susi.run(command + partner)
                #expect(outcome.status == 4 && outcome.standardError.contains("choose another account"), "\(outcome)")
            }
            #expect(try await susi.run(["accounts"] + partner).standardOutput.contains("Ana of Contoso"))
        }
    }

    @Test("a shortened name keeps to the policy at another tenant")
    func keepsShortenedNameToPolicy() async throws {
        try await withTenants { tenant in
            let susi = tenant.susi
            let here = ["-A", "policy"]
            #expect(try await tenant.interact(["sign-in"] + here, as: .ana).status == 0)
            let partner = ["-p", "partner", "-a"]
            // Only the account at home has that name: in the other tenant, Ana has another identifier.
            let listed = try JSONNode(parsing: try await susi.run(["accounts", "--json"] + here).standardOutput.utf8)
            let subject = try #require(listed["accounts"]?.array?.first?["subject"]?.string)
            let short = susi.command(["token"] + partner + [String(subject.prefix(8))] + here)
            let outcome = try await short.inTerminal(columns: 160).run()
            let exact = try await susi.run(["token"] + partner + [subject] + here)
            let token = String(exact.standardOutput.dropLast())
            #expect(exact.status == 0 && outcome.standardOutput.contains(token), "\(outcome)")
        }
    }

    @Test("a name that somebody has exactly at home is not completed for a sign-in in another tenant")
    func prefersWholeNameAtHome() async throws {
        let configure = { (tenant: inout TenantConfiguration) in
            guard tenant.name != Self.tailspin else { return }
            tenant.users[1].email = nil
            tenant.users[1].userName = "ana"
            for policy in tenant.policies {
                tenant.settings[policy.name, default: PolicySettings()].identifier = .either
            }
        }
        try await withTenants(configure: configure) { tenant in
            try await tenant.signIn(.ana)
            #expect(try await tenant.susi.run(["token", "graph"] + Self.there).status == 0)
            #expect(try await tenant.interact(["sign-in"], as: .ben, typing: ["signInName": "ana"]).status == 0)
            // “ana” is Ben's user name, and begins Ana's address.
            let arguments = ["sign-in", "ana", "--no-color"] + Self.there
            let outcome = try await tenant.interact(arguments, as: .ana, inTerminal: true)
            #expect(outcome.status == 7 && !outcome.standardOutput.contains("short for"), "\(outcome)")
        }
    }

    @Test("--sign-in under a policy at another tenant accepts only the person whom the name means at home")
    func signsInNamedPersonUnderPolicy() async throws {
        try await withTenants(configure: Self.invitesBenAndAsksForConsent) { tenant in
            let here = ["-A", "policy"]
            #expect(try await tenant.interact(["sign-in"] + here, as: .ana).status == 0)
            let token = ["token", "-p", "partner", "-a", "ana@contoso.example", "--sign-in"] + here
            let other = try await tenant.interact(token, as: .ben)
            #expect(other.status == 7 && other.standardOutput.isEmpty, "\(other)")
            let own = try await tenant.interact(token, as: .ana)
            #expect(own.status == 0 && !own.standardOutput.isEmpty, "\(own)")
        }
    }

    @Test("a name that two people have at home chooses neither in another tenant")
    func refusesNameOfTwoPeopleAtHome() async throws {
        try await withHome { home in
            let port = try await withLocalTenant(
                in: home, policies: Self.policies, configure: { Self.guests(&$0) }
            ) { tenant async throws -> UInt16 in
                try await tenant.signIn(.ana)
                return tenant.emulator.port
            }
            try FileManager.default.removeItem(atPath: home.folder.appending("emulator").string)
            // Ben has Ana's address now.
            let moved = { (tenant: inout TenantConfiguration) in
                Self.guests(&tenant)
                guard tenant.name != Self.tailspin else { return }
                tenant.users[0].email = "lima@contoso.example"
                tenant.users[1].email = "ana@contoso.example"
            }
            try await withLocalTenant(in: home, port: port, policies: Self.policies, configure: moved) { tenant in
                try await Self.expectNeither(tenant)
            }
        }
    }

    private static func expectNeither(_ tenant: LocalTenant) async throws {
        let typed = ["signInName": "ana@contoso.example"]
        #expect(try await tenant.interact(["sign-in"], as: .ben, typing: typed).status == 0)
        let named = ["-a", "ana@contoso.example"]
        for command in [["token", "graph"] + named, ["sign-in"] + named] {
            let outcome = try await tenant.susi.run(command + there)
            #expect(outcome.status == 5 && outcome.standardError.contains("matches 2 accounts"), "\(outcome)")
        }
        #expect(tenant.requests("POST", "/\(tailspin)/oauth2/v2.0/token") == 0)
    }

    @Test("a sign-in under a policy at another tenant expects the person whom the name means at home")
    func expectsPersonAtHomeUnderPolicy() async throws {
        try await withTenants(configure: Self.invitesBen) { tenant in
            let here = ["-A", "policy"]
            #expect(try await tenant.interact(["sign-in"] + here, as: .ana).status == 0)
            for (name, inTerminal) in [("ana", true), ("ana@contoso.example", false)] {
                let arguments = ["sign-in", name, "-p", "partner", "--no-color"] + here
                let other = try await tenant.interact(arguments, as: .ben, inTerminal: inTerminal)
                #expect(other.status == 7, "\(other)")
                let signedIn = try await tenant.interact(arguments, as: .ana, inTerminal: inTerminal)
                #expect(signedIn.status == 0 && signedIn.standardOutput.contains("Ana of Contoso"), "\(signedIn)")
                let removal = ["remove", "ana@contoso.example", "--yes", "-p", "partner"] + here
                #expect(try await tenant.susi.run(removal).status == 0)
            }
        }
    }

    @Test("a shortened name under a policy at another tenant names no account at home for a removal")
    func removesNothingAtHome() async throws {
        try await withTenants { tenant in
            let here = ["-A", "policy"]
            #expect(try await tenant.interact(["sign-in"] + here, as: .ana).status == 0)
            let removal = ["remove", "ana", "-p", "partner", "--dry-run", "--no-color"] + here
            let outcome = try await tenant.susi.command(removal).inTerminal(columns: 160).run()
            #expect(outcome.status == 5 && outcome.standardOutput.contains("no account “ana”"), "\(outcome)")
        }
    }

    @Test("an identifier at home names the person in another tenant, before and after the first token")
    func findsByIdentifierAtHome() async throws {
        try await withTenants { tenant in
            let susi = tenant.susi
            let here = ["-A", "policy"]
            #expect(try await tenant.interact(["sign-in"] + here, as: .ana).status == 0)
            let listed = try JSONNode(parsing: try await susi.run(["accounts", "--json"] + here).standardOutput.utf8)
            let subject = try #require(listed["accounts"]?.array?.first?["subject"]?.string)
            let token = ["token", "-a", subject, "-p", "partner"] + here
            let first = try await susi.run(token)
            #expect(first.status == 0, "\(first)")
            #expect(try await susi.run(token).standardOutput == first.standardOutput)
            let switched = try await susi.run(["switch", subject, "-p", "partner"] + here)
            #expect(switched.status == 0 && switched.standardOutput.contains("Ana of Contoso"), "\(switched)")
        }
    }

    @Test("an authority for several tenants counts and offers no guests")
    func leavesOutGuests() async throws {
        let configure = { (tenant: inout TenantConfiguration) in
            guard tenant.name == "contoso.onmicrosoft.com" else { return }
            // An account of another tenant that signs in at common.
            tenant.users[2].homeTenant = TenantConfiguration(kind: .entra, name: Self.tailspin).id
        }
        try await withTenants(configure: configure) { tenant in
            let susi = tenant.susi
            try await tenant.signIn(.ana)
            #expect(try await susi.run(["token", "graph"] + Self.there).status == 0)
            // From now on the accounts of that tenant are below common too.
            try await tenant.signIn(.chi)
            let list = try await susi.run("accounts", "-p", "default", "--limit", "2")
            #expect(list.standardOutput.contains("chi@") && list.standardOutput.contains("ana@"), "\(list)")
            #expect(list.standardError.isEmpty, "\(list)")
            let status = try await susi.run("status")
            #expect(status.standardOutput.contains("current of 2 accounts"), "\(status)")
            let named = try await susi.run(["token", "graph", "-a", "ana@contoso.example"] + Self.there)
            #expect(named.status == 0 && !named.standardOutput.isEmpty, "\(named)")
            #expect(try await susi.run("sign-out", "--yes").status == 0)
            let choice = try await susi.run("token", "graph")
            #expect(choice.status != 0 && choice.standardError.contains("susi switch"), "\(choice)")
            #expect(try await susi.run("remove", "ana@contoso.example", "--yes").status == 0)
            let none = try await susi.run("token", "graph")
            #expect(none.status == 4 && none.standardError.contains("susi sign-in"), "\(none)")
            #expect(!none.standardError.contains("switch"), "\(none)")
            #expect(try await susi.run("accounts").standardOutput.contains("default at \(Self.tailspin)"))
        }
    }

    @Test("a person who is removed at home while the other tenant responds does not come back")
    func keepsRemovedPersonRemoved() async throws {
        let gate = Gate("POST", "/\(Self.tailspin)/oauth2/v2.0/token")
        try await withTenants(arrived: { await gate.pass($0) }) { tenant in
            let susi = tenant.susi
            try await tenant.signIn(.ana)
            await gate.holdNext(1)
            try await susi.command(["token", "graph"] + Self.there).start { run in
                await gate.waitUntilFull()
                let removed = try await susi.run("remove", "ana@contoso.example", "--yes")
                #expect(removed.status == 0, "\(removed)")
                await gate.open()
                let token = try await run.waitUntilExit()
                #expect(token.status != 0 && token.standardOutput.isEmpty, "\(token)")
            }
            #expect(try await susi.run("accounts").standardOutput.isEmpty)
            #expect(try await susi.run(["accounts"] + Self.there).standardOutput.isEmpty)
        }
    }

    @Test("the sign-in of another client does not serve the tenant")
    func keepsClientsApart() async throws {
        try await withTenants { tenant in
            let susi = tenant.susi
            try await tenant.signIn(.ana)
            for account in [[], ["-a", "ana@contoso.example"]] {
                let refused = try await susi.run(["token", "graph", "-A", "other"] + account + Self.there)
                #expect(refused.status == (account.isEmpty ? 4 : 5), "\(refused)")
                #expect(refused.standardOutput.isEmpty, "\(refused)")
            }
            #expect(tenant.requests("POST", "/\(Self.tailspin)/oauth2/v2.0/token") == 0)
        }
    }

    @Test("the policy's own tenant is no other tenant, however it is named")
    func knowsOwnTenantByAnyName() async throws {
        try await withTenants { tenant in
            let susi = tenant.susi
            for application in ["common", "contoso"] {
                #expect(try await tenant.interact(["sign-in", "-A", application], as: .ana).status == 0)
            }
            let list = try await susi.run("accounts", "-A", "common")
            #expect(list.standardOutput.contains("ana@") && !list.standardOutput.contains(" at "), "\(list)")
            let text = try String(contentsOfFile: susi.home.policiesFile.string, encoding: .utf8)
            try susi.home.writePolicies(text.replacing("contoso.onmicrosoft.com", with: Self.contosoID))
            let own = try await susi.run("accounts", "-A", "contoso")
            #expect(own.standardOutput.contains("ana@") && !own.standardOutput.contains(" at "), "\(own)")
        }
    }
}

extension SusiBinary {
    fileprivate func run(_ arguments: [String]) async throws -> ProgramOutcome { try await command(arguments).run() }
}
