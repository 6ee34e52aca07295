import Dispatch
import Susi
import SusiBase
import SystemPackage

/// The request body given by `-d`: text, a file, or standard input.
struct CallBody {
    let body: APICall.Body
    /// The media type if no header sets one.
    let mediaType: String

    // Larger files are streamed, and their content is not checked for its media type.
    private static let largestRead = 1 << 20
    private static let longestInput = 64 << 20

    /// Reads the body from `data`, the value of `-d`.
    init(_ data: String) async throws {
        guard data.hasPrefix("@") else {
            self.init(bytes: Array(data.utf8))
            return
        }
        let name = String(data.dropFirst())
        guard name != InputFile.standardInput, let length = Self.length(of: name), length > Self.largestRead else {
            self.init(bytes: try await Self.read(name))
            return
        }
        self.init(
            body: .pieces(length: length) { FilePieces.stream(name) },
            mediaType: name.lowercased().hasSuffix(".json") ? "application/json" : "application/octet-stream")
    }

    private init(bytes: [UInt8]) {
        let isText = String(validating: bytes, as: UTF8.self) != nil
        let plain = isText ? "text/plain; charset=utf-8" : "application/octet-stream"
        self.init(
            body: .bytes(bytes), mediaType: (try? JSONNode(parsing: bytes)) == nil ? plain : "application/json")
    }

    private init(body: APICall.Body, mediaType: String) {
        self.body = body
        self.mediaType = mediaType
    }

    // Returns `nil` for anything but a regular file; pipes are read like standard input.
    private static func length(of name: String) -> Int64? {
        guard SmallFile.kind(name) == .file,
            let file = try? FileDescriptor.open(FilePath(name), .readOnly, options: .closeOnExec)
        else { return nil }
        defer { try? file.close() }
        return try? file.seek(offset: 0, from: .end)
    }

    private static func read(_ name: String) async throws -> [UInt8] {
        let bytes = try await InputFile.read(name, limit: longestInput)
        guard bytes.count <= longestInput else {
            throw UsageError(
                "the body is larger than \(longestInput) bytes", why: "larger bodies must come from a file",
                next: "write it to a file and use -d @FILE")
        }
        return bytes
    }
}

/// A file's bytes in pieces, read on demand.
private final class FilePieces: Sendable {
    private let file: FileDescriptor
    private static let size = 64 << 10

    private init(_ name: String) throws {
        file = try FileDescriptor.open(FilePath(name), .readOnly, options: .closeOnExec)
    }

    deinit { try? file.close() }

    static func stream(_ name: String) -> AsyncThrowingStream<[UInt8], any Error> {
        do {
            let pieces = try FilePieces(name)
            return AsyncThrowingStream { try await pieces.next() }
        } catch {
            return AsyncThrowingStream { throw error }
        }
    }

    // Dispatch reads without blocking a thread of the cooperative pool, and without an unsafe pointer.
    private func next() async throws -> [UInt8]? {
        let piece: [UInt8] = try await withCheckedThrowingContinuation { continuation in
            DispatchIO.read(
                fromFileDescriptor: file.rawValue, maxLength: Self.size, runningHandlerOn: .global()
            ) { data, error in
                continuation.resume(
                    with: error == 0 ? .success(Array(data)) : .failure(Errno(rawValue: error)))
            }
        }
        return piece.isEmpty ? nil : piece
    }
}
