import Foundation
import Susi
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// Tables on terminals of 60 columns and more, with complete words.
@Suite("Tables", .inTurn, .timeLimit(.minutes(5)))
struct TableTests {
    private static let commands = [
        ["status", "--all"], ["status", "--claims"], ["accounts"], ["policies", "check"], ["store", "status"],
        ["inspect"], ["help", "error-codes"], ["doctor"],
    ]

    private static func lines(_ text: String) -> [String] {
        text.replacing("\r\n", with: "\n").split(separator: "\n").map(String.init)
    }

    /// Returns the words, without times, which change, and with paths written as without a terminal.
    private static func words(_ text: String, _ home: Home) -> [String] {
        text.replacing("\r\n", with: "\n").split { $0 == " " || $0 == "\n" }
            .map { String($0).replacing("~/", with: "\(home.folder)/") }
            .filter { $0.contains { $0.isLetter || $0 == "/" } }
    }

    @Test("at 60 and 100 columns no line is too long, no word is cut, and nothing is missing")
    func fitsColumns() async throws {
        try await withLocalTenant(signedIn: [.ana, .ben]) { tenant in
            let (susi, home) = (tenant.susi, tenant.susi.home)
            try await tenant.signIn(.chi, under: "B2C_1_partner")
            try await tenant.signIn(.ben, under: "B2C_1_partner")
            let environment = ["HOME": home.folder.string, "NO_COLOR": "1", "TERM": "dumb", "BROWSER": "true"]
            for command in Self.commands {
                let plain = try await susi.command(command, environment: environment).run()
                for columns in [60, 100] {
                    let shown = try await susi.command(command, environment: environment)
                        .inTerminal(columns: columns).run().exits(plain.status)
                    for line in Self.lines(shown.standardOutput) where DisplayWidth.of(line) > columns {
                        // Neither a suggested command nor a word is broken.
                        let isWhole = line.contains("next") || line.split(separator: " ").count == 1
                        #expect(isWhole, "\(command) at \(columns): \(line)")
                    }
                    let (short, long) = (Self.words(shown.standardOutput, home), Self.words(plain.standardOutput, home))
                    #expect(short == long, "\(command) at \(columns)")
                }
            }
            try await susi.command(["store", "status"], environment: environment).inTerminal().run().exits(
                0, printing: "~/susi/store.sqlite")
            #expect(try await susi.run("store", "status").standardOutput.contains("\(home.susiHome)/store.sqlite"))
        }
    }

    @Test("each account has one line, or on a narrow terminal its title and one line below")
    func listsAccountsEvenly() async throws {
        let people = [
            StoredPerson("ana@contoso.example", "Ana Lima", isCurrent: true),
            StoredPerson("ana@contoso.example", "Ana Lima", policy: "B2C_1_partner"),
            StoredPerson("ben@contoso.example", "Ben Okoro"),
        ]
        try await withStored(people) { susi in
            for (columns, first, count) in [
                (60, "* Ana Lima <ana@contoso.example>", 6), (80, "* Ana Lima <ana@contoso.example>  ", 3),
            ] {
                let list = try await susi.command(["accounts", "--no-color"]).inTerminal(columns: columns).run()
                let lines = Self.lines(list.standardOutput)
                #expect(lines.count == count && lines[0].hasPrefix(first), "\(list)")
                #expect(lines.allSatisfy { DisplayWidth.of($0) <= columns })
            }
        }
    }

    @Test("columns are aligned after wide characters and combining marks")
    func alignsWideCharacters() async throws {
        let people = [
            StoredPerson("a@contoso.example", "山田 太郎"), StoredPerson("b@contoso.example", "Zoe\u{308}"),
            StoredPerson("c@contoso.example", "한국"), StoredPerson("d@contoso.example", "👩‍💻 Dee"),
        ]
        try await withStored(people) { susi in
            let lines = Self.lines(try await susi.run("accounts").standardOutput)
            let places = lines.compactMap { line in
                line.range(of: "B2C_1_susi").map { DisplayWidth.of(line[..<$0.lowerBound]) }
            }
            #expect(places.count == 4 && Set(places).count == 1, "\(lines)")
        }
    }

    @Test(
        "the display width of a text",
        arguments: [
            ("", 0), ("abc", 3), ("Zoë", 3), ("Zoe\u{308}", 3), ("山田", 4), ("ｆｕｌｌ", 8), ("ﾊﾝ", 2), ("한국", 4),
            ("\u{1112}\u{1161}\u{11ab}", 2), ("👩‍💻", 2), ("👍🏽", 2), ("🇯🇵", 2), ("❤\u{fe0f}", 2), ("–…", 2),
            ("\u{1b}[1mbold\u{1b}[0m", 4), ("\u{1b}[1m\u{301}bold\u{1b}[0m", 4), ("שלום", 4), ("ก็", 1),
        ])
    func measuresDisplayWidth(_ text: String, _ columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test("the last cell wraps at words below its beginning, or below the row on a narrow terminal")
    func wrapsLastCell() {
        let style = Style(isColored: true, width: 40)
        let text = "one two three four five six seven"
        #expect(
            Table.lines([["name", text], ["longer", "x"]], style)
                == ["name    one two three four five six", "        seven", "longer  x"])
        #expect(
            Table.lines([["a name of thirty characters ..", text]], style)
                == ["a name of thirty characters ..", "    one two three four five six seven"])
        let word = String(repeating: "w", count: 50)
        #expect(Table.lines([["name", "a \(word) b"]], style) == ["name", "    a", "    \(word)", "    b"])
        #expect(Table.lines([["name", text + text]], Style(isColored: false)) == ["name  \(text)\(text)"])
        #expect(
            Table.lines([["name", style.bad(text)], ["longer", "x"]], style).prefix(2)
                == ["name    \u{1b}[31mone two three four five six\u{1b}[0m", "        \u{1b}[31mseven\u{1b}[0m"])
    }
}
