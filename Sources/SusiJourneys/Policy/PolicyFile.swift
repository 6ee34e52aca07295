import SusiBase

/// A file as it was found: its path below the folder, with slashes.
package struct PolicySource: Sendable {
    package let path: String
    package let content: [UInt8]

    /// The most bytes of a policy; more of a file need not be read.
    package static let largest = PolicyFile.largest

    package init(path: String, content: [UInt8]) { (self.path, self.content) = (path, content) }

    var folder: String { PolicyPath.folder(of: path) }

    /// Whether a file that cannot be read as XML is meant as a policy.
    var namesPolicy: Bool { content.firstRange(of: Array("<TrustFrameworkPolicy".utf8)) != nil }
}

/// Paths below the folder that is checked; its own is empty.
enum PolicyPath {
    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    /// The folder and those above it, the nearest one first.
    static func upward(from folder: String) -> [String] {
        sequence(first: folder) { $0.isEmpty ? nil : Self.folder(of: $0) }.map(\.self)
    }
}

/// A policy file that is XML.
struct PolicyFile: Sendable {
    /// The most bytes of a file that the service accepts.
    static let largest = 1_024 * 1_024

    let number: Int
    let path: String
    let text: SourceText
    let root: Element

    var folder: String { PolicyPath.folder(of: path) }
    var policyID: String { root["PolicyId"] ?? "" }
    /// The name by which others refer to it.
    var key: String { policyID.lowercased() }
    var base: Element? { root.child("BasePolicy") }
    var baseID: String? { base?.text(of: "PolicyId") }
    var isRelyingParty: Bool { root.child("RelyingParty") != nil }
}
