import Foundation
import Susi
import SusiEmulator
import SusiEntry
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// The scopes of a token: scopes requested later, and scopes that were not granted.
@Suite("Scopes", .inTurn, .timeLimit(.minutes(5)))
struct ScopeTests {
    /// Returns policies of a workforce tenant with Microsoft Graph as the only API.
    private static func graph(_: String) -> String {
        """
        { "current": "tailspin", "applications": { "tailspin": {
            "kind": "entra", "authority": "http://localhost:8480/tailspin.onmicrosoft.com",
            "clientId": "11111111-1111-1111-1111-111111111111", "redirectPorts": [0],
            "knownAuthorities": ["http://localhost:8480"],
            "apis": { "graph": { "baseUrl": "http://localhost:8480/v1.0", "scopes": ["User.Read"] } }
        } } }
        """
    }

    /// Adds scopes to the tenant's Microsoft Graph that the file does not name.
    private static func addScopes(_ tenant: inout TenantConfiguration) {
        for index in tenant.apis.indices where tenant.apis[index].name == "graph" {
            tenant.apis[index].scopes += ["Calendars.Read", "Mail.Read"]
        }
    }

    private static func withGraph(
        _ configure: @escaping (inout TenantConfiguration) -> Void = { _ in },
        _ body: (LocalTenant) async throws -> Void
    ) async throws {
        try await withLocalTenant(
            policies: graph,
            configure: {
                addScopes(&$0)
                configure(&$0)
            }, body)
    }

    private static let read = "https://contoso.onmicrosoft.com/hello/demo.read"
    private static let write = "https://contoso.onmicrosoft.com/hello/demo.write"

    /// Runs a tenant of the built-in application with two scopes of its API.
    private static func withTwoScopes(
        declining declined: [String], _ body: (LocalTenant) async throws -> Void
    ) async throws {
        let edit = { (text: String) in text.replacing("[\"\(read)\"]", with: "[\"\(read)\", \"\(write)\"]") }
        try await withLocalTenant(policies: edit, configure: { $0.declines = declined }, body)
    }

