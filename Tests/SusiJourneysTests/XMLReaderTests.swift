import Foundation
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiJourneys

@Suite struct XMLReaderTests {
    @Test(arguments: [
        ("<a b='1' c=\"x&lt;&#65;&#x42;\"><!-- - --><d/>t &amp;<![CDATA[<&]]></a>", "<a 0 b=1 c=x<AB <d 40 > #t &<& >"),
        ("\u{feff}<?xml version=\"1.0\" encoding='UTF-8'?>\r\n<a>\r\n\r</a>\n<!--x-->", "<a 43 #\\n\\n >"),
        ("<a b='1\n2\r\n3\t&#10;'/>", "<a 0 b=1 2 3 \\n >"),
        ("<é:ü xmlns:é='u'/>", "<é:ü 0 xmlns:é=u >"),
    ])
    func readsElementsWithTheirPlaces(text: String, expected: String) throws {
        #expect(try Events.of(Array(text.utf8)).joined(separator: " ").replacing("@", with: "") == expected)
    }

    @Test(arguments: [
        ("", 0, "no element"), ("<a>", 0, "no end tag"), ("<a></b>", 3, "</b> instead of </a>"),
        ("<a/><b/>", 4, "second"),
        ("<a b='1' b='2'/>", 9, "duplicate attribute"), ("<a b=1/>", 5, "in quotes"), ("<a b='<'/>", 6, "&lt;"),
        ("<a b='1'c='2'/>", 8, "a space"), ("<a b='1/>", 3, "closing quote"), ("<a>&</a>", 3, "write &amp;"),
        ("<a>&nbsp;</a>", 3, "unknown entity"), ("<a>&#0;</a>", 3, "unknown entity"), ("<a>]]></a>", 3, "]]&gt;"),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", 0, "not supported"), ("<a><!-- -- --></a>", 10, "-- inside"),
        ("<a/>x", 4, "outside"), (" <?xml version='1.0'?><a/>", 1, "not at the start"), ("<1/>", 1, "the name"),
        ("<?xml version='1.0' encoding='utf-16'?><a/>", 20, "save the file as UTF-8"), ("<a>\u{1}</a>", 3, "control"),
        ("<a>\u{ffff}</a>", 3, "not allow"), ("<a><![CDATA[x</a>", 3, "no end"), ("</a>", 0, "ends no element"),
        (String(repeating: "<a>", count: 65), 192, "more than 64"),
        ("<a \((0...64).map { "b\($0)='' " }.joined())/>", 447, "too many"),
    ])
    func namesThePlaceOfAMistake(text: String, offset: Int, problem: String) {
        let error = #expect(throws: XMLSyntaxError.self) { try Events.of(Array(text.utf8)) }
        #expect(error?.offset == offset)
        #expect(error?.problem.contains(problem) ?? false, "\(error?.problem ?? "")")
    }

    @Test func refusesOtherEncodings() {
        for bytes: [UInt8] in [[0xff, 0xfe, 0x3c, 0], Array("<a>".utf8) + [0xe9] + Array("</a>".utf8)] {
            #expect(throws: XMLSyntaxError.self) { try Events.of(bytes) }
        }
    }

    /// Expat is the witness: for our policies, for changed ones, and for those in the folder `SUSI_POLICIES`.
    @Test(.enabled("python3 is missing") { await TestEnvironment.hasPython("pyexpat") })
    func readsWhatExpatReads() async throws {
        try await withTemporaryFolder { folder in
            try Self.writeChangedPolicies(to: URL(filePath: folder.string))
            let folders = [folder.string] + [TestEnvironment.variable("SUSI_POLICIES")].compactMap(\.self)
            for folder in folders { try await Self.compare(folder) }
        }
    }

    private static func writeChangedPolicies(to folder: URL) throws {
        let seed = SeededNumbers.seed
        var random = SeededNumbers(seed: seed)
        print("SUSI_SEED=\(seed)")
        let pieces = [
            "<", ">", "/", "\"", "'", "&", "=", " ", "\n", "\r", "<!--", "-->", "]]>", "&#9;", "é", "<a>", "x", "",
        ]
        for name in ["Base", "SignUp"] {
            let text = Array(try PolicyFixture.text(name).utf8)
            try Data(text).write(to: folder.appending(path: "\(name).xml"))
            for number in 0..<100 {
                var changed = text
                // Behind the declaration, of which expat accepts more.
                let at = Int.random(in: 40..<text.count, using: &random)
                let end = min(text.count, at + Int.random(in: 0...3, using: &random))
                changed.replaceSubrange(at..<end, with: Array((pieces.randomElement(using: &random) ?? "").utf8))
                try Data(changed).write(to: folder.appending(path: "\(name)-\(number).xml"))
            }
        }
    }

    private static func compare(_ source: String) async throws {
        let script = FilePath(#filePath).removingLastComponent().appending("events.py").string
        let python = try #require(TestEnvironment.program("python3"))
        try await withTemporaryFolder { folder in
            let outcome = try await Program(
                python, [script, source, folder.string], environment: ["PATH": TestEnvironment.path]
            ).run()
            try #require(outcome.status == 0, "\(outcome)")
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.string)
            for file in files {
                let text = try String(contentsOfFile: folder.appending(file).string, encoding: .utf8)
                let parts = text.split(separator: "\n", maxSplits: 1)
                let bytes = Array(try Data(contentsOf: URL(filePath: source).appending(path: String(parts[0]))))
                let own = (try? Events.of(bytes).joined(separator: "\n")) ?? "refused"
                let isRead = parts.count == 2 && own == parts[1]
                #expect(
                    isRead, "\(parts[0]) is read differently: \(own.prefix(80)), expat: \(parts.last?.prefix(80) ?? "")"
                )
            }
        }
    }
}

/// The events of a text as lines, with joined texts.
enum Events {
    static func of(_ bytes: [UInt8]) throws -> [String] {
        var reader = try XMLReader(bytes)
        var (lines, text): ([String], String) = ([], "")
        while let event = try reader.next() {
            if case .text(let part) = event {
                text += part
                continue
            }
            if !text.isEmpty { lines.append("#\(escaped(text))") }
            text = ""
            guard case .start(let name, let attributes, let offset) = event else {
                lines.append(">")
                continue
            }
            lines.append("<\(name) \(offset)")
            lines += attributes.map { "@\($0.name)=\(escaped($0.value))" }
        }
        return lines
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n").replacing("\r", with: "\\r")
    }
}
