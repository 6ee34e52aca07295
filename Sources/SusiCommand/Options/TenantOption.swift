import ArgumentParser
import Susi
import SusiBase
import SusiStartup

/// `--tenant`. ``Context`` uses the application at that tenant.
struct TenantOption: ParsableArguments {
    @Option(
        name: .customLong("tenant"),
        help: ArgumentHelp("Another tenant of the same person (kind entra)", valueName: "tenant"),
        completion: LiveNames.tenants)
    var text: String?

    func validate() throws {
        do { _ = try text.map { text throws(InvalidInput) in try TenantName(text) } } catch {
            throw ValidationError("invalid value “\(text ?? "")” for --tenant\n\(error.reason)")
        }
    }
}

extension GivenCommand {
    /// Throws if the named policy, or the default one, belongs to another tenant than the copy of a rehearsal.
    func checkIsCopied(_ application: Application) throws(UsageError) {
        let name = GivenOptions(self).policy ?? ProcessEnvironment.current["SUSI_POLICY"]
        let named = name.map { application.policy(typed: PolicyName($0)) } ?? application.defaultPolicy
        guard let policy = named, let tenant = application.otherTenant(of: policy)
        else { return }
        throw UsageError(
            "“\(policy.name)” cannot be rehearsed",
            why: Rehearsal.why(tenant, application),
            next: "leave out --rehearse, or name another policy with -p")
    }

    /// Returns the application at the tenant that the command line names, if it names one.
    func atTenant(_ application: Application, rehearses: Bool) throws -> Application {
        guard let text = GivenOptions(self).tenant, let tenant = try? TenantName(text) else {
            return application
        }
        guard !rehearses else {
            throw UsageError(
                "--tenant cannot be used in a rehearsal", why: "a rehearsal copies one tenant, that of the application",
                next: "leave out --tenant")
        }
        do { return try application.at(tenant) } catch { throw SusiError(error) }
    }
}
