import SusiSQLite

/// A message that a service would have sent: the emulator keeps it, for tests and developers to read.
struct OutboxMessage: Hashable, Sendable {
    /// How it would have gone.
    enum Channel: String, CaseIterable, Sendable { case email, phone }

    /// What its code is for.
    enum Purpose: String, CaseIterable, Sendable { case verifyEmail, resetPassword, secondFactor }

    /// Grows with each message; no id comes twice.
    let id: Int64
    let channel: Channel
    /// The address, or the telephone number.
    let recipient: String
    let purpose: Purpose
    /// The code that the person has to type.
    let code: String
    /// When it was sent, in epoch seconds.
    let sent: Int64
}

extension Database {
    private static let outboxSize: Int64 = 1_000

    /// Puts a message into the outbox.
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
        // Whoever hears of it now reads after the transaction's end.
        file.outboxNews.spread()
        try connection.execute(
            """
            DELETE FROM outbox WHERE tenant = ?1 AND id <=
                (SELECT id FROM outbox WHERE tenant = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
            """, [.text(tenant), .integer(Self.outboxSize)])
    }

    /// The messages, the newest first.
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

    /// Forgets all messages.
    func clearOutbox() throws {
        try execute("DELETE FROM outbox WHERE tenant = ?", [.text(tenant)])
    }
}
