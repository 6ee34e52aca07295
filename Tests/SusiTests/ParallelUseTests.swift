import Susi
import SusiEmulator
import SusiTestSupport
import SusiTools
import SystemPackage
import Testing

/// One client that many tasks use at the same time. The thread sanitizer reports every use of the store beside the actor.
@Suite("Parallel use of one client", .timeLimit(.minutes(5)))
struct ParallelUseTests {
    /// Runs an emulator while `body` runs, which gets clients of its application, each with a store of its own. The program is
    /// not needed, so that a build with the sanitizer can leave it out.
    private static func withClients(
        _ body: (_ client: (_ store: String) throws -> PublicClient) async throws -> Void
    ) async throws {
        let text = addingPasswordPolicy(to: PoliciesFile.writtenOutText.replacing("[8400, 8401, 53682]", with: "[0]"))
        let applications = try PoliciesFile(text: text.utf8, source: "the test's policies").applications
        try await withTemporaryFolder { folder in
            try await withEmulator(
                TenantConfiguration.tenants(for: applications), folder: folder.appending("emulator"),
                clock: EmulatorClock(TestEnvironment.realTime),
                { emulator in
                    let moved = text.replacing("http://localhost:8480", with: emulator.origin)
                    let file = try PoliciesFile(text: moved.utf8, source: "the test's policies")
                    let application = try #require(file.application(nil))
                    try await body { store in
                        PublicClient(
                            application: application, folder: StoreFolder(folder.appending(store).string),
                            clock: TestEnvironment.realTime)
                    }
                })
        }
    }

    private static func signIn(_ client: PublicClient, _ user: User, under policy: String) async throws {
        let credentials = PasswordCredentials(username: user.signInName, password: user.password)
        _ = try await client.signIn(SignInRequest(policy: PolicyName(policy)), credentials: credentials)
    }

    /// Signs Ana in, and uses the store again and again until `body` ends.
    private static func whileAsking(_ client: PublicClient, _ body: () async throws -> Void) async throws {
        try await signIn(client, User.standard[0], under: "B2C_1_ropc")
        let asking = Task {
            var count = 0
            while !Task.isCancelled {
                let ropc = AccountSelection(policy: PolicyName("B2C_1_ropc"))
                let options = TokenRequestOptions(forcesRefresh: count.isMultiple(of: 4))
                do { _ = try await client.token(api: "hello", of: ropc, options: options) } catch {
                    if Task.isCancelled { break }
                    throw error
                }
                _ = try await client.accounts()
                count += 1
            }
            return count
        }
        do { try await body() } catch {
            asking.cancel()
            throw error
        }
        asking.cancel()
        #expect(try await asking.value > 0)
    }

    @Test func signsInThroughABrowserWhileTokensAreReturned() async throws {
        try await Self.withClients { makeClient in
            let client = try makeClient("one")
            try await Self.whileAsking(client) {
                for user in User.standard {
                    let answers = ["signInName": user.signInName, "password": user.password]
                    _ = try await client.signIn(
                        SignInRequest(), through: SignInSurface(browser: FormBrowser(answers: answers)))
                }
                let ana = User.standard[0]
                let answers = ["signInName": ana.signInName, "password": ana.password, "displayName": "Ana"]
                _ = try await client.signOut(
                    try await client.accounts(policy: PolicyName("B2C_1_susi")).filter { $0.label == ana.signInName })
                _ = try await client.signIn(
                    SignInRequest(), through: SignInSurface(browser: FormBrowser(answers: answers)))
            }
            #expect(try await client.accounts().count == User.standard.count + 1)
        }
    }

    @Test func importsACacheWhileTokensAreReturned() async throws {
        try await Self.withClients { makeClient in
            let other = try makeClient("other")
            for user in User.standard { try await Self.signIn(other, user, under: "B2C_1_ropc") }
            let cache = try await other.export(try await other.accounts(), as: .msal)
            let client = try makeClient("one")
            let file = try CacheFile(parsing: Array(cache.text.utf8))
            try await Self.whileAsking(client) {
                let report = try await client.importCache(file)
                #expect(report.taken.count == User.standard.count)
            }
            #expect(try await client.accounts().count == User.standard.count)
        }
    }

    @Test func checksPoliciesAndCallsWhileTokensAreReturned() async throws {
        try await Self.withClients { makeClient in
            let client = try makeClient("one")
            try await Self.whileAsking(client) {
                _ = try await client.check()
                let ropc = AccountSelection(policy: "B2C_1_ropc")
                #expect(try await client.call(CallRequest(api: "hello"), of: ropc).head.status == 200)
            }
        }
    }
}
