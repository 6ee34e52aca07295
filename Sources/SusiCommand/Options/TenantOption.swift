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
    /// Returns the application at the tenant that the command line names, if it names one.
    func atTenant(_ application: Application) throws -> Application {
        guard let text = givenTenant, let tenant = try? TenantName(text) else { return application }
        do { return try application.at(tenant) } catch { throw SusiError(error) }
    }
}
