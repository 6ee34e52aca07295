import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension FileDescriptor {
    /// Locks the open file for this process, alone or beside others who do not hold it alone, without waiting. The kernel frees it
    /// when the process dies. Throws `Errno.wouldBlock` when another process holds it.
    func lock(alone: Bool) throws(Errno) {
        while flock(rawValue, (alone ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0 {
            let reason = Errno(rawValue: errno)
            if reason != .interrupted { throw reason }
        }
    }
}
