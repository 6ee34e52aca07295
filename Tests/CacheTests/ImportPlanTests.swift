import Susi
import SusiTools
import Testing

/// The assignment of cache entries to applications: by complete names, with a remedy where none matches.
@Suite("Import plan")
struct ImportPlanTests {
    private func application(
        _ policies: [String] = ["B2C_1_susi"], authority: String = "https://contoso.b2clogin.com/\(Fixture.domain)",
        client: String = Fixture.client, known: [String]? = nil, name: String = "contoso", kind: AuthorityKind = .b2c
    ) throws -> Application {
        let base = try WebAddress(authority)
        return Application(
            name: name, kind: kind, authority: base, clientID: client, redirectPorts: [0],
            policies: policies.map { Policy(name: PolicyName($0), kind: .signUpOrSignIn) },
            knownAuthorities: KnownAuthorities(
                try (known ?? [base.description]).map { try KnownAuthorities.Entry($0) }),
            apis: [])
    }

    private func plan(_ text: String, _ applications: Application...) throws -> ImportPlan {
        ImportPlan(try Fixture.file(text), for: applications)
    }

    @Test(
        "a policy matches by its complete name, never by its ending",
        arguments: ["b2c_1_sign_in", "in", "1_sign_in", "_in", ""])
    func matchesCompletePolicyNames(other: String) throws {
        let mine = Fixture.python(home: "\(Fixture.ana)-b2c_1_my_b2c_1_sign_in.\(Fixture.guid)")
        let found = try plan(mine, try application(["B2C_1_my_B2C_1_Sign_In", other.isEmpty ? "x" : other]))
        #expect(found.matches.map(\.policy.name.spelling) == ["B2C_1_my_B2C_1_Sign_In"])
        let none = try plan(mine, try application([other.isEmpty ? "x" : other]))
        #expect(none.matches.isEmpty)
        #expect(none.leftOut.first?.reason.contains("“b2c_1_my_b2c_1_sign_in”") == true)
        #expect(none.leftOut.first?.remedy.description.contains("\"policies\" of “contoso”") == true)
    }

    @Test(
        "an entry of a policy that keeps no account, and one of an application that -A leaves out, is skipped with the reason"
    )
    func skipsWhatIsNotImported() throws {
        let edit = Application(
            name: "contoso", kind: .b2c, authority: try WebAddress("https://contoso.b2clogin.com/\(Fixture.domain)"),
            clientID: Fixture.client, redirectPorts: [0],
            policies: [Policy(name: PolicyName("B2C_1_susi"), kind: .editProfile)],
            knownAuthorities: KnownAuthorities(try [KnownAuthorities.Entry("contoso.b2clogin.com")]), apis: [])
        let none = try plan(Fixture.python(), edit)
        #expect(none.matches.isEmpty)
        #expect(none.leftOut.map(\.reason) == ["B2C_1_susi edits the profile and keeps no account"])
        #expect(none.leftOut.allSatisfy { $0.remedy.isEmpty })
        let stranger = try application(client: "22222222-2222-2222-2222-222222222222", name: "other")
        let left = ImportPlan(try Fixture.file(Fixture.python()), for: [stranger], besides: [try application()])
        #expect(left.matches.isEmpty)
        #expect(left.leftOut.map(\.reason) == ["it belongs to the application “contoso”, which -A leaves out"])
    }

    @Test("a handle with dots is split at the last one; its object id is not compared")
    func readsHandlesWithDots() throws {
        let dotted = Fixture.python(home: "\(Fixture.ana)-b2c_1_v1.0.\(Fixture.guid)")
        #expect(try plan(dotted, try application(["b2c_1_v1.0"])).matches.map(\.key.handle.utid) == [Fixture.guid])
        // In some tenants client_info and the id token have different object ids; both are valid.
        let differs = Fixture.python(home: "\(Fixture.ben)-b2c_1_susi.\(Fixture.guid)")
        #expect(try plan(differs, try application()).matches.map(\.entry.objectID) == [Fixture.ana])
        let unknown = Fixture.python(home: "-b2c_1a_custom.\(Fixture.guid)", objectID: "")
        #expect(try plan(unknown, try application(["B2C_1A_Custom"])).matches.count == 1)
        let strange = Fixture.python(home: "someone-b2c_1_susi.\(Fixture.guid)", objectID: "")
        #expect(try plan(strange, try application()).matches.isEmpty)
    }

