import NIOCore
import NIOHTTP1
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiHTTP

/// Calls to slow and to silent APIs. The tests set the limit, so they do not wait for the usual 30 seconds.
@Suite("Silence", .timeLimit(.minutes(5)))
struct SilenceTests {
    private static func call(
        _ origin: String, limit: Duration, method: String = "GET", body: APICall.Body? = nil,
        receive: @escaping @Sendable (Int) async throws -> Void = { _ in }
    ) async throws -> Int {
        let base = try WebAddress(origin)
        let call = try #require(APICall(base: base, address: base, method: method, body: body))
        let counted = Trace()
        try await WebClient.with(NetworkSettings(longestSilence: limit)) { web in
            try await web.call(call, token: "t") { _, piece in
                for _ in piece ?? [] { counted.add("x") }
                if piece != nil { try await receive(counted.lines.count) }
                return .more
            }
        }
        return counted.lines.count
    }

    @Test func acceptsSlowResponse() async throws {
        try await Server.with(.drip(bytes: 30, every: .milliseconds(80))) { server async throws in
            let read = try await Self.call(server.origin, limit: .milliseconds(1_500))
            #expect(read == 30)
        }
    }

    /// A server that sends no response, its head alone, or three bytes of it, and then nothing.
    @Test(arguments: [-1, 0, 3])
    func endsSilentResponse(bytes: Int) async throws {
        let reply = bytes < 0 ? Reply.silence : .drip(bytes: bytes, every: .milliseconds(1), ends: false)
        try await Server.with(reply) { server async throws in
            let failure = try await #require(throws: NetworkFailure.self) {
                _ = try await Self.call(server.origin, limit: .milliseconds(200))
            }
            #expect(failure.kind == .timeout && failure.origin == server.origin)
        }
    }

    /// A clock that only the test advances.
    private struct Time {
        private let permits = AsyncStream<Void>.makeStream()
        private let passed = AsyncStream<Void>.makeStream()

        /// Advances by a tenth of the limit.
        func pass() async throws {
            permits.continuation.yield()
            for await _ in passed.stream { return }
            throw CancellationError()
        }

        func pause(_: Duration) async throws {
            for await _ in permits.stream {
                passed.continuation.yield()
                return
            }
            throw CancellationError()
        }
    }

    @Test func ignoresTimeOfReader() async throws {
        try await Server.with(.drip(bytes: 3, every: .milliseconds(1))) { server async throws in
            let (base, time, read) = (try WebAddress(server.origin), Time(), Trace())
            let call = try #require(APICall(base: base, address: base, method: "GET"))
            try await WebClient.with { web in
                try await web.call(call, token: "t", pause: time.pause) { _, piece in
                    guard let piece else { return .more }
                    // Waits for three times the limit in the middle of the response.
                    if read.lines.isEmpty { for _ in 0..<30 { try await time.pass() } }
                    for _ in piece { read.add("x") }
                    return .more
                }
            }
            #expect(read.lines.count == 3)
        }
    }

    @Test func ignoresTimeOfBody() async throws {
        let (time, asked) = (Time(), Trace())
        let body = APICall.Body.pieces(length: 2) {
            AsyncThrowingStream {
                asked.add("piece")
                guard asked.lines.count <= 2 else { return nil }
                // Waits for three times the limit before each piece.
                for _ in 0..<30 { try await time.pass() }
                return [UInt8(ascii: "p")]
            }
        }
        try await Server.with(.response(status: 200, body: "")) { server async throws in
            let base = try WebAddress(server.origin)
            let call = try #require(APICall(base: base, address: base, method: "PUT", body: body))
            let head = try await WebClient.with { web in
                try await web.call(call, token: "t", pause: time.pause) { _, _ in .more }
            }
            #expect(head.status == 200 && server.asked.map(\.body) == ["pp"])
        }
    }

    @Test func leavesBodyThatIsNotWanted() async throws {
        try await Server.with(.drip(bytes: 3, every: .milliseconds(1), ends: false)) { server async throws in
            let base = try WebAddress(server.origin)
            let call = try #require(APICall(base: base, address: base, method: "GET"))
            let head = try await WebClient.with { web in
                try await web.call(call, token: "t") { _, piece in
                    #expect(piece == nil)
                    return .enough
                }
            }
            #expect(head.status == 200)
        }
    }

    @Test func tracesCallWithoutResponse() async throws {
        let (trace, base) = (Trace(), try WebAddress("http://127.0.0.1:\(try await freePort())"))
        let call = try #require(APICall(base: base, address: base, method: "GET"))
        let failure = try await #require(throws: NetworkFailure.self) {
            try await WebClient.with(trace: trace.add) {
                try await $0.call(call, token: "secret-token") { _, _ in .more }
            }
        }
        #expect(trace.lines == ["GET \(base) \(failure.kind)"])
    }

    @Test func sendsBodyInPieces() async throws {
        let piece = [UInt8](repeating: UInt8(ascii: "p"), count: 100_000)
        let pieces = APICall.Body.pieces(length: 300_000) {
            AsyncThrowingStream { feed in
                for _ in 0..<3 { feed.yield(piece) }
                feed.finish()
            }
        }
        try await Server.with { asked in
            .response(status: 200, body: "\(asked.body.utf8.count) \(asked.headers["Content-Length"])")
        } _: { server async throws in
            for body in [pieces, .bytes(piece + piece + piece)] {
                _ = try await Self.call(server.origin, limit: .seconds(20), method: "PUT", body: body)
            }
            #expect(server.asked.map(\.body.utf8.count) == [300_000, 300_000])
            #expect(server.asked.allSatisfy { $0.headers["Content-Length"] == ["300000"] })
        }
    }

    @Test func cancelsCall() async throws {
        try await Server.with(.drip(bytes: 1, every: .milliseconds(1), ends: false)) { server async throws in
            let (origin, (begun, feed)) = (server.origin, AsyncStream<Void>.makeStream())
            let task = Task { try await Self.call(origin, limit: .seconds(30)) { _ in feed.yield() } }
            var arrivals = begun.makeAsyncIterator()
            await arrivals.next()
            task.cancel()
            await #expect(throws: (any Error).self) { _ = try await task.value }
        }
    }
}
