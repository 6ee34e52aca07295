import SusiPolicies

extension Lifetimes {
    /// The keys of `lifetimes`.
    static let entries: [Entry<Lifetimes>] = [
        .duration("code", \.code, "an authorization code"),
        .duration("accessToken", \.accessToken, "an access token"),
        .duration("idToken", \.idToken, "an id token"),
        .duration("refreshToken", \.refreshToken, "a refresh token, counted from its own issue"),
        .duration("slidingWindow", \.slidingWindow, "all refresh tokens of one sign-in, counted from that sign-in"),
        .duration("refreshIn", \.refreshIn, "when a client should refresh a token that is still valid (refresh_in)"),
        .duration(
            "metadata", \.metadata, as: .time, "how long clients may keep metadata and keys; 0s forbids it"),
        .duration(
            "devicePause", \.devicePause, as: .time,
            "the pause between two requests of a device that waits; 0s lets it ask at any time"),
        .duration("deviceCode", \.deviceCode, "a device code"),
    ]
}

extension PolicySettings {
    /// The keys of a policy beside those of `policies.json`.
    static let entries: [Entry<PolicySettings>] = [
        .choice("identifier", \.identifier, "what local accounts sign in with"),
        .choices("identityProviders", \.identityProviders, "which identity providers are offered"),
        attributeList,
        .flag("verifiesEmail", \.verifiesEmail, "whether an email address is believed only after a code came back"),
        .choice("multiFactor", \.multiFactor, "when a second factor is asked for"),
        .choice(
            "forgottenPassword", \.forgottenPassword,
            "policy: the application is told and runs a policy for it; inline: the sign-in does it"),
        .group(
            "lockout",
            [
                .count(
                    "failures", \.lockoutFailures, "how many wrong passwords in a row lock an account; 0 locks none"),
                .duration("time", \.lockoutSeconds, "for how long they do"),
            ], "when wrong passwords lock an account"),
        .object("session", \.session, Session.entries, usual: Session(), "the browser's session"),
        .choice("policyClaim", \.policyClaim, "the claim that names the policy in tokens"),
        .choice("subject", \.subject, "what tokens say as sub: the object id, or that oid is to be used"),
        .object(
            "lifetimes", \.lifetimes, Lifetimes.entries, usual: Lifetimes(),
            "how long its codes and tokens live, in place of the tenant's lifetimes"),
        .file("template", \.template, "a page of one's own, with an element “api” for the emulator's form"),
    ]

    private static let attributeList = Entry<PolicySettings>(
        field: Shape.Field(
            "attributes", .list(of: Attribute.entries.shape(), atLeast: 0),
            "what a sign-up or an edit of the profile collects, instead of the three names"),
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
        .text("label", \.label, "what stands beside its field"),
        .flag("required", \.isRequired, "whether it must be given"),
        .texts("choices", \.choices, "what it may be; any text without them"),
    ]
}

extension PolicySettings.Session {
    fileprivate static let entries: [Entry<PolicySettings.Session>] = [
        .choice("scope", \.scope, "who shares it"),
        .duration("time", \.seconds, "how long it lives"),
        .flag("rolling", \.isRolling, "whether each use begins the time anew"),
        .duration("keep", \.keepSeconds, "for how long “keep me signed in” keeps it; without it there is no such box"),
    ]
}

extension Policy {
    /// The keys of a policy: those of `policies.json` that a tenant knows, and how it behaves.
    static let tenantShape = Shape.object(
        Shape.policyFields.filter { $0.name != "authority" } + PolicySettings.entries.map(\.field))

    /// What is written of it.
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