    /// Returns the scopes in an access token.
    private static func scopes(_ outcome: ProgramOutcome) throws -> Set<String> {
        let payload = try #require(outcome.standardOutput.split(separator: ".").dropFirst().first, "\(outcome)")
        let claims = try JSONNode(parsing: try #require(Base64URL.decode(payload)))
        return Set((claims["scp"]?.string ?? "").split(separator: " ").map(String.init))
    }

    private static func fastPath(_ arguments: [String], _ tenant: LocalTenant) -> [String] {
        let home = tenant.susi.home
        let environment = home.environment.merging(["SUSI_CONFIG": home.policiesFile.string]) { $1 }
        let surroundings = ProcessEnvironment(
            variable: { environment[$0] }, user: ProcessEnvironment.process.user, canAsk: false)
        var delivered: [String] = []
        FastPath.token(arguments, in: surroundings) { delivered.append($0) }
        return delivered
    }

    @Test("after a sign-in with one more scope, the token has it: cached, by name, and refreshed")
    func addsScopeToToken() async throws {
        try await Self.withGraph { tenant in
            let susi = tenant.susi
            #expect(try await tenant.interact(["sign-in", "--api", "graph"], as: .ana).status == 0)
            let small = try await susi.run("token", "graph")
            #expect(try Self.scopes(small).isSuperset(of: ["User.Read"]))
            #expect(try !Self.scopes(small).contains("Calendars.Read"))
            let more = ["sign-in", "--api", "graph", "--scope", "Calendars.Read"]
            #expect(try await tenant.interact(more, as: .ana).status == 0)
            let before = tenant.requestLines.count
            let large = try await susi.run("token", "graph")
            #expect(try Self.scopes(large).isSuperset(of: ["User.Read", "Calendars.Read"]), "\(large)")
            #expect(Self.fastPath(["token", "graph"], tenant).count == 1)
            let named = try await susi.run("token", "graph", "--scope", "Calendars.Read")
            #expect(named.standardOutput == large.standardOutput, "\(named)")
            let exec = try await susi.run(
                "exec", "--api", "graph", "--scope", "Calendars.Read", "--", "printenv", "SUSI_ACCESS_TOKEN")
            #expect(exec.standardOutput == large.standardOutput, "\(exec)")
            #expect(tenant.requestLines.count == before)
            // A refreshed token has the scopes that the person agreed to.
            tenant.emulator.clock.advance(by: 7_200)
            let late = ["SUSI_CLOCK": "+2h"]
            let renewed = try await susi.run("token", "graph", environment: late)
            #expect(try Self.scopes(renewed).isSuperset(of: ["User.Read", "Calendars.Read"]), "\(renewed)")
            #expect(tenant.requests("POST", "/token") == 3)
            let again = try await susi.run("token", "graph", "--scope", "Calendars.Read", environment: late)
            #expect(again.standardOutput == renewed.standardOutput && tenant.requests("POST", "/token") == 3)
        }
    }

    @Test("a new scope is requested together with the granted ones")
    func requestsNewScopeWithGrantedOnes() async throws {
        try await Self.withGraph { tenant in
            let susi = tenant.susi
            let more = ["sign-in", "--api", "graph", "--scope", "Calendars.Read"]
            #expect(try await tenant.interact(more, as: .ana).status == 0)
            let mail = try await susi.run("token", "graph", "--scope", "Mail.Read")
            #expect(try Self.scopes(mail).isSuperset(of: ["User.Read", "Calendars.Read", "Mail.Read"]), "\(mail)")
            #expect(tenant.requests("POST", "/token") == 2)
            for arguments in [
                ["token", "graph"], ["token", "graph", "--scope", "Mail.Read", "--scope", "Calendars.Read"],
            ] {
                let served = try await susi.command(arguments).run()
                #expect(served.standardOutput == mail.standardOutput, "\(arguments): \(served)")
            }
            // A request for the earlier scope returns a token without the new one.
            let earlier = try await susi.run("token", "graph", "--scope", "Calendars.Read")
            #expect(try !Self.scopes(earlier).contains("Mail.Read"), "\(earlier)")
            let called = try await susi.run("call", "graph", "/me", "--scope", "Mail.Read")
            #expect(called.status == 0 && called.standardOutput.contains("Ana Lima"), "\(called)")
            let preview = try await susi.run("call", "graph", "/me", "--scope", "Mail.Read", "--dry-run")
            #expect(preview.standardOutput.contains("token    valid"), "\(preview)")
            let curl = try await susi.run("call", "graph", "/me", "--scope", "Mail.Read", "--curl")
            #expect(curl.standardOutput.contains("susi token graph -f header --scope Mail.Read"), "\(curl)")
            #expect(tenant.requests("POST", "/token") == 2)
            let mixed = try await susi.run("token", "--resource", "https://graph.microsoft.com", "--scope", "Mail.Read")
            #expect(mixed.status == 64 && mixed.standardError.contains("--scope"), "\(mixed)")
        }
    }

    @Test(
        "sign-in --scope adds to the scopes that the account was granted; without --scope it starts again from the file"
    )
    func addsUpScopesOfSignIns() async throws {
        try await Self.withGraph { tenant in
            let susi = tenant.susi
            let signIn = { (scopes: String...) in
                let arguments = ["sign-in", "--api", "graph"] + scopes.flatMap { ["--scope", $0] }
                let outcome = try await tenant.interact(arguments, as: .ana)
                #expect(outcome.status == 0 && outcome.standardError.contains("declined") == false, "\(outcome)")
            }
            let extras: Set = ["Calendars.Read", "Mail.Read"]
            let granted = { (arguments: String...) in
                try Self.scopes(try await susi.command(["token", "graph"] + arguments).run()).intersection(extras)
            }
            try await signIn("Calendars.Read")
            try await signIn("Mail.Read")
            let count = tenant.requests("POST", "/token")
            #expect(try await granted() == extras)
            #expect(try await granted("--scope", "Calendars.Read").contains("Calendars.Read"))
            #expect(tenant.requests("POST", "/token") == count, "from the cache")
            #expect(try await granted("--refresh") == extras)
            try await signIn()
            #expect(try await granted().isEmpty)
            #expect(try await granted("--refresh").isEmpty)
            // What that sign-in left out does not come back.
            try await signIn("Mail.Read")
            #expect(try await granted() == ["Mail.Read"])
            #expect(try await granted("--refresh") == ["Mail.Read"])
        }
    }

    @Test("the scopes that one account was granted are not those of another person who signs in")
    func keepsScopesOfPeopleApart() async throws {
        try await Self.withGraph { tenant in
            let signIn = ["sign-in", "--api", "graph", "--json", "--scope"]
            #expect(try await tenant.interact(signIn + ["Mail.Read"], as: .ana).status == 0)
            // Ana is current, and Ben comes back.
            let ben = try await tenant.interact(signIn + ["Calendars.Read"], as: .ben)
            let report = try JSONNode(parsing: ben.standardOutput.utf8)
            #expect(report["account"]?["label"]?.string == LocalTenant.Person.ben.email, "\(ben)")
            #expect(report["declinedScopes"]?.strings == [], "\(ben)")
            let refreshed = try Self.scopes(try await tenant.susi.run("token", "graph", "--refresh"))
            #expect(refreshed.contains("Calendars.Read") && !refreshed.contains("Mail.Read"), "\(refreshed)")
        }
    }

    @Test("a scope without consent exits with 4 and suggests a sign-in that requests it")
    func suggestsSignInForConsent() async throws {
        try await Self.withGraph {
            $0.userConsent = ["Calendars.Read"]
        } _: { tenant in
            #expect(try await tenant.interact(["sign-in", "--api", "graph"], as: .ana).status == 0)
            let arguments = ["graph", "--scope", "Calendars.Read"]
            let refused = try await tenant.susi.command(["token"] + arguments).run()
            #expect(refused.status == 4 && refused.standardOutput.isEmpty, "\(refused)")
            let next = try #require(refused.standardError.split(separator: "next: susi ").last)
            // The server's correlation id is on a separate line below.
            let line = try #require(next.split(whereSeparator: \.isNewline).first)
            let words = line.split(separator: " ").map(String.init)
            try #require(words.first == "sign-in", "\(refused)")
            #expect(words.contains("--scope") && words.contains("Calendars.Read"), "\(refused)")
            let signedIn = try await tenant.interact(words, as: .ana)
            #expect(signedIn.status == 0, "\(signedIn)")
            let token = try await tenant.susi.command(["token"] + arguments).run()
            #expect(try Self.scopes(token).contains("Calendars.Read"), "\(token)")
            // A token without that scope is still available.
            #expect(try await tenant.susi.run("token", "graph").status == 0)
        }
    }

    @Test("a token without some scopes of its API is printed with a warning each time")
    func warnsAboutDeclinedScopes() async throws {
        try await Self.withTwoScopes(declining: [Self.write]) { tenant in
            let words = "declined: \(Self.write); granted: \(Self.read)\n"
            let signedIn = try await tenant.interact(["sign-in"], as: .ana)
            #expect(signedIn.status == 0 && signedIn.standardError.hasSuffix(words), "\(signedIn)")
            #expect(Self.fastPath(["token", "hello"], tenant).isEmpty)
            for _ in 1...2 {
                let token = try await tenant.susi.run("token", "hello")
                #expect(token.status == 0 && token.standardOutput.split(separator: ".").count == 3)
                #expect(token.standardError == words, "\(token)")
            }
            let refreshed = try await tenant.susi.run("token", "hello", "--refresh")
            #expect(refreshed.status == 0 && refreshed.standardError == words, "\(refreshed)")
            let called = try await tenant.susi.run("call", "hello")
            #expect(called.status == 0 && called.standardError.contains(words), "\(called)")
            let preview = try await tenant.susi.run("call", "hello", "--dry-run")
            #expect(preview.standardOutput.contains("; declined: \(Self.write)\n"), "\(preview)")
            let exec = try await tenant.susi.run("exec", "--", "true")
            #expect(exec.status == 0 && exec.standardError == words, "\(exec)")
            for arguments in [["token", "--json"], ["token", "-f", "json"]] {
                let report = try JSONNode(parsing: try await tenant.susi.command(arguments).run().standardOutput.utf8)
                #expect(report["grantedScopes"]?.strings == [Self.read])
                #expect(report["declinedScopes"]?.strings == [Self.write])
            }
        }
    }

    @Test("a token without any of the scopes is an error with both lists, and is not sent to an API")
    func refusesTokenWithoutAnyScope() async throws {
        try await Self.withGraph {
            $0.declines = ["User.Read"]
        } _: { tenant in
            let signedIn = try await tenant.interact(["sign-in"], as: .ana)
            #expect(signedIn.status == 4 && signedIn.standardOutput.contains("Signed in as Ana Lima"), "\(signedIn)")
            #expect(signedIn.standardError.contains("declined: User.Read; granted: none\n"), "\(signedIn)")
            #expect(signedIn.standardError.contains("next: susi sign-in --prompt consent"), "\(signedIn)")
            let json = try await tenant.interact(["sign-in", "--json"], as: .ana)
            let result = try JSONNode(parsing: json.standardOutput.utf8)
            #expect(json.status == 4 && result["account"]?["label"]?.string == "ana@contoso.example", "\(json)")
            #expect(result["grantedScopes"]?.strings == [] && result["declinedScopes"]?.strings == ["User.Read"])
            let refusal = try JSONNode(
                parsing: Array(json.standardError.utf8.drop { $0 != UInt8(ascii: "{") }))["error"]
            #expect(
                refusal?["code"]?.string == "scopesDeclined" && refusal?["declinedScopes"]?.strings == ["User.Read"])
            for arguments in [
                ["token"], ["token", "graph", "--refresh"], ["call", "graph", "/me"], ["exec", "--", "true"],
            ] {
                let outcome = try await tenant.susi.command(arguments).run()
                #expect(outcome.status == 4 && outcome.standardOutput.isEmpty, "\(arguments): \(outcome)")
                #expect(outcome.standardError.contains("User.Read"), "\(outcome)")
                #expect(outcome.standardError.contains("next: susi sign-in "), "\(outcome)")
                #expect(outcome.standardError.contains("--prompt consent"), "\(outcome)")
            }
            #expect(tenant.requests("GET", "/v1.0/me") == 0)
            let report = try await tenant.susi.run("token", "graph", "--json")
            let error = try JSONNode(parsing: report.standardError.utf8)["error"]
            #expect(error?["code"]?.string == "scopesDeclined" && error?["exitCode"]?.lenientInteger == 4, "\(report)")
            #expect(error?["grantedScopes"]?.strings == [] && error?["declinedScopes"]?.strings == ["User.Read"])
        }
    }

