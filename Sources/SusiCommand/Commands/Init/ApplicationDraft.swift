import Susi
import SusiBase

/// A draft of an application in policies.json, collected from an address, another program's configuration, options and
/// answers.
struct ApplicationDraft {
    /// The application's name in the file; `nil` means ``suggestedName``.
    var name: String?
    /// The kind of tenant, if it was named.
    var kind: AuthorityKind?
    /// The tenant's address.
    private(set) var address: AddressReading?
    // Whether the address also names the policy to sign in with.
    private var addressHasPolicy = true
    /// The name of the tenant, if it was given in place of an address.
    var tenant: String?
    /// The tenant of an option: one of those of a file, or another one.
    var wantedTenant: String?
    var clientID: String?
    /// The policies from options and answers; they add to those that were found.
    var policies: [DraftPolicy] = []
    /// What a file says about the kind and the policies.
    var foundKind: AuthorityKind?
    private var foundPolicies: [DraftPolicy] = []
    /// The named redirect ports; they replace those of a redirect address.
    var redirectPorts: [UInt16] = []
    private var foundPorts: [UInt16] = []
    var redirectPath: String?
    var api: DraftAPI?
    /// The scopes of APIs.
    private(set) var scopes: [String] = []

    /// The tenant's ID, for a local copy.
    var tenantID: String?
    /// The registrations that files show.
    var registrations: [TenantFacts.Registration] = []
    /// Whether a local copy of the tenant has these registrations too.
    var isCopied = false

    /// The files or the address that values were read from, for messages.
    var sourceName = "the address"
    /// Whether the source is an address on the command line.
    var isTyped = true
    /// Where each value was read.
    private(set) var origins: [Origin] = []
    /// What was read and is not used.
    private(set) var leftOut: [String] = []
    /// Why values of a file are missing.
    private(set) var reasons: [(need: Need, why: String)] = []
    /// The file with the variables that a program reads.
    var variablesFile: String?
    /// The command to run again, with the given options.
    var again = SuggestedCommand("init")

    /// A value without which no file is written.
    enum Need: CaseIterable {
        case tenant, kind, clientID, policy, scope

        var label: String {
            switch self {
            case .tenant: "the address of the tenant"
            case .kind: "the kind of tenant"
            case .clientID: "the client ID"
            case .policy: "a policy that signs in"
            case .scope: "the scope of the API"
            }
        }
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

    /// Adds the address of a file.
    mutating func take(address: AddressReading, from name: String) {
        origins.append(Origin(value: "address", name: name))
        (self.address, addressHasPolicy) = (address, false)
    }

    /// Adds a typed address with the parameters of its query: the client id, the redirect address, the scopes.
    mutating func take(address: AddressReading) {
        self.address = address
        clientID = clientID ?? address.clientID
        let query = address.text.split(separator: "?", maxSplits: 1).dropFirst().first?.prefix { $0 != "#" } ?? ""
        for (name, value) in FormEncoding.decode(query) ?? [] {
            switch name.lowercased() {
            case "redirect_uri": take(redirectAddress: value)
            case "scope": take(scopes: value.split(separator: " ").map(String.init))
            default: continue
            }
        }
    }

    /// Leaves a value of a file open.
    mutating func open(_ need: Need, _ why: [String]) { reasons += why.prefix(5).map { (need, $0) } }

    /// Adds the client id of a file.
    mutating func take(clientID id: String, from name: String) {
        clientID = id
        origins.append(Origin(value: "client ID", name: name))
    }

    /// Adds the client id of another application: the copy of the tenant has it, and susi does not use it.
    mutating func take(foreignID id: TenantFacts.Found<String>, of what: String) {
        guard id.value != clientID else { return }
        if isCopied {
            origins.append(Origin(value: "client ID of \(what)", name: id.label))
        } else {
            leaveOut("client ID \(id.value) in \(id.label), that of \(what)")
        }
    }

    mutating func take(policy name: PolicyName, _ kind: PolicyKind, from label: String) {
        guard !foundPolicies.contains(where: { $0.name == name }) else { return }
        foundPolicies.append(DraftPolicy(name: name, kind: kind))
        origins.append(Origin(value: name.spelling, name: label))
    }

