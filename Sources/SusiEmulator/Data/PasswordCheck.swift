import SusiSQLite

/// What became of a sign-in with a password.
enum PasswordCheck: Sendable {
    /// The password is right.
    case accepted(User)
    /// There is no such account, or the password is another one.
    case wrong
    /// Too many wrong passwords came before: the account takes none for some time.
    case locked
    /// Somebody has closed the account.
    case blocked
}

extension Database {
    private struct Credentials {
        let objectID: String
        let password: PasswordHash
    }

    private struct Lock {
        let failures: Int64
        let lockedUntil: Int64
    }

    /// Checks a local account's password. Takes as long for an unknown name, and for a locked account, as for a wrong
    /// password. Wrong ones are counted, and lock the account for some time as the policy says.
    func check(
        _ password: String, of name: String, _ settings: PolicySettings, now: Int64
    ) throws -> PasswordCheck {
        let kept = try credentials(name, settings.identifier)
        let matches = try (kept?.password ?? .nobody).matches(password)
        guard let kept else { return .wrong }
        // Only now: while one password was being hashed, others may have locked the account.
        let outcome = try write { try settle(kept.objectID, matches: matches, settings, now: now, $0) }
        guard outcome == .right, let user = try user(objectID: kept.objectID) else {
            return outcome == .locked ? .locked : .wrong
        }
        return user.isBlocked ? .blocked : .accepted(user)
    }

    private enum Outcome { case right, wrong, locked }

    private func settle(
        _ objectID: String, matches: Bool, _ settings: PolicySettings, now: Int64, _ connection: Connection
    ) throws -> Outcome {
        let key: [Value] = [.text(tenant), .text(objectID)]
        let lock = try connection.first(
            "SELECT failures, locked_until FROM users WHERE tenant = ? AND object_id = ?", key
        ) { Lock(failures: try $0.integer(0), lockedUntil: try $0.integer(1)) }
        guard let lock else { return .wrong }
        guard lock.lockedUntil <= now else { return .locked }
        if matches {
            if lock.failures > 0 {
                try connection.execute(
                    "UPDATE users SET failures = 0, locked_until = 0 WHERE tenant = ? AND object_id = ?", key)
            }
            return .right
        }
        let failures = lock.failures + 1
        let locks = settings.lockoutFailures > 0 && failures >= settings.lockoutFailures
        try connection.execute(
            "UPDATE users SET failures = ?, locked_until = ? WHERE tenant = ? AND object_id = ?",
            [.integer(locks ? 0 : failures), .integer(locks ? now + settings.lockoutSeconds : 0)] + key)
        return locks ? .locked : .wrong
    }

    private func credentials(_ name: String, _ identifier: PolicySettings.Identifier) throws -> Credentials? {
        try read { connection in
            for column in identifier.columns {
                let found = try connection.first(
                    """
                    SELECT object_id, password_salt, password_hash FROM users
                    WHERE tenant = ? AND \(column) = ? AND identity_provider IS NULL
                    """, [.text(tenant), .text(name)]
                ) { row in
                    Credentials(
                        objectID: try row.text(0),
                        password: PasswordHash(salt: try row.blob(1), hash: try row.blob(2)))
                }
                if let found { return found }
            }
            return nil
        }
    }
}