    @Test("a sign-in without an access token reports it, and a later refresh is the same error")
    func reportsSignInWithoutAccessToken() async throws {
        try await Self.withTwoScopes(declining: [Self.read, Self.write]) { tenant in
            let signedIn = try await tenant.interact(["sign-in"], as: .ana)
            #expect(signedIn.status == 4 && signedIn.standardOutput.contains("Signed in as"), "\(signedIn)")
            #expect(signedIn.standardError.contains("no access token"), "\(signedIn)")
            #expect(signedIn.standardError.contains("\(Self.read) \(Self.write)"))
            let token = try await tenant.susi.run("token", "--json")
            #expect(token.status == 4 && token.standardOutput.isEmpty, "\(token)")
            let error = try JSONNode(parsing: token.standardError.utf8)["error"]
            #expect(error?["code"]?.string == "scopesDeclined", "\(token)")
            #expect(error?["declinedScopes"]?.strings == [Self.read, Self.write])
            // This kind of tenant has no consent page.
            #expect(error?["next"]?.string?.contains("--prompt") == false, "\(token)")
        }
    }

    @Test("a password sign-in requests a token for a named API, or for the application if there is none")
    func requestsScopesWithoutSignInPage() async throws {
        let partner = "\"kind\": \"signUpOrSignIn\",\n          \"scopes\": [\"\(Self.read)\"]"
        let edit = { (text: String) in
            addingPasswordPolicy(to: text).replacing(partner, with: "\"kind\": \"signUpOrSignIn\"")
        }
        try await withLocalTenant(policies: edit) { tenant in
            let signIn = ["sign-in", "--username", LocalTenant.Person.ana.email, "--password-stdin"]
            let password = LocalTenant.Person.ana.user.password
            let signedIn = try await tenant.susi.command(signIn, input: .text(password)).run()
            #expect(signedIn.status == 0, "\(signedIn)")
            // The file has one API, so that it need not be named.
            for policy in ["B2C_1_ropc", "b2c_1_ROPC"] {
                let only = try await tenant.susi.run("token", "-p", policy)
                #expect(try Self.scopes(only) == ["demo.read"], "\(only)")
            }
            let called = try await tenant.susi.run("exec", "-p", "B2C_1_ropc", "--", "printenv", "SUSI_ACCESS_TOKEN")
            #expect(try Self.scopes(called) == ["demo.read"], "\(called)")
            let file = try String(contentsOfFile: tenant.susi.home.policiesFile.string, encoding: .utf8)
            let second =
                "\"apis\": { \"write\": { \"baseUrl\": \"http://localhost/w\", \"scopes\": [\"\(Self.write)\"] },"
            try tenant.susi.home.writePolicies(file.replacing("\"apis\": {", with: second))
            let page = try await tenant.susi.run("token", "-p", "B2C_1_partner")
            let token = try await tenant.susi.run("token", "-p", "B2C_1_ropc")
            #expect(token.status == 5 && token.standardOutput.isEmpty, "\(token)")
            #expect(
                token.standardError.replacing("B2C_1_ropc", with: "B2C_1_partner") == page.standardError, "\(token)")
            let apis = try #require(file.firstRange(of: "\"hello\": {"))
            try tenant.susi.home.writePolicies(file[..<apis.lowerBound] + "} } } }")
            let own = try await tenant.susi.run("token", "-p", "B2C_1_ropc")
            let payload = try #require(own.standardOutput.split(separator: ".").dropFirst().first, "\(own)")
            let claims = try JSONNode(parsing: try #require(Base64URL.decode(payload)))
            #expect(claims["aud"]?.string == "11111111-1111-1111-1111-111111111111")
            // A scope that is named replaces the application's own.
            let named = try await tenant.susi.run("token", "-p", "B2C_1_ropc", "--scope", Self.read)
            #expect(try Self.scopes(named) == ["demo.read"], "\(named)")
            let again = try await tenant.susi.command(signIn + ["--scope", Self.read], input: .text(password)).run()
            #expect(again.status == 0, "\(again)")
        }
    }

