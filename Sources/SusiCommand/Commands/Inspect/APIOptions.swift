import ArgumentParser
import Susi

/// The options that tell what an API demands of a token.
struct APIOptions: ParsableArguments {
    @Option(
        name: .customLong("for-api"),
        help: ArgumentHelp("Check as this API does: its appsettings.json", valueName: "file"),
        completion: .file())
    var file: String?

    @Option(help: "Section of that file, if it has several")
    var section: String?

    @Option(help: ArgumentHelp("Authority of an API without such a file", valueName: "address"))
    var authority: String?

    @Option(help: "Audience that it accepts; repeatable")
    var audience: [String] = []

    @Option(help: "Issuer that it accepts, if not that of the metadata")
    var issuer: String?

    @Option(help: "Scope that it requires; repeatable")
    var scope: [String] = []

    /// The limit of a file in bytes.
    private static let largest = 1 << 18

    func validate() throws {
        let own = authority != nil || issuer != nil || !audience.isEmpty
        if file != nil, own {
            throw ValidationError("--for-api cannot be combined with --authority, --audience or --issuer")
        }
        if file == nil, section != nil { throw ValidationError("--section needs --for-api") }
        guard file == nil, own || !scope.isEmpty else { return }
        if authority == nil || audience.isEmpty {
            throw ValidationError(
                "--authority and --audience belong together\nor name the API’s settings with --for-api")
        }
    }

    /// Returns the settings with remarks about them; `nil` if no API is named.
    func settings() async throws -> (settings: APISettings, remarks: [String])? {
        let scopes = scope.map { APISettings.Setting("--scope", $0) }
        if let file {
            let bytes = try await InputFile.read(file, limit: Self.largest)
            guard bytes.count <= Self.largest else {
                throw UsageError("“\(file)” cannot be read", why: "it is larger than \(Self.largest) bytes")
            }
            let found = try AppSettings(bytes, named: file, section: section)
            return (try found.settings(scopes: scopes), found.remarks)
        }
        guard let authority else { return nil }
        let end = "/.well-known/openid-configuration"
        let text = authority.hasSuffix(end) ? String(authority.dropLast(end.count)) : authority
        let address: WebAddress
        do { address = try WebAddress(text) } catch { throw UsageError("\(error)", next: "correct --authority") }
        let setting = { (name: String) in { (value: String) in APISettings.Setting(name, value) } }
        let policy = address.segments.last { $0.lowercased().hasPrefix("b2c_1") }
        let settings = APISettings(
            .fastAPI, authority: address, host: setting("--authority")(text),
            policy: policy.map(setting("--authority")),
            audiences: audience.map(setting("--audience")),
            issuers: [issuer].compactMap(\.self).map(setting("--issuer")),
            scopes: scopes)
        return (settings, [])
    }
}
