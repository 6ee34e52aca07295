import ArgumentParser
import Susi
import SusiTools

struct CompareCommand: AsyncParsableCommand, PolicyCommand {
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

    var givenPolicy: String? { policy.text }
    var givenTenant: String? { policy.tenant.text }

    func run() async throws {
        let own = try Context(self, atTenant: false)
        // One sign-in serves several tenants: the second account may be that of the same person in another one.
        let there = policy.tenant.text == nil ? own : try Context(self)
        let comparison = AccountComparison(
            try await side(first, own), try await side(second, there))
        try own.show(ComparisonReport(comparison, now: own.now), json: output.json)
        if !comparison.isSame { throw CommandEnded(code: .failed) }
    }

    private func side(_ operand: AccountOperand, _ own: Context) async throws -> ComparedAccount {
        let context = try context(of: operand, own)
        do { return try await account(operand, context) } catch var error as SusiError {
            var given = context.given
            // An operand that names an application is not under the policy of -p.
            if operand.application != nil { given.policy = nil }
            error.nextStep = operand.step(inPlaceOf: error.nextStep)
            throw error.completed(by: given)
        }
    }

    private func context(of operand: AccountOperand, _ own: Context) throws -> Context {
        let isOwn = operand.application.map { $0 == own.application.name } ?? true
        return isOwn ? own : try Context(self, application: operand.application)
    }

    private func account(_ operand: AccountOperand, _ context: Context) async throws -> ComparedAccount {
        let typed = try operand.policy.map { try context.policyName($0.spelling) }
        let named = try typed ?? (operand.application == nil ? policy.name(in: context) : nil)
        guard let account = operand.account else {
            return try await context.client.comparedAccount(AccountSelection(policy: named))
        }
        return try await context.client.comparedAccount(try await context.selection(account, under: named))
    }
}

extension AccountOperand {
    /// Returns a next step that fits an operand, which no option names.
    fileprivate func step(inPlaceOf step: NextStep) -> NextStep {
        switch step.parts.first {
        case .correctAccount(let account)?: .correctAccount(naming(account).text)
        case .name(.policy, let policies)?: policies.first.map { .correctAccount(under($0).text) } ?? step
        case .underPolicy(let policy)? where self.policy == nil: .correctAccount(under(policy.spelling).text)
        // The operand names the policy, so that -p would change nothing.
        case .underPolicy?: step.parts.last ?? step
        case .narrowAccount?: "type more characters of the account, or its identifier"
        default: step
        }
    }
}
