import HTTPTypes

extension AdminRoute {
    /// Every operation of the admin API. A new one is one row here and a handler beside its resource.
    static let table: [AdminRoute] =
        [
            AdminRoute(
                method: .get, path: "/openapi.json", name: "describe",
                about: "This description (OpenAPI 3.1). It needs no secret.",
                result: (.ok, .object([], others: .anything)), needsSecret: false,
                handler: .now { .json(OpenAPI.document(origin: $0.visit.port.origin)) }),
            AdminRoute(
                method: .get, path: "/tenants", name: "listTenants",
                about: "The tenants, with their policies, applications and APIs.",
                result: (.ok, AdminSchemas.list("tenants", of: "Tenant")), handler: .now(TenantResource.list)),
            AdminRoute(
                method: .post, path: "/reset", name: "reset",
                about: """
                    Everything as at the first start: the seeded users with their first passwords, no sessions, grants, \
                    messages, faults and requests, the real time. The signing keys stay.
                    """,
                handler: .now(TenantResource.reset)),
        ] + users + sessions + outbox + clock + faults + keys + requests + tokens

    private static let user = AdminParameter.path("id", .line(), "Object id, address or user name.")

    private static let users = [
        AdminRoute(
            method: .get, path: "/users", name: "listUsers",
            about: "A tenant's users, in the order of their object ids.",
            parameters: [
                .tenant, .limit,
                .query("search", .line(), "Only those whose address, user name or display name has this in it."),
                .query("after", .line(), "Only those after this object id: `next` has it."),
            ],
            result: (.ok, AdminSchemas.list("users", of: "User", isPaged: true)), handler: .now(UserResource.list)),
        AdminRoute(
            method: .post, path: "/users", name: "createUser", about: "Adds a user.", parameters: [.tenant],
            body: AdminBody(schema: .named("NewUser")), result: (.created, .named("User")), problems: [.conflict],
            handler: .now(UserResource.create)),
        AdminRoute(
            method: .get, path: "/users/{id}", name: "getUser", about: "A user.", parameters: [user, .tenant],
            result: (.ok, .named("User")), handler: .now(UserResource.show)),
        AdminRoute(
            method: .patch, path: "/users/{id}", name: "changeUser",
            about: "Changes what is given about a user, and leaves the rest (RFC 7396).", parameters: [user, .tenant],
            body: AdminBody(schema: .named("UserChange")), result: (.ok, .named("User")), problems: [.conflict],
            handler: .now(UserResource.change)),
        AdminRoute(
            method: .delete, path: "/users/{id}", name: "removeUser",
            about: "Removes a user with their sessions; their refresh tokens get AADB2C90128 from then on.",
            parameters: [user, .tenant], handler: .now(UserResource.remove)),
        AdminRoute(
            method: .post, path: "/users/{id}/revoke", name: "revokeUser",
            about: "Ends a user's sessions and revokes all their refresh tokens, which get AADB2C90129 from then on.",
            parameters: [user, .tenant],
            result: (
                .ok,
                .object([
                    AdminMember("sessions", .integer(0...Int64.max), required: true, "How many sessions ended."),
                    AdminMember("grants", .integer(0...Int64.max), required: true, "How many sign-ins were revoked."),
                ])
            ), handler: .now(UserResource.revoke)),
    ]

    private static let sessions = [
        AdminRoute(
            method: .get, path: "/sessions", name: "listSessions", about: "The browsers that are signed in.",
            parameters: [.tenant, .limit, .query("user", .line(), "Only those of this user.")],
            result: (.ok, AdminSchemas.list("sessions", of: "Session")), handler: .now(SessionResource.list)),
        AdminRoute(
            method: .delete, path: "/sessions", name: "endSessions", about: "Ends all sessions, or those of a user.",
            parameters: [.tenant, .query("user", .line(), "Only those of this user.")],
            handler: .now(SessionResource.endAll)),
        AdminRoute(
            method: .delete, path: "/sessions/{id}", name: "endSession", about: "Ends a session.",
            parameters: [.path("id", .line(), "The session's id."), .tenant], handler: .now(SessionResource.end)),
    ]

    private static let outbox = [
        AdminRoute(
            method: .get, path: "/outbox", name: "listMessages",
            about: """
                The messages that would have been sent, the newest first. With `wait`, an answer that would be empty waits \
                for the next message that fits.
                """,
            parameters: [
                .tenant, .limit,
                .query("to", .line(), "Only those to this address or number."),
                .query(
                    "purpose", .word(OutboxMessage.Purpose.allCases.map(\.rawValue)), "Only those for this purpose."),
                .query("after", .integer(0...Int64.max), "Only those with a greater id."),
                .query("wait", .integer(0...60), "How many seconds to wait at most; 0 without it."),
            ],
            result: (.ok, AdminSchemas.list("messages", of: "Message")), handler: .waiting(OutboxResource.list)),
        AdminRoute(
            method: .delete, path: "/outbox", name: "clearOutbox", about: "Forgets all messages.",
            parameters: [.tenant],
            handler: .now(OutboxResource.clear)),
    ]