    @Test("client id, host, tenant, known authorities: the first mismatch is reported with a remedy")
    func reportsReasonAndRemedyOfUnmatchedEntries() throws {
        let python = Fixture.python()
        let cases: [(application: Application, reason: String, remedy: String)] = [
            (try application(client: "22222222-2222-2222-2222-222222222222"), "client ID", Fixture.client),
            (
                try application(authority: "https://fabrikam.b2clogin.com/\(Fixture.domain)"), "contoso.b2clogin.com",
                "\"authority\": \"https://contoso.b2clogin.com/contoso.onmicrosoft.com\""
            ),
            (
                try application(authority: "https://contoso.b2clogin.com/fabrikam.onmicrosoft.com"),
                "its tenant is contoso.onmicrosoft.com", "https://contoso.b2clogin.com/contoso.onmicrosoft.com"
            ),
            (
                try application(authority: "https://contoso.b2clogin.com/bbbbbbbb-0000-0000-0000-000000000002"),
                Fixture.guid, "https://contoso.b2clogin.com"
            ),
            (try application(known: ["https://example.com"]), "is not allowed", "knownAuthorities of “contoso”"),
        ]
        for (application, reason, remedy) in cases {
            let plan = try plan(python, application)
            #expect(plan.matches.isEmpty && plan.leftOut.count == 1)
            #expect(plan.leftOut.first?.reason.contains(reason) == true, "\(plan.leftOut)")
            #expect(plan.leftOut.first?.remedy.description.contains(remedy) == true, "\(plan.leftOut)")
        }
    }

    @Test(
        "a realm is a name, a GUID or tfp; the tenant may be configured by name or GUID",
        arguments: [
            Fixture.domain, "Contoso.OnMicrosoft.com", Fixture.guid, "tfp", "",
        ])
    func matchesRealmsByNameOrGUID(realm: String) throws {
        let text = Fixture.python(realm: realm)
        #expect(try plan(text, try application()).matches.count == 1)
        let byGUID = try application(authority: "https://contoso.b2clogin.com/tfp/\(Fixture.guid)")
        #expect(try plan(text, byGUID).matches.count == 1)
    }

    @Test("MSAL's schema has no port; ADAL's address is complete")
    func comparesPortsOfADALOnly() throws {
        let local = try application(authority: "http://localhost:8480/\(Fixture.domain)")
        #expect(try plan(Fixture.python(host: "localhost"), local).matches.count == 1)
        let adal = { (port: Int) in Fixture.adal(authority: "http://localhost:\(port)/\(Fixture.domain)/b2c_1_SUSI") }
        #expect(try plan(adal(8480), local).matches.count == 1)
        #expect(try plan(adal(8481), local).matches.isEmpty)
    }

    @Test("ADAL's entries of one account become one, with the handle of the account")
    func mergesADALEntriesOfOneAccount() throws {
        let found = try plan(Fixture.adal(), try application())
        #expect(found.matches.map(\.key.handle.description) == [Fixture.home])
        let nameless = try plan(Fixture.adal(objectID: nil), try application())
        #expect(nameless.matches.map(\.key.handle) == [HomeAccountID(uid: "ana@contoso.example", utid: "")])
    }

