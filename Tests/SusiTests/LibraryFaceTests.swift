import Susi
import SusiEmulator
import SusiTestSupport
import Testing

/// What an application written with the library alone relies on.
@Suite("The library's face", .inTurn, .timeLimit(.minutes(2)))
struct LibraryFaceTests {
    @Test("a call returns the whole body up to the limit; a longer one is an error")
    func limitsBody() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let client = try tenant.client()
            let (head, body) = try await client.call(CallRequest(api: "hello"))
            #expect(head.status == 200 && !body.isEmpty)
            let exact = try await client.call(CallRequest(api: "hello"), limit: body.count)
            #expect(exact.body == body)
            await expectRefusal(.invalidResponse) {
                try await client.call(CallRequest(api: "hello"), limit: body.count - 1)
            }
        }
    }

    @Test("a program signs in only if a token needs a person")
    func signsInOnlyIfNeeded() async throws {
        try await withLocalTenant { tenant in
            let client = try tenant.client()
            let browser = FormBrowser(answers: LocalTenant.Person.ana.answers)
            let first = try await Self.token(client, SignInSurface(browser: browser))
            let again = try await Self.token(client, SignInSurface(browser: nil, timeout: 0))
            #expect(again.secret == first.secret)
        }
    }

    private static func token(_ client: PublicClient, _ surface: SignInSurface) async throws(SusiError) -> IssuedToken {
        do {
            return try await client.token(api: "hello")
        } catch {
            guard error.code == .signInNeeded else { throw error }
            try await client.signIn(SignInRequest(api: "hello"), through: surface)
            return try await client.token(api: "hello")
        }
    }

    @Test("a program keeps two people, and switches between them")
    func switchesBetweenPeople() async throws {
        try await withLocalTenant { tenant in
            let client = try tenant.client()
            var surface = SignInSurface(browser: FormBrowser(answers: LocalTenant.Person.ana.answers))
            let ana = try await client.signIn(through: surface).account
            surface = SignInSurface(browser: FormBrowser(answers: LocalTenant.Person.ben.answers))
            let second = SignInRequest(expected: .named("ben@contoso.example"))
            let ben = try await client.signIn(second, through: surface).account
            let token = try await client.token(api: "hello", of: AccountSelection(ana))
            #expect(token.account.person == ana.person && ben.person != ana.person)
            #expect(try await client.account().person == ben.person)
            try await client.switchTo(AccountSelection(ana))
            #expect(try await client.account().person == ana.person)
            try await client.remove(ben)
            #expect(try await client.accounts().map(\.label) == ["ana@contoso.example"])
        }
    }

    @Test("the store is in the user's folder of state") func findsStateFolder() {
        let folder = { PublicClient.stateFolder(in: ["HOME": "/h", "XDG_STATE_HOME": $0]) }
        #expect(folder("/s") == "/s" && folder("s") == "/h/.local/state")
    }

    @Test("texts that cannot be used are errors of the library's one type")
    func refusesTexts() async throws {
        let text = PoliciesFile.builtInText
        _ = try PublicClient(policiesText: text, folder: "x")
        await expectRefusal(.invalidConfiguration) { try PublicClient(policiesText: "{}") }
        await expectRefusal(.invalidConfiguration) { try PublicClient(policies: "/n/x") }
        for (application, tenant) in [("none", nil), (nil, "contoso.com"), (nil, "common")] {
            await expectRefusal(.unknownName) {
                try PublicClient(policiesText: text, application: application, tenant: tenant)
            }
        }
        var network = NetworkSettings()
        await expectRefusal(.invalidConfiguration) { try network.use(proxy: "https://h") }
        var options = AuthorizationOptions()
        try options.add("ui", "1")
        for name in ["ui", "state", "a b"] { await expectRefusal(.invalidRequest) { try options.add(name, "2") } }
        await expectRefusal(.invalidRequest) { try options.request(claims: "[") }
    }
}
