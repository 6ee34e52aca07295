import ArgumentParser
import Susi

/// `--tenant`. ``Context`` uses the application at that tenant.
struct TenantOption: GivenArguments {
    @Option(
        name: .customLong("tenant"),
        help: ArgumentHelp("Another tenant of the same person (kind entra)", valueName: "tenant"),
        completion: LiveNames.tenants)
    var text: String?

    static var givenOptions: [OptionReader<Self>] { [.value(.tenant, \.text)] }

    func validate() throws {
        do { _ = try text.map { text throws(TenantName.Invalid) in try TenantName(text) } } catch {
            throw ValidationError("invalid value “\(text ?? "")” for --tenant\n\(error.reason)")
        }
    }
}

extension GivenCommand {
    /// Returns the application at the tenant that the command line names, if it names one.
    func atTenant(_ application: Application, rehearses: Bool) throws -> Application {
        guard let text = given.first(where: { $0.meaning == .tenant })?.value, let tenant = try? TenantName(text) else {
            return application
        }
        guard !rehearses else {
            throw UsageError(
                "--tenant cannot be used in a rehearsal", why: "the local copy is one tenant",
                next: "leave out --tenant")
        }
        do { return try application.at(tenant) } catch { throw SusiError(error) }
    }
}
