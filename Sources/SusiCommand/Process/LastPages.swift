import Synchronization

/// The pages that browsers still have to fetch when a command has printed its result. The process ends after them.
enum LastPages {
    private static let tasks = Mutex<[Task<Void, Never>]>([])

    /// Starts the work of serving a page.
    static func serve(_ work: @escaping @Sendable () async -> Void) async {
        let task = Task.detached { await work() }
        tasks.withLock { $0.append(task) }
    }

    /// Returns when all pages were served, or at once when the task is cancelled.
    static func wait() async {
        let all = tasks.withLock { $0 }
        await withTaskCancellationHandler {
            for task in all { await task.value }
        } onCancel: {
            for task in all { task.cancel() }
        }
    }
}
