import SusiBase

/// The policy files of a folder, with the base of each.
struct PolicyFolder: Sendable {
    private(set) var files: [PolicyFile] = []
    /// By number of the file.
    private(set) var paths: [String] = []
    private(set) var texts: [SourceText] = []
    /// The paths of other XML files.
    private(set) var ignored: [String] = []
    private(set) var environments: [String] = []
    private(set) var problems = ProblemList()
    private var settings: [String: PolicySettings] = [:]
    // By policy, then by folder: numbers of `files`.
    private var places: [String: [String: Int]] = [:]

    init(_ sources: [PolicySource], _ options: PolicyOptions) {
        let sources = sources.sorted { $0.path < $1.path }
        for source in sources where source.path.hasSuffix("appsettings.json") { readSettings(source, options) }
        let plain = PolicySettings(nil, options)
        for source in sources where source.path.lowercased().hasSuffix(".xml") {
            let near = PolicyPath.upward(from: source.folder).first { settings[$0] != nil } ?? ""
            let chosen = settings[near] ?? plain
            // What the editor extension builds from these files.
            guard !"/\(source.path)".contains("/\(chosen?.environmentsFolder ?? "")/") else { continue }
            read(source, chosen)
        }
        for (index, file) in files.enumerated() { register(file, index) }
    }

    /// Returns the file of the base policy: in the same folder, in the nearest one above, or the only other one.
    func base(of file: PolicyFile) -> PolicyFile? {
        guard let id = file.baseID, let found = places[id.lowercased()] else { return nil }
        let near = PolicyPath.upward(from: file.folder).lazy.compactMap { found[$0] }.first
        return (near ?? (found.count == 1 ? found.values.first : nil)).map { files[$0] }
    }

    /// The files with a policy of this name.
    func files(named id: String) -> [PolicyFile] {
        (places[id.lowercased()] ?? [:]).values.sorted().map { files[$0] }
    }

    var policyIDs: [String] { files.map(\.policyID) }

    private mutating func readSettings(_ source: PolicySource, _ options: PolicyOptions) {
        guard let file = try? JSONNode(parsing: source.content.withoutByteOrderMark, limit: 100_000),
            let found = PolicySettings(file, options)
        else { return }
        settings[source.folder] = found
        if let environment = found.environment { environments.append(environment) }
        guard found.environment == nil else { return }
        let known = file["Environments"]?.array?.compactMap { $0["Name"]?.string } ?? []
        number(source.path, SourceText(source.content))
        problems.add(.unknownEnvironment(options.environment ?? "", known), at: place(offset: 0))
    }

    private mutating func read(_ source: PolicySource, _ settings: PolicySettings?) {
        let text = settings?.apply(to: source.content, file: source.path) ?? SourceText(source.content)
        number(source.path, text)
        guard max(source.content.count, text.bytes.count) <= PolicyFile.largest else {
            if source.namesPolicy { problems.add(.tooLarge, at: place(offset: 0)) }
            return
        }
        do throws(XMLSyntaxError) {
            guard let root = try Element.parse(text.bytes, file: paths.count - 1) else {
                return ignored.append(source.path)
            }
            files.append(PolicyFile(number: paths.count - 1, path: source.path, text: text, root: root))
            addUnreplaced(in: root)
        } catch {
            guard source.namesPolicy else { return ignored.append(source.path) }
            let position = text.position(of: error.offset)
            problems.add(.invalidXML(error.problem, position.line, position.column), at: place(offset: error.offset))
            for (range, name) in PolicySettings.names(in: text.bytes) {
                problems.add(.missingSetting(name), at: place(offset: range.lowerBound))
            }
        }
    }

    // A name in a comment is harmless.
    private mutating func addUnreplaced(in root: Element) {
        var found = ProblemList()
        root.forEach { element in
            for attribute in element.attributes {
                for name in PolicySettings.names(in: attribute.value) {
                    found.add(.missingSetting(name), at: element, attribute.name)
                }
            }
            for name in PolicySettings.names(in: element.text) { found.add(.missingSetting(name), at: element) }
        }
        problems.add(found)
    }

    private mutating func register(_ file: PolicyFile, _ index: Int) {
        guard !file.policyID.isEmpty else { return }
        if let other = places[file.key]?[file.folder] {
            problems.add(.duplicatePolicy(file.policyID, files[other].path), at: file.root, "PolicyId")
        } else {
            places[file.key, default: [:]][file.folder] = index
        }
    }

    private mutating func number(_ path: String, _ text: SourceText) {
        paths.append(path)
        texts.append(text)
    }

    private func place(offset: Int) -> Element.Place { Element.Place(file: paths.count - 1, offset: offset) }
}

/// The policies of a folder that applications use: those with a relying party.
package struct RelyingParties: Sendable {
    /// In the order of their paths. A file whose bases are not there is left out; the check names it.
    package let policies: [EffectivePolicy]
    private let folder: PolicyFolder

    package init(_ sources: [PolicySource], _ options: PolicyOptions) {
        folder = PolicyFolder(sources, options)
        policies = EffectivePolicy.relyingParties(of: folder)
    }

    /// The relying parties with one name, each with the paths of its files; a server can have only one of them (spec §0
    /// C3).
    package var duplicates: [(name: String, paths: [String])] {
        let named = Dictionary(grouping: policies) { $0.name.lowercased() }.values.filter { $0.count > 1 }
        return named.map { ($0[0].name, $0.map(\.path)) }.sorted { $0.0 < $1.0 }
    }

    /// Returns the file and line of a place.
    package func position(of place: Element.Place) -> (path: String, line: Int)? {
        guard folder.paths.indices.contains(place.file) else { return nil }
        return (folder.paths[place.file], folder.texts[place.file].position(of: place.offset).line)
    }
}

extension EffectivePolicy {
    /// The policies of files, as ``RelyingParties`` has them.
    static func relyingParties(of sources: [PolicySource], _ options: PolicyOptions) -> [EffectivePolicy] {
        relyingParties(of: PolicyFolder(sources, options))
    }

    static func relyingParties(of folder: PolicyFolder) -> [EffectivePolicy] {
        folder.files.filter(\.isRelyingParty).compactMap { file in
            var chain: [PolicyFile] = [file]
            while let last = chain.last, last.baseID != nil {
                guard let base = folder.base(of: last), !chain.contains(where: { $0.number == base.number }) else {
                    return nil
                }
                chain.append(base)
            }
            return chain.reversed().reduce(nil) { EffectivePolicy($1, over: $0) }
        }
    }
}
