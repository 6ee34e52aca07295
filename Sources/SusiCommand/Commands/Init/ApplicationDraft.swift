import Susi

/// A draft of an application in policies.json, collected from an address, another program's configuration, options and
/// answers.
struct ApplicationDraft {
    /// The limit of policies, scopes and addresses; a file with more of them is no configuration.
    static let most = 100

    /// The application's name in the file; `nil` means ``suggestedName``.
    var name: String?
    /// The kind of tenant, if it was named.
    var kind: AuthorityKind?
    /// The addresses read so far, the tenant's first.
    private(set) var addresses: [AddressReading] = []
    /// The name of the tenant, if it was given in place of an address.
    var tenant: String?
    var clientID: String?
    /// The policies from options and answers; they add to those that were found.
    var policies: [DraftPolicy] = []
    /// What a file says about the kind and the policies.
    var found = Found()
    /// The named redirect ports; they replace those of a redirect address.
    var redirectPorts: [UInt16] = []
    private var foundPorts: [UInt16] = []
    var redirectPath: String?
    var api: DraftAPI?
    private var allScopes: [String] = []

    /// The file or address that values were read from, for messages.
    var sourceName = "the address"
    /// Whether the source is an address on the command line.
    var isTyped = true
    /// Where each value was read.
    private(set) var origins: [Origin] = []
    /// What was read and is not used.
    private(set) var leftOut: [String] = []
    /// The values that a file names and does not say.
    var unclear: [String] = []
    /// The command to run again, with the given options.
    var again = SuggestedCommand("init")

    struct Found {
        var kind: AuthorityKind?
        var policies: [DraftPolicy] = []
    }

    /// A value and the name that it has in the file it was read from.
    struct Origin: Encodable {
        let value: String
        let name: String
    }

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
    mutating func take(address: AddressReading, from name: String? = nil) {
        if let name, addresses.isEmpty { origins.append(Origin(value: "address", name: name)) }
        addresses.append(address)
        if let id = address.clientID, SchemaNode.Text.clientID.allows(id) { clientID = clientID ?? id }
        if let name, let policy = address.policy {
            take(
                policy: policy.spelling, PolicyKind(guessing: policy.spelling) ?? PolicyKind(guessing: name), from: name
            )
        }
        let query = address.text.split(separator: "?", maxSplits: 1).dropFirst().first?.prefix { $0 != "#" } ?? ""
        for (name, value) in FormEncoding.decode(query) ?? [] {
            switch name.lowercased() {
            case "redirect_uri": take(redirectAddress: value)
            case "scope": take(scopes: value.split(separator: " ").map(String.init))
            default: continue
            }
        }
    }

    /// Adds a client id of a file, unless one was named.
    mutating func take(clientID id: String, from name: String) {
        guard clientID == nil else { return }
        clientID = id
        origins.append(Origin(value: "client ID", name: name))
    }

    mutating func take(policy name: String, _ kind: PolicyKind?, from label: String) {
        let policy = DraftPolicy(name: PolicyName(name), kind: kind ?? PolicyKind(guessing: name))
        guard found.policies.count < Self.most, !found.policies.contains(where: { $0.name == policy.name }) else {
            return
        }
        found.policies.append(policy)
        origins.append(Origin(value: name, name: label))
    }

    mutating func take(api: DraftAPI, from name: String) {
        self.api = api
        origins.append(Origin(value: "API \(api.name)", name: name))
    }

    /// Adds port and path of a redirect address on this machine; others are not used.
    mutating func take(redirectAddress text: String) {
        guard let address = try? WebAddress(ignoringQuery: text), address.isLoopback, address.scheme == "http",
            let port = address.port.flatMap({ UInt16(exactly: $0) })
        else { return leaveOut("redirect address \(text)") }
        if !foundPorts.contains(port), foundPorts.count < Self.most { foundPorts.append(port) }
        let path = address.path.isEmpty ? "/" : address.path
        redirectPath = redirectPath ?? (SchemaNode.Text.path.allows(path) ? path : nil)
    }

    /// Adds something that is not used.
    mutating func leaveOut(_ what: String) {
        if leftOut.count < Self.most, !leftOut.contains(what) { leftOut.append(what) }
    }

