import Foundation
import Susi
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// The picker of `susi switch` on a pseudo-terminal, and the list elsewhere.
@Suite("Picker", .inTurn, .timeLimit(.minutes(5)))
struct PickerTests {
    private typealias Frame = [String]
    private static let up = "\u{1b}[A"
    private static let down = "\u{1b}[B"

    /// Runs the picker in a terminal whose settings are printed before and after it.
    @discardableResult
    private func pick(
        _ susi: SusiBinary, columns: Int = 80, rows: Int = 12, _ body: (RunningProgram) async throws -> Void
    ) async throws -> ProgramOutcome {
        let settings = "echo settings $(stty -g)"
        let command = susi.command(["switch", "--no-color"])
        return try await command.inTerminal(
            columns: columns, rows: rows, first: "trap : INT; \(settings); echo shell $$ on $(tty)", then: settings
        ).start { run in
            try await run.waitForText("1/")
            try await body(run)
            let outcome = try await run.waitUntilExit()
            let lines = outcome.standardOutput.split(whereSeparator: \.isNewline)
            let states = lines.filter { $0.hasPrefix("settings ") }
            #expect(
                states.count == 2 && states.first == states.last, "the settings of the terminal changed: \(outcome)")
            for frame in frames(outcome.standardOutput) {
                #expect(frame.count <= rows, "\(frame)")
                #expect(frame.allSatisfy { DisplayWidth.of($0) < columns }, "\(frame)")
            }
            return outcome
        }
    }

    private func frames(_ output: String) -> [Frame] {
        output.components(separatedBy: "\r\u{1b}[J").dropFirst().dropLast().map { text in
            text.components(separatedBy: "\u{1b}[").first.map { $0.components(separatedBy: "\r\n") } ?? []
        }
    }

    @Test("the current account is first and marked; arrows choose, Enter switches, and the picker is erased")
    func choosesByArrowsAndEnter() async throws {
        try await withStored(StoredPerson.users(40)) { susi in
            let outcome = try await pick(susi) { run in
                try await run.type(Self.down)
                try await run.type(Self.down + Self.down + Self.up, at: "2/40")
                try await run.type("\r", at: "3/40")
            }
            #expect(outcome.status == 0)
            let first = try #require(frames(outcome.standardOutput).first)
            #expect(first[0] == "Switch to, under B2C_1_susi: ")
            #expect(first[1].hasPrefix("> * User 07 <user07@contoso.example>  sign-in valid "))
            #expect(first[2].hasPrefix("    User 01 <user01@contoso.example>"))
            #expect(first.count == 11, "one line fewer than the terminal")
            let end = outcome.standardOutput.components(separatedBy: "\r\u{1b}[J").last ?? ""
            #expect(
                end.hasPrefix(
                    "User 02 <user02@contoso.example> is the current account under B2C_1_susi\r\n    (before: user07@"))
            #expect(try await susi.run("token").standardOutput == "token of user02@contoso.example\n")
        }
    }

    @Test("a list longer than the screen scrolls")
    func scrollsLongLists() async throws {
        try await withStored(StoredPerson.users(40)) { susi in
            let outcome = try await pick(susi, rows: 8) { run in
                try await run.type(Self.up)
                try await run.type("\u{1b}[5~", at: "40/40")
                try await run.type("\u{1b}[H", at: "35/40")
                try await run.type("\u{1b}[F\n", at: "1/40")
            }
            #expect(try await susi.run("token").standardOutput == "token of user40@contoso.example\n")
            let scrolled = try #require(frames(outcome.standardOutput).first { $0.last?.hasPrefix("40/40") ?? false })
            #expect(scrolled.contains { $0.hasPrefix(">   User 40") } && !scrolled.contains { $0.contains("User 01") })
        }
    }

    @Test("typing filters all accounts, also hidden ones; backspace and Ctrl-U undo it")
    func filtersByTypedText() async throws {
        let people = StoredPerson.users(40) + [StoredPerson("zoë@contoso.example", "Zoë 山田", isCurrent: true)]
        try await withStored(people) { susi in
            let outcome = try await pick(susi) { run in
                try await run.type("user399", at: "1/41")
                try await run.waitForText("no match")
                // Without a match, Enter does nothing.
                try await run.type("\r\u{7f}")
                try await run.type("\u{15}山", at: "1/1 ")
                try await run.type("\r", at: "under B2C_1_susi: 山")
            }
            #expect(
                outcome.status == 0 && outcome.standardOutput.contains("Zoë 山田 <zoë@contoso.example> is the current"))
            let filtered = try #require(frames(outcome.standardOutput).first { $0[0].hasSuffix(": user39") })
            #expect(filtered.count == 3 && filtered[1].hasPrefix(">   User 39 <user39@"), "\(filtered)")
        }
    }

    @Test("typing selects the first match, wherever the selection was")
    func selectsFirstMatch() async throws {
        try await withStored(StoredPerson.users(40)) { susi in
            let outcome = try await pick(susi) { run in
                try await run.type(Self.down + Self.down + Self.down)
                try await run.type("user2", at: "4/40")
                try await run.waitForText(": user2")
                try await run.waitForText("1/10")
                // Backspace changes the filter too.
                try await run.type(Self.down + Self.down)
                try await run.type("\u{7f}3\r", at: "3/10")
            }
            #expect(outcome.status == 0, "\(outcome)")
            #expect(try await susi.run("token").standardOutput == "token of user30@contoso.example\n")
            let frame = frames(outcome.standardOutput).first { $0[0].hasSuffix(": user2") }
            #expect(frame?[1].hasPrefix(">   User 20") ?? false, "\(frame ?? [])")
        }
    }

    @Test(
        "Esc changes nothing and exits with 2, Ctrl-C ends the command by the signal",
        arguments: [("\u{1b}", 2), ("\u{3}", 128 + SIGINT)])
    func cancelsWithEscapeAndCtrlC(_ key: String, _ status: Int32) async throws {
        try await withStored(StoredPerson.users(3).map { StoredPerson($0.email, isCurrent: $0.email.contains("2")) }) {
            susi in
            let outcome = try await pick(susi) { run in try await run.type(Self.down + key) }
            #expect(outcome.status == status, "\(outcome)")
            #expect(outcome.standardOutput.contains("susi: cancelled\r\n"))
            #expect(try await susi.run("token").standardOutput == "token of user02@contoso.example\n")
        }
    }

    @Test("a signal ends the picker and restores the terminal", arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func restoresTerminalAfterSignal(_ signal: Int32) async throws {
        try await withStored(StoredPerson.users(3)) { susi in
            let outcome = try await pick(susi) { run in
                let shell = try #require(await run.text(.output).firstMatch(of: #/shell (\d+) on/#)).1
                let children = try String(contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)
                let process = try #require(Int32(children.split(separator: " ").first ?? ""))
                #expect(kill(process, signal) == 0)
            }
            #expect(outcome.status == 128 + signal && outcome.standardOutput.contains("susi: cancelled"), "\(outcome)")
        }
    }

    @Test("after a resize the picker is drawn to fit")
    func redrawsAfterResize() async throws {
        try await withStored(StoredPerson.users(40)) { susi in
            let outcome = try await pick(susi, columns: 80, rows: 20) { run in
                let terminal = try #require(await run.text(.output).firstMatch(of: #/ on (\S+)/#)).1
                // stty changes the rows first: the awaited text then stands in a frame of both sizes.
                let size = SusiTestSupport.Program("/bin/stty", ["-F", String(terminal), "rows", "7", "cols", "40"])
                #expect(try await size.run().status == 0)
                try await run.type("\u{3}", at: "type to filter, Esc …")
            }
            let last = try #require(frames(outcome.standardOutput).last)
            #expect(last.count == 6 && last.allSatisfy { DisplayWidth.of($0) < 40 }, "\(last)")
        }
    }

    @Test("without a terminal, switch lists all accounts and the next command")
    func listsAccountsWithoutTerminal() async throws {
        try await withStored(StoredPerson.users(40)) { susi in
            let piped = try await susi.run("switch").exits(64, output: "")
            let lines = piped.standardError.split(separator: "\n").map(String.init)
            #expect(lines.count == 43 && lines[0].hasPrefix("* User 07 <user07@contoso.example>"))
            #expect(lines.suffix(3).first == "susi: no account named")
            #expect(lines.last == "  next: susi switch ACCOUNT -p B2C_1_susi")
            let dumb = try await susi.command(["switch"], environment: ["TERM": "dumb"]).inTerminal().run()
            let silent = try await susi.command(["switch", "--no-input", "--no-color"]).inTerminal().run()
            for outcome in [dumb, silent] {
                #expect(outcome.status == 64 && outcome.standardOutput.contains("User 40"), "\(outcome)")
                #expect(!outcome.standardOutput.contains("\u{1b}"))
            }
            let json = try await susi.run("switch", "--json")
            let error = try JSONNode(parsing: json.standardError.utf8)["error"]
            #expect(json.status == 64 && error?["candidates"]?.array?.count == 40)
            #expect(try await susi.run("switch", "-p", "B2C_1_partner").status == 4)
        }
    }

    @Test(
        "keys are recognized however their bytes are split",
        arguments: [
            ([[0x1b, 0x5b, 0x41]], [.up]), ([[0x1b], [0x5b], [0x42]], [.down]), ([[0x1b, 0x4f, 0x41]], [.up]),
            ([[0x1b, 0x5b, 0x35, 0x7e]], [.pageUp]), ([[0x1b, 0x5b, 0x31, 0x3b, 0x35, 0x43]], []),
            ([[0xe5, 0xb1], [0xb1]], [.text("山")]), ([[0x61, 0x0d]], [.text("a"), .enter]),
            ([[0xff, 0x62]], [.text("b")]), ([[0x1b, 0x1b]], [.escape]), ([[0x09, 0x1a]], []), ([[0x03]], [.interrupt]),
        ] as [([[UInt8]], [Key])])
    func readsKeysFromSplitInput(_ pieces: [[UInt8]], _ expected: [Key]) {
        var reader = KeyReader()
        #expect(pieces.flatMap { reader.keys($0) } == expected)
    }

    @Test func recognizesEscapeByTheFollowingPause() {
        var reader = KeyReader()
        #expect(reader.keys([0x1b]).isEmpty && reader.flush() == [.escape] && reader.flush().isEmpty)
        #expect(reader.keys([0x1b, 0x5b]).isEmpty && reader.flush().isEmpty && reader.keys([0x41]) == [.text("A")])
    }
}
