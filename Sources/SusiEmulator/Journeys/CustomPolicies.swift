import FoundationEssentials
import SusiBase
package import SusiJourneys
import SusiPolicies
import Synchronization

/// The folder of a tenant's custom policies, and the values for `{Settings:NAME}` in them.
package struct PolicyFolderSettings: Hashable, Sendable {
    package var path: String
    package var environment: String?
    package var settings: [String: String]

    package init(path: String, environment: String? = nil, settings: [String: String] = [:]) {
        (self.path, self.environment, self.settings) = (path, environment, settings)
    }

    package var options: PolicyOptions { PolicyOptions(environment: environment, values: settings) }
}

/// The custom policies of a folder as its files were at one time.
struct CustomPolicies: Sendable {
    /// Tells the contents of folders apart.
    let version: String
    /// By name in lower case.
    let policies: [String: CustomPolicy]
    /// Why they cannot be served, as lines with file and line.
    let mistakes: [String]
    let files: PolicyFiles
    private let served: RelyingParties

    init(_ files: PolicyFiles, _ folder: PolicyFolderSettings, version: String? = nil) {
        self.files = files
        self.version = version ?? Self.version(of: files)
        served = RelyingParties(files.sources, folder.options)
        let errors = FolderCheck(files.sources, folder.options).findings.filter { $0.severity == .error }
        let twice = served.duplicates.map { name, paths in
            "\(paths.map(files.path).joined(separator: " and ")) have the policy \(name); name the folder of one of them"
        }
        mistakes = errors.map { "\(files.path($0.path)):\($0.line): error: \($0.text)" } + twice
        policies = Dictionary(served.policies.map { ($0.name.lowercased(), CustomPolicy($0)) }) { first, _ in first }
    }

    static func version(of files: PolicyFiles) -> String {
        var data = Data()
        for source in files.sources { data += Data("\(source.path)\n\(source.content.count)\n".utf8) + source.content }
        return Hexadecimal.encode(sha256(data).prefix(16))
    }

    /// The policies for a tenant, in the order of their files.
    var all: [Policy] {
        served.policies.map { Policy(name: PolicyName($0.name), kind: CustomPolicy.kind(of: $0)) }
    }

    /// The name of the tenant that they belong to.
    var tenant: String? { served.policies.first?.tenant }

    /// What a policy error says, with file and line.
    func text(of error: PolicyError) -> String {
        let place = served.position(of: error.place).map { "\(files.path($0.path)):\($0.line): " } ?? ""
        return "\(place)\(error.subject.isEmpty ? "" : "\(error.subject): ")\(error.reason)"
    }
}

/// The folder of a running tenant: the policies as they were read last, and again when a file has changed.
final class WatchedPolicies: Sendable {
    private let folder: PolicyFolderSettings
    private let read: Mutex<CustomPolicies>

    /// Why the policies are not served now.
    struct Unusable: Error {
        let lines: [String]
    }

    init(_ folder: PolicyFolderSettings) throws(PolicyFiles.Unusable) {
        self.folder = folder
        read = Mutex(CustomPolicies(try PolicyFiles(folder.path), folder))
    }

    /// The policies as they were read last.
    var last: CustomPolicies { read.withLock { $0 } }

    /// Reads changed files again. What was valid before a change is not served after it: a developer tests what is there.
    func current() throws(Unusable) -> CustomPolicies {
        let files: PolicyFiles
        do throws(PolicyFiles.Unusable) { files = try PolicyFiles(folder.path) } catch {
            throw Unusable(lines: [error.text])
        }
        let version = CustomPolicies.version(of: files)
        let now = read.withLock { last in
            if last.version != version { last = CustomPolicies(files, folder, version: version) }
            return last
        }
        guard now.mistakes.isEmpty else { throw Unusable(lines: now.mistakes) }
        return now
    }
}

extension PolicyFiles.Unusable {
    var text: String {
        switch self {
        case .unreadable(let path): "\(path) cannot be read"
        case .noFolder(let path): "\(path) is not a folder"
        case .tooLarge(let path): "\(path) is too large"
        }
    }
}
