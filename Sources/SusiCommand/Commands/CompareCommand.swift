import ArgumentParser
import Susi

/// `susi compare`.
struct CompareCommand: AsyncParsableCommand, GivenCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare", abstract: "Compare the stored tokens of two accounts.",
        discussion: """
              susi compare ana@contoso.example ben@contoso.example
              susi compare ana /B2C_1_partner:ana          under two policies
              susi compare b2c:ana external:ana            of two applications
              susi compare b2c: external:                  their current accounts
              susi compare ana ana --tenant fabrikam.onmicrosoft.com

            FIRST and SECOND are each ACCOUNT, or APPLICATION/POLICY:ACCOUNT. Every part of the prefix may be left out: \
            APPLICATION:ACCOUNT, /POLICY:ACCOUNT, and without ACCOUNT the current account. The first colon ends the \
            prefix; :ACCOUNT is an account whose name contains a colon.

            Shows the claims of the ID tokens and of the newest access tokens, then what a web API that accepts the first \
            account's tokens has to change for those of the second one. With --tenant, the second account is in that tenant. Only the store is read: no server is asked, nothing \
            is refreshed, and signatures are not checked. The exit code is 0 if no claim is different, and 1 if one is; \
            times, random values and key ids do not count.
            """)

    @OptionGroup var policy: PolicyOption
    @OptionGroup var output: JSONOption

    @Argument(
        help: "Account, for example ana@contoso.example or b2c/B2C_1_susi:ana",
        completion: LiveNames.accountOperands)
    var first: AccountOperand

    @Argument(help: "Account to compare it with", completion: LiveNames.accountOperands)
    var second: AccountOperand

    @OptionGroup(title: "Common options") var global: GlobalOptions

    static var givenOptions: [OptionReader<Self>] { .group(\.policy) }
    var again: SuggestedCommand { SuggestedCommand("compare", first.text, second.text) }

    func run() async throws {
        let own = try Context(self, atTenant: false)
        // One sign-in serves several tenants: the second account may be that of the same person in another one.
        let there = policy.tenant.text == nil ? own : try Context(self)
        let comparison = AccountComparison(
            try await side(first, own) { SuggestedCommand("compare", $0.text, second.text) },
            try await side(second, there) { SuggestedCommand("compare", first.text, $0.text) })
        try own.show(ComparisonReport(comparison, now: own.now), json: output.json)
        if !comparison.isSame { throw CommandEnded(code: .failed) }
    }

    /// Reads one account. `corrected` returns the command line with another account in its place.
    private func side(
        _ operand: AccountOperand, _ own: Context, corrected: (AccountOperand) -> SuggestedCommand
    ) async throws -> ComparedAccount {
        let isOwn = operand.application.map { $0 == own.application.name } ?? true
        let context = isOwn ? own : try Context(self, application: operand.application)
        do {
            let typed = try operand.policy.map { try context.policyName($0.spelling) }
            let named = try typed ?? (operand.application == nil ? policy.name(in: context) : nil)
            guard let account = operand.account else {
                return try await context.client.comparedAccount(AccountSelection(policy: named))
            }
            return try await context.client.comparedAccount(try await context.selection(account, under: named))
        } catch let error as SusiError {
            throw error.suggesting(operand, own, in: context, corrected)
        }
    }
}

extension SusiError {
    /// The same error with a next step for one of two accounts, whose application may be another one.
    fileprivate func suggesting(
        _ operand: AccountOperand, _ own: Context, in context: Context,
        _ corrected: (AccountOperand) -> SuggestedCommand
    ) -> SusiError {
        let next: NextStep
        switch nextStep.pieces.first {
        case .intent(.correctAccount(let account, _)):
            next = "\(own.given.completing(corrected(operand.naming(account))))"
        case .intent(.namePolicy(let policy)): next = "\(own.given.completing(corrected(operand.under(policy))))"
        case .intent(.narrowAccount): next = "type more characters of the account, or its identifier"
        default:
            // A command of another application does not get the policy of this one.
            guard let command = nextStep.onlyCommand else { return completed(by: context.given) }
            let completed = context.given.completing(command)
            next = NextStep(operand.application == nil ? completed : completed.without("-p"))
        }
        return SusiError(code, what, why: why, next: next, candidates: candidates, refusal: refusal, scopes: scopes)
    }
}
