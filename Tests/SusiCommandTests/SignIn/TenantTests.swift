import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// One sign-in for several workforce tenants: Ana of contoso is a guest of tailspin.
@Suite("Several tenants", .inTurn, .timeLimit(.minutes(5)))
struct TenantTests {
    static let tailspin = "tailspin.onmicrosoft.com"
    static let there = ["--tenant", tailspin]
    static let contosoID = TenantConfiguration(kind: .entra, name: "contoso.onmicrosoft.com").id

    static func application(
        _ authority: String, known: [String], policies: String = ""
    ) -> String {
        let known = known.map { "\"http://localhost:8480\($0)\"" }.joined(separator: ", ")
        return """
            { "kind": "entra", "authority": "http://localhost:8480/\(authority)", \(policies)
              "clientId": "11111111-1111-1111-1111-111111111111", "redirectPorts": [0], "knownAuthorities": [\(known)],
              "apis": { "graph": { "baseUrl": "http://localhost:8480/v1.0", "scopes": ["User.Read"] } } }
            """
    }

    static let partner = """
        "policies": {
            "default": { "kind": "signUpOrSignIn", "default": true },
            "partner": {
                "kind": "signUpOrSignIn", "authority": "http://localhost:8480/\(tailspin)", "scopes": ["User.Read"] } },
        """

    static func policies(_: String) -> String {
        let named = ["/common", "/contoso.onmicrosoft.com", "/\(tailspin)"]
        return """
            { "current": "common", "applications": {
                "common": \(application("common", known: named)),
                "contoso": \(application("contoso.onmicrosoft.com", known: named)),
                "tailspin": \(application(tailspin, known: named)),
                "policy": \(application("common", known: named, policies: partner)),
                "host": \(application("common", known: [""], policies: partner)),
                "other": \(application("common", known: named).replacing("\"11111111-", with: "\"44444444-")),
                "own": { "kind": "external", "authority": "http://localhost:8480/fabrikam.onmicrosoft.com",
                    "clientId": "11111111-1111-1111-1111-111111111111", "redirectPorts": [0] } } }
            """
    }

    static func guests(_ tenant: inout TenantConfiguration) {
        guard tenant.name == tailspin else { return }
        tenant.users = [
            User(
                objectID: "9a9a9a9a-0000-4000-8000-000000000009", email: "ana@contoso.example",
                displayName: "Ana of Contoso", identityProvider: contosoID)
        ]
    }

    func withTenants(
        arrived: (@Sendable (String) async -> Void)? = nil,
        configure more: (inout TenantConfiguration) -> Void = { _ in }, _ body: (LocalTenant) async throws -> Void
    ) async throws {
        try await withLocalTenant(
            policies: Self.policies, arrived: arrived,
            configure: {
                Self.guests(&$0)
                more(&$0)
            }, body)
    }

    func me(_ tenant: LocalTenant, _ arguments: [String]) async throws -> JSONNode {
        let outcome = try await tenant.susi.run(["call", "graph", "/me"] + arguments)
        try #require(outcome.status == 0, "\(outcome)")
        return try JSONNode(parsing: outcome.standardOutput.utf8)
    }

