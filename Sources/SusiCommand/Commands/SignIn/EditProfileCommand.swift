import ArgumentParser
import Susi
import SusiStartup

struct EditProfileCommand: AsyncParsableCommand, AccountCommand, PageCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit-profile", abstract: "Edit the profile of an account in the browser.",
        discussion: """
              susi edit-profile                    the current account
              susi edit-profile -a ben@contoso.example
              susi edit-profile -p B2C_1_edit_profile
            """)

    @OptionGroup var account: AccountOption
    @OptionGroup var output: JSONOption

    @Option(
        name: [.customShort("p"), .customLong("policy")], help: "Edit-profile policy",
        completion: LiveNames.policies(of: .editProfile))
    var policy: String?

    @OptionGroup(title: "Browser options") var browser: BrowserOptions
    @OptionGroup(title: "Sign-in page options") var page: PageOptions
    @OptionGroup(title: "Common options") var global: GlobalOptions

    var givenAccount: String? { account.text }

    func run() async throws {
        let context = try Context(self)
        context.announceCopy()
        let selection = try await selection(context)
        let options = try await page.options()
        let policy = try self.policy.map { try context.policyName($0, of: .editProfile) }
        let result = try await context.working("contacting the provider") { spinner in
            try await context.client.editProfile(
                of: selection, policy: policy, options: options,
                through: browser.surface(context, spinner, for: SuggestedCommand("edit-profile")))
        }
        try context.show(EditReport(result: result), json: output.json)
        context.warn(of: result.stale)
    }

    // Searches all policies that sign in, not only the default one.
    private func selection(_ context: Context) async throws -> AccountSelection {
        let variable = ProcessEnvironment.current["SUSI_ACCOUNT"]
        guard let text = account.text ?? variable else { return AccountSelection() }
        return AccountSelection(try await context.accounts(ofPersonNamed: text, exactly: account.text == nil)[0])
    }
}

extension Context {
    /// Warns of the accounts that the browser did not sign in again.
    func warn(of stale: [(account: StoredAccount, reason: SusiError)]) {
        for (_, reason) in stale {
            console.err(console.errStyle.warning(Terminal.safe(reason.description)))
            advise(reason.nextStep)
        }
    }
}

struct EditReport: CommandResult {
    let result: EditResult

    private var updated: [String] { result.updated.map(\.account.policy.spelling) }

    var json: JSONObject {
        [
            "schemaVersion": 1, "policy": result.policy.name.spelling, "tenantId": result.person.tenant.id,
            "subject": result.person.subject, "label": result.label, "claims": try? JSON(parsing: result.claims.utf8),
            "updatedPolicies": updated, "stalePolicies": result.stale.map(\.account.account.policy.spelling),
        ]
    }

    func lines(_ style: Style) -> [String] {
        let lines = ["\(style.good("Saved")) the profile of \(style.strong(Terminal.safe(result.title)))"]
        return updated.isEmpty ? lines : lines + ["  claims updated under \(updated.joined(separator: ", "))"]
    }
}
