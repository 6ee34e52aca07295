import Foundation
import Susi
import SusiEmulator
import SusiSQLite
import SusiTestSupport
import SusiTools
import SystemPackage
import Testing

/// An operation that writes to a store. A new one must be added to `all`.
struct Operation: Sendable, CustomTestStringConvertible {
    let name: String
    var testDescription: String { name }
    /// Puts the store into its initial state.
    let prepare: @Sendable (PasswordTenant) async throws -> Place
    /// The command, in a separate home if `Place` names one.
    let command: @Sendable (PasswordTenant, Place) async throws -> SusiTestSupport.Program
    /// The person who uses the page that the command opens; `nil` if it opens none.
    var person: FormBrowser?
    /// The command to run after a kill, before the store is used.
    var repair: [String]?
    /// Whether it uses up the refresh token of Ana, whose account is current.
    var refreshes = false

    /// The store that it writes to, and the expected accounts afterwards.
    struct Place: Sendable {
        let folder: StoreFolder
        /// Accounts that must be there in any case.
        let mustStay: Set<String>
        /// All accounts that may be there.
        let mayBe: Set<String>
        var environment: [String: String] = [:]
        /// The number of token requests before the run.
        var requests = 0
    }

    struct Run: Sendable {
        let wasKilled: Bool
        /// The number of changes of files before the end.
        let steps: Int
    }

    /// Runs the operation and kills it just before its n-th change of a file; 0 lets it end.
    func run(_ scene: PasswordTenant, _ place: Place, killedAtStep number: Int) async throws -> Run {
        var command = try await command(scene, place)
        command.environment.merge(place.environment) { $1 }
        let browser = try await person.asyncMap { _ in try await BrowserCommand.capture(in: scene.susi.home.folder) }
        if let browser { command.arguments += ["--browser", browser.command] }
        return try await command.killed(atStep: number).start { run in
            // A killed command answers no browser, and may be killed before it opens one.
            let visit = browser.flatMap { browser in
                person.map { person in Task { try? await person.open(try await browser.nextURL()) } }
            }
            let outcome = try await run.waitUntilExit()
            visit?.cancel()
            await visit?.value
            let wasKilled = outcome.status == 128 + 9
            #expect(wasKilled || outcome.status == 0, "\(name): \(outcome)")
            return Run(wasKilled: wasKilled, steps: outcome.steps)
        }
    }

    static let all = [signIn, refresh, switching, edit, remove, rekey, importing, backup, repair]

    // MARK: With the tenant's accounts

    private static let ana = "ana@contoso.example \(PasswordTenant.policy)"
    private static let ben = "ben@contoso.example \(PasswordTenant.policy)"
    private static let chi = "chi@contoso.example \(PasswordTenant.policy)"

    private static func place(_ scene: PasswordTenant, without: String? = nil, with new: String...) throws -> Place {
        let accounts = try scene.folder.accounts()
        return Place(
            folder: scene.folder, mustStay: accounts.subtracting([without].compactMap(\.self)),
            mayBe: accounts.union(new), requests: scene.tenant.requests("POST", "/token"))
    }

    private static func remove(
        _ person: LocalTenant.Person, under policy: String, _ scene: PasswordTenant
    ) async throws {
        let client = try scene.tenant.client()
        let accounts = try await client.accounts(policy: PolicyName(policy)).filter { $0.label == person.email }
        if !accounts.isEmpty { _ = try await client.remove(accounts) }
    }

    static let signIn = Operation(
        name: "sign-in",
        prepare: { scene in
            // Removes Chi first, so that the sign-in adds the person, the account and the tokens.
            try await remove(.chi, under: PasswordTenant.policy, scene)
            return try place(scene, with: chi)
        },
        command: { scene, _ in scene.signInCommand(.chi) })

    static let refresh = Operation(
        name: "refresh",
        prepare: { scene in
            try await scene.switchTo(.ana)
            return try place(scene)
        },
        command: { scene, _ in scene.susi.command(["token", "-p", PasswordTenant.policy, "--refresh"]) },
        refreshes: true)

