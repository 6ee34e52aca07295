import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// HTTP over TLS, for connections whose first byte says so.
struct SecureChannel: HTTPChannelHandler {
    private let base: HTTP1Channel
    private let tls: ServerTLS

    var responder: Responder { base.responder }

    init(_ base: HTTP1Channel, tls: ServerTLS) {
        self.base = base
        self.tls = tls
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(PlainHTTPRefusal())
            try pipeline.addHandler(NIOSSLServerHandler(context: try tls.context()))
        }.flatMap { base.setup(channel: channel, logger: logger) }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}

/// Tells whoever speaks plain HTTP at an https port what to do instead of breaking the connection.
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
        let answer = """
            HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: \(text.utf8.count)\r\n\
            Connection: close\r\n\r\n\(text)
            """
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(string: answer)), promise: nil)
        context.close(promise: nil)
    }
}