    /// Adds scopes of an API. Ignores those of OpenID Connect, which are always requested, and the application's own
    /// id, which names no API.
    mutating func take(scopes more: [String]) {
        for scope in more where SchemaNode.Text.scope.allows(scope) && !allScopes.contains(scope) {
            guard !OpenIDScopes.all.contains(scope), scope.lowercased() != clientID?.lowercased(),
                allScopes.count < Self.most
            else { continue }
            allScopes.append(scope)
        }
    }

    /// The scopes of APIs.
    ///
    /// Where a scope contains its API, a word alone is the name of a permission, as an API's own configuration has it.
    var scopes: [String] { allScopes.filter { !isWord($0) } }
    /// The scopes that do not say to which API they belong.
    var unusedScopes: [String] { allScopes.filter(isWord) }

    private func isWord(_ scope: String) -> Bool {
        certainKind?.traits.scopesNameAPIs ?? false && !scope.contains("://") && !scope.contains(".") && !scope.isGUID
    }
}

extension ApplicationDraft {
    /// The kind, if it is certain: named, shown by the host or the form of the address or the names of policies, or
    /// `openid` for an address without a tenant.
    var certainKind: AuthorityKind? {
        if let kind = kind ?? found.kind ?? addresses.first?.kind { return kind }
        if let kind = AuthorityKind.ofPolicies(policies.map(\.name.spelling)) { return kind }
        guard let address = addresses.first else { return nil }
        return address.namesTenant ? nil : .openid
    }

    /// The kind to suggest if several are possible.
    var likelyKind: AuthorityKind { .b2c }

    /// Whether the address is known, or follows from the tenant's name.
    var hasAddress: Bool { !addresses.isEmpty || tenant != nil }

    /// Returns the tenant's address without a policy; `nil` if no address was read.
    func authority(_ kind: AuthorityKind) -> WebAddress? {
        guard let address = addresses.first else { return tenant.flatMap(kind.address(ofTenant:)) }
        return Self.authority(of: address, kind)
    }

    private static func authority(of address: AddressReading, _ kind: AuthorityKind) -> WebAddress {
        let authority = address.authority(of: kind)
        return kind.replacement(for: authority) ?? authority
    }

    /// The address that another one replaces, because the service no longer answers there.
    func replaced(_ kind: AuthorityKind) -> WebAddress? {
        addresses.first.map { $0.authority(of: kind) }.flatMap { kind.replacement(for: $0) == nil ? nil : $0 }
    }

    /// Returns why the address cannot be an authority of this kind; `nil` if it can.
    func complaint(_ kind: AuthorityKind) -> String? { authority(kind).flatMap { kind.complaint(about: $0) } }

    /// Returns the policies of the addresses, of the file and from options, each once. An option decides about the kind
    /// of a policy.
    func allPolicies(_ kind: AuthorityKind) -> [DraftPolicy] {
        var all: [DraftPolicy] = []
        func add(_ policy: DraftPolicy) {
            guard let index = all.firstIndex(where: { $0.name == policy.name }) else { return all.append(policy) }
            all[index].kind = policy.kind ?? all[index].kind
        }
        if kind.traits.hasPolicies {
            found.policies.forEach(add)
            let authority = authority(kind)
            for address in addresses where Self.authority(of: address, kind) == authority {
                guard let name = address.policy(kind), SchemaNode.Text.policyName.allows(name.spelling),
                    !all.contains(where: { $0.name == name })
                else { continue }
                add(DraftPolicy(name: name, kind: PolicyKind(guessing: name.spelling)))
            }
        }
        policies.forEach(add)
        return all
    }

    /// The application's name if none was given.
    var suggestedName: String { addresses.first?.base.isLoopback ?? false ? "development" : "production" }

    /// Returns the named or found redirect ports, else the default ones of the kind.
    func ports(_ kind: AuthorityKind) -> [UInt16] {
        if !redirectPorts.isEmpty { return redirectPorts }
        if !foundPorts.isEmpty { return foundPorts }
        return kind.traits.ignoresRedirectPort ? [0] : [8400, 8401]
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

extension ApplicationDraft.DraftAPI {
    /// Returns a name for an API without one: the last part of its path that is a valid name.
    static func name(of address: WebAddress) -> String {
        let isVersion = { (text: String) in
            text.first == "v" && text.dropFirst().allSatisfy { $0.isNumber || $0 == "." }
        }
        return address.segments.last { SchemaNode.Text.name.allows($0) && !isVersion($0) } ?? "api"
    }
}
