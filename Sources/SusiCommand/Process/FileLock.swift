import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension FileDescriptor {
    /// Locks the open file without waiting, exclusively or shared. The kernel releases the lock when the process dies.
    /// Throws `Errno.wouldBlock` if another process holds a conflicting lock.
    func lock(exclusive: Bool) throws(Errno) {
        while flock(rawValue, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0 {
            let reason = Errno(rawValue: errno)
            if reason != .interrupted { throw reason }
        }
    }
}
