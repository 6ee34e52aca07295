import SusiBase
import SusiPolicies

extension TenantConfiguration {
    static let shape = SchemaNode.object([kindField] + entries.map(\.field))

    private static let kindField = SchemaNode.Field(
        "kind", .choice(AuthorityKind.allCases.map(\.rawValue)), required: true, "the kind of tenant")

    /// The keys of a tenant except its kind.
    static let entries: [Entry<TenantConfiguration>] = [
        .init("id", \.id, .text(.guid), "the tenant ID; derived from the name by default"),
        .init(
            "userAttributes", \.attributeTypes, .types,
            "the types of user attributes by claim name; any other has the type of its value"),
        policyMap, applicationMap, apiMap, userList,
        .init(
            "listsUsers", \.listsUsers, .flag,
            "whether the sign-in page lists the first users for sign-in with one click"),
        .init("usersFile", \.usersFile, .file, "a file of more users, one JSON object per line"),
        .init(
            "usersOf", \.usersOf, .text(.name),
            "the tenant of the kind b2c with the same ID and users; only for the kind external"),
        .init(
            "lifetimes", \.lifetimes, .object(Lifetimes.entries, usual: Lifetimes()),
            "lifetimes, as whole numbers with s, m, h or d; digits alone mean seconds"),
        .init("refreshRotation", \.refreshRotation, .choice, "what happens to a used refresh token"),
        .init(
            "issuerForm", \.issuerForm, .choice,
            "the format of the issuer: tenant is the default; policy is for the kind b2c only, trailingSlash for the kind openid only, tenantHost for the kind external only"
        ),
        .init(
            "redirectPorts", \.redirectPorts, .choice,
            "whether the port of a redirect address at http://localhost must match"),
        .init("issuerParameter", \.issuerParameter, .choice, "whether redirects include the issuer (RFC 9207)"),
        .init("algorithm", \.algorithm, .choice, "the signature algorithm of tokens"),
        .init("numbersAsStrings", \.numbersAsStrings, .flag, "whether token responses write numbers as strings"),
        .init(
            "refreshGivesIdToken", \.refreshGivesIDToken, .flag,
            "whether the response to a refresh includes an id token"),
        .init("declines", \.declines, .texts(.scope), "scopes that are silently not granted"),
        .init(
            "userConsent", \.userConsent, .texts(.scope),
            "scopes that each user must consent to once; not for the kind b2c"),
        .init(
            "administratorConsent", \.administratorConsent, .texts(.scope),
            "scopes that only an administrator can consent to"),
        .init(
            "groupLimit", \.groupLimit, .count,
            "the maximum number of groups in a token; of more, the token says where they are listed; for the kinds entra and external"
        ),
        .init(
            "claimedParameters", \.claimedParameters, .texts(.name),
            "parameters of the authorization request that become claims of the id token"),
        .init(
            "allowedHosts", \.allowedHosts, .texts(.name),
            "hosts besides this machine to which the emulator may send what policies say about users"),
        .init(
            "trustedCertificates", \.trustedCertificates, .file,
            "a PEM file of authorities to trust besides the system's when your code is called over https"),
        .init(
            "extensionsAppId", \.extensionsAppID, .text(.guid),
            "the client ID of b2c-extensions-app, a part of the names of custom attributes in requests to your code"),
        .init(
            "policyFolder", \.policyFolder, .policyFolder,
            "the folder of the tenant's custom policies (Identity Experience Framework); only for the kind b2c"),
        .init(
            "policyKeys", \.policyKeys, .secrets,
            "the secrets of policy keys by name, such as B2C_1A_RestKey, that custom policies send to your services"),
        errorMap,
    ]

    private static let errorMap = Entry<TenantConfiguration>(
        field: SchemaNode.Field(
            "errors", .map(of: .text(.oauthError), name: .name),
            "OAuth errors by code, for example for AADB2C90088, instead of the default ones; only for the kind b2c"),
        read: { (node, tenant, reader) throws(PolicyFileError) in
            tenant.errors = [:]
            try node.forEachMember { (member) throws(PolicyFileError) in
                guard ErrorCode.b2cCodes.contains(member.name) else {
                    throw reader.mistake(
                        member.node, "unknown error code",
                        expected: "a code that the emulator returns, such as “AADB2C90088”",
                        nearMatch: NearMatch.of(member.name, in: ErrorCode.b2cCodes))
                }
                tenant.errors[member.name] = member.node.string
            }
        },
        write: { tenant, usual in
            tenant.errors == usual?.errors ? nil : JSONNode(.object(tenant.errors.mapValues(JSON.string)))
        })

