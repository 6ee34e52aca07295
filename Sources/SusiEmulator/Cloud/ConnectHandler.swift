import NIOCore
import NIOPosix

/// Reads the request of a proxy's client, connects to its place, and then passes bytes in both directions.
final class ConnectHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let proxy: CloudProxy
    private let emulator: UInt16
    private let refused: @Sendable (String) -> Void
    private var received = ByteBuffer()
    private var isDone = false
    /// Whether the client sends nothing more.
    private var hasEnded = false

    init(proxy: CloudProxy, emulator: UInt16, refused: @escaping @Sendable (String) -> Void) {
        self.proxy = proxy
        self.emulator = emulator
        self.refused = refused
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var piece = unwrapInboundIn(data)
        received.writeBuffer(&piece)
        guard !isDone else { return }
        guard let request = ProxyRequest(received.readableBytesView) else {
            if received.readableBytes > ProxyRequest.largest {
                refuse(context, "400 Bad Request", "the head is too long")
            }
            return
        }
        isDone = true
        guard request.method == "CONNECT" else {
            return refuse(context, "405 Method Not Allowed", "this proxy passes https only, by CONNECT")
        }
        guard let place = request.place else {
            return refuse(context, "400 Bad Request", "CONNECT names no host with a port")
        }
        switch proxy.route(to: place) {
        case .emulator:
            connect(context, to: ProxyRequest.Place(host: "127.0.0.1", port: Int(emulator)), after: request.size)
        case .direct(let place): connect(context, to: place, after: request.size)
        case .proxy(let other): connect(context, to: other, after: nil)
        case .refused(let why):
            refused("\(place.host):\(place.port)")
            refuse(context, "403 Forbidden", why)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .inputClosed? = event as? ChannelEvent else { return context.fireUserInboundEventTriggered(event) }
        hasEnded = true
        if !isDone { context.close(promise: nil) }
    }

    private func refuse(_ context: ChannelHandlerContext, _ status: String, _ why: String) {
        isDone = true
        let text = "susi: \(why)\n"
        let response = """
            HTTP/1.1 \(status)\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: \(text.utf8.count)\r\n\
            Connection: close\r\n\r\n\(text)
            """
        context.channel.writeAndFlush(ByteBuffer(string: response), promise: nil)
        context.channel.finish()
    }

    // Connects and passes on what follows the first `head` bytes; without `head` all of it, to a proxy that responds itself.
    private func connect(_ context: ChannelHandlerContext, to place: ProxyRequest.Place, after head: Int?) {
        setReading(context.channel, false)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        ClientBootstrap(group: context.eventLoop)
            .connectTimeout(.seconds(10))
            .channelOption(.autoRead, value: false)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(host: place.host, port: place.port)
            .whenComplete { result in
                let (handler, context) = bound.value
                switch result {
                case .success(let server): handler.join(context, server, after: head)
                case .failure: handler.refuse(context, "502 Bad Gateway", "\(place.host) cannot be reached")
                }
            }
    }

    private func join(_ context: ChannelHandlerContext, _ server: any Channel, after head: Int?) {
        let (client, ahead) = (Passage(), Passage())
        client.join(ahead)
        do {
            try server.pipeline.syncOperations.addHandler(ahead)
            try context.pipeline.syncOperations.addHandler(client)
        } catch { return server.close(promise: nil) }
        if let head {
            received.moveReaderIndex(forwardBy: head)
            let greeting = context.channel.allocator.buffer(string: "HTTP/1.1 200 Connection established\r\n\r\n")
            context.writeAndFlush(wrapOutboundOut(greeting), promise: nil)
        }
        if received.readableBytes > 0 { server.writeAndFlush(received, promise: nil) }
        if hasEnded { server.finish(.output) }
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
        setReading(context.channel, true)
        setReading(server, true)
    }

    private func setReading(_ channel: any Channel, _ isOn: Bool) {
        channel.setOption(.autoRead, value: isOn).whenFailure { _ in channel.close(promise: nil) }
    }
}

/// One end of a connection: what it receives goes to the other end, as fast as that takes it.
private final class Passage: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var other: Passage?
    private var context: ChannelHandlerContext?
    private var waits = false

    func join(_ other: Passage) {
        self.other = other
        other.other = self
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { (self.context, other) = (nil, nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let next = other?.context else { return }
        next.write(data, promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) { other?.context?.flush() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { other?.context?.channel.finish(.output) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        other?.context?.channel.finish()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        guard context.channel.isWritable, let other, other.waits else { return }
        other.waits = false
        other.context?.read()
    }

    func read(context: ChannelHandlerContext) {
        guard other?.context?.channel.isWritable ?? true else { return waits = true }
        context.read()
    }
}

extension Channel {
    /// Closes the channel, or its output alone, after everything that was written: a close drops what is not sent yet.
    fileprivate func finish(_ mode: CloseMode = .all) {
        writeAndFlush(ByteBuffer()).whenComplete { _ in self.close(mode: mode, promise: nil) }
    }
}
