import SusiPolicies

extension TenantConfiguration {
    /// The schema of a tenant.
    static let shape = SchemaNode.object([kindField] + entries.map(\.field))

    private static let kindField = SchemaNode.Field(
        "kind", .choice(AuthorityKind.allCases.map(\.rawValue)), required: true, "the kind of tenant")

    /// The keys of a tenant except its kind.
    static let entries: [Entry<TenantConfiguration>] = [
        .text("id", \.id, as: .guid, "the tenant ID; derived from the name by default"),
        policyMap, applicationMap, apiMap, userList,
        .flag("listsUsers", \.listsUsers, "whether the sign-in page lists the first users for sign-in with one click"),
        .file("usersFile", \.usersFile, "a file of more users, one JSON object per line"),
        .object(
            "lifetimes", \.lifetimes, Lifetimes.entries, usual: Lifetimes(),
            "lifetimes, as whole numbers with s, m, h or d; digits alone mean seconds"),
        .choice("refreshRotation", \.refreshRotation, "what happens to a used refresh token"),
        .choice(
            "issuerForm", \.issuerForm,
            "the format of the issuer: tenant is the default; policy is for the kind b2c only, trailingSlash for the kind openid only"
        ),
        .choice(
            "redirectPorts", \.redirectPorts, "whether the port of a redirect address at http://localhost must match"),
        .choice("issuerParameter", \.issuerParameter, "whether redirects include the issuer (RFC 9207)"),
        .choice("algorithm", \.algorithm, "the signature algorithm of tokens"),
        .flag("numbersAsStrings", \.numbersAsStrings, "whether token responses write numbers as strings"),
        .flag("refreshGivesIdToken", \.refreshGivesIDToken, "whether the response to a refresh includes an id token"),
        .texts("declines", \.declines, as: .scope, "scopes that are silently not granted"),
        .texts(
            "userConsent", \.userConsent, as: .scope,
            "scopes that each user must consent to once; not for the kind b2c"),
        .texts(
            "administratorConsent", \.administratorConsent, as: .scope,
            "scopes that only an administrator can consent to"),
        .texts(
            "claimedParameters", \.claimedParameters, as: .name,
            "parameters of the authorization request that become claims of the id token"),
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
        write: { tenant, usual in tenant.errors == usual.errors ? nil : .texts(tenant.errors) })

    private static let policyMap = Entry<TenantConfiguration>(
        field: SchemaNode.Field("policies", .map(of: Policy.tenantShape, name: .policyName), "the policies by name"),
        read: { (node, tenant, reader) throws(PolicyFileError) in
            var mistakes = MistakeList()
            let kind = tenant.kind
            let policies = mistakes.trying { () throws(PolicyFileError) in
                try ApplicationReader(file: reader.file).policies(node, of: kind)
            }
            tenant.policies = policies ?? []
            tenant.settings = [:]
            _ = mistakes.trying { () throws(PolicyFileError) in
                try node.forEachMember { (member) throws(PolicyFileError) in
                    var settings = PolicySettings()
                    try PolicySettings.entries.read(member.node, into: &settings, reader)
                    if settings != PolicySettings() { tenant.settings[PolicyName(member.name)] = settings }
                }
            }
            try mistakes.finish()
        },
        write: { tenant, usual in
            let policies = tenant.policies.isEmpty ? usual.policies : tenant.policies
            guard policies != usual.policies || !tenant.settings.isEmpty else { return nil }
            return .object(
                policies.map { policy in
                    JSONNode.Member(
                        name: policy.name.spelling,
                        node: JSONNode(value: policy.written(tenant.settings(of: policy.name))))
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
                tenant.applications.append(application)
            }
        },
        write: { tenant, _ in
            let members = tenant.applications.map { application in
                let usual = RegisteredApplication(clientID: application.clientID, redirectAddresses: [])
                let entries = RegisteredApplication.entries.written(application, usual: usual)
                return JSONNode.Member(name: application.clientID, node: JSONNode(value: .object(entries)))
            }
            return members.isEmpty ? nil : .object(members)
        })

    private static let apiMap = Entry<TenantConfiguration>(
        field: SchemaNode.Field("apis", .map(of: RegisteredAPI.shape, name: .name), "the web APIs by name"),
        read: { (node, tenant, reader) throws(PolicyFileError) in
            tenant.apis = []
            try node.forEachMember { (member) throws(PolicyFileError) in
                tenant.apis.append(try RegisteredAPI(member.name, member.node, tenant.kind, reader))
            }
        },
        write: { tenant, _ in
            let members = tenant.apis.map { JSONNode.Member(name: $0.name, node: JSONNode(value: $0.written)) }
            return members.isEmpty ? nil : .object(members)
        })

    private static let userList = Entry<TenantConfiguration>(
        field: SchemaNode.Field(
            "users", .list(of: WrittenUser.entries.shape(), atLeast: 0),
            "the initial users; default: Ana, Ben and Chi"),
        read: { (node, tenant, reader) throws(PolicyFileError) in
            var names = UserNames()
            tenant.users = []
            var mistakes = MistakeList()
            for (index, element) in (node.array ?? []).enumerated() {
                _ = mistakes.trying { () throws(PolicyFileError) in
                    do throws(PolicyFileError) {
                        let user = try WrittenUser(element, reader).seeded
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
            tenant.users == usual.users ? nil : .array(tenant.users.map { WrittenUser($0).written })
        })
}

/// Checks that the names of a tenant's users are unique.
private struct UserNames {
    private var taken: Set<String> = []

    /// Adds a user. Returns a name that another user already has.
    mutating func add(_ user: SeededUser) -> String? {
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
