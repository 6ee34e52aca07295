import Foundation
import SusiBase
import SusiEmulator
import SusiPolicies
import SusiTestSupport
import Synchronization
import SystemPackage
import Testing

@testable import Susi
@testable import SusiCommand
@testable import SusiTools

/// Keys for the library, which has no terminal.
@Suite("Key provider", .inTurn, .timeLimit(.minutes(5)))
struct KeyProviderTests {
    private final class Asked: Sendable {
        private let requests = Mutex<[KeyProvider.PassphraseRequest]>([])
        var all: [KeyProvider.PassphraseRequest] { requests.withLock { $0 } }
        func add(_ request: KeyProvider.PassphraseRequest) { requests.withLock { $0.append(request) } }
    }

    @Test("a closure gives the passphrase: once for a new store, once for each client that finds it locked")
    func asksClosureForPassphraseOnce() async throws {
        try await withLocalTenant { tenant in
            let home = tenant.susi.home
            let application = try #require(try PoliciesFile(path: home.policiesFile.string).application(nil))
            let folder = StoreFolder(home.folder.appending("library"), owner: getuid())
            let asked = Asked()
            let client = { (answer: String?) in
                PublicClient(
                    application: application, folder: folder, clock: TestEnvironment.realTime,
                    keeper: KeyProvider(
                        choices: { KeyProvider.Choices(source: .passphrase, lifetime: 60) },
                        passphrase: { request in
                            asked.add(request)
                            return answer
                        }))
            }
            let surface = SignInSurface(browser: FormBrowser(answers: LocalTenant.Person.ana.answers))
            let first = client("long enough")
            // A check creates neither a store nor a key.
            #expect(try await first.accounts().isEmpty && asked.all.isEmpty)
            _ = try await first.signIn(SignInRequest(), through: surface)
            #expect(asked.all.map(\.isNew) == [true])
            let keys = StoreKeys(folder: folder, keeper: KeyProvider(), clock: TestEnvironment.realTime)
            _ = try keys.lock()
            #expect(
                try await first.token(api: nil, of: AccountSelection()).secret.isEmpty == false, "the key is not kept")
            let second = client("long enough")
            #expect(try await second.accounts().count == 1)
            _ = try await second.token(api: nil, of: AccountSelection())
            #expect(asked.all.map(\.isNew) == [true, false])
            _ = try keys.lock()
            await expectRefusal(.store) { try await client("something else").accounts() }
            #expect(asked.all.last?.attempt == 3)
            let unknown = await #expect(throws: SusiError.self) { try await client(nil).accounts() }
            #expect(unknown?.code == .store && unknown?.nextStep == NextStep.unlockStore)
            let short = await #expect(throws: SusiError.self) {
                let keeper = KeyProvider(passphrase: { _ in "short" })
                return try await StoreKeys(folder: folder, keeper: keeper, clock: { 0 }).newKey(.passphrase)
            }
            #expect(short?.what.contains("not accepted") == true)
        }
    }

    @Test("a store that is replaced while its passphrase is asked for is read as it is now")
    func readsTheFileThatReplacedTheStore() async throws {
        try await withLocalTenant { tenant in
            let home = tenant.susi.home
            let application = try #require(try PoliciesFile(path: home.policiesFile.string).application(nil))
            let folder = StoreFolder(home.folder.appending("library"), owner: getuid())
            let client = { (passphrase: @escaping @Sendable () throws -> Void) in
                PublicClient(
                    application: application, folder: folder, clock: TestEnvironment.realTime,
                    keeper: KeyProvider(
                        choices: { KeyProvider.Choices(source: .passphrase, lifetime: 60) },
                        passphrase: { _ in
                            try passphrase()
                            return "long enough"
                        }))
            }
            let (store, before) = (folder.database.string, folder.database.string + ".before")
            for person in [LocalTenant.Person.ana, .ben] {
                // A client closes the store with its end, so that the file is complete.
                _ = try await client {}.signIn(
                    SignInRequest(), through: SignInSurface(browser: FormBrowser(answers: person.answers)))
                if person == .ana { try FileManager.default.copyItem(atPath: store, toPath: before) }
            }
            let keys = StoreKeys(folder: folder, keeper: KeyProvider(), clock: TestEnvironment.realTime)
            _ = try keys.lock()
            let reader = client { try FileName.move(FilePath(before), to: folder.database) }
            #expect(try await reader.accounts().map(\.label) == [LocalTenant.Person.ana.email])
        }
    }

    @Test("a command that hangs is killed with its children, also if one holds the pipe")
    func killsHangingCommandWithChildren() async throws {
        let mark = "\(UInt32.random(in: 1_000_000...9_999_999))"
        let tool = Tool(words: ["sh", "-c", "sleep \(mark) & sleep \(mark)"], limit: .milliseconds(300))
        let began = ContinuousClock.now
        await #expect(throws: Tool.Failure.self) { try await tool.run() }
        #expect(ContinuousClock.now - began < .seconds(200))
        // A killed process ends a moment later; one that was not killed runs until the suite's time limit.
        try await waitUntil {
            try !Self.commands().contains { $0.contains(mark) && $0.hasPrefix("sleep") }
        }
    }

    private static func commands() throws -> [String] {
        let files = FileManager.default
        return try files.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }.map {
            String(decoding: files.contents(atPath: "/proc/\($0)/cmdline") ?? Data(), as: UTF8.self)
        }
    }

    @Test("a command's output, its error message, no output, too much output")
    func reportsOutputOfCommand() async throws {
        let run = { (script: String) in
            try await Tool(words: ["sh", "-c", script], limit: .seconds(60)).run(reading: "hello")
        }
        let fine = try await run("cat; echo no >&2; exit 3")
        #expect(fine.output == Array("hello".utf8) && fine.complaint == "no\n" && !fine.isSuccess)
        #expect(try await run("true").isSuccess)
        await #expect(throws: Tool.Failure.self) { try await run("head -c 100000 /dev/zero") }
        await #expect(throws: Tool.Failure.self) {
            try await Tool(words: ["/nowhere/at-all"], limit: .seconds(60)).run()
        }
    }

    @Test(
        "a passphrase is the first line of a file or a pipe: some bytes of UTF-8, but not 4096",
        arguments: [
            ("one\r\nmore\n", "one"), (String(repeating: "x", count: 4_095), String(repeating: "x", count: 4_095)),
            ("", nil), ("\nmore\n", nil), (String(repeating: "x", count: 4_096), nil),
            ("\u{c3}\u{a9}\n", "é"), ("\u{e9}\n", nil),
        ] as [(String, String?)])
    func readsPassphraseFile(content: String, passphrase: String?) async throws {
        try await withTemporaryFolder { folder in
            let (file, bytes) = (folder.appending("passphrase"), content.unicodeScalars.map { UInt8($0.value) })
            try PrivateFile.write(bytes, to: file)
            let (end, start) = try FileDescriptor.pipe()
            defer { try? end.close() }
            _ = try start.closeAfter { try start.writeAll(bytes) }
            for name in [file.string, "/dev/fd/\(end.rawValue)"] {
                #expect((try? PassphraseFile.read(name, "X")) == passphrase, "\(name)")
            }
        }
    }
}
