package import SystemPackage

#if canImport(Glibc)
    import CKeyring
    import Glibc
#endif

/// Keys in kernel memory, which is never swapped (keyrings(7)); a look-up takes 0.02 ms.
///
/// They are in the user keyring, which all processes of the user find in every session: a second terminal, tmux, cron. A
/// session keyring ends with its session, and under systemd a terminal has a different one than the login. Reading from the
/// user keyring requires possession, which a session without a link to it lacks, so these keys grant the permission to the
/// user. Only the user's own processes and root can read them.
package enum KernelKeyring {
    /// The error of the kernel if the keyring is unavailable, else `nil`. Containers often forbid it.
    package static var refusal: Errno? {
        #if canImport(Glibc)
            susi_key_user_keyring() < 0 ? Errno(rawValue: errno) : nil
        #else
            .noFunction
        #endif
    }

    struct Held {
        let key: SealingKey
        /// When the kernel removes it, in seconds since 1970; `nil` for never.
        let until: Int64?

        /// Reads what is stored under the id of a key: its bytes, then its end. Returns `nil` for another key: any program of
        /// the user can store one there.
        init?(_ payload: [UInt8], of id: KeyID) {
            key = SealingKey(bytes: Array(payload.prefix(SealingKey.count)))
            guard key.id == id else { return nil }
            let end = payload.dropFirst(SealingKey.count).reduce(Int64(0)) { $0 << 8 | Int64($1) }
            until = end == 0 ? nil : end
        }
    }

    /// Returns the key with an id; `nil` if it is missing or the stored bytes are another key.
    static func held(_ id: KeyID) -> Held? {
        #if canImport(Glibc)
            let serial = unsafe susi_key_find(description(of: id))
            guard serial > 0 else { return nil }
            var payload = [UInt8](repeating: 0, count: SealingKey.count + 8)
            guard unsafe susi_key_read(serial, &payload, payload.count) == payload.count else { return nil }
            return Held(payload, of: id)
        #else
            nil
        #endif
    }

    /// Stores a key until a time in seconds since 1970, or without an end.
    static func hold(_ key: SealingKey, until: Int64?, now: Int64) throws(Errno) {
        #if canImport(Glibc)
            var payload = key.bytes
            for shift in stride(from: 56, through: 0, by: -8) {
                payload.append(UInt8(truncatingIfNeeded: (until ?? 0) >> Int64(shift)))
            }
            // The key is created in the process keyring and shared after its permissions and timeout are set. In the user
            // keyring, a process of another session would create a key that it may neither restrict nor read.
            let serial = unsafe susi_key_make(description(of: key.id), payload, payload.count)
            guard serial > 0 else { throw Errno(rawValue: errno) }
            defer { _ = susi_key_leave_process(serial) }
            let seconds = until.map { UInt32(clamping: max(1, $0 - now)) } ?? 0
            guard susi_key_set_permissions(serial, permissions) == 0, susi_key_set_timeout(serial, seconds) == 0,
                susi_key_share(serial) == 0
            else { throw Errno(rawValue: errno) }
        #else
            throw .noFunction
        #endif
    }

    /// Removes a key for all processes at once. Returns `false` if there is none.
    @discardableResult
    static func forget(_ id: KeyID) -> Bool {
        #if canImport(Glibc)
            let serial = unsafe susi_key_find(description(of: id))
            return serial > 0 && susi_key_invalidate(serial) == 0
        #else
            return false
        #endif
    }

    #if canImport(Glibc)
        // All permissions for possessors; view, read and search for the user; none for group and others.
        private static let permissions: UInt32 = 0x3f0b_0000
    #endif

    private static func description(of id: KeyID) -> String { "susi:\(id)" }
}
