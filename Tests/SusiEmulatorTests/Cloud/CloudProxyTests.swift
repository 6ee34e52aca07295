import AsyncHTTPClient
import NIOCore
import NIOPosix
import SusiTestSupport
import Synchronization
import Testing

@testable import SusiEmulator

/// The proxy that leads the hosts of the cloud to an emulator: where connections go, and what it refuses.
@Suite("Proxy of the cloud's names", .inTurn, .timeLimit(.minutes(1)))
struct CloudProxyTests {
    private static let hosts: Set = ["contoso.b2clogin.com", "id.acme.example:8443"]

    @Test(
        "reads the place of a CONNECT, and nothing else",
        arguments: [
            ("CONNECT contoso.b2clogin.com:443 HTTP/1.1", "contoso.b2clogin.com", 443),
            ("CONNECT Contoso.B2CLogin.com.:443 HTTP/1.1\r\nHost: other:1", "contoso.b2clogin.com", 443),
            ("CONNECT contoso.b2clogin.com..:443 HTTP/1.1", "contoso.b2clogin.com", 443),
            ("CONNECT a\0.b2clogin.com:443 HTTP/1.1", nil, 0),
            ("CONNECT contoso\u{ff0e}b2clogin.com:443 HTTP/1.1", nil, 0),
            ("CONNECT ..:443 HTTP/1.1", nil, 0),
            ("CONNECT [::1]:8443 HTTP/1.0", "::1", 8443), ("CONNECT contoso.b2clogin.com HTTP/1.1", nil, 0),
            ("CONNECT :443 HTTP/1.1", nil, 0), ("CONNECT a:0 HTTP/1.1", nil, 0), ("CONNECT a:65536 HTTP/1.1", nil, 0),
            ("CONNECT a:+5 HTTP/1.1", nil, 0), ("CONNECT a:443", nil, 0), ("GET http://a:443/ HTTP/1.1", nil, 0),
            ("connect a:443 HTTP/1.1", nil, 0), ("", nil, 0),
        ])
    func readsPlace(head: String, host: String?, port: Int) {
        #expect(ProxyRequest((head + "\r\n\r\n").utf8)?.place == host.map { ProxyRequest.Place(host: $0, port: port) })
    }

    @Test("leads each host to its place; a host of the cloud at another port is never reached")
    func routes() {
        let other = ProxyRequest.Place(host: "api.example", port: 443)
        for (others, expected) in [
            (CloudProxy.Others.direct, CloudProxy.Route.direct(other)),
            (
                .through(host: "proxy.example", port: 3128),
                .proxy(ProxyRequest.Place(host: "proxy.example", port: 3128))
            ),
            (.refused, .refused("other hosts than the emulator's are refused, because of --offline")),
        ] {
            let proxy = CloudProxy(hosts: Self.hosts, others: others)
            #expect(proxy.route(to: other) == expected)
            for (host, port) in [("contoso.b2clogin.com", 443), ("id.acme.example", 8443)] {
                #expect(proxy.route(to: ProxyRequest.Place(host: host, port: port)) == .emulator)
                guard case .refused = proxy.route(to: ProxyRequest.Place(host: host, port: 80)) else {
                    Issue.record("\(host) at port 80 is not refused")
                    continue
                }
            }
            guard case .refused = proxy.route(to: ProxyRequest.Place(host: "id.acme.example", port: 443)) else {
                Issue.record("port 443 is not refused")
                continue
            }
            // A name below one of the cloud's is another host.
            #expect(proxy.route(to: ProxyRequest.Place(host: "x.contoso.b2clogin.com", port: 443)) != .emulator)
        }
    }

