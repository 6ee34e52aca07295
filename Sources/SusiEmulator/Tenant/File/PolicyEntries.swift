import SusiPolicies

extension Lifetimes {
    /// The keys of `lifetimes`.
    static let entries: [Entry<Lifetimes>] = [
        .duration("code", \.code, "an authorization code"),
        .duration("accessToken", \.accessToken, "an access token"),
        .duration("idToken", \.idToken, "an id token"),
        .duration("refreshToken", \.refreshToken, "a refresh token, counted from its own issue"),
        .duration("slidingWindow", \.slidingWindow, "all refresh tokens of one sign-in, counted from that sign-in"),
        .duration(
            "refreshIn", \.refreshIn,
            "the time after which a client should refresh a token that is still valid (refresh_in)"),
        .duration(
            "metadata", \.metadata, as: .time, "how long clients may cache metadata and keys; 0s forbids it"),
        .duration(
            "devicePause", \.devicePause, as: .time,
            "the minimum interval between two polls of a device; 0s sets no minimum"),
        .duration("deviceCode", \.deviceCode, "a device code"),
    ]
}

extension PolicySettings {
    /// The keys of a policy in addition to those of `policies.json`.
    static let entries: [Entry<PolicySettings>] = [
        .choice("identifier", \.identifier, "the sign-in name of local accounts"),
        .choices("identityProviders", \.identityProviders, "the identity providers on the sign-in page"),
        attributeList,
        .flag("verifiesEmail", \.verifiesEmail, "whether an email address must be verified with a code"),
        .choice("multiFactor", \.multiFactor, "when a second factor is required"),
        .choice(
            "forgottenPassword", \.forgottenPassword,
            "policy: the application gets AADB2C90118 and starts a password reset policy; inline: the sign-in policy resets the password"
        ),
        .group(
            "lockout",
            [
                .count(
                    "failures", \.lockoutFailures,
                    "the number of wrong passwords in a row that locks an account; 0 never locks"),
                .duration("time", \.lockoutSeconds, "how long the account stays locked"),
            ], "the lockout after wrong passwords"),
        .object("session", \.session, Session.entries, usual: Session(), "the browser session"),
        .choice("policyClaim", \.policyClaim, "the claim that names the policy in tokens"),
        .choice("subject", \.subject, "the value of sub in tokens: the object ID, or a note to use oid"),
        .object(
            "lifetimes", \.lifetimes, Lifetimes.entries, usual: Lifetimes(),
            "the lifetimes of its codes and tokens, instead of the tenant's"),
        .file("template", \.template, "a custom page with an element whose id is “api”, for the emulator's form"),
    ]

    private static let attributeList = Entry<PolicySettings>(
        field: SchemaNode.Field(
            "attributes", .list(of: Attribute.entries.shape(), atLeast: 0),
            "the attributes that sign-up and profile editing ask for; default: display name, given name and surname"),
        read: { (node, owner, reader) throws(PolicyFileError) in
            var attributes: [Attribute] = []
            for element in node.array ?? [] {
                var attribute = Attribute("")
                try Attribute.entries.read(element, into: &attribute, reader)
                guard !attributes.contains(where: { $0.name == attribute.name }) else {
                    throw reader.mistake(element, "duplicate attribute “\(attribute.name)”")
                }
                attributes.append(attribute)
            }
            owner.attributes = attributes
        },
        write: { owner, _ in
            owner.attributes.map { attributes in
                .array(
                    attributes.map {
                        JSONNode(value: .object(Attribute.entries.written($0, usual: Attribute(""))))
                    })
            }
        })
}

extension PolicySettings.Attribute {
    fileprivate static let entries: [Entry<PolicySettings.Attribute>] = [
        .text("name", \.name, as: .name, required: true, "the name of its claim"),
        .text("label", \.label, "the label of its field"),
        .flag("required", \.isRequired, "whether a value is required"),
        .texts("choices", \.choices, "the allowed values; default: any text"),
    ]
}

extension PolicySettings.Session {
    fileprivate static let entries: [Entry<PolicySettings.Session>] = [
        .choice("scope", \.scope, "what shares the session"),
        .duration("time", \.seconds, "how long the session lasts"),
        .flag("rolling", \.isRolling, "whether each use extends the session"),
        .duration(
            "keep", \.keepSeconds,
            "how long “Keep me signed in” keeps the session; if omitted, the page has no such checkbox"),
    ]
}

extension Policy {
    /// The schema of a policy: the keys of `policies.json` that a tenant has, and its settings.
    static let tenantShape = SchemaNode.object(
        SchemaNode.policyFields.filter { $0.name != "authority" } + PolicySettings.entries.map(\.field))

    /// The value to write.
    func written(_ settings: PolicySettings) -> JSONNode.Value {
        let usual = Policy(name: name, kind: kind)
        var members: [(String, JSONNode.Value)] = [("kind", .string(kind.rawValue))]
        if isDefault { members.append(("default", .bool(true))) }
        if !scopes.isEmpty { members.append(("scopes", .list(scopes))) }
        if redirectPath != usual.redirectPath { members.append(("redirectPath", .string(redirectPath))) }
        if responseMode != usual.responseMode { members.append(("responseMode", .string(responseMode.rawValue))) }
        if sendsIDTokenHint { members.append(("idTokenHint", .bool(true))) }
        return .object(
            members.map { JSONNode.Member(name: $0.0, node: JSONNode(value: $0.1)) }
                + PolicySettings.entries.written(settings, usual: PolicySettings()))
    }
}
