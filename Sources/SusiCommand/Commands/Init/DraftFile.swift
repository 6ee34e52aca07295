import Susi
import SusiBase

/// A policies.json with one application, created from a draft.
struct DraftFile {
    let text: String
    let application: Application
    let values: DraftValues

    /// Creates the text and parses it. `issuer` is another spelling of the authority. Throws if the values are incomplete
    /// or invalid.
    init(_ values: DraftValues, issuer: String? = nil) throws {
        self.values = values
        guard let kind = values.kind, let authority = values.authority(kind), let clientID = values.clientID else {
            throw UsageError("no policies.json was written", why: "the draft is not complete")
        }
        try DraftRules.check(values, kind)
        let spelled = kind.traits.authorityIsIssuer ? authority.spelling : authority.description
        let base = try WebAddress(issuer ?? spelled)
        text = PoliciesFile.text(of: [
            Application(
                name: values.name, kind: kind, authority: base, clientID: clientID,
                redirectPorts: values.ports(kind), policies: Self.policies(values),
                knownAuthorities: KnownAuthorities(own: Authority(kind: kind, base: base, policy: "default")),
                apis: values.api.map { [API(name: $0.name, baseURL: $0.baseURL, scopes: values.scopes)] } ?? [])
        ])
        let read: PoliciesFile
        do { read = try PoliciesFile(text: text.utf8, source: "the new policies.json") } catch {
            throw SusiError(error, next: "\(SuggestedCommand("help", "init"))")
        }
        guard let found = read.application(nil) else {
            throw SusiError(.invalidConfiguration, "the new policies.json has no application")
        }
        // `.default` stands for all scopes of its API, and is refused beside others (AADSTS70011).
        let isMixed = values.scopes.count > 1 && values.scopes.contains { $0.hasSuffix("/.default") }
        guard found.areOfOneResource(values.scopes), !isMixed else {
            throw UsageError(
                "the scopes do not go together",
                why: "\(values.scopes.joined(separator: ", ")); a token is for one API, and .default stands alone",
                next: "\(values.draft.again.replacing("--scope", "SCOPE"))")
        }
        self.application = found
    }

    /// Returns the file with the final slash of the authority added or removed; `nil` if the slash does not matter.
    func withOtherSlash() throws -> DraftFile? {
        guard application.kind.traits.authorityIsIssuer else { return nil }
        let spelling = application.authority.spelling
        return try DraftFile(values, issuer: spelling.hasSuffix("/") ? String(spelling.dropLast()) : "\(spelling)/")
    }

    private static func policies(_ values: DraftValues) -> [Policy] {
        var policies = values.policies
        let path = values.redirectPath ?? "/"
        let ownScopes = values.api == nil ? values.scopes : []
        if policies.isEmpty, path != "/" || !ownScopes.isEmpty {
            policies = [.init(name: PolicyName("default"), kind: .signUpOrSignIn)]
        }
        let signIns = policies.filter { $0.kind ?? .signUpOrSignIn == .signUpOrSignIn }
        return policies.map { policy in
            let isFirst = policy.name == (signIns.first ?? policies[0]).name
            return Policy(
                name: policy.name, kind: policy.kind ?? .signUpOrSignIn,
                isDefault: signIns.count > 1 && policy.name == signIns[0].name, scopes: isFirst ? ownScopes : [],
                redirectPath: path)
        }
    }
}
