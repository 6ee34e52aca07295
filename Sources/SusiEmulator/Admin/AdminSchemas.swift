import SusiPolicies

enum AdminSchemas {
    static let named: [String: AdminSchema] = [
        "Problem": problem, "Tenant": tenant, "User": .object(user), "NewUser": newUser, "UserChange": userChange,
        "Session": session, "Message": message, "Clock": clock, "Fault": .object(fault), "NewFault": newFault,
        "Key": key, "Request": request, "TokenOrder": tokenOrder, "Token": token,
    ]

    static func list(_ name: String, of element: String, isPaged: Bool = false) -> AdminSchema {
        let next = AdminMember("next", .line(1...2_000), "URL of the next page; absent on the last page.")
        return .object(
            [AdminMember(name, .list(.named(element), most: 1_000), required: true, "Results.")]
                + (isPaged ? [next] : []))
    }

    private static let guid = AdminSchema.text(AdminText(kind: .guid, size: 36...36))
    private static let email = AdminSchema.text(AdminText(kind: .email, size: 3...200))
    private static let userName = AdminSchema.text(AdminText(kind: .userName, size: 1...200))
    private static let password = AdminSchema.text(AdminText(size: 1...256))
    private static let name = AdminSchema.text(AdminText(size: 0...200))
    private static let words = AdminSchema.text(AdminText(kind: .any, size: 0...2_000))
    private static let count = AdminSchema.integer(0...Int64(Int32.max))

    private static let problem = AdminSchema.object([
        AdminMember("type", .line(), required: true, "Always about:blank (RFC 9457)."),
        AdminMember("title", .line(), required: true, "Reason phrase of the status."),
        AdminMember("status", .integer(400...599), required: true, "HTTP status."),
        AdminMember("detail", words, required: true, "What is wrong, and what is expected."),
        AdminMember("field", words, "Invalid field or parameter."),
    ])

    private static let tenant = AdminSchema.object([
        AdminMember(
            "name", name, required: true, "Tenant name; empty for an OpenID provider at the root of the origin."),
        AdminMember("id", guid, required: true, "Tenant ID."),
        AdminMember("kind", .word(AuthorityKind.allCases.map(\.rawValue)), required: true, "Kind of tenant."),
        AdminMember(
            "policies",
            .list(
                .object([
                    AdminMember("name", .line(), required: true, "Policy name."),
                    AdminMember("kind", .line(), required: true, "Kind of policy."),
                    AdminMember("metadata", .line(1...2_000), required: true, "URL of the metadata."),
                ]), most: 1_000), required: true, "Policies."),
        AdminMember(
            "applications",
            .list(
                .object([
                    AdminMember("clientId", .line(), required: true, "Application (client) ID."),
                    AdminMember(
                        "redirectAddresses", .list(.line(0...2_000), most: 1_000), required: true,
                        "Registered redirect addresses."),
                    AdminMember(
                        "isConfidential", .boolean, required: true,
                        "Whether the application authenticates with a secret."),
                ]), most: 1_000), required: true, "Registered applications."),
        AdminMember(
            "apis",
            .list(
                .object([
                    AdminMember("name", .line(), required: true, "API name."),
                    AdminMember("id", .line(), required: true, "Audience of its access tokens."),
                    AdminMember("address", .line(1...2_000), required: true, "URL of the sample API."),
                    AdminMember(
                        "scopes", .list(.line(), most: 1_000), required: true, "Scopes as clients request them."),
                ]), most: 1_000), required: true, "Registered APIs."),
    ])

    // The properties of a user that can be set and changed.
    private static let changeable = [
        AdminMember("email", email, "Email address."),
        AdminMember("userName", userName, "User name."),
        AdminMember("phone", .line(), "Phone number for the second factor."),
        AdminMember("factorEmail", email, "Email address registered for the second factor."),
        AdminMember("displayName", name, "Display name."),
        AdminMember("givenName", name, "Given name."),
        AdminMember("surname", name, "Surname."),
        AdminMember("attributes", .texts, "Further attributes, by claim name."),
        AdminMember("mustResetPassword", .boolean, "Whether the user must choose a new password at the next sign-in."),
        AdminMember("isBlocked", .boolean, "Whether sign-in is blocked for this user."),
    ]

