import Foundation

/// The small policies of these tests.
enum PolicyFixture {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Policies")

    static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: "\(name).xml"), encoding: .utf8)
    }
}
