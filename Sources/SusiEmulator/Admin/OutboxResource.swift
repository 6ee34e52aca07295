import NIOPosix

enum OutboxResource {
    static func list(_ request: AdminRequest) async throws -> AdminResult {
        let database = try request.tenant().database
        let filter = Filter(request)
        let read: @Sendable () async throws -> [OutboxMessage] = {
            try await NIOThreadPool.singleton.runIfActive { try database.outbox(limit: 1_000).filter(filter.fits) }
        }
        // Listen before reading to miss no message.
        let news = database.file.outboxChanges.listen()
        var found = try await read()
        if found.isEmpty, let seconds = request.query["wait"]?.integer, seconds > 0 {
            found = try await waiting(seconds, for: news, read)
        }
        return .json(["messages": .array(found.prefix(request.limit).map(json))])
    }

    // The matching message, or nothing if none arrived in time.
    private static func waiting(
        _ seconds: Int64, for news: AsyncStream<Void>, _ read: @escaping @Sendable () async throws -> [OutboxMessage]
    ) async throws -> [OutboxMessage] {
        try await withThrowingTaskGroup(of: [OutboxMessage].self) { group in
            group.addTask {
                for await _ in news {
                    let found = try await read()
                    if !found.isEmpty { return found }
                }
                return []
            }
            group.addTask {
                try await Task.sleep(for: .seconds(seconds))
                return []
            }
            let first = try await group.next() ?? []
            group.cancelAll()
            return first
        }
    }

    static func clear(_ request: AdminRequest) throws -> AdminResult {
        try request.tenant().database.clearOutbox()
        return .empty
    }

    private struct Filter: Sendable {
        let recipient: String?
        let purpose: String?
        let after: Int64

        init(_ request: AdminRequest) {
            recipient = request.query["to"]?.string?.lowercased()
            purpose = request.query["purpose"]?.string
            after = request.query["after"]?.integer ?? 0
        }

        func fits(_ message: OutboxMessage) -> Bool {
            message.id > after && (recipient == nil || message.recipient.lowercased() == recipient)
                && (purpose == nil || message.purpose.rawValue == purpose)
        }
    }

    private static func json(_ message: OutboxMessage) -> JSON {
        [
            "id": .integer(message.id), "channel": .string(message.channel.rawValue),
            "recipient": .string(message.recipient), "purpose": .string(message.purpose.rawValue),
            "code": .string(message.code), "sent": .integer(message.sent),
        ]
    }
}
