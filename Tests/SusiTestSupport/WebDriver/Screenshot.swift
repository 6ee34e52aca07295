import Foundation
import Testing

extension Browser {
    /// Takes a picture of the whole window and attaches it to the running test. If `SUSI_SCREENSHOTS` names a folder, writes
    /// it there as `NAME.png`. Returns the PNG's bytes.
    @discardableResult
    package func screenshot(_ name: String) async throws -> [UInt8] {
        let text = try await get("/screenshot").string
        guard let picture = Data(base64Encoded: text) else {
            throw WebDriverError(command: "/screenshot", code: "no picture", message: "not base64")
        }
        let bytes = Array(picture)
        Attachment.record(bytes, named: "\(name).png")
        if let folder = TestEnvironment.variable("SUSI_SCREENSHOTS") {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try picture.write(to: URL(filePath: "\(folder)/\(name).png"))
        }
        return bytes
    }
}