    @Test("a sign-in that waited for another one asks for the scopes that it brought, too")
    func readsAgainAfterWait() async throws {
        try await withLocalTenant(policies: Self.graph, configure: Self.addScopes) { tenant in
            let susi = tenant.susi
            try await tenant.signIn(.ana)
            let (earlier, later) = (
                try await BrowserCommand.capture(in: susi.home.folder),
                try await BrowserCommand.capture(in: susi.home.folder)
            )
            let ana = LocalTenant.Person.ana.user
            let answers = ["signInName": ana.signInName, "password": ana.password]
            let signIn = { (scope: String, browser: BrowserCommand) in
                susi.command(["sign-in", "--api", "graph", "--scope", scope, "--browser", browser.command])
            }
            try await signIn("Calendars.Read", earlier).start { first in
                let page = try await earlier.nextURL()
                try await signIn("Mail.Read", later).start { second in
                    try await second.waitForLine(containing: "Waiting for another sign-in")
                    try await FormBrowser(answers: answers).open(page)
                    #expect(try await first.waitUntilExit().status == 0)
                    let asked = try #require(try await PlainVisit.get(try await later.nextArgument()).location)
                    #expect(asked.contains("Calendars.Read") && asked.contains("Mail.Read"), "\(asked)")
                    try await second.interrupt()
                    _ = try await second.waitUntilExit()
                }
            }
        }
    }
}
