import HummingbirdCore
import Logging
import NIOCore

/// Connections of some kind, answered on threads that may block.
struct BlockingChannel<Base: HTTPChannelHandler>: HTTPChannelHandler {
    let base: Base

    var responder: Responder { base.responder }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        base.setup(channel: channel, logger: logger)
    }

    func handle(value: Base.Value, logger: Logger) async {
        await withTaskExecutorPreference(ConnectionThreads.shared) { await base.handle(value: value, logger: logger) }
    }
}
