import NIOCore
import NIOHTTP1
import NIOPosix
import SusiPolicies
import Synchronization
import SystemPackage

/// The listening sockets of a port, on the loopback addresses of a redirect host.
struct LoopbackSockets: Sendable {
    typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
    typealias Server = NIOAsyncChannel<any Channel, Never>

    let port: UInt16
    private let servers: [Server]
    private let connections: OpenConnections

    /// Binds a port; returns `nil` if it is in use. Browsers resolve `localhost` to either address: if only one were bound,
    /// another program could respond on the other.
    static func bind(port: UInt16, host: RedirectHost) async throws -> LoopbackSockets? {
        let connections = OpenConnections()
        let bound: Server?
        do {
            let address = host == .ipv6 ? "::1" : "127.0.0.1"
            bound = try await server(host: address, port: port, connections: connections)
        } catch let error as IOError where Self.isMissing(error) { throw RedirectListener.MissingAddress(host: host) }
        guard let first = bound else { return nil }
        guard let taken = first.channel.localAddress?.port.flatMap({ UInt16(exactly: $0) }) else { return nil }
        guard host == .name else { return LoopbackSockets(port: taken, servers: [first], connections: connections) }
        do {
            guard let second = try await server(host: "::1", port: taken, connections: connections) else {
                try await first.channel.close()
                return nil
            }
            return LoopbackSockets(port: taken, servers: [first, second], connections: connections)
        } catch let error as IOError where Self.isMissing(error) {
            // This machine has no ::1.
            return LoopbackSockets(port: taken, servers: [first], connections: connections)
        } catch {
            try await first.channel.close()
            throw error
        }
    }

