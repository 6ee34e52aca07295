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
            var surface = SignInSurface(browser: nil, timeout: 10) { feed.yield($0) }
            surface.patience = .zero
            let (client, chosen) = (stage.client, surface)
            let signIn = Task {
                defer { feed.finish() }
                _ = try await client.signIn(SignInRequest(), through: chosen)
            }
            var port: UInt16?
            var address: String?
            for await event in events where address == nil || port == nil {
                switch event {
                case .waiting(let waiting): port = waiting.port
                case .stillWaiting(let named): address = named
                default: break
                }
                // It would wait until its time is over.
                if address != nil, port != nil { signIn.cancel() }
            }
            #expect(address == port.map { "http://localhost:\($0)/" } && address != nil)
            await #expect(throws: (any Error).self) { try await signIn.value }
        }
    }
}
