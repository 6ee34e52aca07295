import SusiSQLite

/// A message that a service would send. The emulator keeps it for tests and developers.
struct OutboxMessage: Hashable, Sendable {
    /// How a service would send it.
    enum Channel: String, CaseIterable, Sendable { case email, phone }

    enum Purpose: String, CaseIterable, Sendable { case verifyEmail, resetPassword, secondFactor }

    /// The id; ids increase and are not reused.
    let id: Int64
    let channel: Channel
    /// The email address or the telephone number.
    let recipient: String
    let purpose: Purpose
    let code: String
    /// When it was sent, in epoch seconds.
    let sent: Int64
}

extension Database {
    private static let outboxSize: Int64 = 1_000

    func send(
        _ code: String, to recipient: String, by channel: OutboxMessage.Channel, for purpose: OutboxMessage.Purpose,
        now: Int64
    ) throws {
        try write { try send(code, to: recipient, by: channel, for: purpose, now: now, $0) }
    }

    /// The same within a transaction.
    func send(
        _ code: String, to recipient: String, by channel: OutboxMessage.Channel, for purpose: OutboxMessage.Purpose,
        now: Int64, _ connection: Connection
    ) throws {
        try connection.execute(
            "INSERT INTO outbox (tenant, channel, recipient, purpose, code, sent) VALUES (?, ?, ?, ?, ?, ?)",
            [
                .text(tenant), .text(channel.rawValue), .text(recipient), .text(purpose.rawValue), .text(code),
                .integer(now),
            ])
        // Listeners read only after the end of the transaction.
        file.outboxChanges.notify()
        try connection.execute(
            """
            DELETE FROM outbox WHERE tenant = ?1 AND id <=
                (SELECT id FROM outbox WHERE tenant = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
            """, [.text(tenant), .integer(Self.outboxSize)])
    }

    /// The messages, newest first.
    func outbox(limit: Int = 100) throws -> [OutboxMessage] {
        try read { connection in
            try connection.rows(
                """
                SELECT id, channel, recipient, purpose, code, sent FROM outbox
                WHERE tenant = ? ORDER BY id DESC LIMIT ?
                """, [.text(tenant), .int(limit)]
            ) { row in
                let (channel, purpose) = (try row.text(1), try row.text(3))
                return OutboxMessage(
                    id: try row.integer(0), channel: OutboxMessage.Channel(rawValue: channel) ?? .email,
                    recipient: try row.text(2),
                    purpose: OutboxMessage.Purpose(rawValue: purpose) ?? .verifyEmail, code: try row.text(4),
                    sent: try row.integer(5))
            }
        }
    }

    func clearOutbox() throws {
        try execute("DELETE FROM outbox WHERE tenant = ?", [.text(tenant)])
    }
}
