import Foundation
import Susi
import SusiOAuth
import SusiSQLite
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiStore

/// `susi accounts` with more accounts than a pipe holds.
@Suite("Streaming", .inTurn, .timeLimit(.minutes(5)))
struct StreamingTests {
    private static let count = 1_500

    /// Runs `body` in a home with many accounts, without network access.
    private static func withAccounts(_ body: (SusiBinary, AccountStore) async throws -> Void) async throws {
        try await withSusi(policies: PoliciesFile.builtInText) { susi in
            let application = try PoliciesFile.builtIn().applications[0]
            let policy = application.policies[0]
            let tenant = Tenant(origin: application.authority.origin, id: "a371deac-4dd6-8047-9119-865294b5d0aa")
            let scope = ApplicationScope(application, policy)
            let store = try AccountStore(opening: StoreFolder(susi.home.susiHome, owner: getuid()))
            try store.write {
                for number in 10_000..<10_000 + count {
                    let account = Account(
                        person: Person(tenant: tenant, subject: "subject-\(number)"), policy: policy.name,
                        clientID: application.clientID)
                    let grant = TokenGrant(
                        account: account, homeAccountID: HomeAccountID(account), tenantName: scope.tenantName,
                        profile: Profile(emails: ["p\(number)@contoso.example"]), claims: "{}", idToken: nil,
                        idTokenExpiresOn: nil, accessToken: nil, refreshToken: nil,
                        receivedOn: 1_000)
                    try store.keep(
                        grant, in: scope, authority: application.authority.description, makeCurrent: false
                    )
                }
            }
            try await body(susi, store)
        }
    }

    private static func shell(_ susi: SusiBinary, _ script: String, input: Program.Input = .none) -> Program {
        var program = susi.command(["-c", script, susi.path.string], input: input)
        program.path = "/bin/bash"
        return program
    }

    @Test("a reader that stops reading blocks no other process: the log can be emptied", arguments: ["", " --json"])
    func slowReaderBlocksNoProcess(_ form: String) async throws {
        try await Self.withAccounts { susi, store in
            let script = """
                exec 3<&0
                "$0" accounts\(form) | { IFS= read -r line; echo "first: $line"; IFS= read -r go <&3; grep -c -e subject- -e B2C_1_susi; }
                """
            try await Self.shell(susi, script, input: .open).start { run in
                try await run.waitForLine(containing: "first: ")
                try store.write { _ = try store.database.execute("UPDATE persons SET given_name = 'x'") }
                #expect(store.emptyLog())
                try await run.type("go\n")
                try await run.closeInput()
                let outcome = try await run.waitUntilExit()
                let lines = outcome.standardOutput.split(separator: "\n")
                // The first line of text is the first account; in JSON it is a brace, and three keys name subject or policy.
                #expect(lines.last == (form.isEmpty ? "\(Self.count - 1)" : "\(3 * Self.count)"), "\(outcome)")
            }
        }
    }

    @Test("the streamed rows are one JSON object")
    func streamsOneJSONObject() async throws {
        try await Self.withAccounts { susi, _ in
            let all = try await susi.run("accounts", "--json")
            let object = try JSONNode(parsing: all.standardOutput.utf8)
            #expect(object["accounts"]?.array?.count == Self.count && object["hasMore"]?.bool == false)
            let some = try await susi.run("accounts", "--json", "--limit", "7", "-p", "B2C_1_susi")
            let part = try JSONNode(parsing: some.standardOutput.utf8)
            #expect(part["accounts"]?.array?.count == 7 && part["hasMore"]?.bool == true)
        }
    }
}
