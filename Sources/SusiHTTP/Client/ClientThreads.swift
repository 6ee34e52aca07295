import NIOPosix

/// The threads of all connections of this process as a client: a command has few connections, and a thread for each processor core takes
/// longer to start than its request.
enum ClientThreads {
    static let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
}
