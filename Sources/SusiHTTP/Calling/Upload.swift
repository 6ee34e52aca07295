import NIOCore

/// The body of a call in pieces of limited size. Each piece that the server reads ends a silence.
struct Upload: AsyncSequence, Sendable {
    let body: APICall.Body
    let watch: SilenceWatch

    private static let pieceSize = 64 << 10

    func makeAsyncIterator() -> Iterator {
        switch body {
        case .bytes(let bytes): Iterator(watch: watch, rest: bytes[...], pieces: nil)
        case .pieces(_, let open): Iterator(watch: watch, rest: [], pieces: open().makeAsyncIterator())
        }
    }

    struct Iterator: AsyncIteratorProtocol {
        let watch: SilenceWatch
        var rest: ArraySlice<UInt8>
        var pieces: AsyncThrowingStream<[UInt8], any Error>.AsyncIterator?

        mutating func next() async throws -> ByteBuffer? {
            watch.rest()
            defer { watch.wait() }
            if rest.isEmpty, let piece = try await pieces?.next(isolation: #isolation) { rest = piece[...] }
            guard !rest.isEmpty else { return nil }
            let piece = rest.prefix(Upload.pieceSize)
            rest = rest.dropFirst(piece.count)
            return ByteBuffer(bytes: piece)
        }
    }
}
