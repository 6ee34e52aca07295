/// The schemas that have names of their own.
enum AdminSchemas {
    static let named: [String: AdminSchema] = [
        "Problem": problem, "Tenant": tenant, "User": .object(user), "NewUser": newUser, "UserChange": userChange,
        "Session": session, "Message": message, "Clock": clock, "Fault": .object(fault), "NewFault": newFault,
        "Key": key, "Request": request, "TokenOrder": tokenOrder, "Token": token,
    ]

    /// An object with one list of named elements.
    static func list(_ name: String, of element: String, isPaged: Bool = false) -> AdminSchema {
        let next = AdminMember("next", .line(1...2_000), "Where there are more; absent when there are none.")
        return .object(
            [AdminMember(name, .list(.named(element), most: 1_000), required: true, "The elements.")]
                + (isPaged ? [next] : []))
    }

    private static let guid = AdminSchema.text(AdminText(form: .guid, size: 36...36))
    private static let email = AdminSchema.text(AdminText(form: .email, size: 3...200))
    private static let userName = AdminSchema.text(AdminText(form: .userName, size: 1...200))
    private static let password = AdminSchema.text(AdminText(size: 1...256))
    private static let name = AdminSchema.text(AdminText(size: 0...200))
    private static let words = AdminSchema.text(AdminText(form: .any, size: 0...2_000))
    private static let count = AdminSchema.integer(0...Int64(Int32.max))

    private static let problem = AdminSchema.object([
        AdminMember("type", .line(), required: true, "Always about:blank (RFC 9457)."),
        AdminMember("title", .line(), required: true, "The status in words."),
        AdminMember("status", .integer(400...599), required: true, "The status."),
        AdminMember("detail", words, required: true, "What happened, and what would be right."),
        AdminMember("field", words, "The field or parameter that is wrong."),
    ])

    private static let tenant = AdminSchema.object([
        AdminMember("name", name, required: true, "Its name; empty for a provider at the root."),
        AdminMember("id", guid, required: true, "Its id."),
        AdminMember("kind", .word(["b2c", "external", "entra", "openid"]), required: true, "Its kind."),
        AdminMember(
            "policies",
            .list(
                .object([
                    AdminMember("name", .line(), required: true, "Its name."),
                    AdminMember("kind", .line(), required: true, "Its kind."),
                    AdminMember("metadata", .line(1...2_000), required: true, "Where its metadata is."),
                ]), most: 1_000), required: true, "Its policies."),
        AdminMember(
            "applications",
            .list(
                .object([
                    AdminMember("clientId", .line(), required: true, "Its client id."),
                    AdminMember(
                        "redirectAddresses", .list(.line(0...2_000), most: 1_000), required: true,
                        "Where it may be sent back to."),
                    AdminMember(
                        "isConfidential", .boolean, required: true, "Whether it has a secret to show."),
                ]), most: 1_000), required: true, "The registered applications."),
        AdminMember(
            "apis",
            .list(
                .object([
                    AdminMember("name", .line(), required: true, "Its name."),
                    AdminMember("id", .line(), required: true, "The audience of its tokens."),
                    AdminMember("address", .line(1...2_000), required: true, "Where the sample is."),
                    AdminMember(
                        "scopes", .list(.line(), most: 1_000), required: true, "Its scopes, as clients ask them."),
                ]), most: 1_000), required: true, "The registered APIs."),
    ])

    // What can be told and changed about a user.
    private static let changeable = [
        AdminMember("email", email, "The address."),
        AdminMember("userName", userName, "The user name."),
        AdminMember("phone", .line(), "The number for a second factor."),
        AdminMember("factorEmail", email, "The address that is registered for a second factor."),
        AdminMember("displayName", name, "The name that is shown."),
        AdminMember("givenName", name, "The given name."),
        AdminMember("surname", name, "The family name."),
        AdminMember("attributes", .texts, "What else is known, by the names of the claims."),
        AdminMember("mustResetPassword", .boolean, "Whether the next sign-in begins with a new password."),
        AdminMember("isBlocked", .boolean, "Whether nobody may sign in as this user."),
    ]

    // What a user may be without.
    private static let clearable = ["email", "userName", "phone", "factorEmail"]

    private static let fixed = [
        AdminMember("homeTenant", .line(), "The id of the tenant that the user belongs to, when it is another."),
        AdminMember("identityProvider", .line(), "Who knows the password, when it is not this tenant: social.example."),
    ]

    private static let user =
        [AdminMember("objectId", .line(), required: true, "The object id.")]
        + changeable.map { member in
            AdminMember(
                member.name, member.name == "phone" ? name : member.schema,
                required: !clearable.contains(member.name), member.about)
        } + fixed

    private static let newUser = AdminSchema.object(
        [AdminMember("objectId", guid, "The object id; without it, one that follows from the name.")]
            + changeable + fixed
            + [
                AdminMember(
                    "password", password, "The password; Passw0rd! without it. It is never told again.")
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
        } + [AdminMember("password", password, "A new password, which ends a lock.")])

    private static let session = AdminSchema.object([
        AdminMember("id", .line(), required: true, "Names it in this API; it is not the browser's secret."),
        AdminMember("objectId", .line(), required: true, "Who is signed in."),
        AdminMember("authTime", .time, required: true, "When they signed in."),
        AdminMember("expires", .integer(0...Int64.max), required: true, "When it ends."),
    ])

