import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// An HTTP/1.1 connection to a site, over TLS if there is one. HummingbirdTLS would only close a connection that speaks
/// plain HTTP.
struct SiteChannel: ServerChildChannel {
    private let http: HTTP1Channel
    private let tls: ServerTLS?

    init(_ responder: SiteResponder, tls: ServerTLS?) {
        self.tls = tls
        http = HTTP1Channel { request, writer, channel in
            let response = try await responder.respond(to: request, channel: channel)
            try await writer.write(response: response.head, body: response.body)
        }
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        guard let tls else { return http.setup(channel: channel, logger: logger) }
        return channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(PlainHTTPRefusal())
            try pipeline.addHandler(NIOSSLServerHandler(context: try tls.context()))
        }.flatMap { http.setup(channel: channel, logger: logger) }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async { await http.handle(value: value, logger: logger) }
}

/// Tells a client that speaks plain HTTP at an https port which address to use.
private final class PlainHTTPRefusal: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    private var hasRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasRefused else { return }
        // The first record of TLS is a handshake (RFC 8446 section 5.1).
        guard unwrapInboundIn(data).readableBytesView.first != 0x16 else {
            context.fireChannelRead(data)
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
            return
        }
        hasRefused = true
        let port = UInt16(clamping: context.localAddress?.port ?? 0)
        let text = "This port accepts https only: \(EmulatorPort(port, isSecure: true).origin)/\n"
        let response = """
            HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: \(text.utf8.count)\r\n\
            Connection: close\r\n\r\n\(text)
            """
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(string: response)), promise: nil)
        context.close(promise: nil)
    }
}
