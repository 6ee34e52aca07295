import HTTPTypes
import NIOPosix
import SusiBase

enum OutboxResource {
    static func list(_ request: AdminRequest) async throws -> Response {
        let database = try request.tenant().database
        let (filter, limit) = (try Filter(request), try request.limit())
        let seconds = try request.number("wait", 0...60) ?? 0
        let read: @Sendable () async throws -> [OutboxMessage] = {
            try await NIOThreadPool.singleton.runIfActive { try database.outbox(limit: 1_000).filter(filter.fits) }
        }
        // Listen before reading to miss no message.
        let news = database.file.outboxChanges.listen()
        var found = try await read()
        if found.isEmpty, seconds > 0 {
            found = try await waiting(seconds, for: news, read)
        }
        return .json(["messages": .array(found.prefix(limit).map(json))])
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

    static func clear(_ request: AdminRequest) throws -> Response {
        try request.tenant().database.clearOutbox()
        return Response(status: .noContent)
    }

    private struct Filter: Sendable {
        let recipient: String?
        let purpose: OutboxMessage.Purpose?
        let after: Int64

        init(_ request: AdminRequest) throws(AdminProblem) {
            recipient = request.query["to"]?.lowercased()
            purpose = request.query["purpose"].flatMap(OutboxMessage.Purpose.init)
            guard purpose != nil || request.query["purpose"] == nil else {
                let known = OutboxMessage.Purpose.allCases.map(\.rawValue).joined(separator: ", ")
                throw .field("purpose", "expected one of \(known)")
            }
            after = try request.number("after", 0...Int64.max) ?? 0
        }

        func fits(_ message: OutboxMessage) -> Bool {
            message.id > after && (recipient == nil || message.recipient.lowercased() == recipient)
                && (purpose == nil || message.purpose == purpose)
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
