import Susi

/// A draft of an application in policies.json, collected from an address, another program's configuration, options and
/// answers.
struct ApplicationDraft {
    /// The application's name in the file; `nil` means ``suggestedName``.
    var name: String?
    /// The kind of tenant, if it was named.
    var kind: AuthorityKind?
    /// The addresses read so far, the tenant's first.
    private(set) var addresses: [AddressReading] = []
    var clientID: String?
    /// The named policies.
    var policies: [DraftPolicy] = []
    /// The named redirect ports; they replace those of a redirect address.
    var redirectPorts: [UInt16] = []
    private var foundPorts: [UInt16] = []
    var redirectPath: String?
    var api: DraftAPI?
    private(set) var scopes: [String] = []

    /// A policy with its kind, if known.
    struct DraftPolicy {
        let name: PolicyName
        /// The kind; `nil` if it was not named and cannot be guessed from the policy's name. It is then written as
        /// signUpOrSignIn.
        var kind: PolicyKind?
        /// Whether a sign-in can start with this policy.
        var signsIn: Bool { kind == nil || kind == .signUpOrSignIn || kind == .resourceOwner }
    }

    struct DraftAPI {
        let name: String
        let baseURL: WebAddress
    }

    /// Adds an address with the parameters of its query: the policy, the client id, the redirect address, the scopes.
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

    /// Adds port and path of a redirect address on this machine; ignores other addresses.
    mutating func take(redirectAddress text: String) {
        guard let address = try? WebAddress(text), address.isLoopback, address.scheme == "http",
            let port = address.port.flatMap({ UInt16(exactly: $0) }), !foundPorts.contains(port)
        else { return }
        foundPorts.append(port)
        let path = address.path.isEmpty ? "/" : address.path
        redirectPath = redirectPath ?? (SchemaNode.Text.path.allows(path) ? path : nil)
    }

    /// Adds scopes of an API. Ignores those of OpenID Connect, which are always requested, and the application's own
    /// id, which names no API.
    mutating func take(scopes more: [String]) {
        for scope in more where SchemaNode.Text.scope.allows(scope) && !scopes.contains(scope) {
            guard !OpenIDScopes.all.contains(scope), scope != clientID else { continue }
            scopes.append(scope)
        }
    }
}

extension ApplicationDraft {
    /// The kind, if it is certain: named, shown by the host or the form of the address, or `openid` for an address
    /// without a tenant.
    var certainKind: AuthorityKind? {
        if let kind { return kind }
        guard let address = addresses.first else { return nil }
        return address.kind ?? (address.namesTenant ? nil : .openid)
    }

    /// The kind to suggest if several are possible.
    var likelyKind: AuthorityKind { .b2c }

    /// Returns the tenant's address without a policy; `nil` if no address was read.
    func authority(_ kind: AuthorityKind) -> WebAddress? {
        addresses.first.map { $0.authority(of: kind) }
    }

    /// Returns why the address cannot be an authority of this kind; `nil` if it can.
    func complaint(_ kind: AuthorityKind) -> String? { authority(kind).flatMap { kind.complaint(about: $0) } }

    /// Returns the named policies, else those of the addresses.
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

    /// The application's name if none was given.
    var suggestedName: String { addresses.first.map { $0.base.isLoopback } ?? false ? "development" : "production" }

    /// Returns the named or found redirect ports, else the default ones of the kind.
    func ports(_ kind: AuthorityKind) -> [UInt16] {
        if !redirectPorts.isEmpty { return redirectPorts }
        if !foundPorts.isEmpty { return foundPorts }
        return kind.ignoresRedirectPort ? [0] : [8400, 8401]
    }
}

extension AddressReading {
    /// Whether the path may start with the name or id of a Microsoft tenant.
    fileprivate var namesTenant: Bool {
        guard let first = base.segments.first(where: { $0.lowercased() != "tfp" })?.lowercased() else { return false }
        return first.hasSuffix(".onmicrosoft.com") || first.isGUID
    }
}

extension PolicyKind {
    /// Guesses the kind from a policy's name; `nil` if the name suggests none.
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
