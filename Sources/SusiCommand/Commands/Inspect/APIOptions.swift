import ArgumentParser
import Susi
import SusiBase
import SusiStartup
import SusiTools

/// The options that tell what an API demands of a token.
struct APIOptions: ParsableArguments {
    @Option(
        name: .customLong("for-api"), parsing: .upToNextOption,
        help: ArgumentHelp(
            "Check as this API does: its appsettings.json, and files over it", valueName: "file"),
        completion: .file())
    var given: [String] = []

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

    private var files: [String] { given.filter { !Self.isSource($0) } }

    /// A source of the token that was typed after the files.
    var source: String? { given.first(where: Self.isSource) }

    private static func isSource(_ word: String) -> Bool { word == InputFile.standardInput || word.hasPrefix("@") }

    func validate() throws {
        let own = authority != nil || issuer != nil || !audience.isEmpty
        if !files.isEmpty, own {
            throw ValidationError("--for-api cannot be combined with --authority, --audience or --issuer")
        }
        if files.isEmpty, section != nil { throw ValidationError("--section needs --for-api") }
        if files.isEmpty, !given.isEmpty { throw ValidationError("--for-api needs the file with the API’s settings") }
        guard files.isEmpty, own || !scope.isEmpty else { return }
        if authority == nil || audience.isEmpty {
            throw ValidationError(
                "--authority and --audience belong together\nor name the API’s settings with --for-api")
        }
    }

    /// Returns the settings with remarks about them; `nil` if no API is named.
    func settings() async throws -> (settings: APISettings, remarks: [String])? {
        guard files.isEmpty else { return try await settings(of: files) }
        guard let authority else { return nil }
        let end = "/.well-known/openid-configuration"
        let text = authority.hasSuffix(end) ? String(authority.dropLast(end.count)) : authority
        let address: WebAddress
        do { address = try WebAddress(text) } catch { throw UsageError("\(error)", next: "correct --authority") }
        var settings = APISettings(address, places: ["--authority"], isExact: true)
        settings.audiences = audience.map { .init("--audience", $0) }
        settings.issuers = issuer.map { [.init("--issuer", $0)] } ?? []
        settings.claims = Self.claims
        settings.permissions = scope.isEmpty ? [] : [.init("--scope", scopes: scope)]
        return (settings, [])
    }

    /// The claims that fastapi-azure-auth reads.
    private static let claims: [APISettings.Claim] =
        [.init("aud", type: "a string")] + ["iat", "nbf", "sub", "iss"].map { .init($0) } + [
            .init("ver", values: ["1.0", "2.0"]), .init("acr", values: ["0", "1"], isOptional: true),
            .init("scp", type: "a string", isOptional: true),
        ]

    private func settings(of files: [String]) async throws -> (settings: APISettings, remarks: [String]) {
        var contents: [(name: String, bytes: [UInt8])] = []
        for file in files {
            let bytes = try await InputFile.read(file, limit: Self.largest)
            guard bytes.count <= Self.largest else {
                throw UsageError("“\(file)” cannot be read", why: "it is larger than \(Self.largest) bytes")
            }
            contents.append((file, bytes))
        }
        let found = try AppSettings(contents, section: section) { ProcessEnvironment.current[$0] }
        let more = files[0].replacing(".json", with: ".Development.json")
        let isUnread = !files.contains(more) && SmallFile.exists(more)
        let remark = "\(more) was not read: type it after \(files[0]) if the API runs in Development"
        return (try found.settings(scopes: scope), found.remarks + (isUnread ? [remark] : []))
    }
}