    // The properties that can be removed.
    private static let clearable = ["email", "userName", "phone", "factorEmail"]

    private static let fixed = [
        AdminMember("homeTenant", .line(), "ID of the user's home tenant, if it is a different one."),
        AdminMember(
            "identityProvider", .line(),
            "Identity provider that checks the password instead of this tenant, for example social.example; in a workforce or external tenant, ID of the tenant whose guest the user is."
        ),
    ]

    private static func lock(_ schema: AdminSchema, _ more: String) -> AdminMember {
        AdminMember("lockedUntil", schema, "End of the lock after wrong passwords, in epoch seconds. \(more)")
    }

    private static let user =
        [AdminMember("objectId", .line(), required: true, "Object ID.")]
        + changeable.map { member in
            AdminMember(
                member.name, member.name == "phone" ? name : member.schema,
                required: !clearable.contains(member.name), member.about)
        } + fixed + [lock(.integer(0...Int64.max), "Absent without a lock.")]

    private static let newUser = AdminSchema.object(
        [AdminMember("objectId", guid, "Object ID; default: derived from the name.")]
            + changeable + fixed
            + [
                AdminMember(
                    "password", password, "Password; default: Passw0rd!. It is never returned.")
            ],
        rules: [.atLeastOne(["email", "userName"]), .notBoth("identityProvider", "password")])

    private static let userChange = AdminSchema.object(
        changeable.map { member in
            let isClearable = clearable.contains(member.name)
            let schema: AdminSchema =
                member.name == "attributes"
                ? .object([], others: .nullable(.text(AdminText(size: 0...1_000))))
                : isClearable ? .nullable(member.schema) : member.schema
            return AdminMember(member.name, schema, member.about + (isClearable ? " null removes it." : ""))
        } + [
            AdminMember("password", password, "New password; also unlocks the account."),
            lock(.nullable(.time), "null unlocks the account."),
        ])

    private static let session = AdminSchema.object([
        AdminMember("id", .line(), required: true, "Session ID in this API; not the value of the browser's cookie."),
        AdminMember("objectId", .line(), required: true, "Object ID of the signed-in user."),
        AdminMember("authTime", .time, required: true, "Time of the sign-in, in epoch seconds."),
        AdminMember("expires", .integer(0...Int64.max), required: true, "Time of expiry, in epoch seconds."),
    ])

    private static let message = AdminSchema.object([
        AdminMember("id", .integer(1...Int64.max), required: true, "Message ID; later messages have greater IDs."),
        AdminMember(
            "channel", .word(OutboxMessage.Channel.allCases.map(\.rawValue)), required: true,
            "Channel that would deliver it."),
        AdminMember("recipient", name, required: true, "Email address or phone number."),
        AdminMember(
            "purpose", .word(OutboxMessage.Purpose.allCases.map(\.rawValue)), required: true, "Purpose of the code."),
        AdminMember("code", .line(), required: true, "Code to enter."),
        AdminMember("sent", .time, required: true, "Time of sending, in epoch seconds."),
    ])

    private static let clock = AdminSchema.object([
        AdminMember("now", .time, required: true, "The emulator's time in epoch seconds."),
        AdminMember("frozen", .boolean, required: true, "Whether the time is frozen."),
        AdminMember(
            "offset", .integer(Int64.min...Int64.max), required: true, "Seconds ahead of real time; negative if behind."
        ),
    ])

    private static let key = AdminSchema.object([
        AdminMember("id", .line(), required: true, "Key ID (kid)."),
        AdminMember(
            "algorithm", .word(SigningAlgorithm.allCases.map(\.rawValue)), required: true, "Signature algorithm."),
        AdminMember("created", .time, required: true, "Time of creation, in epoch seconds."),
        AdminMember(
            "policies", .list(name, most: 10_000), required: true,
            "Policies that it signs for; empty for a kind without policies."),
        AdminMember(
            "state", .word(["next", "signing", "published", "withdrawn"]), required: true,
            "next: published, not used yet; signing: signs new tokens; published: tokens that it signed can be verified; withdrawn: they cannot be verified."
        ),
    ])

