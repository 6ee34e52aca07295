import Susi
import SusiTestSupport
import Testing

/// A person whose browser does not reach this machine: another address is registered, or the browser runs elsewhere.
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

    @Test("an edit whose redirect address was pasted asks for no other page; the other sign-ins keep their old claims")
    func reportsOldClaimsAfterPaste() async throws {
        try await Stage.with(.b2c) { stage, _ in
            let client = try stage.client {
                $0.replacing(
                    "\"default\": true}", with: "\"default\": true}, \"B2C_1_edit\": {\"kind\": \"editProfile\"}")
            }
            let before = try await stage.signIn().account
            stage.change {
                $0.claims = ["tfp": "\"B2C_1_edit\"", "name": "\"Ada L\""]
                $0.response["client_info"] = Provider.clientInfo("\(Provider.object)-b2c_1_edit")
            }
            let (pasted, paste) = AsyncStream<String>.makeStream()
            let (events, feed) = AsyncStream<SignInEvent>.makeStream()
            let surface = SignInSurface(browser: nil, timeout: 20, pasted: pasted) { feed.yield($0) }
            async let edit = client.editProfile(of: AccountSelection(), policy: nil, through: surface)
            for await case .waiting(let waiting) in events {
                // The browser of another machine gets the response, and nothing arrives here.
                let page = try await PlainVisit.get(try #require(waiting.url))
                paste.yield(try #require(page.location))
                break
            }
            let edited = try await edit
            feed.finish()
            for await case .waiting in events { Issue.record("another page was asked for") }
            #expect(edited.title == "Ada L <ada@example.com>" && edited.updated.isEmpty)
            #expect(edited.stale.map(\.account.account) == [before.account])
            let next = edited.stale.first?.reason.next ?? ""
            #expect(next.contains("sign in as ada@example.com under B2C_1_susi"), "\(next)")
            #expect(stage.server.asked.count { $0.path.hasSuffix("/authorize") } == 2 && stage.tokenRequests == 2)
            #expect(try await client.token(api: "hello").secret == "at-1")
        }
    }
}