    /// Sends these bytes to a proxy and returns all that comes back, up to “end”. The emulator's port is that of a server, by
    /// default one that repeats what it gets. The client reads slowly: little at a time.
    private func response(
        to bytes: [UInt8], others: CloudProxy.Others = .refused, closesOutput: Bool = false,
        server: @escaping @Sendable (any Channel) throws -> Void = {
            try $0.pipeline.syncOperations.addHandler(Repeater())
        }, told: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> String {
        try await withListener(connect: server) { port in
            try await CloudProxy(hosts: Self.hosts, others: others).run(
                to: UInt16(clamping: port), refused: told
            ) { proxy in
                let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 2_048))
                    .channelOption(.maxMessagesPerRead, value: 1)
                    .connect(host: "127.0.0.1", port: Int(proxy)) { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                                wrappingChannelSynchronously: channel,
                                configuration: .init(isOutboundHalfClosureEnabled: true))
                        }
                    }
                return try await client.executeThenClose { received, sent in
                    try await sent.write(ByteBuffer(bytes: bytes))
                    if closesOutput { sent.finish() }
                    var all = ""
                    for try await piece in received {
                        all += String(buffer: piece)
                        if all.hasSuffix("end") { break }
                    }
                    return all
                }
            }
        }
    }

    @Test("passes bytes in both directions, also those that come with the request")
    func passesBytes() async throws {
        let request = "CONNECT contoso.b2clogin.com:443 HTTP/1.1\r\nHost: contoso.b2clogin.com:443\r\n\r\nfirst "
        let large = String(repeating: "x", count: 300_000) + "end"
        let response = try await response(to: Array((request + large).utf8))
        #expect(response == "HTTP/1.1 200 Connection established\r\n\r\nfirst " + large)
    }

    @Test("counts the bytes of a head that is not UTF-8")
    func countsBytes() async throws {
        let head = Array("CONNECT contoso.b2clogin.com:443 HTTP/1.1\r\nX: ".utf8) + [0xff] + Array("\r\n\r\n".utf8)
        let response = try await response(to: head + Array("first end".utf8))
        #expect(response == "HTTP/1.1 200 Connection established\r\n\r\nfirst end")
    }

    @Test("passes on all that a server sent before it closed, also to a slow reader")
    func passesEnd() async throws {
        let size = 8 << 20
        let response = try await response(
            to: Array("CONNECT contoso.b2clogin.com:443 HTTP/1.1\r\n\r\n".utf8),
            server: { channel in
                channel.writeAndFlush(ByteBuffer(repeating: UInt8(ascii: "x"), count: size))
                    .whenComplete { _ in channel.close(promise: nil) }
            })
        #expect(response.utf8.count == "HTTP/1.1 200 Connection established\r\n\r\n".utf8.count + size)
    }

    @Test("passes on the response to a client that has closed its own direction")
    func passesHalfClosure() async throws {
        let response = try await response(
            to: Array("CONNECT contoso.b2clogin.com:443 HTTP/1.1\r\n\r\nhello".utf8), closesOutput: true,
            server: { channel in
                try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
                try channel.pipeline.syncOperations.addHandler(LateResponder())
            })
        #expect(response == "HTTP/1.1 200 Connection established\r\n\r\n5 bytes, end")
    }

    @Test("another proxy gets the same request")
    func passesToProxy() async throws {
        try await withListener(connect: { try $0.pipeline.syncOperations.addHandler(Repeater()) }) { port in
            let request = "CONNECT api.example:443 HTTP/1.1\r\nHost: api.example:443\r\n\r\nend"
            let others = CloudProxy.Others.through(host: "127.0.0.1", port: port)
            let response = try await response(to: Array(request.utf8), others: others)
            #expect(response == request)
        }
    }

    @Test(
        "refuses what it does not pass",
        arguments: [
            ("CONNECT api.example:443 HTTP/1.1\r\n\r\n", "403", ["api.example:443"]),
            ("CONNECT contoso.b2clogin.com:80 HTTP/1.1\r\n\r\n", "403", ["contoso.b2clogin.com:80"]),
            ("GET http://api.example/ HTTP/1.1\r\n\r\n", "405", []),
            ("CONNECT api.example HTTP/1.1\r\n\r\n", "400", []),
            (String(repeating: "x", count: 17_000), "400", []),
        ])
    func refuses(text: String, status: String, expected: [String]) async throws {
        let refused = Mutex<[String]>([])
        let told = { @Sendable (place: String) in refused.withLock { $0.append(place) } }
        let response = try await response(to: Array(text.utf8), told: told)
        #expect(response.hasPrefix("HTTP/1.1 \(status) "), "\(response)")
        let places = refused.withLock { $0 }
        #expect(places == expected)
    }

    @Test("says that a host cannot be reached")
    func reportsUnreachableHost() async throws {
        let port = try await freePort()
        let response = try await response(
            to: Array("CONNECT 127.0.0.1:\(port) HTTP/1.1\r\n\r\n".utf8), others: .direct)
        #expect(
            response.hasPrefix("HTTP/1.1 502 ") && response.hasSuffix("127.0.0.1 cannot be reached\n"), "\(response)")
    }
}

/// A server that sends back what it gets.
private final class Repeater: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.writeAndFlush(data, promise: nil)
    }
}

/// A server that responds when the client has sent everything.
private final class LateResponder: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    private var count = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { count += unwrapInboundIn(data).readableBytes }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .inputClosed? = event as? ChannelEvent else { return }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "\(count) bytes, end")), promise: nil)
    }
}
