/// The JSON Schema of `policies.json`, made from the schema that the reader checks.
package enum PoliciesSchema {
    /// The schema as text (JSON Schema, draft 2020-12), with keys in alphabetical order.
    package static func text() -> String { SchemaNode.file.schemaText(title: "policies.json of susi") }
}

extension SchemaNode {
    static let file = SchemaNode.object([
        Field("$schema", .text(.any), "schema for editors"),
        Field(
            "current", .text(.name), requiredWith: .severalMembers(of: "applications"),
            "default application; not needed with a single application"),
        Field(
            "applications", .map(of: application, name: .name), required: true,
            "applications by name, for example one for each of the local, staging and production tenants"),
        Field(
            "keySource", .choice(KeySource.allCases.map(\.rawValue)),
            "source of a new store's key; only in the user's own file"),
        Field(
            "keyCommand", .list(of: .text(.any), atLeast: 1),
            "command that prints the secret, for the key source “command”; only in the user's own file"),
    ])

    private static let application = SchemaNode.object([
        Field("kind", .choice(AuthorityKind.allCases.map(\.rawValue)), required: true, "kind of tenant"),
        Field(
            "authority", .text(.address), required: true,
            "address of the tenant, without a policy; for the kind openid the issuer, exactly as the provider spells it"
        ),
        Field(
            "policyIn", .choice(PolicyPlace.allCases.map(\.rawValue)),
            "place of the policy in addresses: the path (default) or the parameter p; only for the kind b2c"),
        Field("clientId", .text(.clientID), required: true, "application (client) ID"),
        Field(
            "redirectPorts", .list(of: .integer(0...65_535), atLeast: 1),
            "loopback ports for the redirect, tried in this order; register http://localhost:PORT for each, or the same with redirectHost"
        ),
        Field(
            "redirectHost", .choice(RedirectHost.allCases.map(\.rawValue)),
            "host of the redirect address, as it is registered (default: localhost)"),
        Field(
            "policies", .map(of: policy, name: .policyName),
            requiredWith: .oneOf(AuthorityKind.allCases.filter(\.traits.hasPolicies).map(\.rawValue), of: "kind"),
            "policies by name; without this key, kinds other than b2c have one, named default"),
        Field(
            "knownAuthorities", .list(of: .text(.authorityEntry), atLeast: 0),
            "authorities that may be contacted: hosts, hosts with a tenant, or whole authorities; without this list only the application's own authority"
        ),
        Field("apis", .map(of: api, name: .name), "web APIs by name"),
        Field(
            "copyOf", .text(.address), "authority of the tenant whose local copy this one is; susi emulator writes it"),
    ])

    private static let policy = SchemaNode.object(policyFields)

    package static let policyFields = [
        Field("kind", .choice(PolicyKind.allCases.map(\.rawValue)), required: true, "purpose of the policy"),
        Field("default", .flag, "whether this is the default policy"),
        Field("authority", .text(.address), "authority of this policy, if not the application's"),
        Field(
            "scopes", .list(of: .text(.scope), atLeast: 1),
            "scopes that a sign-in requests, instead of those of its APIs"),
        Field("redirectPath", .text(.path), "path of the redirect address"),
        Field(
            "responseMode", .choice(ResponseMode.allCases.map(\.rawValue)),
            "how the provider returns the response to the redirect address (default: query)"),
        Field("idTokenHint", .flag, "whether requests include the stored id token, for custom policies that need it"),
        Field("offlineAccess", .flag, "whether sign-ins request offline_access, for a refresh token (default: true)"),
        Field(
            "trustedAudiences", .list(of: .text(.audience), atLeast: 1),
            "audiences that an id token may have beside the client ID"),
    ]

    private static let api = SchemaNode.object([
        Field("baseUrl", .text(.address), required: true, "base address of the API; its token is sent only there"),
        Field(
            "scopes", .list(of: .text(.scope), atLeast: 1), required: true, "scopes of its token, all of one resource"),
        Field("policy", .text(.policyName), "policy whose token the API needs (default: the default policy)"),
    ])
}
