import HTTPTypes

extension AdminRoute {
    /// The operations of the admin API. A new one is a row here and a handler with its resource.
    static let table: [AdminRoute] =
        [
            AdminRoute(
                method: .get, path: "/openapi.json", name: "describe",
                about: "Get this description (OpenAPI 3.1). No secret required.",
                result: (.ok, .object([], others: .anything)), needsSecret: false,
                handler: .now { .json(OpenAPI.document(origin: $0.context.port.origin)) }),
            AdminRoute(
                method: .get, path: "/tenants", name: "listTenants",
                about: "List the tenants with their policies, applications and APIs.",
                result: (.ok, AdminSchemas.list("tenants", of: "Tenant")), handler: .now(TenantResource.list)),
            AdminRoute(
                method: .post, path: "/reset", name: "reset",
                about: """
                    Restore the initial state: seeded users with their initial passwords; no sessions, grants, messages, \
                    faults or recorded requests; real time. Signing keys are kept.
                    """,
                handler: .now(TenantResource.reset)),
        ] + users + sessions + outbox + clock + faults + keys + requests + tokens

    private static let user = AdminParameter.path("id", .line(), "Object ID, email address or user name.")

    private static let users = [
        AdminRoute(
            method: .get, path: "/users", name: "listUsers",
            about: "List a tenant's users, ordered by object ID.",
            parameters: [
                .tenant, .limit,
                .query(
                    "search", .line(), "Only users whose email address, user name or display name contains this text."),
                .query("after", .line(), "Only users after this object ID; `next` contains it."),
            ],
            result: (.ok, AdminSchemas.list("users", of: "User", isPaged: true)), handler: .now(UserResource.list)),
        AdminRoute(
            method: .post, path: "/users", name: "createUser", about: "Add a user.", parameters: [.tenant],
            body: AdminBody(schema: .named("NewUser")), result: (.created, .named("User")), problems: [.conflict],
            handler: .now(UserResource.create)),
        AdminRoute(
            method: .get, path: "/users/{id}", name: "getUser", about: "Get a user.", parameters: [user, .tenant],
            result: (.ok, .named("User")), handler: .now(UserResource.show)),
        AdminRoute(
            method: .patch, path: "/users/{id}", name: "changeUser",
            about: "Change the given properties of a user and keep the others (RFC 7396).",
            parameters: [user, .tenant],
            body: AdminBody(schema: .named("UserChange")), result: (.ok, .named("User")), problems: [.conflict],
            handler: .now(UserResource.change)),
        AdminRoute(
            method: .delete, path: "/users/{id}", name: "removeUser",
            about: "Remove a user and their sessions; their refresh tokens are then rejected with AADB2C90128.",
            parameters: [user, .tenant], handler: .now(UserResource.remove)),
        AdminRoute(
            method: .post, path: "/users/{id}/revoke", name: "revokeUser",
            about:
                "End a user's sessions and revoke all their refresh tokens, which are then rejected with AADB2C90129.",
            parameters: [user, .tenant],
            result: (
                .ok,
                .object([
                    AdminMember("sessions", .integer(0...Int64.max), required: true, "Number of sessions ended."),
                    AdminMember(
                        "grants", .integer(0...Int64.max), required: true,
                        "Number of sign-ins whose tokens were revoked."),
                ])
            ), handler: .now(UserResource.revoke)),
    ]

    private static let sessions = [
        AdminRoute(
            method: .get, path: "/sessions", name: "listSessions", about: "List the signed-in browser sessions.",
            parameters: [.tenant, .limit, .query("user", .line(), "Only sessions of this user.")],
            result: (.ok, AdminSchemas.list("sessions", of: "Session")), handler: .now(SessionResource.list)),
        AdminRoute(
            method: .delete, path: "/sessions", name: "endSessions",
            about: "End all sessions, or all sessions of a user.",
            parameters: [.tenant, .query("user", .line(), "Only sessions of this user.")],
            handler: .now(SessionResource.endAll)),
        AdminRoute(
            method: .delete, path: "/sessions/{id}", name: "endSession", about: "End a session.",
            parameters: [.path("id", .line(), "Session ID."), .tenant], handler: .now(SessionResource.end)),
    ]

    private static let outbox = [
        AdminRoute(
            method: .get, path: "/outbox", name: "listMessages",
            about: """
                List the messages that the tenant would have sent, newest first. With `wait`, the request waits for the next \
                matching message if there is none yet.
                """,
            parameters: [
                .tenant, .limit,
                .query("to", .line(), "Only messages to this address or number."),
                .query(
                    "purpose", .word(OutboxMessage.Purpose.allCases.map(\.rawValue)), "Only messages for this purpose."),
                .query("after", .integer(0...Int64.max), "Only messages with a greater ID."),
                .query("wait", .integer(0...60), "Maximum time to wait, in seconds; default: 0."),
            ],
            result: (.ok, AdminSchemas.list("messages", of: "Message")), handler: .waiting(OutboxResource.list)),
        AdminRoute(
            method: .delete, path: "/outbox", name: "clearOutbox", about: "Delete all messages.",
            parameters: [.tenant],
            handler: .now(OutboxResource.clear)),
    ]

