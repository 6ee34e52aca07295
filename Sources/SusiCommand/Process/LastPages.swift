import Synchronization

/// The pages that browsers still have to fetch when a command has printed its result. The process ends after them.
enum LastPages {
    private static let tasks = Mutex<[Task<Void, Never>]>([])

    /// Starts the work of serving a page.
    static func serve(_ work: @escaping @Sendable () async -> Void) async {
        let task = Task.detached { await work() }
        tasks.withLock { $0.append(task) }
    }

    /// Returns when all pages were served and their port is free, or at once when the task is cancelled.
    static func wait() async {
        let all = tasks.withLock { tasks in
            defer { tasks = [] }
            return tasks
        }
        await withTaskCancellationHandler {
            for task in all { await task.value }
        } onCancel: {
            for task in all { task.cancel() }
        }
    }
}
