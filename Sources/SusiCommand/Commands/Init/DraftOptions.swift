import ArgumentParser
import Susi
import SusiBase

/// Options of `susi init` that replace its questions.
struct DraftOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Application (client) ID", valueName: "id"))
    var clientID: String?

    @Option(help: ArgumentHelp("Tenant, if the file names several or none: its address or name", valueName: "tenant"))
    var tenant: String?

    @Option(
        name: [.customShort("p"), .long],
        help: ArgumentHelp(
            "Policy; the kind is guessed from the name unless given: signUpOrSignIn, editProfile, passwordReset or resourceOwner; repeatable",
            valueName: "name[=kind]"))
    var policy: [String] = []

    @Option(help: ArgumentHelp("Web API and its base address", valueName: "name=url"))
    var api: String?

    @Option(help: ArgumentHelp("Scope of the API; repeatable", valueName: "scope"))
    var scope: [String] = []

    @Option(help: ArgumentHelp("Kind of tenant: \(AuthorityKind.list)", valueName: "kind"))
    var kind: String?

    @Option(help: ArgumentHelp("Name of the application in the file", valueName: "name"))
    var name: String?

    @Option(help: ArgumentHelp("Loopback port for the redirect; 0 picks a free one; repeatable", valueName: "port"))
    var redirectPort: [UInt16] = []

    /// Puts the values into a draft, before any other source. Throws if a value is invalid.
    func fill(_ draft: inout ApplicationDraft) throws {
        if let kind { draft.kind = try Self.checked("--kind", kind, as: DraftValue.kind) }
        if let name { draft.name = try Self.checked("--name", name, as: DraftValue.name) }
        if let clientID { draft.clientID = try Self.checked("--client-id", clientID, as: DraftValue.clientID) }
        for text in policy { draft.policies.append(try Self.checked("--policy", text, as: DraftValue.policy)) }
        if let api { draft.api = try Self.checked("--api", api, as: DraftValue.api) }
        draft.tenant = tenant
        draft.redirectPorts = redirectPort
        draft.scopes = try scope.map { try Self.checked("--scope", $0, as: DraftValue.scope) }
    }

    private static func checked<T>(
        _ option: String, _ text: String, as parse: (String) throws(DraftValue.Refused) -> T
    ) throws -> T {
        do { return try parse(text) } catch {
            throw UsageError("invalid value “\(text)” for \(option)", why: error.reason, next: "susi help init")
        }
    }

    /// Adds the given options to a suggested command.
    func completing(_ command: SuggestedCommand) -> SuggestedCommand {
        var given = [("--tenant", tenant), ("--client-id", clientID)] + policy.map { ("--policy", $0) }
        given += [("--api", api)] + scope.map { ("--scope", $0) } + [("--kind", kind), ("--name", name)]
        given += redirectPort.map { ("--redirect-port", "\($0)") }
        return given.reduce(command) { $0.option($1.0, $1.1) }
    }
}

/// Parsers for values; options and answers use the same rules.
enum DraftValue {
    /// The reason why a value is not accepted.
    struct Refused: Error {
        let reason: String
    }

    static func clientID(_ text: String) throws(Refused) -> String { try allowed(text, .clientID) }

    /// Parses an answer, for a tenant of that kind that is not on this machine.
    static func clientID(_ text: String, _ kind: AuthorityKind) throws(Refused) -> String {
        let id = try clientID(text)
        if let reason = DraftRules.complaint(aboutClientID: id, kind) { throw Refused(reason: reason) }
        return id
    }

    static func scope(_ text: String) throws(Refused) -> String { try allowed(text, .scope) }

    static func name(_ text: String) throws(Refused) -> String { try allowed(text, .name) }

    static func kind(_ text: String) throws(Refused) -> AuthorityKind {
        try choice(text, AuthorityKind.allCases)
    }

    static func policyKind(_ text: String) throws(Refused) -> PolicyKind { try choice(text, PolicyKind.allCases) }

    /// Parses `NAME` or `NAME=KIND`.
    static func policy(_ text: String) throws(Refused) -> ApplicationDraft.DraftPolicy {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = try allowed(parts[0], .policyName)
        let kind = parts.count > 1 ? try policyKind(parts[1]) : PolicyKind(guessing: name)
        return ApplicationDraft.DraftPolicy(name: PolicyName(name), kind: kind)
    }

    /// Parses `NAME=URL`, or a URL whose path provides the name.
    static func api(_ text: String) throws(Refused) -> ApplicationDraft.DraftAPI {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        let isNamed = parts.count > 1 && !parts[0].contains("/")
        let address: WebAddress
        do { address = try WebAddress(isNamed ? parts[1] : text) } catch { throw Refused(reason: error.reason) }
        guard address.isSecure else { throw Refused(reason: "expected \(SchemaNode.Text.address.expected)") }
        let name = isNamed ? try allowed(parts[0], .name) : ApplicationDraft.DraftAPI.name(of: address)
        return ApplicationDraft.DraftAPI(name: name, baseURL: address)
    }

    /// Parses an address from the portal; the scheme may be missing before a host of the services.
    static func address(_ text: String) throws(Refused) -> AddressReading {
        let whole = text.contains("://") ? text : "https://\(text)"
        guard whole == text || (try? WebAddress(ignoringQuery: whole)).flatMap(AuthorityKind.ofServiceHost) != nil
        else {
            throw Refused(reason: "expected a whole address such as https://HOST/TENANT")
        }
        do { return try AddressReading(whole, seesOldAddresses: true) } catch { throw Refused(reason: error.reason) }
    }

    private static func allowed(_ text: String, _ kind: SchemaNode.Text) throws(Refused) -> String {
        guard kind.allows(text) else { throw Refused(reason: "expected \(kind.expected)") }
        return text
    }

    // Ignores case, because users type these words.
    private static func choice<T: RawRepresentable<String>>(_ text: String, _ all: [T]) throws(Refused) -> T {
        if let found = all.first(where: { $0.rawValue.lowercased() == text.lowercased() }) { return found }
        let names = all.map(\.rawValue)
        let meant = NearMatch.of(text, in: names).map { "; did you mean “\($0)”?" } ?? ""
        throw Refused(reason: "supported: \(names.joined(separator: ", "))\(meant)")
    }
}
