import Susi
import SusiBase

/// A policies.json with one application, created from a draft.
struct DraftFile {
    let text: String
    let application: Application
    private let draft: ApplicationDraft

    /// Creates the text and parses it. `issuer` is another spelling of the authority. Throws if the draft is incomplete
    /// or invalid.
    init(_ draft: ApplicationDraft, issuer: String? = nil) throws {
        self.draft = draft
        guard let kind = draft.certainKind, let authority = draft.authority(kind), let clientID = draft.clientID else {
            throw UsageError("no policies.json was written", why: "the draft is not complete")
        }
        try DraftRules.check(draft, kind)
        let application = JSONNode.Value.members([
            ("kind", .string(kind.rawValue)),
            (
                "authority",
                .string(issuer ?? (kind.traits.authorityIsIssuer ? authority.spelling : authority.description))
            ),
            ("clientId", .string(clientID)),
            ("redirectPorts", .array(draft.ports(kind).map { JSONNode(value: .number("\($0)")) })),
            ("policies", Self.policies(draft, kind)), ("apis", Self.apis(draft)),
        ])
        let name = draft.name ?? draft.suggestedName
        let file = JSONNode.Value.members([("applications", .members([(name, application)]))])
        text = JSONText.pretty(JSONNode(value: file), width: 120) + "\n"
        let read: PoliciesFile
        do { read = try PoliciesFile(text: text.utf8, source: "the new policies.json") } catch {
            throw SusiError(error, next: "\(SuggestedCommand("help", "init"))")
        }
        guard let found = read.application(nil) else {
            throw SusiError(.invalidConfiguration, "the new policies.json has no application")
        }
        // `.default` stands for all scopes of its API, and is refused beside others (AADSTS70011).
        let isMixed = draft.scopes.count > 1 && draft.scopes.contains { $0.hasSuffix("/.default") }
        guard found.areOfOneResource(draft.scopes), !isMixed else {
            throw UsageError(
                "the scopes do not go together",
                why: "\(draft.scopes.joined(separator: ", ")); a token is for one API, and .default stands alone",
                next: "\(draft.again.replacing("--scope", "SCOPE"))")
        }
        self.application = found
    }

    /// Returns the file with the final slash of the authority added or removed; `nil` if the slash does not matter.
    func withOtherSlash() throws -> DraftFile? {
        guard application.kind.traits.authorityIsIssuer else { return nil }
        let spelling = application.authority.spelling
        return try DraftFile(draft, issuer: spelling.hasSuffix("/") ? String(spelling.dropLast()) : "\(spelling)/")
    }

    private static func policies(_ draft: ApplicationDraft, _ kind: AuthorityKind) -> JSONNode.Value? {
        var policies = draft.allPolicies(kind)
        let path = draft.redirectPath.flatMap { $0 == "/" ? nil : $0 }
        let ownScopes = draft.api == nil ? draft.scopes : []
        if policies.isEmpty, path != nil || !ownScopes.isEmpty {
            policies = [.init(name: PolicyName("default"), kind: .signUpOrSignIn)]
        }
        guard !policies.isEmpty else { return nil }
        let signIns = policies.filter { $0.kind ?? .signUpOrSignIn == .signUpOrSignIn }
        return .members(
            policies.map { policy in
                let isDefault = signIns.count > 1 && policy.name == signIns[0].name
                let isFirst = policy.name == (signIns.first ?? policies[0]).name
                return (
                    policy.name.spelling,
                    .members([
                        ("kind", .string((policy.kind ?? .signUpOrSignIn).rawValue)),
                        ("default", isDefault ? .bool(true) : nil),
                        ("scopes", isFirst && !ownScopes.isEmpty ? .list(ownScopes) : nil),
                        ("redirectPath", path.map { .string($0) }),
                    ])
                )
            })
    }

    private static func apis(_ draft: ApplicationDraft) -> JSONNode.Value? {
        draft.api.map { api in
            .members([
                (
                    api.name,
                    .members([("baseUrl", .string(api.baseURL.description)), ("scopes", .list(draft.scopes))])
                )
            ])
        }
    }
}
