import NIOCore
import NIOHTTP1
import SusiTestSupport

/// A server that answers slowly: the head, then one byte at a time, then the end or silence.
enum Drip {
    /// Serves while `body` runs; passes it the origin.
    static func with<T>(
        bytes: Int, every pause: TimeAmount, thenEnds ends: Bool = true, afterHead headPause: TimeAmount = .zero,
        _ body: (String) async throws -> T
    ) async throws -> T {
        try await withListener { channel in
            try channel.pipeline.syncOperations.configureHTTPServerPipeline()
            try channel.pipeline.syncOperations.addHandler(
                Handler(left: bytes, pause: pause, ends: ends, headPause: headPause))
        } _: { port in
            try await body("http://127.0.0.1:\(port)")
        }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart
        private var left: Int
        private let pause: TimeAmount
        private let ends: Bool
        private let headPause: TimeAmount

        init(left: Int, pause: TimeAmount, ends: Bool, headPause: TimeAmount) {
            (self.left, self.pause, self.ends, self.headPause) = (left, pause, ends, headPause)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .end = unwrapInboundIn(data) else { return }
            context.writeAndFlush(
                wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .ok))), promise: nil)
            later(context, headPause)
        }

        private func later(_ context: ChannelHandlerContext, _ pause: TimeAmount) {
            context.eventLoop.assumeIsolated().scheduleTask(in: pause) { self.next(context) }
        }

        private func next(_ context: ChannelHandlerContext) {
            if left > 0 {
                left -= 1
                context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: "x")))), promise: nil)
                later(context, pause)
            } else if ends {
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }
    }
}
