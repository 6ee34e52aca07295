import Synchronization

/// Pages that browsers still have to load after a command has printed its result. The process ends after serving them.
enum LastPages {
    private static let tasks = Mutex<[Task<Void, Never>]>([])

    /// Starts serving a page.
    static func serve(_ work: @escaping @Sendable () async -> Void) async {
        let task = Task.detached { await work() }
        tasks.withLock { $0.append(task) }
    }

    /// Waits until all pages are served and their port is free. Returns at once if the task is cancelled.
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
