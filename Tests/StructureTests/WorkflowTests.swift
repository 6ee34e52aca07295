import Foundation
import Testing

/// What the workflows may do: code of other projects is built without the right to change the repository, and actions
/// are those that somebody read.
@Suite struct WorkflowTests {
    private static let folder = BuiltModules.package.appending(path: ".github/workflows")

    static var files: [SourceFile] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
                SourceFile(path: name, text: try String(contentsOf: folder.appending(path: name), encoding: .utf8))
            }
        }
    }

    @Test func workflowsKeepTheRules() throws {
        let files = try Self.files
        try #require(files.count >= 3)
        for file in files { #expect(Workflow(file.text).violations == [], "\(file.path)") }
    }

    @Test(arguments: [
        ("jobs:\n  one:\n    steps:\n      - run: 'true'\n", "does not begin with"),
        ("permissions:\n  contents: write\n\njobs:\n  one:\n    steps:\n      - run: 'true'\n", "does not begin with"),
        (step("run: .ci/run", "    permissions:\n      contents: write\n"), "may write and runs"),
        (step("uses: actions/checkout@v4"), "not named by a commit"),
        (step("uses: actions/checkout@11d5960a326750d5838078e36cf38b85af677262"), "not named by a commit"),
        (step("uses: actions/checkout@11d5960 # v4.4.0"), "not named by a commit"),
        (step("uses: actions/checkout@11d5960a326750d5838078e36cf38b85af677262 # v4.4.0"), "keeps credentials"),
    ])
    func brokenRuleIsFound(text: String, violation: String) {
        #expect(Workflow(text).violations.contains { $0.contains(violation) })
    }

    private static func step(_ step: String, _ more: String = "") -> String {
        "permissions:\n  contents: read\n\njobs:\n  one:\n\(more)    steps:\n      - \(step)\n"
    }
}

/// The parts of a workflow that the rules are about, by the layout of our files.
private struct Workflow {
    private let lines: [Substring]
    private let jobs: [[Substring]]

    init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var jobs: [[Substring]] = []
        for line in lines.drop(while: { $0 != "jobs:" }).dropFirst() {
            if line.hasPrefix("  "), !line.hasPrefix("   "), line.hasSuffix(":") { jobs.append([]) }
            if !jobs.isEmpty { jobs[jobs.count - 1].append(line) }
        }
        self.jobs = jobs
    }

    var violations: [String] {
        var found: [String] = []
        let permissions = lines.drop { $0 != "permissions:" }.prefix { !$0.isEmpty }
        if permissions.joined(separator: "\n") != "permissions:\n  contents: read" {
            found.append("does not begin with the permission to read only")
        }
        for job in jobs {
            let name = job[0]
            found += Self.actions(of: job).filter { !Self.isPinned($0) }.map {
                "\(name) “\($0)” is not named by a commit"
            }
            let checkouts = job.count { $0.contains("actions/checkout@") }
            if job.count(where: { $0.contains("persist-credentials: false") }) != checkouts {
                found.append("\(name) keeps credentials where other code runs")
            }
            let mayWrite = job.contains { $0.hasSuffix(": write") }
            for line in job
            where mayWrite && (line.contains(".ci/") || line.contains("checkout") || line.contains("image:")) {
                found.append("\(name) may write and runs other code: \(line)")
            }
        }
        return found
    }

    private static func actions(of job: [Substring]) -> [Substring] {
        job.compactMap { line in line.firstRange(of: "uses: ").map { line[$0.upperBound...] } }
    }

    // A commit cannot be moved, as a tag can; the version is for people.
    private static func isPinned(_ action: Substring) -> Bool {
        action.hasPrefix("./") || action.wholeMatch(of: #/[\w.\/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+/#) != nil
    }
}