    private static let policyMap = Entry<TenantConfiguration>(
        field: SchemaNode.Field("policies", .map(of: Policy.tenantShape, name: .policyName), "the policies by name"),
        read: { (node, tenant, reader) throws(PolicyFileError) in
            var mistakes = MistakeList()
            let kind = tenant.kind
            let policies = mistakes.reading(try Policy.read(node, of: kind, reader))
            tenant.policies = policies ?? []
            tenant.settings = [:]
            _ = mistakes.trying { () throws(PolicyFileError) in
                try node.forEachMember { (member) throws(PolicyFileError) in
                    var settings = PolicySettings()
                    try PolicySettings.entries.read(member.node, into: &settings, reader)
                    settings.offer = member.node["kind"]?.string.flatMap(PolicySettings.Offer.init) ?? settings.offer
                    if settings.offer != .signUpOrSignIn, !kind.traits.hasPolicies {
                        throw reader.mistake(
                            member.node["kind"] ?? member.node,
                            "a tenant of the kind “\(kind.rawValue)” has no policy of kind “\(settings.offer.rawValue)”",
                            expected: "“signUpOrSignIn” or “resourceOwner”"
                        ).under("kind")
                    }
                    if settings != PolicySettings() { tenant.settings[PolicyName(member.name)] = settings }
                }
            }
            try mistakes.finish()
        },
        write: { tenant, usual in
            let known = usual?.policies ?? []
            let policies = tenant.policies.isEmpty ? known : tenant.policies
            guard policies != known || !tenant.settings.isEmpty else { return nil }
            return .object(
                policies.map { policy in
                    JSONNode.Member(policy.name.spelling, policy.written(tenant.settings(of: policy.name)))
                })
        })

    private static let applicationMap = Entry<TenantConfiguration>(
        field: SchemaNode.Field(
            "applications", .map(of: RegisteredApplication.entries.shape(), name: .clientID),
            "the applications by application (client) ID"),
        read: { (node, tenant, reader) throws(PolicyFileError) in
            tenant.applications = []
            try node.forEachMember { (member) throws(PolicyFileError) in
                var application = RegisteredApplication(clientID: member.name, redirectAddresses: [])
                let isThere = tenant.application(member.name) != nil
                if isThere { throw reader.mistake(member.node, "the client ID differs from another one only by case") }
                try RegisteredApplication.entries.read(member.node, into: &application, reader)
                if let twice = application.repeatedAddress {
                    throw reader.mistake(
                        member.node, "duplicate redirect address “\(twice)”", expected: "each address in one list")
                }
                tenant.applications.append(application)
            }
        },
        write: { tenant, _ in
            let members = tenant.applications.map { application in
                let usual = RegisteredApplication(clientID: application.clientID, redirectAddresses: [])
                let entries = RegisteredApplication.entries.written(application, usual: usual)
                return JSONNode.Member(application.clientID, entries)
            }
            return members.isEmpty ? nil : .object(members)
        })

    private static let apiMap = Entry<TenantConfiguration>(
        field: SchemaNode.Field("apis", .map(of: RegisteredAPI.shape, name: .name), "the web APIs by name"),
        read: { (node, tenant, reader) throws(PolicyFileError) in
            tenant.apis = []
            try node.forEachMember { (member) throws(PolicyFileError) in
                tenant.apis.append(try RegisteredAPI(member.name, member.node, kind: tenant.kind, reader))
            }
        },
        write: { tenant, _ in
            let members = tenant.apis.map { JSONNode.Member($0.name, $0.written) }
            return members.isEmpty ? nil : .object(members)
        })

    private static let userList = Entry<TenantConfiguration>(
        field: SchemaNode.Field(
            "users", .list(of: User.entries.shape(), atLeast: 0),
            "the initial users; default: Ana, Ben and Chi"),
        read: { (node, tenant, reader) throws(PolicyFileError) in
            var names = UserNames()
            tenant.users = []
            var mistakes = MistakeList()
            for (index, element) in (node.array ?? []).enumerated() {
                _ = mistakes.trying { () throws(PolicyFileError) in
                    do throws(PolicyFileError) {
                        let user = try User(element, of: tenant, reader)
                        if let twice = names.add(user) {
                            throw reader.mistake(element, "duplicate name “\(twice)”")
                        }
                        tenant.users.append(user)
                    } catch { throw error.under("\(index)") }
                }
            }
            try mistakes.finish()
        },
        write: { tenant, usual in
            tenant.users == usual?.users ? nil : .array(tenant.users.map { $0.written })
        })
}

/// Checks that the names of a tenant's users are unique.
private struct UserNames {
    private var taken: Set<String> = []

    /// Adds a user. Returns a name that another user already has.
    mutating func add(_ user: User) -> String? {
        let address = user.email.map { "\(user.identityProvider.map { "\($0) " } ?? "")\($0)" }
        for name in [address, user.userName, user.objectID].compactMap({ $0?.lowercased() }) {
            guard taken.insert(name).inserted else { return name }
        }
        return nil
    }
}

extension JSONNode {
    /// Calls `body` with each member, and throws the mistakes of all with the members' names.
    fileprivate func forEachMember(
        _ body: (Member) throws(PolicyFileError) -> Void
    ) throws(PolicyFileError) {
        var mistakes = MistakeList()
        for member in members {
            _ = mistakes.trying { () throws(PolicyFileError) in
                do throws(PolicyFileError) { try body(member) } catch { throw error.under(member.name) }
            }
        }
        try mistakes.finish()
    }
}
