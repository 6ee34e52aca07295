import Foundation
import Testing

@testable import SusiCommand

/// One input of `susi init`, with the shape of public files and invented values.
struct InitSource: Sendable, CustomTestStringConvertible {
    /// The folder of the files below `Files`.
    var folder = ""
    /// The files; none if the text is an address on the command line.
    var files: [(name: String, text: String)] = []
    var text = ""
    var flags: [String] = []
    /// The expected application in the notation of ``InitSource/notation(of:)``.
    var application = ""
    /// Parts of the report: where a value was read, and what was left out.
    var report: [String] = []
    /// Parts of the error, if the input is refused.
    var refusal: [String] = []
    /// Whether the input is refused with the command that makes the application.
    var isProposed = false
    /// The whole text of the copy's tenant file, if one is expected.
    var copy = ""
    /// What no file says and the copy needs.
    var missing: [String] = []
    var testDescription: String { "\(folder) \(files.map(\.name)) \(text) \(flags.joined(separator: " "))" }

    static let id = "90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6"
    static let otherID = "841e1190-d73a-450c-9d68-f5cf16b78e81"
    static let tenantID = "775527ff-9a37-4307-8b3d-cc311f58d925"
    static let contoso = "b2c https://contoso.b2clogin.com/contoso.onmicrosoft.com"

    static func typed(_ address: String, _ flags: [String], _ application: String, _ report: String...) -> InitSource {
        InitSource(text: address, flags: flags, application: application, report: report)
    }

    /// An address without a client ID.
    static func typed(_ address: String, _ application: String, _ report: String...) -> InitSource {
        InitSource(text: address, flags: ["--client-id", id], application: application, report: report)
    }

    static func refused(typed address: String, _ flags: [String], _ refusal: String...) -> InitSource {
        InitSource(text: address, flags: flags, refusal: refusal)
    }

    /// An address without a client ID that is refused.
    static func refused(typed address: String, _ refusal: String...) -> InitSource {
        InitSource(text: address, flags: ["--client-id", id], refusal: refusal)
    }
}

/// The folders of `Files`: the files as a person has them, and beside them `expected`: the options of the command, then the
/// application that it makes, with parts of its report, or parts of the refusal (`$` is the end of a line); `proposed` means
/// that the application is that of the command which a refusal proposes; and
/// `expected-copy`, the tenant file, whose gaps `expected` names.
extension InitSource {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Files")

    static let files: [InitSource] = {
        let paths = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        let isFile = { (path: String) in !root.appending(path: path).isFolder }
        return paths.filter { $0.hasSuffix("/expected") }.sorted().map { path in
            let folder = path.dropLast("expected".count)
            let names = paths.filter { $0.hasPrefix(folder) && !$0.contains("/expected") && isFile($0) }.sorted()
            return InitSource(folder: String(folder), names: names.map { String($0.dropFirst(folder.count)) })
        }
    }()

    private init(folder: String, names: [String]) {
        func bytes(_ name: String) -> [UInt8] {
            Array((try? Data(contentsOf: Self.root.appending(path: folder + name))) ?? Data())
        }
        self.folder = folder
        files = names.map { file in
            // A program in Swift would be formatted with the tests.
            let name = file.replacing(".swift.sample", with: ".swift")
            return (name, (try? SettingsFile.text(bytes(file), named: name)) ?? "")
        }
        copy = String(decoding: bytes("expected-copy"), as: UTF8.self)
        var lines: [Substring] = []
        for line in String(decoding: bytes("expected"), as: UTF8.self).split(separator: "\n") {
            let rest = String(line.drop { $0 != " " }.dropFirst())
            switch line.prefix(while: { $0 != " " }) {
            case "options": flags = rest.split(separator: " ").map(String.init)
            case "reports": report.append(rest)
            case "misses": missing.append(rest)
            case "proposed": isProposed = true
            case "refuses": refusal.append(rest.hasSuffix("$") ? rest.dropLast() + "\n" : rest)
            default: lines.append(line)
            }
        }
        application = lines.joined(separator: "\n")
    }
}

extension InitSource {
    /// The command that a refusal proposes, without the options of the command that wrote no file.
    func typed(asProposedBy refusal: String) -> InitSource {
        let line = refusal.split(separator: "\n").first { $0.contains("next: susi init ") } ?? ""
        var words = line.split(separator: " ").dropFirst(3).map { String($0).replacing("'", with: "") }
        let first = words.firstIndex { $0.hasPrefix("-") && $0.count > 1 } ?? words.endIndex
        var source = self
        source.flags = Array(words[first...])
        words.removeSubrange(first...)
        if words != files.map(\.name) { (source.files, source.text) = ([], words.first ?? "") }
        return source
    }
}

extension URL {
    fileprivate var isFolder: Bool { (try? resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false }
}