    @Test(
        "a sign-in at common or at home serves another tenant, the second time from the cache",
        arguments: ["common", "contoso"])
    func servesOtherTenant(application: String) async throws {
        try await withTenants { tenant in
            let susi = tenant.susi
            let here = ["-A", application]
            #expect(try await tenant.interact(["sign-in"] + here, as: .ana).status == 0)
            let home = try await susi.run(["token", "graph"] + here)
            let token = try await susi.run(["token", "graph"] + here + Self.there)
            #expect(token.status == 0 && token.standardError.isEmpty, "\(token)")
            #expect(token.standardOutput != home.standardOutput)
            #expect(tenant.requests("POST", "/\(Self.tailspin)/oauth2/v2.0/token") == 1)
            let count = tenant.requestLines.count
            #expect(try await susi.run(["token", "graph"] + here + Self.there).standardOutput == token.standardOutput)
            #expect(
                try await susi.run(["token", "graph", "-a", "ana@contoso.example"] + here + Self.there).standardOutput
                    == token.standardOutput)
            #expect(try await susi.run(["token", "graph"] + here).standardOutput == home.standardOutput)
            #expect(tenant.requestLines.count == count)
            let guest = try await me(tenant, here + Self.there)
            #expect(guest["userPrincipalName"]?.string == "ana_contoso.example#EXT#@\(Self.tailspin)")
            #expect(try await me(tenant, here)["userPrincipalName"]?.string == "ana@contoso.example")
            let refreshed = try await susi.run(["token", "graph", "--refresh"] + here + Self.there)
            #expect(refreshed.status == 0 && refreshed.standardOutput != token.standardOutput, "\(refreshed)")
            #expect(tenant.requests("POST", "/\(Self.tailspin)/oauth2/v2.0/token") == 2)
        }
    }

    @Test("an export for the browser says of a guest that the tenant is not the home")
    func marksGuestInExport() async throws {
        try await withTenants { tenant in
            for (application, isAtHome) in [("tailspin", false), ("contoso", true)] {
                #expect(try await tenant.interact(["sign-in", "-A", application], as: .ana).status == 0)
                let exported = try await tenant.susi.run(
                    "export", "--format", "msal-browser", "-A", application, "--yes")
                let entries = try JSONNode(parsing: exported.standardOutput.utf8).members.compactMap {
                    try JSONNode(parsing: ($0.node.string ?? "").utf8)["tenantProfiles"]?.array?.first
                }
                #expect(entries.map { $0["isHomeTenant"]?.bool } == [isAtHome], "\(exported)")
            }
        }
    }

    @Test("the accounts of one person in two tenants are two persons with one home account")
    func listsAccountsOfBothTenants() async throws {
        try await withTenants { tenant in
            let susi = tenant.susi
            try await tenant.signIn(.ana)
            #expect(try await susi.run(["token", "graph"] + Self.there).status == 0)
            let list = try JSONNode(parsing: try await susi.run("accounts", "--json").standardOutput.utf8)
            let accounts = list["accounts"]?.array ?? []
            #expect(accounts.count == 2)
            #expect(Set(accounts.map { $0["homeAccountId"]?.string }).count == 1)
            #expect(Set(accounts.map { $0["subject"]?.string }).count == 2)
            #expect(Set(accounts.map { $0["tenantId"]?.string }).count == 2)
            #expect(try await susi.run("accounts").standardOutput.contains("default at \(Self.tailspin)"))
            let status = try await susi.run(["status"] + Self.there)
            #expect(status.standardOutput.contains("Ana of Contoso") && status.standardOutput.contains(Self.tailspin))
            #expect(try await susi.run("status").standardOutput.contains("Ana Lima"))
            #expect(try await susi.run(["inspect"] + Self.there).standardOutput.hasPrefix("valid "))
        }
    }

    @Test("remove at home keeps the account in the other tenant and counts it")
    func removesOneTenantAtATime() async throws {
        try await withTenants { tenant in
            let susi = tenant.susi
            try await tenant.signIn(.ana)
            #expect(try await susi.run(["token", "graph"] + Self.there).status == 0)
            let removed = try await susi.run("remove", "ana@contoso.example", "--yes")
            let kept = "kept: 1 other account (susi accounts --all shows all)"
            #expect(removed.status == 0 && removed.standardOutput.contains(kept), "\(removed)")
            #expect(try await susi.run(["token", "graph", "-a", "ana@contoso.example"] + Self.there).status == 0)
            let unknown = try await susi.run("remove", "ana@contoso.example", "--yes")
            #expect(unknown.status == 5 && unknown.standardError.contains("--tenant \(Self.tailspin)"), "\(unknown)")
            #expect(try await susi.run(["remove", "ana@contoso.example", "--yes"] + Self.there).status == 0)
            #expect(try await susi.run("accounts").standardOutput.isEmpty)
            #expect(try await susi.run(["token", "graph"] + Self.there).status == 4)
        }
    }

    @Test("every command that shows an account in another tenant names the tenant")
    func namesTenant() async throws {
        try await withTenants { tenant in
            let susi = tenant.susi
            let place = "under default at \(Self.tailspin)"
            let before = try await susi.run(["sign-out"] + Self.there)
            #expect(before.status == 5 && before.standardError.contains(place), "\(before)")
            let none = try await susi.run(["token", "graph"] + Self.there)
            #expect(none.status == 4 && none.standardError.contains(place), "\(none)")
            try await tenant.signIn(.ana)
            let signedIn = try await tenant.interact(["sign-in"] + Self.there, as: .ana)
            #expect(signedIn.standardOutput.contains(place), "\(signedIn)")
            for arguments in [["accounts"], ["accounts"] + Self.there] {
                let list = try await susi.run(arguments).standardOutput
                #expect(list.contains("default at \(Self.tailspin)"), "\(list)")
            }
            let switched = try await susi.run(["switch", "ana@contoso.example"] + Self.there)
            #expect(switched.standardOutput.contains(place), "\(switched)")
            let status = try await susi.run(["status", "--all"] + Self.there)
            #expect(status.standardOutput.contains("default at \(Self.tailspin)"), "\(status)")
            let unknown = try await susi.run(["token", "graph", "-a", "zed@contoso.example"] + Self.there)
            #expect(unknown.standardError.contains("“zed@contoso.example” \(place)"), "\(unknown)")
            for arguments in [["sign-out", "--all", "--dry-run"], ["sign-out", "--all", "--yes"]] {
                let report = try await susi.run(arguments).standardOutput
                #expect(report.components(separatedBy: "Ana").count == 3, "\(report)")
                #expect(report.components(separatedBy: place).count == 2, "\(report)")
            }
        }
    }

    @Test("compare shows an account at home beside the one of the same person in another tenant")
    func comparesAcrossTenants() async throws {
        try await withTenants { tenant in
            let susi = tenant.susi
            try await tenant.signIn(.ana)
            #expect(try await susi.run(["token", "graph"] + Self.there).status == 0)
            let ana = "ana@contoso.example"
            let compared = try await susi.run(["compare", ana, ana] + Self.there)
            #expect(compared.status == 1, "\(compared)")
            for text in ["Ana Lima", "Ana of Contoso", "9a9a9a9a-0000-4000-8000-000000000009"] {
                #expect(compared.standardOutput.contains(text), "\(text): \(compared)")
            }
        }
    }

    @Test("a sign-out of an account in another tenant says until when its access token stays valid")
    func reportsAccessTokenOfOtherTenant() async throws {
        try await withTenants { tenant in
            let susi = tenant.susi
            try await tenant.signIn(.ana)
            #expect(try await susi.run(["token", "graph"] + Self.there).status == 0)
            #expect(try await susi.run("remove", "ana@contoso.example", "--yes").status == 0)
            let preview = try await susi.run("sign-out", "--all", "--dry-run")
            #expect(preview.standardOutput.contains("access tokens"), "\(preview)")
            let json = try await susi.run("sign-out", "--all", "--yes", "--json")
            let report = try JSONNode(parsing: json.standardOutput.utf8)
            #expect(
                report["removed"]?.array?.count == 1 && report["accessTokensValidUntil"]?.members.isEmpty == false,
                "\(json)")
        }
    }

    @Test("a sign-out in a shared store removes the account in a tenant that knownAuthorities no longer names")
    func removesAccountOfForgottenTenant() async throws {
        try await withTenants { tenant in
            let susi = tenant.susi
            let here = ["-A", "common"]
            #expect(try await susi.run("store", "share").status == 0)
            #expect(try await tenant.interact(["sign-in"] + here, as: .ana).status == 0)
            #expect(try await susi.run(["token", "graph"] + here + Self.there).status == 0)
            let text = try String(contentsOfFile: susi.home.policiesFile.string, encoding: .utf8)
            let entry = ", \"\(tenant.emulator.origin)/\(Self.tailspin)\"]"
            try #require(text.contains(entry))
            try susi.home.writePolicies(text.replacing(entry, with: "]"))
            let out = try await susi.run(["sign-out", "--yes"] + here)
            #expect(out.standardOutput.components(separatedBy: "Removed").count == 3, "\(out)")
            try susi.home.writePolicies(text)
            #expect(try await susi.run(["accounts"] + here).standardOutput.isEmpty)
            #expect(try await susi.run(["accounts"] + here + Self.there).standardOutput.isEmpty)
        }
    }

    @Test("sign-out --all removes the accounts of every tenant")
    func signsOutEverywhere() async throws {
        try await withTenants { (tenant) async throws in
            try await tenant.signIn(.ana)
            #expect(try await tenant.susi.run(["token", "graph"] + Self.there).status == 0)
            let out = try await tenant.susi.run("sign-out", "--all", "--yes")
            #expect(out.status == 0, "\(out)")
            #expect(try await tenant.susi.run("accounts").standardOutput.isEmpty)
            #expect(try await tenant.susi.run(["accounts"] + Self.there).standardOutput.isEmpty)
        }
    }

    @Test("a policy at another tenant uses the sign-in at home until it is signed out")
    func servesPolicyWithAuthority() async throws {
        try await withTenants { tenant in
            let susi = tenant.susi
            let here = ["-A", "policy"]
            #expect(try await tenant.interact(["sign-in"] + here, as: .ana).status == 0)
            let dry = try await susi.run(["call", "graph", "-p", "partner", "--dry-run"] + here)
            #expect(dry.status == 0 && dry.standardOutput.contains("ana@contoso.example"), "\(dry)")
            #expect(tenant.requests("POST", "/\(Self.tailspin)/oauth2/v2.0/token") == 0)
            let token = try await susi.run(["token", "-p", "partner"] + here)
            #expect(token.status == 0, "\(token)")
            let count = tenant.requestLines.count
            #expect(try await susi.run(["token", "-p", "partner"] + here).standardOutput == token.standardOutput)
            #expect(tenant.requestLines.count == count)
            #expect(try await susi.run(["status", "-p", "partner"] + here).standardOutput.contains("Ana of Contoso"))
            #expect(try await susi.run(["sign-out", "-p", "partner", "--yes"] + here).status == 0)
            let gone = try await susi.run(["token", "-p", "partner"] + here)
            #expect(gone.status == 4 && gone.standardError.contains("susi sign-in -p partner"), "\(gone)")
            #expect(try await susi.run(["token"] + here).status == 0)
            // The time of a sign-in counts in whole seconds.
            let later = ["SUSI_CLOCK": "+5s"]
            #expect(try await tenant.interact(["sign-in"] + here, as: .ana, environment: later).status == 0)
            #expect(try await susi.command(["token", "-p", "partner"] + here, environment: later).run().status == 0)
        }
    }

    @Test("a tenant that knownAuthorities does not name gets nothing; the error names the entry")
    func refusesUnnamedTenant() async throws {
        try await withTenants { tenant in
            let susi = tenant.susi
            #expect(try await tenant.interact(["sign-in", "-A", "host"], as: .ana).status == 0)
            try await tenant.signIn(.ana)
            let count = tenant.requestLines.count
            let unknown = try await susi.run("token", "graph", "--tenant", "fabrikam.onmicrosoft.com")
            let origin = tenant.emulator.origin
            #expect(
                unknown.status == 7 && unknown.standardError.contains("\"\(origin)/fabrikam.onmicrosoft.com\""),
                "\(unknown)")
            let host = try await susi.run(["token", "graph", "-A", "host"] + Self.there)
            #expect(host.status == 7 && host.standardError.contains("names only the host"), "\(host)")
            #expect(host.standardError.contains("\"\(origin)/\(Self.tailspin)\" to knownAuthorities"), "\(host)")
            let policy = try await susi.run("token", "-p", "partner", "-A", "host")
            #expect(policy.status == 4 && policy.standardError.contains("susi sign-in -p partner"), "\(policy)")
            #expect(policy.standardError.contains("\"\(origin)/\(Self.tailspin)\" to knownAuthorities"), "\(policy)")
            #expect(tenant.requestLines.count == count)
        }
    }

    @Test(
        "several tenants, other kinds and rehearsals have no other tenant",
        arguments: ["common", "organizations", "a..b", "-x.y"])
    func refusesWrongTenants(name: String) async throws {
        try await withTenants { tenant in
            let wrong = try await tenant.susi.run("token", "graph", "--tenant=\(name)")
            #expect(wrong.status == 64 && wrong.standardError.contains("expected one tenant"), "\(wrong)")
            let kind = try await tenant.susi.run(["token", "-A", "own"] + Self.there)
            #expect(kind.status == 5 && kind.standardError.contains("has one tenant only"), "\(kind)")
            let rehearsal = try await tenant.susi.run(["token", "graph", "--rehearse"] + Self.there)
            #expect(rehearsal.status == 64 && rehearsal.standardError.contains("rehearsal"), "\(rehearsal)")
        }
    }

    @Test("a refusal of the other tenant leads to its sign-in and keeps the sign-in at home")
    func keepsHomeAfterRefusal() async throws {
        try await withTenants { tenant in
            let susi = tenant.susi
            try await tenant.signIn(.ben)
            let refused = try await susi.run(["token", "graph"] + Self.there)
            #expect(refused.status == 4 && refused.standardError.contains("AADSTS50020"), "\(refused)")
            #expect(refused.standardError.contains("susi sign-in --tenant \(Self.tailspin)"), "\(refused)")
            #expect(try await susi.run("token", "graph", "--refresh").status == 0)
            #expect(try await susi.run(["accounts"] + Self.there).standardOutput.isEmpty)
            // Another person signs in there; the current account there is used, and that at home stays.
            #expect(try await tenant.interact(["sign-in"] + Self.there, as: .ana).status == 0)
            let token = try await susi.run(["token", "graph"] + Self.there)
            #expect(token.status == 0, "\(token)")
            #expect(try await me(tenant, Self.there)["displayName"]?.string == "Ana of Contoso")
            #expect(try await me(tenant, [])["displayName"]?.string == "Ben Okoro")
            #expect(try await susi.run(["token", "graph", "-a", "ben@contoso.example"] + Self.there).status == 4)
        }
    }

    @Test("a missing consent in the other tenant leads to its consent page")
    func asksForConsentThere() async throws {
        try await withTenants(configure: { if $0.name == Self.tailspin { $0.userConsent = ["User.Read"] } }) { tenant in
            try await tenant.signIn(.ana)
            let refused = try await tenant.susi.run(["token", "graph"] + Self.there)
            #expect(refused.status == 4 && refused.standardError.contains("--prompt consent"), "\(refused)")
            #expect(refused.standardError.contains("--tenant \(Self.tailspin)"), "\(refused)")
            #expect(try await tenant.susi.run("token", "graph", "--refresh").status == 0)
            let signedIn = try await tenant.interact(["token", "graph", "--sign-in"] + Self.there, as: .ana)
            #expect(signedIn.status == 0 && !signedIn.standardOutput.isEmpty, "\(signedIn)")
        }
    }

    @Test("the person who is current at home is used in the other tenant")
    func followsCurrentAccount() async throws {
        let ben = User(
            objectID: "9b9b9b9b-0000-4000-8000-000000000009", email: "ben@contoso.example",
            displayName: "Ben of Contoso", identityProvider: Self.contosoID)
        let invite = { (tenant: inout TenantConfiguration) in
            if tenant.name == Self.tailspin { tenant.users.append(ben) }
        }
        try await withTenants(configure: invite) { (tenant) async throws in
            for person in [LocalTenant.Person.ana, .ben] {
                #expect(try await tenant.interact(["sign-in"], as: person).status == 0)
                #expect(try await tenant.susi.run(["token", "graph"] + Self.there).status == 0)
            }
            #expect(try await me(tenant, Self.there)["displayName"]?.string == "Ben of Contoso")
            let switched = try await tenant.susi.run("switch", "ana@contoso.example")
            #expect(switched.status == 0, "\(switched)")
            #expect(try await me(tenant, Self.there)["displayName"]?.string == "Ana of Contoso")
            #expect(
                try await me(tenant, ["-a", "ben@contoso.example"] + Self.there)["displayName"]?.string
                    == "Ben of Contoso")
        }
    }

    @Test("parallel first tokens in the other tenant redeem the refresh token once")
    func redeemsOnce() async throws {
        try await withTenants { tenant in
            try await tenant.signIn(.ana)
            let tokens = try await withThrowingTaskGroup(of: ProgramOutcome.self) { group in
                for _ in 1...4 { group.addTask { try await tenant.susi.run(["token", "graph"] + Self.there) } }
                return try await group.reduce(into: Set<String>()) { $0.insert($1.standardOutput) }
            }
            #expect(tokens.count == 1 && tokens.first?.isEmpty == false)
            #expect(tenant.requests("POST", "/\(Self.tailspin)/oauth2/v2.0/token") == 1)
        }
    }

    @Test("a shared store knows that accounts of two tenants belong to one person")
    func sharesStoreWithOnePerson() async throws {
        try await withTenants { tenant in
            let susi = tenant.susi
            let here = ["-A", "common"]
            #expect(try await susi.run("store", "share").status == 0)
            #expect(try await tenant.interact(["sign-in"] + here, as: .ana).status == 0)
            #expect(try await susi.run(["token", "graph"] + here + Self.there).status == 0)
            #expect(try await tenant.interact(["sign-in"] + here, as: .ana).status == 0)
            let doctor = try await susi.command(["doctor"] + here, environment: ["BROWSER": "true"]).run()
            #expect(doctor.standardOutput.contains("shared: "), "\(doctor)")
            #expect(try await tenant.interact(["sign-in"] + here, as: .ben).status == 7)
            #expect(try await susi.run(["remove", "ana@contoso.example", "--yes"] + here).status == 0)
            let other = try await tenant.interact(["sign-in"] + here, as: .ben)
            #expect(other.status == 7 && other.standardError.contains("ana@contoso.example"), "\(other)")
            #expect(try await susi.run(["remove", "ana@contoso.example", "--yes"] + here + Self.there).status == 0)
            #expect(try await tenant.interact(["sign-in"] + here, as: .ben).status == 0)
        }
    }
}

extension SusiBinary {
    fileprivate func run(_ arguments: [String]) async throws -> ProgramOutcome { try await command(arguments).run() }
}