    static let switching = Operation(
        name: "switch",
        prepare: { scene in
            if try !scene.folder.accounts().contains(ben) { try await scene.signIn(.ben) }
            return try place(scene)
        },
        command: { scene, _ in
            let other = try await scene.account().label == LocalTenant.Person.ana.email ? LocalTenant.Person.ben : .ana
            return scene.susi.command(["switch", other.email, "-p", PasswordTenant.policy])
        })

    static let edit = Operation(
        name: "edit",
        prepare: { scene in
            try await scene.switchTo(.ana)
            return try place(scene)
        },
        command: { scene, _ in scene.susi.command(["edit-profile"]) },
        person: FormBrowser(
            answers: [
                "signInName": LocalTenant.Person.ana.email, "password": LocalTenant.Person.ana.user.password,
                "displayName": "Ana Maria Lima",
            ]),
        // The command refreshes the person's other accounts.
        refreshes: true)

    static let remove = Operation(
        name: "remove",
        prepare: { scene in
            if try !scene.folder.accounts().contains(ben) { try await scene.signIn(.ben) }
            return try place(scene, without: ben)
        },
        command: { scene, _ in
            scene.susi.command(["remove", "ben@contoso.example", "-p", PasswordTenant.policy, "--yes"])
        })

    static let rekey = Operation(
        name: "rekey", prepare: { scene in try place(scene) },
        command: { scene, _ in scene.susi.command(["store", "rekey"]) })

    // MARK: With a separate store

    /// Returns the path of another home, which does not exist yet.
    private static func emptyHome(_ scene: PasswordTenant) -> FilePath {
        let home = scene.susi.home.folder.appending("other")
        try? home.remove()
        return home
    }

    static let repair = Operation(
        name: "repair",
        prepare: { scene in
            let home = emptyHome(scene)
            try FileManager.default.copyItem(atPath: scene.folder.path.string, toPath: home.string)
            let folder = StoreFolder(home, owner: getuid())
            let database = try Connection(path: folder.database.string, mode: .readWrite)
            try database.execute(
                "UPDATE tokens SET secret = zeroblob(60) WHERE id = (SELECT max(id) FROM tokens WHERE kind = 'id')")
            let accounts = try folder.accounts()
            return Place(folder: folder, mustStay: accounts, mayBe: accounts, environment: ["SUSI_HOME": home.string])
        },
        command: { scene, _ in scene.susi.command(["store", "repair", "--yes"]) }, repair: ["store", "repair", "--yes"])

    static let importing = Operation(
        name: "import",
        prepare: { scene in
            let home = emptyHome(scene)
            let file = scene.susi.home.folder.appending("export").string
            // An import uses up the tokens.
            let maker = try scene.tenant.client(in: scene.susi.home.folder.appending("maker"))
            for person in [LocalTenant.Person.ana, .ben] {
                let request = SignInRequest(policy: PolicyName(PasswordTenant.policy))
                _ = try await maker.signIn(request, credentials: person.credentials)
            }
            let bytes = try await maker.exportSealed(passphrase: "correct horse").file
            try Data(bytes).write(to: URL(filePath: file))
            try Data("correct horse\n".utf8).write(to: URL(filePath: file + "-passphrase"))
            let all: Set = [ana, ben]
            return Place(
                folder: StoreFolder(home, owner: getuid()), mustStay: [], mayBe: all,
                environment: ["SUSI_HOME": home.string, "SUSI_CONFIG": scene.susi.home.policiesFile.string])
        },
        command: { scene, _ in
            let file = scene.susi.home.folder.appending("export").string
            return scene.susi.command(["import", file, "--passphrase-file", file + "-passphrase"])
        })

    static let backup = Operation(
        name: "backup",
        prepare: { scene in
            let file = scene.susi.home.folder.appending("copy").string
            // A file with the final name is complete.
            if FileManager.default.fileExists(atPath: file) {
                let copy = try Connection(path: file, mode: .readOnly)
                #expect(try copy.first("PRAGMA integrity_check") { try $0.text(0) } == "ok")
            }
            return try place(scene)
        },
        command: { scene, _ in
            scene.susi.command(["store", "backup", scene.susi.home.folder.appending("copy").string, "--force"])
        })
}

extension Optional where Wrapped: Sendable {
    fileprivate func asyncMap<T>(_ body: (Wrapped) async throws -> T) async throws -> T? {
        guard let self else { return nil }
        return try await body(self)
    }
}
