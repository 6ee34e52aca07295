import ArgumentParser
import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// The manual *JSON results*: made from what the commands print, so that it has every field.
@Suite("JSON results", .inTurn, .timeLimit(.minutes(10)))
struct JSONResultTests {
    private static let page = "Sources/Susi/Susi.docc/JSONResults.md"

    @Test("the manual lists what the commands print")
    func manualListsFields() async throws {
        let manual = try ReadmeTests.root.appending(Self.page).text()
        var results = JSONResults(manual)
        try await withHome { home in
            try await withLocalTenant(
                in: home, isSecure: true, policies: JSONSession.policies,
                configure: { $0.lifetimes.accessToken = 86_400 }
            ) { tenant in
                let session = JSONSession(tenant: tenant)
                try await session.signIn(&results)
                try await session.useTokens(&results)
                try await session.readPolicies(&results)
                try await session.move(&results)
                try await session.checkStore(&results)
                try await session.remove(&results)
            }
            try await JSONSession.checkWithoutServer(try SusiBinary(home: home), &results)
        }
        let undescribed = results.undescribed
        #expect(undescribed.isEmpty, "the manual has no meaning of \(undescribed)")
        if let difference = try CatalogFile(manual: Self.page).difference(from: results.page) {
            Issue.record("\(difference)")
        }
    }

    @Test("the manual has every command with --json") func hasEveryCommand() throws {
        let text = try ReadmeTests.root.appending(Self.page).text()
        let commands = CommandTree.all.map { (name: $0.words.joined(separator: " "), type: $0.type) }.filter {
            command in
            let help = Root.helpMessage(for: command.type, columns: 200)
            return help.contains("Print the result as one JSON object")
        }
        #expect(commands.count > 20)
        for command in commands {
            // The JSON of a token is that of -f.
            let title = command.name == "token" ? "token -f json" : command.name
            #expect(text.contains("\n### \(title)\n"), "\(command.name)")
        }
    }

    @Test("the manual has every field of the sources") func hasEveryField() throws {
        let text = try ReadmeTests.root.appending(Self.page).text()
        let folder = ReadmeTests.root.appending("Sources/SusiCommand").string
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
        var names: Set<String> = []
        for file in files {
            let source = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
            guard source.contains("JSONObject") else { continue }
            names.formUnion(source.matches(of: #/"([a-zA-Z][a-zA-Z0-9]*)": /#).map { String($0.1) })
        }
        let shown = Set(text.matches(of: #/[`.]([a-zA-Z0-9]+)`/#).map { String($0.1) })
        let missing = names.subtracting(shown)
        #expect(missing.isEmpty && names.count > 120, "\(missing.sorted())")
    }
}

/// The fields of the results of each command, in the order of the sessions, with the meanings that the manual gives them.
struct JSONResults {
    /// The titles of what several results share.
    static let account = "The account in results"
    static let error = "The error of every command"
    /// Objects whose members a server or a file names.
    private static let foreign: Set = ["claims", "header", "endpoints"]

    /// What the manual says before the first result, and about the fields that no session has.
    private let introduction: Substring
    private let rare: Substring
    private var meanings: [String: Substring] = [:]
    private var titles: [String] = []
    private var fields: [String: [(path: String, type: String)]] = [:]

    init(_ manual: String) {
        let sections = manual.ranges(of: "\n### ").map(\.lowerBound)
        introduction = manual[..<(sections.first ?? manual.endIndex)]
        rare = manual[(sections.last ?? manual.endIndex)...]
        var title: Substring = ""
        for line in manual.split(separator: "\n") {
            if line.hasPrefix("### ") { title = line.dropFirst(4) }
            guard let row = line.wholeMatch(of: #/\| `([^`]+)` \| [^|]+ \| (.+) \|/#) else { continue }
            meanings["\(title): \(row.1)"] = row.2
        }
    }

    /// Adds what a result has that others of the command have not shown.
    mutating func add(_ title: String, _ node: JSONNode) {
        if !titles.contains(title) { titles.append(title) }
        for field in Self.fields(of: node, "") {
            if let index = fields[title, default: []].firstIndex(where: { $0.path == field.path }) {
                if fields[title]?[index].type == "list" { fields[title]?[index].type = field.type }
            } else {
                fields[title, default: []].append(field)
            }
        }
    }

    private static func fields(of node: JSONNode, _ path: String) -> [(path: String, type: String)] {
        node.members.filter { $0.name != "schemaVersion" }.flatMap { member in
            let name = path.isEmpty ? member.name : "\(path).\(member.name)"
            let type = type(of: member.node, member.name)
            let isList = type == "list of objects"
            guard isList || type == "object" else { return [(name, type)] }
            let inner = isList ? member.node.array ?? [] : [member.node]
            return [(name, type)] + inner.flatMap { fields(of: $0, name + (isList ? "[]" : "")) }
        }
    }

    private static func type(of node: JSONNode, _ name: String) -> String {
        if foreign.contains(name), node.isObject { return "object of the server" }
        return switch node.value {
        case .null: "null"
        case .bool: "true or false"
        case .number: "number"
        case .string: "text"
        case .array(let nodes): nodes.first.map { "list of \(type(of: $0, ""))s" } ?? "list"
        case .object where node["rfc3339"] != nil: "time"
        case .object where node["homeAccountId"] != nil: "account"
        case .object: "object"
        }
    }

    var undescribed: [String] {
        titles.flatMap { title in (fields[title] ?? []).map { "\(title): \($0.path)" } }.filter { meanings[$0] == nil }
    }

    /// The manual. A new field has no meaning yet.
    var page: String {
        introduction
            + titles.map { title in
                let rows = (fields[title] ?? []).map { field in
                    "| `\(field.path)` | \(field.type) | \(meanings["\(title): \(field.path)"] ?? "") |\n"
                }
                return "\n### \(title)\n\n| field | type | meaning |\n|---|---|---|\n\(rows.joined())"
            }.joined() + rare
    }
}
