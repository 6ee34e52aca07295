import Susi
import SusiTestSupport
import Testing

/// A response that goes elsewhere, because the redirect address is not registered.
@Suite("Patience", .timeLimit(.minutes(5)))
struct PatienceTests {
    @Test("a sign-in without a response names the redirect address to register, and waits on")
    func namesAddressToRegister() async throws {
        try await Stage.with(.b2c) { stage, _ in
            let (events, feed) = AsyncStream<SignInEvent>.makeStream()
            // A person whose browser ends elsewhere.
            var surface = SignInSurface(browser: nil, timeout: 100) { feed.yield($0) }
            surface.patience = .zero
            let client = stage.client
            let signIn = Task { try await client.signIn(SignInRequest(), through: surface) }
            var port: UInt16?
            for await event in events {
                if case .waiting(let waiting) = event { port = waiting.port }
                guard case .stillWaiting(let address) = event else { continue }
                #expect(address.hasPrefix("http://localhost:") && address.hasSuffix("/"))
                if let port { #expect(address.contains(":\(port)/")) }
                break
            }
            signIn.cancel()
            _ = await signIn.result
        }
    }

    @Test("a sign-in that gets its response names no address") func isSilentAfterResponse() async throws {
        try await Stage.with(.b2c) { stage, _ in
            _ = try await stage.signIn()
            #expect(!stage.events.contains { if case .stillWaiting = $0 { true } else { false } })
        }
    }
}