    mutating func take(scopes more: [String], from name: String) {
        take(scopes: more)
        origins.append(Origin(value: "scopes", name: name))
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
        if !foundPorts.contains(port) { foundPorts.append(port) }
        let path = address.path.isEmpty ? "/" : address.path
        redirectPath = redirectPath ?? (SchemaNode.Text.path.allows(path) ? path : nil)
    }

    /// Adds something that is not used; once, even if it was found twice.
    mutating func leaveOut(_ what: String) {
        if !leftOut.contains(what) { leftOut.append(what) }
    }

    /// Adds scopes of an API. Ignores those of OpenID Connect, which are always requested, and the application's own
    /// id, which names no API.
    mutating func take(scopes more: [String]) {
        for scope in more where SchemaNode.Text.scope.allows(scope) && !scopes.contains(scope) {
            guard !OpenIDScopes.all.contains(scope), scope.lowercased() != clientID?.lowercased() else { continue }
            scopes.append(scope)
        }
    }
}

extension ApplicationDraft {
    /// The kind, if it is certain: named, shown by the host or the form of the address or the names of policies, or
    /// `openid` for an address without a tenant.
    var certainKind: AuthorityKind? {
        if let kind = kind ?? foundKind ?? address?.kind { return kind }
        if let kind = AuthorityKind.ofPolicies(policies.map(\.name.spelling)) { return kind }
        guard let address else { return nil }
        return address.namesTenant ? nil : .openid
    }

    /// The values that are missing.
    var missing: [Need] {
        let kind = certainKind
        let lacksPolicy = kind.map { $0.traits.hasPolicies && !allPolicies($0).contains(where: \.signsIn) } ?? false
        return Need.allCases.filter { need in
            switch need {
            case .tenant: !hasAddress
            case .kind: hasAddress && kind == nil
            case .clientID: clientID == nil
            case .policy: lacksPolicy
            case .scope: api != nil && scopes.isEmpty
            }
        }
    }

    /// Whether the address is known, or follows from the tenant's name.
    var hasAddress: Bool { address != nil || tenant != nil }

    /// Returns the tenant's address without a policy; `nil` if no address was read.
    func authority(_ kind: AuthorityKind) -> WebAddress? {
        guard let own = address?.authority(of: kind) else { return tenant.flatMap(kind.address(ofTenant:)) }
        return kind.replacement(for: own) ?? own
    }

    /// The address that another one replaces, because the service no longer answers there.
    func replaced(_ kind: AuthorityKind) -> WebAddress? {
        address.map { $0.authority(of: kind) }.flatMap { kind.replacement(for: $0) == nil ? nil : $0 }
    }

    /// Returns the policies of the file, of a typed address and from options, each once. An option decides about the kind
    /// of a policy.
    func allPolicies(_ kind: AuthorityKind) -> [DraftPolicy] {
        var all = kind.traits.hasPolicies ? foundPolicies : []
        if addressHasPolicy, let name = address?.policy(kind) {
            all.append(DraftPolicy(name: name, kind: PolicyKind(guessing: name.spelling)))
        }
        for policy in policies {
            if let index = all.firstIndex(where: { $0.name == policy.name }) {
                all[index].kind = policy.kind ?? all[index].kind
            } else {
                all.append(policy)
            }
        }
        return all
    }

    /// The application's name if none was given.
    var suggestedName: String { address?.base.isLoopback ?? false ? "development" : "production" }

    /// Returns the named redirect ports, that of a typed address, or the default ones of the kind. The port of a page comes
    /// after them: a copy of the tenant accepts the page, and susi does not take the port from its server.
    func ports(_ kind: AuthorityKind) -> [UInt16] {
        if !redirectPorts.isEmpty { return redirectPorts }
        if isTyped, !foundPorts.isEmpty { return foundPorts }
        return kind.traits.ignoresRedirectPort ? [0] : [8400, 8401] + foundPorts.filter { ![8400, 8401].contains($0) }
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
        address.segments.last(where: SchemaNode.Text.name.allows) ?? "api"
    }
}
