import SusiBase

/// Finds what an upload of a folder of policies would refuse, file by file, and what fails later.
package struct FolderCheck: Sendable {
    /// Sorted by file and line.
    package private(set) var findings: [Finding] = []
    /// The paths of the policies.
    package let policies: [String]
    /// The paths of other XML files.
    package let ignored: [String]
    /// The environments whose settings were used.
    package let environments: [String]
    /// The keys of the tenant that the policies name.
    package let keys: [String]
    /// The files whose upload fails, with the number of errors in them: none if only those of their bases are in the way.
    package let refused: [(path: String, errors: Int)]

    /// Checks files, with the settings of those named appsettings.json.
    package init(_ sources: [PolicySource], _ options: PolicyOptions = PolicyOptions()) {
        let folder = PolicyFolder(sources, options)
        var uploads = Uploads(folder)
        for file in folder.files { uploads.check(file) }
        policies = folder.files.map(\.path)
        ignored = folder.ignored
        environments = folder.environments
        keys = Self.keys(in: folder.files)
        let all = uploads.problems.values.reduce(into: ProblemList()) { $0.add($1) }
        let refused = uploads.problems.filter { $0.value.found.contains { $0.problem.severity == .error } }
        self.refused = refused.keys.map { file in
            (folder.paths[file], all.found.count { $0.place.file == file && $0.problem.severity == .error })
        }.sorted { $0.path < $1.path }
        findings = all.found.map { Finding($0, in: folder) }.sorted { $0.order < $1.order }
    }

    private static func keys(in files: [PolicyFile]) -> [String] {
        var found: Set<String> = []
        for file in files {
            file.root.forEach { if let key = $0["StorageReferenceId"] { found.insert(key) } }
        }
        return found.sorted()
    }
}

/// A problem with its place.
package struct Finding: Sendable {
    package let severity: Severity
    /// A word for programs.
    package let kind: String
    package let path: String
    package let line: Int
    package let text: String
    package let hint: String

    init(_ placed: ProblemList.Placed, in folder: PolicyFolder) {
        (severity, kind) = (placed.problem.severity, placed.problem.kind)
        (text, hint) = (placed.problem.text, placed.problem.hint)
        path = folder.paths[placed.place.file]
        line = folder.texts[placed.place.file].position(of: placed.place.offset).line
    }

    var order: (String, Int, String, String) { (path, line, text, hint) }
}