    private static let message = AdminSchema.object([
        AdminMember("id", .integer(1...Int64.max), required: true, "Grows with each message."),
        AdminMember(
            "channel", .word(OutboxMessage.Channel.allCases.map(\.rawValue)), required: true, "How it would go."),
        AdminMember("recipient", name, required: true, "The address or the number."),
        AdminMember(
            "purpose", .word(OutboxMessage.Purpose.allCases.map(\.rawValue)), required: true, "What it is for."),
        AdminMember("code", .line(), required: true, "What the person has to type."),
        AdminMember("sent", .time, required: true, "When it was sent."),
    ])

    private static let clock = AdminSchema.object([
        AdminMember("now", .time, required: true, "The emulator's time in epoch seconds."),
        AdminMember("frozen", .boolean, required: true, "Whether it stands still."),
        AdminMember("offset", .integer(Int64.min...Int64.max), required: true, "How far it is ahead of the real time."),
    ])

    private static let key = AdminSchema.object([
        AdminMember("id", .line(), required: true, "The key's id (kid)."),
        AdminMember("algorithm", .word(SigningAlgorithm.allCases.map(\.rawValue)), required: true, "How it signs."),
        AdminMember("created", .time, required: true, "When it was made."),
        AdminMember(
            "state", .word(["next", "signing", "published", "withdrawn"]), required: true,
            "next: published, but not used yet; signing: new tokens are signed with it; published: tokens that it signed can still be checked; withdrawn: they cannot."
        ),
    ])

    private static let request = AdminSchema.object([
        AdminMember("number", .integer(1...Int64.max), required: true, "Counted from the emulator's start."),
        AdminMember("time", .time, required: true, "When it was answered."),
        AdminMember("method", name, required: true, "Its method."),
        AdminMember("path", words, required: true, "Its path, without the query."),
        AdminMember("tenant", name, "The tenant that it was for."),
        AdminMember("policy", name, "The policy."),
        AdminMember("clientId", name, "The client that asked, registered or not."),
        AdminMember("acrValues", name, "The parameter acr_values of the sign-in."),
        AdminMember("status", .integer(100...599), required: true, "The status of the answer."),
        AdminMember("code", name, "Which error the answer names: AADB2C90118, invalid_token."),
        AdminMember("reason", .text(AdminText(size: 0...100_000)), "Why it was refused."),
        AdminMember("correlationId", name, "The correlation id in the answer."),
    ])

    private static let faultMembers = [
        AdminMember("endpoint", .word(Fault.Endpoint.allCases.map(\.rawValue)), required: true, "Where it strikes."),
        AdminMember("tenant", .line(), "Only in this tenant, by name or id."),
        AdminMember("policy", .line(), "Only at this policy."),
        AdminMember("client", .line(), "Only for this client id."),
        AdminMember(
            "status",
            .object([
                AdminMember("code", .integer(200...599), required: true, "The status."),
                AdminMember(
                    "body", .text(AdminText(form: .any, size: 0...20_000)),
                    "The body; without it, the service's own words for 429 and 5xx. 2xx needs one."),
                AdminMember("contentType", .line(), "The body's type; application/json without it."),
                AdminMember("retryAfter", .integer(0...86_400), "The header Retry-After, in seconds."),
            ]), "An answer of its own; the request is not looked at."),
        AdminMember(
            "delay", .object([AdminMember("milliseconds", .integer(0...60_000), required: true, "How long.")]),
            "The answer comes late."),
        AdminMember(
            "drop", .word(Fault.Drop.allCases.map(\.rawValue)),
            "The connection is closed: request: nothing was done; answer: everything was done; body: in the middle of the body."
        ),
        AdminMember(
            "malformed", .word(Fault.Malformation.allCases.map(\.rawValue)),
            "html: a page with status 200; cut: half of the body; type: the wrong content type; encoding: not UTF-8."),
        AdminMember("probability", .number(0...1), "How often it strikes, from 0 to 1; always without it."),
        AdminMember("count", .integer(1...1_000_000), "How often at most."),
        AdminMember("seed", .integer(0...Int64.max), "What its chance begins with; told when it is not given."),
    ]

    private static let newFault = AdminSchema.object(
        faultMembers, rules: [.exactlyOne(["status", "delay", "drop", "malformed"])])

    private static let fault =
        [AdminMember("id", .integer(1...Int64.max), required: true, "Names it.")] + faultMembers
        + [
            AdminMember("met", count, required: true, "How many requests it could have struck."),
            AdminMember("struck", count, required: true, "How many it did."),
        ]

    private static let tokenOrder = AdminSchema.object([
        AdminMember("user", .line(), required: true, "Object id, address or user name."),
        AdminMember("kind", .word(TokenOrder.Kind.allCases.map(\.rawValue)), "access or id; access without it."),
        AdminMember("tenant", .line(), "The tenant's name or id; the first one without it."),
        AdminMember("policy", .line(), "The policy; the tenant's first one for signing in without it."),
        AdminMember("client", .line(), "The client id; the tenant's first application without it."),
        AdminMember("scope", .line(1...1_000), "The scopes; openid and those of the first API without it."),
        AdminMember("nonce", .line(1...1_000), "The nonce of an id token."),
        AdminMember(
            "flaws", .list(.word(TokenOrder.Flaw.allCases.map(\.rawValue)), most: 20), "What is wrong with it."),
        AdminMember("claims", .object([], others: .anything), "Claims that replace others; null removes one."),
    ])

    private static let token = AdminSchema.object([
        AdminMember("token", .text(AdminText(size: 1...100_000)), required: true, "The token."),
        AdminMember("header", .object([], others: .anything), required: true, "Its header."),
        AdminMember("claims", .object([], others: .anything), required: true, "Its claims."),
    ])
}
