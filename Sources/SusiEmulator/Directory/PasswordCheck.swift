import SusiBase
import SusiSQLite

/// The result of a sign-in with a password.
enum PasswordCheck: Sendable {
    case accepted(User)
    /// The account does not exist, or the password is wrong.
    case wrong
    /// The account is locked after too many wrong passwords, until a time in epoch seconds.
    case locked(until: Int64)
    case blocked
}

extension Database {
    /// Checks a local account's password. An unknown name and a locked account take as long as a wrong password. Wrong passwords
    /// are counted and lock the account as the policy says.
    func check(_ password: String, of name: String, _ endpoint: PolicyEndpoint, now: Int64) throws -> PasswordCheck {
        let kept = try credentials(name, endpoint.identifier)
        if kept == nil, endpoint.dialect.traits.guestsOf != nil, let guest = try guests(email: name).first {
            // The home tenant checks the password.
            guard let home = try homeRows(of: guest) else {
                _ = try PasswordHash.unmatchable.matches(password)
                return .wrong
            }
            let outcome = try home.check(password, of: name, endpoint, now: now)
            guard case .accepted = outcome else { return outcome }
            return guest.isBlocked ? .blocked : .accepted(guest)
        }
        let matches = try (kept?.password ?? .unmatchable).matches(password)
        guard let kept else { return .wrong }
        // Only now: other attempts may have locked the account during the hashing. If any policy asks for a second factor, the
        // password alone does not reset the count of wrong codes.
        let isLast = !endpoint.tenant.configuration.asksSecondFactor
        let outcome = try count(matches, of: kept.objectID, endpoint, isLast: isLast, now: now)
        if case .locked(let end) = outcome { return .locked(until: end) }
        guard case .right = outcome, let user = try user(objectID: kept.objectID) else { return .wrong }
        return user.isBlocked ? .blocked : .accepted(user)
    }

    func isPassword(_ password: String, of objectID: String) throws -> Bool {
        let kept = try read { connection in
            try connection.first(
                """
                SELECT password_salt, password_hash FROM users
                WHERE tenant = ? AND object_id = ? AND identity_provider IS NULL
                """, [.text(tenant), .text(objectID)]
            ) { row in PasswordHash(salt: try row.blob(0), hash: try row.blob(1)) }
        }
        return try kept?.matches(password) ?? false
    }

    enum Outcome: Sendable { case right, wrong, locked(until: Int64) }

    /// Counts an attempt with a secret of an account: wrong ones in a row lock it for some time, a right one resets the count if
    /// no other secret is needed.
    func count(
        _ isRight: Bool, of objectID: String, _ endpoint: PolicyEndpoint, isLast: Bool = true, now: Int64
    ) throws -> Outcome {
        try write { connection in
            let key: [Value] = [.text(tenant), .text(objectID)]
            let lock = try connection.first(
                "SELECT failures, locked_until FROM users WHERE tenant = ? AND object_id = ?", key
            ) { (failures: try $0.integer(0), lockedUntil: try $0.integer(1)) }
            guard let lock else { return .wrong }
            guard lock.lockedUntil <= now else { return .locked(until: lock.lockedUntil) }
            if isRight {
                if lock.failures > 0, isLast {
                    try connection.execute(
                        "UPDATE users SET failures = 0, locked_until = 0 WHERE tenant = ? AND object_id = ?", key)
                }
                return .right
            }
            let failures = lock.failures + 1
            let locks = endpoint.settings.lockoutFailures > 0 && failures >= endpoint.settings.lockoutFailures
            let end = locks ? now + endpoint.settings.lockoutSeconds : 0
            try connection.execute(
                "UPDATE users SET failures = ?, locked_until = ? WHERE tenant = ? AND object_id = ?",
                [.integer(locks ? 0 : failures), .integer(end)] + key)
            return locks ? .locked(until: end) : .wrong
        }
    }

    private func credentials(
        _ name: String, _ identifier: PolicySettings.Identifier
    ) throws -> (objectID: String, password: PasswordHash)? {
        try read { connection in
            for column in identifier.columns {
                let found = try connection.first(
                    """
                    SELECT object_id, password_salt, password_hash FROM users
                    WHERE tenant = ? AND \(column) = ? AND identity_provider IS NULL
                    """, [.text(tenant), .text(name)]
                ) { row in
                    (try row.text(0), PasswordHash(salt: try row.blob(1), hash: try row.blob(2)))
                }
                if let found { return found }
            }
            return nil
        }
    }
}

extension Database {
    /// The step of the last code of a user's authenticator app that was used; 0 before the first.
    func lastTOTPStep(of objectID: String) throws -> Int64 { try read { try lastTOTPStep(of: objectID, $0) } }

    private func lastTOTPStep(of objectID: String, _ connection: Connection) throws -> Int64 {
        try connection.first(
            "SELECT totp_step FROM users WHERE tenant = ? AND object_id = ?", [.text(tenant), .text(objectID)]
        ) { row in try row.integer(0) } ?? 0
    }

    /// Returns whether a code of a user's authenticator app is right, which it is once. A user without an app gets the one whose
    /// secret is `enrolling`.
    func acceptTOTP(_ code: String, of objectID: String, enrolling: String?, now: Int64) throws -> Bool {
        try write { connection in
            guard var user = try user(objectID: objectID, connection), let secret = user.totpSecret ?? enrolling,
                let step = TOTP(secret: secret).step(
                    of: code, now: now, after: try lastTOTPStep(of: objectID, connection))
            else { return false }
            user.totpSecret = secret
            try connection.execute(
                "UPDATE users SET record = ?, totp_step = ? WHERE tenant = ? AND object_id = ?",
                [.text(user.record), .integer(step), .text(tenant), .text(objectID)])
            return true
        }
    }
}

extension PolicyEndpoint {
    /// Checks a local account's password. The developer's code decides about one that is not the stored one, until the user's
    /// password has been moved.
    func check(
        _ password: String, of name: String, clientID: String, locale: String = Language.english.rawValue, now: Int64
    ) throws -> PasswordCheck {
        let database = tenant.database
        let user = try database.user(signInName: name, settings.identifier)
        let call = user.flatMap { self.call(at: .password, $0, clientID: clientID, locale: locale, now: now) }
        guard let call, let property = call.callout.migrationProperty, call.user.attributes[property] == .bool(true)
        else { return try database.check(password, of: name, self, now: now) }
        let isOpen = !call.user.isBlocked && call.user.lockEnd(now: now) == nil
        if isOpen, try !database.isPassword(password, of: call.user.objectID) {
            try call.movePassword(password, name: name)
        }
        let outcome = try database.check(password, of: name, self, now: now)
        if case .accepted(let user) = outcome {
            try database.change(user.objectID) { $0.attributes[property] = .bool(false) }
        }
        return outcome
    }
}
