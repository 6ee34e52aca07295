import SusiBase
import SusiPolicies

extension Lifetimes {
    /// The keys of `lifetimes`.
    static let entries: [Entry<Lifetimes>] = [
        .init("code", \.code, .duration(), "an authorization code"),
        .init("accessToken", \.accessToken, .duration(), "an access token"),
        .init("idToken", \.idToken, .duration(), "an id token"),
        .init("refreshToken", \.refreshToken, .duration(), "a refresh token, counted from its own issue"),
        .init(
            "slidingWindow", \.slidingWindow, .duration(),
            "all refresh tokens of one sign-in, counted from that sign-in"),
        .init(
            "refreshIn", \.refreshIn, .duration(),
            "the time after which a client should refresh a token that is still valid (refresh_in)"),
        .init("metadata", \.metadata, .duration(.time), "how long clients may cache metadata and keys; 0s forbids it"),
        .init(
            "devicePause", \.devicePause, .duration(.time),
            "the minimum interval between two polls of a device; 0s sets no minimum"),
        .init("deviceCode", \.deviceCode, .duration(), "a device code"),
    ]
}

extension PolicySettings {
    /// The keys of a policy in addition to those of `policies.json`.
    static let entries: [Entry<PolicySettings>] = [
        .init("identifier", \.identifier, .choice, "the sign-in name of local accounts"),
        .init("identityProviders", \.identityProviders, .choices(), "the identity providers on the sign-in page"),
        attributeList,
        .init("verifiesEmail", \.verifiesEmail, .flag, "whether an email address must be verified with a code"),
        .init("multiFactor", \.multiFactor, .choice, "when a second factor is required"),
        .init(
            "forgottenPassword", \.forgottenPassword, .choice,
            "policy: the application gets AADB2C90118 and starts a password reset policy; inline: the sign-in policy resets the password"
        ),
        .group(
            "lockout",
            [
                .init(
                    "failures", \.lockoutFailures, .count,
                    "the number of wrong passwords in a row that locks an account; 0 never locks"),
                .init("time", \.lockoutSeconds, .duration(), "how long the account stays locked"),
            ], "the lockout after wrong passwords"),
        .init("session", \.session, .object(Session.entries, usual: Session()), "the browser session"),
        .init(
            "claims", \.claims, .texts(),
            "the application claims: what its tokens say about a user; default: everything"),
        .init(
            "refreshReadsUser", \.refreshReadsUser, .flag,
            "whether a refresh reads the user again; false: it repeats the claims of the sign-in"),
        .init(
            "invitations", \.invitations, .object(Invitations.entries, usual: Invitations()),
            "the id_token_hint that each request needs, signed by an application, for a custom policy"),
        .init("policyClaim", \.policyClaim, .choice, "the claim that names the policy in tokens"),
        .init("subject", \.subject, .choice, "the value of sub in tokens: the object ID, or a note to use oid"),
        .init(
            "applicationSubject", \.applicationSubject, .choice,
            "the value of sub in an application's own tokens: its client ID, or its object ID"),
        .init(
            "lifetimes", \.lifetimes, .object(Lifetimes.entries, usual: Lifetimes()),
            "the lifetimes of its codes and tokens, instead of the tenant's"),
        .init(
            "template", \.template, .file, "a custom page with an element whose id is “api”, for the emulator's form"),
        callouts(.apiConnectors), callouts(.restTechnicalProfiles), callouts(.authenticationExtensions),
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
                .array(attributes.map { Attribute.entries.written($0, usual: Attribute("")) })
            }
        })
}

extension PolicySettings.Attribute {
    fileprivate static let entries: [Entry<PolicySettings.Attribute>] = [
        .init("name", \.name, .text(.attribute), required: true, "the name of its claim"),
        .init("label", \.label, .text(), "the label of its field"),
        .init("required", \.isRequired, .flag, "whether a value is required"),
        .init("choices", \.choices, .texts(), "the allowed values; default: any text"),
    ]
}

extension PolicySettings.Session {
    fileprivate static let entries: [Entry<PolicySettings.Session>] = [
        .init("scope", \.scope, .choice, "what shares the session"),
        .init("time", \.seconds, .duration(), "how long the session lasts"),
        .init("rolling", \.isRolling, .flag, "whether each use extends the session"),
        .init(
            "keep", \.keepSeconds, .duration(),
            "how long “Keep me signed in” keeps the session; if omitted, the page has no such checkbox"),
        .init(
            "requiresIdToken", \.requiresIDToken, .flag,
            "whether a sign-out must send an ID token (id_token_hint); without a valid one it does not redirect"),
    ]
}

extension PolicySettings.Invitations {
    fileprivate static let entries: [Entry<PolicySettings.Invitations>] = [
        .init("issuer", \.issuer, .text(), "the iss of an invitation; default: the issuer in “metadata”"),
        .init("audience", \.audience, .text(), "its aud; default: the client ID of the request"),
        .init(
            "metadata", \.metadata, .text(.calloutAddress),
            "the address of your application's openid-configuration, which names the keys that sign invitations"),
        .init("jwks", \.keys, .keySet, "or the public keys, as in RFC 7517"),
        .init("secret", \.secret, .text(.line), "or the secret that signs invitations by HS256"),
    ]

    /// The problem and the expected value; nil if an invitation can be checked.
    func problem(in tenant: TenantConfiguration) -> (String, String)? {
        guard [metadata != nil, keys != .null, secret != nil].count(where: \.self) == 1 else {
            return ("it needs one of “metadata”, “jwks” and “secret”", "exactly one")
        }
        if let metadata, !tenant.mayCall(metadata) { return Callout.elsewhere("metadata") }
        return issuer == nil && metadata == nil ? ("“issuer” is missing", "the iss of an invitation") : nil
    }
}

extension Policy {
    /// The schema of a policy: the keys of `policies.json` that a tenant has, and its settings.
    static let tenantShape = SchemaNode.object(
        [kindField] + Policy.entries.map(\.field).filter { $0.name != "kind" && !clientKeys.contains($0.name) }
            + PolicySettings.entries.map(\.field))

    // Clients run a policy for sign-ins or sign-ups only like one for both.
    private static let kindField = SchemaNode.Field(
        "kind",
        .choice(PolicyKind.allCases.map(\.rawValue) + PolicySettings.Offer.allCases.dropFirst().map(\.rawValue)),
        required: true, "purpose of the policy")

    // The keys of `policies.json` that only a client has.
    private static let clientKeys = ["authority", "offlineAccess", "trustedAudiences"]

    /// The value to write, with the settings.
    func written(_ settings: PolicySettings) -> JSONNode {
        let own = written.members.filter { $0.name != "kind" && !Self.clientKeys.contains($0.name) }
        let purpose = kind == .signUpOrSignIn ? settings.offer.rawValue : kind.rawValue
        return .object(
            [JSONNode.Member("kind", .string(purpose))] + own
                + PolicySettings.entries.written(settings, usual: PolicySettings()).members)
    }
}