    private static let clock = [
        AdminRoute(
            method: .get, path: "/clock", name: "getClock", about: "The emulator's time.",
            result: (.ok, .named("Clock")),
            handler: .now(ClockResource.show)),
        AdminRoute(
            method: .put, path: "/clock", name: "setClock", about: "Sets the time, and whether it runs.",
            body: AdminBody(
                schema: .object(
                    [
                        AdminMember("now", .time, "The time in epoch seconds."),
                        AdminMember(
                            "offset", .integer(-EmulatorClock.times.upperBound...EmulatorClock.times.upperBound),
                            "How far it is ahead of the real time."),
                        AdminMember("frozen", .boolean, "Whether it stands still; false without it."),
                    ], rules: [.notBoth("now", "offset")])), result: (.ok, .named("Clock")),
            handler: .now(ClockResource.set)),
        AdminRoute(
            method: .post, path: "/clock/advance", name: "advanceClock",
            about: "Moves the time, back with less than 0.",
            body: AdminBody(
                schema: .object([
                    AdminMember(
                        "seconds", .integer(-EmulatorClock.times.upperBound...EmulatorClock.times.upperBound),
                        required: true, "How far.")
                ])), result: (.ok, .named("Clock")), handler: .now(ClockResource.advance)),
        AdminRoute(
            method: .post, path: "/clock/freeze", name: "freezeClock", about: "Stops the time.",
            body: AdminBody(
                schema: .object([AdminMember("at", .time, "At this time; now without it.")]), isOptional: true),
            result: (.ok, .named("Clock")), handler: .now(ClockResource.freeze)),
        AdminRoute(
            method: .post, path: "/clock/resume", name: "resumeClock",
            about: "Lets the time run on from where it stands.",
            result: (.ok, .named("Clock")), handler: .now(ClockResource.resume)),
    ]

    private static let faults = [
        AdminRoute(
            method: .get, path: "/faults", name: "listFaults", about: "The faults, with how often they struck.",
            result: (.ok, AdminSchemas.list("faults", of: "Fault")), handler: .now(FaultResource.list)),
        AdminRoute(
            method: .post, path: "/faults", name: "addFault",
            about: "Adds a fault. Of several that fit a request, the first one strikes.",
            body: AdminBody(schema: .named("NewFault")),
            result: (.created, .named("Fault")), problems: [.conflict], handler: .now(FaultResource.add)),
        AdminRoute(
            method: .delete, path: "/faults", name: "removeFaults", about: "Removes all faults.",
            handler: .now(FaultResource.removeAll)),
        AdminRoute(
            method: .delete, path: "/faults/{id}", name: "removeFault", about: "Removes a fault.",
            parameters: [.path("id", .integer(1...Int64(Int32.max)), "The fault's id.")],
            handler: .now(FaultResource.remove)),
    ]

    private static let keys = [
        AdminRoute(
            method: .get, path: "/keys", name: "listKeys", about: "A tenant's signing keys, the newest first.",
            parameters: [.tenant], result: (.ok, AdminSchemas.list("keys", of: "Key")), handler: .now(KeyResource.list)),
        AdminRoute(
            method: .post, path: "/keys/announce", name: "announceKey",
            about: "Publishes the key that will sign after the next rotation, as services do it some days before.",
            parameters: [.tenant], result: (.ok, AdminSchemas.list("keys", of: "Key")),
            handler: .now(KeyResource.announce)),
        AdminRoute(
            method: .post, path: "/keys/rotate", name: "rotateKeys",
            about: "Signs with the announced key from now on, or with a new one; the older ones stay published.",
            parameters: [.tenant],
            body: AdminBody(
                schema: .object([AdminMember("withdraw", .boolean, "Whether the older ones are withdrawn instead.")]),
                isOptional: true), result: (.ok, AdminSchemas.list("keys", of: "Key")),
            handler: .now(KeyResource.rotate)),
        AdminRoute(
            method: .delete, path: "/keys/{id}", name: "withdrawKey",
            about: "Withdraws a key: what it signed cannot be checked any longer.",
            parameters: [.path("id", .line(), "The key's id (kid)."), .tenant], problems: [.conflict],
            handler: .now(KeyResource.withdraw)),
    ]

    private static let requests = [
        AdminRoute(
            method: .get, path: "/requests", name: "listRequests",
            about:
                "What became of the latest thousand requests, the newest first. Those of this API are not among them.",
            parameters: [
                .limit, .query("tenant", .line(), "Only those for the tenant of this name or id."),
                .query("policy", .line(), "Only those at this policy."),
                .query("client", .line(), "Only those of this client id."),
                .query("code", .line(), "Only those with this error: AADB2C90006."),
                .query("status", .integer(100...599), "Only those with this status."),
                .query("after", .integer(0...Int64.max), "Only those with a greater number."),
            ],
            result: (.ok, AdminSchemas.list("requests", of: "Request")), handler: .now(RequestResource.list)),
        AdminRoute(
            method: .delete, path: "/requests", name: "clearRequests", about: "Forgets all requests.",
            handler: .now(RequestResource.clear)),
    ]

    private static let tokens = [
        AdminRoute(
            method: .post, path: "/tokens", name: "forgeToken",
            about: "Makes a token without a sign-in, right or with chosen flaws, for tests of what has to refuse it.",
            body: AdminBody(schema: .named("TokenOrder")), result: (.created, .named("Token")),
            problems: [.notFound, .conflict],
            handler: .now(TokenResource.forge))
    ]
}
