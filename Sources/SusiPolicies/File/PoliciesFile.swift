package import SusiBase

/// The content of `policies.json`.
package struct PoliciesFile: Hashable, Sendable {
    /// The path of the file, for messages.
    package let source: String
    /// The default application: `current` of the file, else the only application.
    package let current: String
    /// The applications, in the file's order.
    package internal(set) var applications: [Application]
    /// The key source of a new store, if the file names one.
    package let keySource: KeySource?
    /// The command that prints the secret for a key; empty if the file names none.
    package let keyCommand: [String]
    private let keySettings: PolicyFileError?

    /// In bytes.
    package static let largest = 1 << 20

    /// Reads the file at `path`.
    package init(path: String) throws(PolicyFileError) {
        try self.init(text: try Self.content(path: path), source: path)
    }

    package static func content(path: String) throws(PolicyFileError) -> [UInt8] {
        try content(path: path, limit: largest)
    }

    package static func content(path: String, limit: Int) throws(PolicyFileError) -> [UInt8] {
        guard let text = SmallFile.read(path, limit: limit) else { throw unreadable(path) }
        return try checked(text, limit: limit, path)
    }

    /// Reads the bytes of a regular file, and finds what speaks against it. A file that was found, not named, could be a pipe
    /// without a writer.
    package static func owned(
        path: String, limit: Int = largest, by user: UInt32
    ) throws(PolicyFileError) -> (content: [UInt8], flaw: OwnedFile.Flaw?) {
        guard let read = OwnedFile.read(path, limit: limit, user: user) else {
            if let kind = SmallFile.kind(path), kind != .file {
                throw PolicyFileError(file: path, problem: "not a regular file")
            }
            throw unreadable(path)
        }
        return (try checked(read.content, limit: limit, path), read.flaw)
    }

    /// Reads a named pipe or device.
    package static func piped(path: String, by user: UInt32) throws(PolicyFileError) -> [UInt8] {
        let text: [UInt8]?
        do { text = try OwnedFile.pipe(path, limit: largest, user: user) } catch {
            throw PolicyFileError(file: path, error)
        }
        guard let text else { throw unreadable(path) }
        return try checked(text, limit: largest, path)
    }

    private static func unreadable(_ path: String) -> PolicyFileError {
        let problem =
            SmallFile.isDanglingLink(path)
            ? "a link to a file that does not exist" : "the file does not exist or cannot be read"
        return PolicyFileError(file: path, problem: problem, isUnreadable: true)
    }

    private static func checked(_ text: [UInt8], limit: Int, _ path: String) throws(PolicyFileError) -> [UInt8] {
        guard text.count <= limit else { throw PolicyFileError(file: path, problem: "larger than \(limit) bytes") }
        return text
    }

    /// Parses a text; messages name it `source`. Throws all mistakes at once.
    package init(text: some Collection<UInt8>, source: String) throws(PolicyFileError) {
        var mistakes = MistakeList()
        guard let root = JSONNode(file: text, source: source, &mistakes) else {
            try mistakes.finish()
            throw PolicyFileError(file: source, problem: "the file is empty")
        }
        _ = mistakes.reading(try SchemaCheck(file: source).check(root, .file))
        var contradictions = MistakeList()
        let reader = FileReader(file: source)
        let members = root["applications"]?.members ?? []
        var applications: [Application] = []
        for member in members where !contradictions.isFull {
            let read = contradictions.trying { () throws(PolicyFileError) in
                do throws(PolicyFileError) { return try Application.read(member.name, member.node, reader) } catch {
                    throw error.under(member.name).under("applications")
                }
            }
            if let application = read ?? nil { applications.append(application) }
        }
        if let node = root["applications"], members.isEmpty {
            contradictions.add(
                PolicyFileError(
                    file: source, line: node.line, key: ["applications"], problem: "no application",
                    expected: "at least one"))
        }
        if let error = Self.unknownCurrent(root, members.map(\.name), source) { contradictions.add(error) }
        mistakes.add(contradictions)
        try mistakes.finish()
        guard let current = root["current"]?.string ?? members.first?.name else {
            throw PolicyFileError(file: source, line: root.line, problem: "the file is not complete")
        }
        self.source = source
        self.current = current
        self.applications = applications
        keySource = root["keySource"]?.string.flatMap { KeySource(rawValue: $0) }
        keyCommand = root["keyCommand"]?.strings ?? []
        keySettings = Self.refusal(root, source)
    }

    private static func unknownCurrent(_ root: JSONNode, _ names: [String], _ source: String) -> PolicyFileError? {
        guard let node = root["current"], let current = node.string, !names.isEmpty, !names.contains(current) else {
            return nil
        }
        return PolicyFileError(
            file: source, line: node.line, key: ["current"], problem: "no application “\(current)”",
            expected: "one of " + names.map { "“\($0)”" }.joined(separator: ", "),
            nearMatch: NearMatch.of(current, in: names))
    }

    private static func refusal(_ root: JSONNode, _ source: String) -> PolicyFileError? {
        for key in ["keySource", "keyCommand"] {
            guard let node = root[key] else { continue }
            return PolicyFileError(
                file: source, line: node.line, key: [key],
                problem:
                    "only allowed in your own policies.json: it decides what runs and what protects the accounts"
            )
        }
        return nil
    }

    /// Rejects keys that only the user's own file may contain: any other file may come from a checkout.
    package func checkIsForAnybody() throws(PolicyFileError) {
        if let keySettings { throw keySettings }
    }

    /// Returns the application of that name, or the current one for `nil`.
    package func application(_ name: String?) -> Application? {
        applications.first { $0.name == name ?? current }
    }
}
