import FoundationEssentials
import SusiBase
package import SusiJourneys

/// The files of a folder that may be policies, their settings or pages. Links are not followed.
package struct PolicyFiles: Sendable {
    /// Why a folder cannot be read; the path is the folder's, or that of a file in it.
    package enum Unusable: Error, Hashable, Sendable {
        case unreadable(String), noFolder(String), tooLarge(String)
    }

    /// As it was named, without a slash at its end.
    package let folder: String
    package private(set) var sources: [PolicySource] = []
    /// The paths of HTML files by their names in lower case.
    private(set) var pages: [String: String] = [:]
    private var size = 0

    private static let deepest = 16
    package static let most = 2_000
    /// In bytes.
    package static let largest = 100_000_000
    private static let skipped: Set<String> = [".git", "node_modules"]

    package init(_ name: String) throws(Unusable) {
        folder = name.count > 1 && name.hasSuffix("/") ? String(name.dropLast()) : name
        guard let kind = SmallFile.kind(folder) else { throw .unreadable(folder) }
        guard kind == .folder else { throw .noFolder(folder) }
        try read("", depth: 0)
    }

    private mutating func read(_ path: String, depth: Int) throws(Unusable) {
        let place = path.isEmpty ? folder : "\(folder)/\(path)"
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: place) else { throw .unreadable(place) }
        for name in names.sorted() where !Self.skipped.contains(name) {
            let (own, full) = (path.isEmpty ? name : "\(path)/\(name)", "\(place)/\(name)")
            let end = name.lowercased()
            switch SmallFile.entry(full).status?.kind {
            case .folder where depth < Self.deepest: try read(own, depth: depth + 1)
            case .file where end.hasSuffix(".xml") || name == "appsettings.json": try add(own, full)
            case .file where end.hasSuffix(".html"): pages[end] = full
            default: break
            }
        }
    }

    private mutating func add(_ path: String, _ full: String) throws(Unusable) {
        guard let content = SmallFile.read(full, limit: PolicySource.largest) else { throw .unreadable(full) }
        sources.append(PolicySource(path: path, content: content))
        size += content.count
        guard sources.count <= Self.most, size <= Self.largest else { throw .tooLarge(folder) }
    }

    /// The path of a file as messages name it.
    package func path(_ path: String) -> String { folder == "." ? path : "\(folder)/\(path)" }
}
