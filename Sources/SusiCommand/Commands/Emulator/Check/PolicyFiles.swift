import FoundationEssentials
import Susi
import SusiBase
import SusiJourneys

/// The files of a folder that may be policies or their settings. Links are not followed.
struct PolicyFiles {
    /// As it was named, without a slash at its end.
    let folder: String
    private(set) var sources: [PolicySource] = []
    private var size = 0

    private static let deepest = 16
    private static let most = 2_000
    private static let largest = 100_000_000
    private static let skipped: Set<String> = [".git", "node_modules"]

    init(_ name: String) throws {
        folder = name.count > 1 && name.hasSuffix("/") ? String(name.dropLast()) : name
        guard let kind = SmallFile.kind(folder) else { throw UsageError.unreadable(folder) }
        guard kind == .folder else { throw Self.notAFolder(folder) }
        try read("", depth: 0)
    }

    static func notAFolder(_ name: String) -> UsageError {
        UsageError(
            "“\(name)” is not a folder", why: "policies are checked with their bases",
            next: "name the folder that contains them")
    }

    static func none(in folder: String) -> UsageError {
        UsageError(
            "no custom policies in “\(folder)”",
            why: "none of its *.xml files has the root element TrustFrameworkPolicy",
            next: "name the folder that contains them")
    }

    static func tooLarge(_ folder: String) -> UsageError {
        UsageError(
            "“\(folder)” is too large", why: "more than \(most) files or \(largest / 1_000_000) MB of XML",
            next: "name the folder that contains the policies")
    }

    private mutating func read(_ path: String, depth: Int) throws {
        let place = path.isEmpty ? folder : "\(folder)/\(path)"
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: place) else {
            throw UsageError.unreadable(place)
        }
        for name in names.sorted() where !Self.skipped.contains(name) {
            let (own, full) = (path.isEmpty ? name : "\(path)/\(name)", "\(place)/\(name)")
            switch SmallFile.entry(full).status?.kind {
            case .folder where depth < Self.deepest: try read(own, depth: depth + 1)
            case .file where name.lowercased().hasSuffix(".xml") || name == "appsettings.json": try add(own, full)
            default: break
            }
        }
    }

    private mutating func add(_ path: String, _ full: String) throws {
        guard let content = SmallFile.read(full, limit: PolicySource.largest) else { throw UsageError.unreadable(full) }
        sources.append(PolicySource(path: path, content: content))
        size += content.count
        guard sources.count <= Self.most, size <= Self.largest else { throw Self.tooLarge(folder) }
    }
}
