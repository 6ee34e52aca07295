import NIOPosix

/// Runs tasks on threads that may block. Hashing a password is slow on purpose, and SQLite reads from the disk: neither may
/// hold one of the few threads on which everybody else's tasks run. A connection that is here from its beginning hands its
/// requests to no other thread.
final class ConnectionThreads: TaskExecutor {
    static let shared = ConnectionThreads()

    func enqueue(_ job: consuming ExecutorJob) {
        // Each job runs once: a pool that is nobody's to shut down drops none.
        let job = UnownedJob(job)
        NIOThreadPool.singleton.submit { _ in unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