    private static let clock = [
        AdminRoute(
            method: .get, path: "/clock", name: "getClock", about: "Get the emulator's time.",
            result: (.ok, .named("Clock")),
            handler: .now(ClockResource.show)),
        AdminRoute(
            method: .put, path: "/clock", name: "setClock", about: "Set the time, and freeze it or let it run.",
            body: AdminBody(
                schema: .object(
                    [
                        AdminMember("now", .time, "Time in epoch seconds."),
                        AdminMember(
                            "offset", .integer(-EmulatorClock.times.upperBound...EmulatorClock.times.upperBound),
                            "Seconds ahead of real time; negative if behind."),
                        AdminMember("frozen", .boolean, "Whether the time is frozen; default: false."),
                    ], rules: [.notBoth("now", "offset")])), result: (.ok, .named("Clock")),
            handler: .now(ClockResource.set)),
        AdminRoute(
            method: .post, path: "/clock/advance", name: "advanceClock",
            about: "Move the time forward, or back with a negative number.",
            body: AdminBody(
                schema: .object([
                    AdminMember(
                        "seconds", .integer(-EmulatorClock.times.upperBound...EmulatorClock.times.upperBound),
                        required: true, "Seconds to move.")
                ])), result: (.ok, .named("Clock")), handler: .now(ClockResource.advance)),
        AdminRoute(
            method: .post, path: "/clock/freeze", name: "freezeClock", about: "Freeze the time.",
            body: AdminBody(
                schema: .object([AdminMember("at", .time, "Time to freeze at, in epoch seconds; default: now.")]),
                isOptional: true),
            result: (.ok, .named("Clock")), handler: .now(ClockResource.freeze)),
        AdminRoute(
            method: .post, path: "/clock/resume", name: "resumeClock",
            about: "Let the time run again, from its current value.",
            result: (.ok, .named("Clock")), handler: .now(ClockResource.resume)),
    ]

    private static let faults = [
        AdminRoute(
            method: .get, path: "/faults", name: "listFaults",
            about: "List the faults and how often each was injected.",
            result: (.ok, AdminSchemas.list("faults", of: "Fault")), handler: .now(FaultResource.list)),
        AdminRoute(
            method: .post, path: "/faults", name: "addFault",
            about: "Add a fault. If several faults match a request, the first one is injected.",
            body: AdminBody(schema: .named("NewFault")),
            result: (.created, .named("Fault")), problems: [.conflict], handler: .now(FaultResource.add)),
        AdminRoute(
            method: .delete, path: "/faults", name: "removeFaults", about: "Remove all faults.",
            handler: .now(FaultResource.removeAll)),
        AdminRoute(
            method: .delete, path: "/faults/{id}", name: "removeFault", about: "Remove a fault.",
            parameters: [.path("id", .integer(1...Int64(Int32.max)), "Fault ID.")],
            handler: .now(FaultResource.remove)),
    ]

    private static let keys = [
        AdminRoute(
            method: .get, path: "/keys", name: "listKeys", about: "List a tenant's signing keys, newest first.",
            parameters: [.tenant], result: (.ok, AdminSchemas.list("keys", of: "Key")), handler: .now(KeyResource.list)),
        AdminRoute(
            method: .post, path: "/keys/announce", name: "announceKey",
            about: "Publish the key that will sign after the next rotation, as services do some days ahead.",
            parameters: [.tenant], result: (.ok, AdminSchemas.list("keys", of: "Key")),
            handler: .now(KeyResource.announce)),
        AdminRoute(
            method: .post, path: "/keys/rotate", name: "rotateKeys",
            about: "Start signing with the announced key, or with a new one. Older keys stay published.",
            parameters: [.tenant],
            body: AdminBody(
                schema: .object([AdminMember("withdraw", .boolean, "Whether to withdraw the older keys.")]),
                isOptional: true), result: (.ok, AdminSchemas.list("keys", of: "Key")),
            handler: .now(KeyResource.rotate)),
        AdminRoute(
            method: .delete, path: "/keys/{id}", name: "withdrawKey",
            about: "Withdraw a key. Tokens that it signed can no longer be verified.",
            parameters: [.path("id", .line(), "Key ID (kid)."), .tenant], problems: [.conflict],
            handler: .now(KeyResource.withdraw)),
    ]

    private static let requests = [
        AdminRoute(
            method: .get, path: "/requests", name: "listRequests",
            about:
                "List the latest 1,000 requests and their outcomes, newest first. Requests to this API are not recorded.",
            parameters: [
                .limit, .query("tenant", .line(), "Only requests to the tenant with this name or ID."),
                .query("policy", .line(), "Only requests to this policy."),
                .query("client", .line(), "Only requests of this client ID."),
                .query("code", .line(), "Only requests with this error code, for example AADB2C90006."),
                .query("status", .integer(100...599), "Only requests with this status."),
                .query("after", .integer(0...Int64.max), "Only requests with a greater number."),
            ],
            result: (.ok, AdminSchemas.list("requests", of: "Request")), handler: .now(RequestResource.list)),
        AdminRoute(
            method: .delete, path: "/requests", name: "clearRequests", about: "Delete all recorded requests.",
            handler: .now(RequestResource.clear)),
    ]

    private static let tokens = [
        AdminRoute(
            method: .post, path: "/tokens", name: "forgeToken",
            about: "Create a token without a sign-in, valid or with chosen flaws, to test that an API rejects it.",
            body: AdminBody(schema: .named("TokenOrder")), result: (.created, .named("Token")),
            problems: [.notFound, .conflict],
            handler: .now(TokenResource.forge))
    ]
}
