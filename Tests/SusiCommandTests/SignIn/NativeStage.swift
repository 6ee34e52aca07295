import Susi
import SusiTestSupport
import Testing

@testable import SusiEmulator

/// A tenant of External ID whose users sign in without a browser, and the built program.
struct NativeStage {
    static let password = LocalTenant.Person.ana.user.password
    /// A user without a password, who gets codes by email.
    static let mia: User = {
        var mia = User(
            objectID: "d0d0d0d0-0000-4000-8000-000000000004", email: "mia@contoso.example", displayName: "Mia Berg",
            givenName: "Mia", surname: "Berg", identityProvider: "mail")
        mia.phone = "+4930901820"
        return mia
    }()

    let tenant: LocalTenant
    private let browser: BrowserCommand

    /// Prints the newest code of the outbox. Each run adds a line to `asked` in the working folder.
    private static let script = """
        echo asked >> asked
        printf 'Authorization: Bearer %s' "$SUSI_EMULATOR_SECRET" |
          curl -sS --fail -H @- "$SUSI_EMULATOR_ADMIN/outbox?limit=1&wait=20" |
          sed -n 's/.*"code": *"\\([^"]*\\)".*/\\1/p'

        """

    /// Whether the machine has the program that reads the outbox.
    static var canReadOutbox: Bool { TestEnvironment.program("curl") != nil }

    /// Runs an emulator of the tenant changed by `configure`. Ana has a password, and Mia gets codes.
    static func with(
        configure: (inout TenantConfiguration) -> Void = { _ in }, _ body: (NativeStage) async throws -> Void
    ) async throws {
        try await withLocalTenant(
            policies: onlyApplication("external", "fabrikam.onmicrosoft.com", more: helloAPI),
            configure: {
                $0.users.append(mia)
                configure(&$0)
            },
            { tenant in
                let home = tenant.susi.home
                try home.work("code.sh").write(script)
                try await body(NativeStage(tenant: tenant, browser: try await BrowserCommand.capture(in: home.folder)))
            })
    }

    var openedURLs: [String] { browser.openedURLs }

    var codesAsked: Int { read("asked").split(separator: "\n").count }

    func read(_ name: String) -> String {
        (try? tenant.susi.home.work(name).text()) ?? ""
    }

    /// Returns a sign-in of a user as a command that has not started. `code` is the code command.
    func command(
        _ user: String, password: String? = nil, code: String? = nil, _ more: [String] = []
    ) -> SusiTestSupport.Program {
        var arguments = ["sign-in", "--username", user] + more
        if password != nil { arguments.append("--password-stdin") }
        if let code { arguments += ["--code-command", code] }
        return tenant.susi.command(
            arguments, environment: environment, input: password.map { .text($0 + "\n") } ?? .none)
    }

    func signIn(
        _ user: String, password: String? = nil, code: String? = nil, _ more: String...
    ) async throws -> ProgramOutcome {
        try await command(user, password: password, code: code, more).run()
    }

    /// Signs in within this process, with the newest code of the outbox or a given one.
    @discardableResult
    func client(
        signsIn user: String, password: String? = nil, code: String? = nil, _ request: SignInRequest = SignInRequest()
    ) async throws -> SignInResult {
        let database = try #require(tenant.emulator.site.tenants.first?.database)
        let password = password.map { text in { @Sendable () async throws in text } }
        let credentials = NativeCredentials(username: user, password: password) { _, _ in
            try code ?? database.outbox(limit: 1).first?.code ?? ""
        }
        return try await tenant.client().signIn(request, native: credentials)
    }

    func messages() throws -> [OutboxMessage] {
        try #require(try tenant.emulator.site.tenants.first?.database.outbox())
    }

    /// The variables of the program: a browser that only records, and what the code command needs.
    private var environment: [String: String] {
        [
            "BROWSER": browser.command, "DISPLAY": ":99", "SUSI_EMULATOR_SECRET": tenant.emulator.adminSecret,
            "SUSI_EMULATOR_ADMIN": tenant.emulator.adminAddress,
        ]
    }

    /// The last segments of the requests' paths since the request with that number, in order; without the admin API.
    func steps(after count: Int = 0) -> [String] {
        tenant.requestLines.dropFirst(count).filter { !$0.contains("/admin/") }.compactMap { line in
            line.split(separator: " ").dropFirst(2).first?.split(separator: "/").last.map(String.init)
        }
    }

    func accounts() async throws -> String { try await tenant.susi.run("accounts").standardOutput }
}

extension TenantConfiguration {
    /// Changes the settings of the only policy.
    mutating func changeSettings(_ body: (inout PolicySettings) -> Void) {
        body(&settings[PolicyName("default"), default: PolicySettings()])
    }
}
