import Susi

/// An application of policies.json before it is written: what an address, another program's configuration, flags and
/// answers say of it.
struct ApplicationDraft {
    /// The application's name in the file; nil leaves it to ``suggestedName``.
    var name: String?
    /// The kind of tenant, where somebody said it.
    var kind: AuthorityKind?
    /// The addresses that were read, the tenant's first.
    private(set) var addresses: [AddressReading] = []
    var clientID: String?
    /// The policies that somebody named.
    var policies: [DraftPolicy] = []
    /// The redirect ports that somebody named; they replace those of a redirect address.
    var redirectPorts: [UInt16] = []
    private var foundPorts: [UInt16] = []
    var redirectPath: String?
    var api: DraftAPI?
    private(set) var scopes: [String] = []

    /// A policy with what it is for, as far as that is known.
    struct DraftPolicy {
        let name: PolicyName
        /// Nil where neither somebody nor its name says it; it is then written as one that signs in.
        var kind: PolicyKind?
        /// Whether a sign-in can begin with it.
        var signsIn: Bool { kind == nil || kind == .signUpOrSignIn || kind == .resourceOwner }
    }

    /// A web API.
    struct DraftAPI {
        let name: String
        let baseURL: WebAddress
    }

    /// Takes an address with what its query says: the policy, the client id, the redirect address, the scopes.
    mutating func take(address: AddressReading) {
        addresses.append(address)
        clientID = clientID ?? address.clientID.flatMap { SchemaNode.Text.clientID.allows($0) ? $0 : nil }
        let query = address.text.split(separator: "?", maxSplits: 1).dropFirst().first?.prefix { $0 != "#" } ?? ""
        for (name, value) in FormEncoding.decode(query) ?? [] {
            switch name.lowercased() {
            case "redirect_uri": take(redirectAddress: value)
            case "scope": take(scopes: value.split(separator: " ").map(String.init))
            default: continue
            }
        }
    }

    /// Takes port and path of a redirect address on this machine; others are of no use here.
    mutating func take(redirectAddress text: String) {
        guard let address = try? WebAddress(text), address.isLoopback, address.scheme == "http",
            let port = address.port.flatMap({ UInt16(exactly: $0) }), !foundPorts.contains(port)
        else { return }
        foundPorts.append(port)
        let path = address.path.isEmpty ? "/" : address.path
        redirectPath = redirectPath ?? (SchemaNode.Text.path.allows(path) ? path : nil)
    }

    /// Takes scopes of an API; those of OpenID Connect and the application's own id are always asked for, or name no API.
    mutating func take(scopes more: [String]) {
        for scope in more where SchemaNode.Text.scope.allows(scope) && !scopes.contains(scope) {
            guard !OpenIDScopes.all.contains(scope), scope != clientID else { continue }
            scopes.append(scope)
        }
    }
}

extension ApplicationDraft {
    /// The kind, where it is certain: named, told by a host or a form, or that of any address without a tenant.
    var certainKind: AuthorityKind? {
        if let kind { return kind }
        guard let address = addresses.first else { return nil }
        return address.kind ?? (address.namesTenant ? nil : .openid)
    }

    /// The kind to suggest where several are possible.
    var likelyKind: AuthorityKind { .b2c }

    /// The tenant's address without a policy; nil where no address was read.
    func authority(_ kind: AuthorityKind) -> WebAddress? {
        addresses.first.map { $0.authority(of: kind) }
    }

    /// Why the address cannot be an authority of that kind; nil when it can.
    func complaint(_ kind: AuthorityKind) -> String? { authority(kind).flatMap { kind.complaint(about: $0) } }

    /// The policies: those that were named, else those of the addresses.
    func allPolicies(_ kind: AuthorityKind) -> [DraftPolicy] {
        guard policies.isEmpty, let authority = authority(kind) else { return policies }
        var found: [DraftPolicy] = []
        for address in addresses where address.authority(of: kind) == authority {
            guard let name = address.policy(kind), !found.contains(where: { $0.name == name }),
                SchemaNode.Text.policyName.allows(name.spelling)
            else { continue }
            found.append(DraftPolicy(name: name, kind: PolicyKind(guessing: name.spelling)))
        }
        return found
    }

    /// The name of the application where nobody named it.
    var suggestedName: String { addresses.first.map { $0.base.isLoopback } ?? false ? "development" : "production" }

    /// The redirect ports: those that were found or named, else the usual ones of the kind.
    func ports(_ kind: AuthorityKind) -> [UInt16] {
        if !redirectPorts.isEmpty { return redirectPorts }
        if !foundPorts.isEmpty { return foundPorts }
        return kind.ignoresRedirectPort ? [0] : [8400, 8401]
    }
}

extension AddressReading {
    /// Whether the path may begin with a tenant of Microsoft's: its name or its id.
    fileprivate var namesTenant: Bool {
        guard let first = base.segments.first(where: { $0.lowercased() != "tfp" })?.lowercased() else { return false }
        return first.hasSuffix(".onmicrosoft.com") || first.isGUID
    }
}

extension PolicyKind {
    /// The kind that a policy's name suggests; nil when it suggests none.
    init?(guessing name: String) {
        let name = name.lowercased().filter { $0 != "_" && $0 != "-" }
        let rows: [(PolicyKind, [String])] = [
            (.signUpOrSignIn, ["susi", "signupsignin", "signuporsignin", "signupandsignin"]),
            (.resourceOwner, ["ropc", "resourceowner"]),
            (.passwordReset, ["reset", "forgot"]),
            (.editProfile, ["edit", "profile"]),
            (.signUpOrSignIn, ["signin", "signup", "login"]),
        ]
        guard let kind = rows.first(where: { $0.1.contains(where: name.contains) })?.0 else { return nil }
        self = kind
    }
}