    @Test("a token is sent once, even if only one of its entries names the person", arguments: [true, false])
    func mergesEntriesOfOneToken(isNamedFirst: Bool) throws {
        let lists = [Fixture.adal(), Fixture.adal(objectID: nil)].map { list in
            list.drop { $0 != "[" }.dropFirst().reversed().drop { $0 != "]" }.dropFirst().reversed().map(String.init)
                .joined()
        }
        let all = "[\((isNamedFirst ? lists : lists.reversed()).joined(separator: ","))]"
        #expect(try plan(all, try application()).matches.map(\.entry.objectID) == [Fixture.ana])
    }

    @Test("the first of several matching applications is chosen")
    func choosesFirstMatchingApplication() throws {
        let (first, second) = (try application(name: "first"), try application(name: "second"))
        #expect(try plan(Fixture.python(), second, first).matches.map(\.application.name) == ["second"])
        let unknown = try application(known: [], name: "unknown")
        #expect(try plan(Fixture.python(), unknown, first).matches.map(\.application.name) == ["first"])
    }

    @Test(arguments: ["Fabrikam.com", "fabrikam.com", "FABRIKAM.COM"])
    func prefersTheApplicationThatNamesTheTenantInAnyCase(tenant: String) throws {
        let host = "https://login.microsoftonline.com"
        let common = try application(["default"], authority: "\(host)/common", name: "common", kind: .entra)
        let exact = try application(["default"], authority: "\(host)/\(tenant)", name: "exact", kind: .entra)
        let adal = Fixture.adal(authority: "\(host)/fabrikam.com")
        #expect(try plan(adal, common, exact).matches.map(\.application.name) == ["exact"])
        #expect(try plan(adal, exact, common).matches.map(\.application.name) == ["exact"])
    }

