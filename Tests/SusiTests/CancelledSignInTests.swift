import Susi
import SusiTestSupport
import Testing

/// A sign-in whose task is cancelled.
@Suite("Cancelled sign-ins", .inTurn, .timeLimit(.minutes(2)))
struct CancelledSignInTests {
    @Test("a sign-in that waits for the person frees the redirect port and its lock")
    func freesPort() async throws {
        try await withLocalTenant { tenant in
            let client = try tenant.client()
            let (events, feed) = AsyncStream<SignInEvent>.makeStream()
            let signIn = Task {
                try await client.signIn(through: SignInSurface(browser: nil) { feed.yield($0) })
            }
            guard case .waiting(let waiting) = await events.first(where: { _ in true }) else {
                Issue.record("the sign-in did not wait")
                return
            }
            signIn.cancel()
            await expectRefusal(.cancelled) { try await signIn.value }
            // Only a free port, and a free lock of the policy, let the next one through.
            let ana = FormBrowser(answers: LocalTenant.Person.ana.answers)
            try await client.signIn(through: SignInSurface(browser: ana, timeout: 30, ports: [waiting.port]))
            #expect(try await client.account().label == LocalTenant.Person.ana.email)
        }
    }

    @Test("a sign-in that waits for the provider's tokens ends, and stores nothing")
    func storesNothing() async throws {
        let gate = Gate("POST", "/token")
        try await withLocalTenant(arrived: { await gate.pass($0) }) { tenant in
            let client = try tenant.client()
            await gate.holdNext(1)
            let signIn = Task {
                try await client.signIn(
                    through: SignInSurface(browser: FormBrowser(answers: LocalTenant.Person.ana.answers)))
            }
            await gate.waitUntilFull()
            signIn.cancel()
            await expectRefusal(.cancelled) { try await signIn.value }
            await gate.open()
            #expect(try await client.accounts().isEmpty)
        }
    }
}
