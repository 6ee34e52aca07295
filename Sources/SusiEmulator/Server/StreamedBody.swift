import HummingbirdCore
import NIOCore

/// A long body of numbered lines, sent in pieces without holding it in memory.
struct StreamedBody: Sendable {
    let bytes: Int
    /// Whether the response has a Content-Length.
    let announcesLength: Bool

    private static let piece: ByteBuffer = {
        let lines = (0..<1_024).map { number in
            let digits = "\(number)"
            return String(repeating: "0", count: 4 - digits.count) + digits + " abcdefghijklmnopqrstuvwxyz\n"
        }
        return ByteBuffer(string: lines.joined())
    }()

    var body: ResponseBody {
        ResponseBody(contentLength: announcesLength ? bytes : nil) { writer in
            var rest = bytes
            while rest > 0 {
                let count = min(rest, Self.piece.readableBytes)
                try await writer.write(Self.piece.getSlice(at: 0, length: count) ?? ByteBuffer())
                rest -= count
            }
            try await writer.finish(nil)
        }
    }
}