    @Test("a workforce tenant: every alias of its cloud's host, no policy in the handle, its own object id")
    func matchesWorkforceTenants() throws {
        let application = try application(
            ["default"], authority: "https://login.microsoftonline.com/\(Fixture.guid)", kind: .entra)
        let home = "\(Fixture.ben).bbbbbbbb-0000-0000-0000-000000000002"
        // A guest: the handle is of the home tenant, the object id of this tenant.
        let guest = Fixture.python(home: home, host: "login.windows.net", realm: Fixture.guid)
        let found = try plan(guest, application)
        #expect(
            found.matches.map(\.key.handle.description) == [home]
                && found.matches.map(\.entry.objectID) == [Fixture.ana])
        #expect(found.matches.map(\.key.registration.origin) == ["https://login.microsoftonline.com"])
        let china = Fixture.python(home: home, host: "login.chinacloudapi.cn", realm: Fixture.guid)
        #expect(try plan(china, application).matches.isEmpty)
        let adal = Fixture.adal(authority: "https://login.microsoftonline.com/common")
        #expect(try plan(adal, application).matches.map(\.key.handle.description) == ["\(Fixture.ana).\(Fixture.guid)"])
        let common = try self.application(
            ["default"], authority: "https://login.microsoftonline.com/common", kind: .entra)
        #expect(try plan(adal, common).matches.count == 1)
        let other = Fixture.adal(authority: "https://login.microsoftonline.com/fabrikam.com")
            .replacing(Fixture.guid, with: "bbbbbbbb-0000-0000-0000-000000000002")
        #expect(try plan(other, application).leftOut.first?.reason.contains("fabrikam.com") == true)
    }

    @Test("a plain provider: the subject is case-sensitive, and the issuer is its tenant")
    func matchesPlainProviders() throws {
        let application = try application(["default"], authority: "https://id.example.com/realms/one", kind: .openid)
        let text = Fixture.python(home: "AbC-1", host: "id.example.com", realm: "realms", objectID: "AbC-1")
        #expect(
            try plan(text, application).matches.map(\.key.handle)
                == [HomeAccountID(uid: "AbC-1", utid: "https://id.example.com/realms/one")])
    }

    @Test("the case of a client id matters where it is no GUID", arguments: [("App-1", 1), ("app-1", 0)])
    func comparesClientIDs(client: String, count: Int) throws {
        let application = try application(
            ["default"], authority: "https://id.example.com/realms/one", client: client, kind: .openid)
        let text = Fixture.python(home: "AbC-1", host: "id.example.com", realm: "realms", objectID: "AbC-1")
            .replacing(Fixture.client, with: "App-1")
        #expect(try plan(text, application).matches.count == count)
    }

    /// Returns two realms of one server with the same client.
    private func realms() throws -> [Application] {
        try ["a", "b"].map {
            try application(["default"], authority: "https://idp.example/realms/\($0)", name: $0, kind: .openid)
        }
    }

    private func planOfRealms(_ text: String) throws -> ImportPlan {
        ImportPlan(try Fixture.file(text), for: try realms())
    }

    private func entry(_ idToken: String) -> String {
        Fixture.python(home: "AbC-1", host: "idp.example", realm: "realms", objectID: "AbC-1", idToken: idToken)
    }

    @Test("of two providers on one host, the issuer of the id token decides", arguments: ["a", "b"])
    func choosesProviderByIssuerOfIDToken(realm: String) throws {
        let text = entry(Fixture.idToken(of: "https://idp.example/realms/\(realm)"))
        let plan = try planOfRealms(text)
        #expect(plan.matches.map(\.application.name) == [realm])
        #expect(plan.matches.map(\.key.registration.tenantName) == ["https://idp.example/realms/\(realm)"])
    }

    @Test(
        "without an issuer in the cache an entry matches no provider, unless one is named",
        arguments: [Fixture.idToken, "", "e30", Fixture.idToken(of: "")])
    func matchesNoProviderWithoutIssuer(idToken: String) throws {
        let file = try Fixture.file(entry(idToken))
        // An empty issuer is an issuer, but of no provider.
        let hasEmptyIssuer = idToken == Fixture.idToken(of: "")
        let plan = ImportPlan(file, for: try realms())
        #expect(plan.matches.isEmpty && plan.leftOut.count == 1)
        let (reason, remedy) = (plan.leftOut.first?.reason ?? "", plan.leftOut.first?.remedy.description ?? "")
        #expect(reason.contains(hasEmptyIssuer ? "its issuer is" : "ambiguous"), "\(reason)")
        #expect(hasEmptyIssuer || reason.contains("realms/a") && reason.contains("realms/b"), "\(reason)")
        #expect(hasEmptyIssuer || remedy.hasSuffix("for example “a” or “b”"), "\(remedy)")
        #expect(
            ImportPlan(file, for: [try realms()[1]]).matches.map(\.application.name) == (hasEmptyIssuer ? [] : ["b"]))
    }

    @Test("another issuer, or several, matches no provider; ADAL's address is compared completely")
    func rejectsOtherIssuers() throws {
        let other = try planOfRealms(entry(Fixture.idToken(of: "https://idp.example/realms/c")))
        #expect(other.matches.isEmpty)
        #expect(other.leftOut.first?.reason.contains("its issuer is https://idp.example/realms/c") == true)
        #expect(
            other.leftOut.first?.remedy.description.contains("\"authority\": \"https://idp.example/realms/c\"") == true)
        // The same handle for both: its refresh token may belong to either.
        let both = entry(Fixture.idToken(of: "https://idp.example/realms/a")).replacing(
            "\"IdToken\": {",
            with: """
                "IdToken": {"x": {"home_account_id": "AbC-1", "environment": "idp.example", "client_id": "\(Fixture.client)",
                    "secret": "\(Fixture.idToken(of: "https://idp.example/realms/b"))"},
                """)
        let plan = try planOfRealms(both)
        #expect(plan.matches.isEmpty && plan.leftOut.first?.reason.contains("ambiguous") == true)
        let adal = try planOfRealms(Fixture.adal(authority: "https://idp.example/realms/b"))
        #expect(adal.matches.map(\.application.name) == ["b"])
        #expect(try planOfRealms(Fixture.adal(authority: "https://idp.example/realms/c")).matches.isEmpty)
    }
}