    private static let request = AdminSchema.object([
        AdminMember("number", .integer(1...Int64.max), required: true, "Number since the emulator started."),
        AdminMember("time", .time, required: true, "Time of the response, in epoch seconds."),
        AdminMember("method", name, required: true, "HTTP method."),
        AdminMember("path", words, required: true, "Path without query."),
        AdminMember("tenant", name, "Tenant."),
        AdminMember("policy", name, "Policy."),
        AdminMember("clientId", name, "Client ID in the request, registered or not."),
        AdminMember("acrValues", name, "Parameter acr_values of the sign-in."),
        AdminMember("status", .integer(100...599), required: true, "HTTP status of the response."),
        AdminMember("code", name, "Error code in the response, for example AADB2C90118 or invalid_token."),
        AdminMember("reason", .text(AdminText(size: 0...100_000)), "Why the request failed."),
        AdminMember("correlationId", name, "Correlation ID in the response."),
    ])

    private static let faultMembers = [
        AdminMember(
            "endpoint", .word(Fault.Endpoint.allCases.map(\.rawValue)), required: true,
            "Endpoint at which the fault is injected."),
        AdminMember("tenant", .line(), "Only in this tenant (name or ID)."),
        AdminMember("policy", .line(), "Only at this policy."),
        AdminMember("client", .line(), "Only for this client ID."),
        AdminMember(
            "status",
            .object([
                AdminMember("code", .integer(200...599), required: true, "HTTP status."),
                AdminMember(
                    "body", .text(AdminText(kind: .any, size: 0...20_000)),
                    "Response body; default for 429 and 5xx: the error of the real service. Required with 2xx."),
                AdminMember("contentType", .line(), "Content type; default: application/json."),
                AdminMember("retryAfter", .integer(0...86_400), "Value of the Retry-After header, in seconds."),
            ]), "Respond with this status; the request is not processed."),
        AdminMember(
            "delay",
            .object([AdminMember("milliseconds", .integer(0...60_000), required: true, "Delay in milliseconds.")]),
            "Delay the response."),
        AdminMember(
            "drop", .word(Fault.Drop.allCases.map(\.rawValue)),
            "Close the connection. request: before processing; answer: after processing, before the response; body: in the middle of the response body."
        ),
        AdminMember(
            "malformed", .word(Fault.Malformation.allCases.map(\.rawValue)),
            "Malform the response. html: an HTML page with status 200; cut: half of the body; type: wrong content type; encoding: invalid UTF-8."
        ),
        AdminMember("probability", .number(0...1), "Probability from 0 to 1; default: 1."),
        AdminMember("count", .integer(1...1_000_000), "Maximum number of injections."),
        AdminMember(
            "seed", .integer(0...Int64.max),
            "Seed of the random numbers; if omitted, a random seed is chosen and returned."),
    ]

    private static let newFault = AdminSchema.object(
        faultMembers, rules: [.exactlyOne(["status", "delay", "drop", "malformed"])])

    private static let fault =
        [AdminMember("id", .integer(1...Int64.max), required: true, "Fault ID.")] + faultMembers
        + [
            AdminMember("met", count, required: true, "Number of matching requests."),
            AdminMember("struck", count, required: true, "Number of requests in which the fault was injected."),
        ]

    private static let tokenOrder = AdminSchema.object([
        AdminMember("user", .line(), required: true, "Object ID, email address or user name."),
        AdminMember("kind", .word(TokenOrder.Kind.allCases.map(\.rawValue)), "access or id; default: access."),
        AdminMember("tenant", .line(), "Tenant name or ID; default: the first tenant."),
        AdminMember("policy", .line(), "Policy; default: the tenant's first sign-in policy."),
        AdminMember("client", .line(), "Client ID; default: the tenant's first application."),
        AdminMember("scope", .line(1...1_000), "Scopes; default: openid and the scopes of the first API."),
        AdminMember("nonce", .line(1...1_000), "Nonce of an id token."),
        AdminMember(
            "flaws", .list(.word(TokenOrder.Flaw.allCases.map(\.rawValue)), most: 20), "Flaws of the token."),
        AdminMember("claims", .object([], others: .anything), "Claims to set; null removes a claim."),
    ])

    private static let token = AdminSchema.object([
        AdminMember("token", .text(AdminText(size: 1...100_000)), required: true, "Token."),
        AdminMember("header", .object([], others: .anything), required: true, "Header of the token."),
        AdminMember("claims", .object([], others: .anything), required: true, "Claims of the token."),
    ])
}
