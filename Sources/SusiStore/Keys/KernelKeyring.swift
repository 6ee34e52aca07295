public import SystemPackage

#if canImport(Glibc)
    import CKeyring
    import Glibc
#endif

/// Keys that the kernel keeps in memory which is never swapped (keyrings(7)): a look-up costs 0.02 ms.
///
/// They are in the user's keyring, which every process of the user finds, whichever session it belongs to: a second terminal,
/// tmux, cron. A session's own keyring ends with the session that began it, and under systemd a terminal has another one
/// than the login. What is in the user's keyring may be read by who possesses it, which a session without a link to it does
/// not: so these keys give the user the right itself. Only the user's own processes, and root, get there.
public enum KernelKeyring {
    /// Whether the kernel keeps keys here; nil when it does, else its refusal. Containers often forbid it.
    public static var refusal: Errno? {
        #if canImport(Glibc)
            susi_key_user_keyring() < 0 ? Errno(rawValue: errno) : nil
        #else
            .noFunction
        #endif
    }

    /// A key that is kept.
    struct Held {
        let key: SealingKey
        /// When the kernel forgets it, in seconds since 1970; nil when it does not.
        let until: Int64?
    }

    /// The key of that id; nil when it is not kept, or when what is kept is another key.
    static func held(_ id: KeyID) -> Held? {
        #if canImport(Glibc)
            let serial = unsafe susi_key_find(description(of: id))
            guard serial > 0 else { return nil }
            var payload = [UInt8](repeating: 0, count: SealingKey.count + 8)
            guard unsafe susi_key_read(serial, &payload, payload.count) == payload.count else { return nil }
            let key = SealingKey(bytes: Array(payload[..<SealingKey.count]))
            // Any program of the user can put other bytes under this description.
            guard key.id == id else { return nil }
            let until = payload[SealingKey.count...].reduce(Int64(0)) { $0 << 8 | Int64($1) }
            return Held(key: key, until: until == 0 ? nil : until)
        #else
            nil
        #endif
    }

    /// Keeps a key until a time in seconds since 1970, or without an end.
    static func hold(_ key: SealingKey, until: Int64?, now: Int64) throws(Errno) {
        #if canImport(Glibc)
            var payload = key.bytes
            for shift in stride(from: 56, through: 0, by: -8) {
                payload.append(UInt8(truncatingIfNeeded: (until ?? 0) >> Int64(shift)))
            }
            // It is made where nobody else sees it and shared when it has its limits. In the user's keyring itself a process
            // of another session would make a key that it may neither limit nor read.
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

    /// Ends a key for all processes at once; false when there is none.
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
        // All for who possesses it; view, read and search for the user; nothing for group and others.
        private static let permissions: UInt32 = 0x3f0b_0000
    #endif

    private static func description(of id: KeyID) -> String { "susi:\(id)" }
}