    private static func server(
        host: String, port: UInt16, connections: OpenConnections
    ) async throws -> Server? {
        do {
            return try await ServerBootstrap(group: ClientThreads.group)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.autoRead, value: false)
                .bind(host: host, port: Int(port)) { channel in
                    // Only accepted connections are wrapped: a wrapper must not be dropped unused.
                    connections.add(channel)
                    return channel.eventLoop.makeSucceededFuture(channel)
                }
        } catch let error as IOError where Self.isBusy(error) {
            return nil
        }
    }

    private static func isMissing(_ error: IOError) -> Bool {
        [.addressNotAvailable, .addressFamilyNotSupported].contains(Errno(rawValue: error.errnoCode))
    }

    // Ports under 1024 may need a permission.
    private static func isBusy(_ error: IOError) -> Bool {
        [.addressInUse, .permissionDenied].contains(Errno(rawValue: error.errnoCode))
    }

    /// Serves requests while `body` runs and until the result page is sent; then closes all sockets.
    func serve<T: Sendable>(
        _ router: RedirectRouter, patience: Duration, closing: RedirectListener.Closing,
        _ body: () async throws -> T
    ) async throws -> T {
        let serving = Task { await serve(router) }
        let end: @Sendable () async -> Void = {
            if router.result.isWaiting { await router.result.waitUntilServed(within: patience) }
            serving.cancel()
            await serving.value
        }
        let outcome: Result<T, any Error>
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        // Without a result page the port is free at once.
        if router.result.isWaiting { await closing(end) } else { await end() }
        return try outcome.get()
    }

    private func serve(_ router: RedirectRouter) async {
        defer { connections.closeAll() }
        await withDiscardingTaskGroup { group in
            for server in servers { group.addTask { try? await Self.accept(on: server, router) } }
        }
    }

    private static func accept(on server: Server, _ router: RedirectRouter) async throws {
        try await server.executeThenClose { connections in
            await withDiscardingTaskGroup { group in
                do {
                    for try await connection in connections {
                        group.addTask { await serve(connection, router) }
                    }
                } catch {}
                group.cancelAll()
            }
        }
    }

    // An error concerns only its own connection.
    private static func serve(_ channel: any Channel, _ router: RedirectRouter) async {
        let wrapped = try? await channel.eventLoop.submit {
            try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
            return try Connection(wrappingChannelSynchronously: channel)
        }.get()
        guard let connection = wrapped else { return }
        try? await channel.setOption(.autoRead, value: true).get()
        let owner = { ConnectionOwner.of(client: channel.remoteAddress, server: channel.localAddress) }
        try? await connection.executeThenClose { inbound, outbound in
            switch try await request(from: inbound, router, owner: owner) {
            case .none: return
            case .routed(let response, let then)?:
                defer { then() }
                try await write(response, to: outbound, router)
            case .fields(let fields, let path, let form)?:
                try await reply(to: fields, path: path, form: form, router, outbound)
            }
        }
    }

    /// A request, read as far as its response needs it.
    private enum Request {
        /// The response is known; `then` runs after it is sent.
        case routed(RedirectListener.Response, then: () -> Void)
        /// The fields of a query, or of a posted form.
        case fields(String, path: String, RedirectListener.FormPost?)
    }

    private static func request(
        from inbound: NIOAsyncChannelInboundStream<HTTPServerRequestPart>, _ router: RedirectRouter,
        owner: () -> ConnectionOwner
    ) async throws -> Request? {
        var form: FormBody?
        for try await part in inbound {
            switch part {
            case .head(let head):
                switch router.route(head, owner: owner) {
                case .now(let response, let then): return .routed(response, then: then)
                case .query(let query, let path): return .fields(query, path: path, nil)
                case .form(let origin, let path): form = FormBody(origin: origin, path: path)
                }
            case .body(let piece):
                guard form?.take(piece) ?? true else { return .routed(.page(.tooLong)) {} }
            case .end:
                guard let form, let fields = form.text else { return .routed(.page(.noForm)) {} }
                return .fields(fields, path: form.path, form.post)
            }
        }
        return nil
    }

    private struct FormBody {
        let post: RedirectListener.FormPost
        let path: String
        private var bytes = ByteBuffer()

        init(origin: String?, path: String) {
            post = RedirectListener.FormPost(origin: origin)
            self.path = path
        }

        var text: String? { String(validating: bytes.readableBytesView, as: UTF8.self) }

        /// Adds a piece; returns `false` if the body is longer than any valid response.
        mutating func take(_ piece: ByteBuffer) -> Bool {
            guard bytes.readableBytes + piece.readableBytes <= RedirectRouter.longestRedirect else { return false }
            bytes.writeImmutableBuffer(piece)
            return true
        }
    }

    private static func reply(
        to fields: String, path: String, form: RedirectListener.FormPost?, _ router: RedirectRouter,
        _ outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
    ) async throws {
        let (response, written) = await router.response(to: fields, path: path, form: form)
        defer { written.finish() }
        try await write(response, to: outbound, router)
    }

    private static func write(
        _ response: RedirectListener.Response, to outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>,
        _ router: RedirectRouter
    ) async throws {
        var headers = HTTPHeaders(Page.headers)
        let status: HTTPResponseStatus
        var body = ""
        switch response {
        case .redirect(let url):
            status = .found
            headers.add(name: "Location", value: url)
        case .result(let page):
            // 303: the browser does not post the body again (RFC 9700 section 4.12).
            status = .seeOther
            headers.add(name: "Location", value: router.result.keep(page))
        case .page(let page):
            status = HTTPResponseStatus(statusCode: page.status)
            let nonce = RandomPath.make() + RandomPath.make() + RandomPath.make() + RandomPath.make()
            headers.replaceOrAdd(name: "Content-Security-Policy", value: Page.contentPolicy(nonce: nonce))
            body = page.html(nonce: nonce)
        }
        headers.add(name: "Content-Length", value: "\(body.utf8.count)")
        try await outbound.write(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers)))
        try await outbound.write(.body(.byteBuffer(ByteBuffer(string: body))))
        try await outbound.write(.end(nil))
    }
}

/// The open connections, so that all of them can be closed with the listener.
private final class OpenConnections: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isOver = false
    }
    private let state = Mutex(State())

    func add(_ channel: any Channel) {
        let isOver = state.withLock { state in
            if !state.isOver { state.channels[ObjectIdentifier(channel)] = channel }
            return state.isOver
        }
        if isOver { return channel.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in
            _ = self.state.withLock { $0.channels.removeValue(forKey: ObjectIdentifier(channel)) }
        }
    }

    func closeAll() {
        let open = state.withLock { state in
            state.isOver = true
            return Array(state.channels.values)
        }
        for channel in open { channel.close(promise: nil) }
    }
}
