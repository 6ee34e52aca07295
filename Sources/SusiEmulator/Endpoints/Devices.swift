import SusiBase
import SusiSQLite

/// A device that waits for a sign-in in a browser (RFC 8628).
struct DeviceRecord: Sendable {
    let userCode: String
    let clientID: String
    let scope: String
    /// The grant, once the user has agreed.
    let grantID: Int64?
    let isDeclined: Bool
    /// The minimum time between two requests of the device, and the time of the last one.
    let pause: Int64
    let polled: Int64
    let expires: Int64
}

extension Database {
    private static func device(_ row: borrowing Row) throws -> DeviceRecord {
        DeviceRecord(
            userCode: try row.text("user_code"), clientID: try row.text("client_id"), scope: try row.text("scope"),
            grantID: try row.optionalInteger("grant_id"), isDeclined: try row.integer("declined") == 1,
            pause: try row.integer("pause"), polled: try row.integer("polled"), expires: try row.integer("expires"))
    }

    /// Stores a waiting device and returns its secret code.
    func add(_ device: DeviceRecord, now: Int64) throws -> String {
        let code = RandomBytes.text()
        try insert(
            into: .devices,
            [
                "hash": .blob(sha256(code)), "tenant": .text(tenant), "user_code": .text(device.userCode),
                "client_id": .text(device.clientID), "scope": .text(device.scope), "pause": .integer(device.pause),
                "polled": .integer(device.polled), "expires": .integer(device.expires),
            ], now: now)
        return code
    }

    /// The device with that secret code.
    func device(code: String) throws -> DeviceRecord? {
        try read { connection in
            try connection.first(
                "SELECT * FROM devices WHERE hash = ? AND tenant = ?",
                [.blob(sha256(code)), .text(tenant)], Self.device)
        }
    }

    func waitingDevice(userCode: String, now: Int64) throws -> DeviceRecord? {
        try read { connection in
            try connection.first(
                """
                SELECT * FROM devices
                WHERE user_code = ? AND tenant = ? AND expires > ? AND grant_id IS NULL AND declined = 0
                """, [.text(userCode), .text(tenant), .integer(now)], Self.device)
        }
    }

    /// Records a request of a device and its new minimum wait.
    func notePoll(_ userCode: String, at now: Int64, pause: Int64) throws {
        try execute(
            "UPDATE devices SET polled = ?, pause = ? WHERE user_code = ?",
            [.integer(now), .integer(pause), .text(userCode)])
    }

    /// Gives a waiting device its grant, or declines it. Returns `false` if the device no longer waits.
    func finishDevice(_ userCode: String, grant: Int64?) throws -> Bool {
        try execute(
            """
            UPDATE devices SET grant_id = ?, declined = ?
            WHERE user_code = ? AND tenant = ? AND grant_id IS NULL AND declined = 0
            """, [.integer(orNull: grant), .integer(grant == nil ? 1 : 0), .text(userCode), .text(tenant)]) == 1
    }

    /// Removes a device that gets its tokens. Returns `false` if it got them before, also by a request at the same time.
    func use(deviceCode: String) throws -> Bool {
        try execute("DELETE FROM devices WHERE hash = ?", [.blob(sha256(deviceCode))]) == 1
    }
}
