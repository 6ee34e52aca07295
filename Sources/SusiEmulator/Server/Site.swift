import HTTPTypes
import SusiBase
import SusiPolicies
import SusiSQLite

struct Site: Sendable {
    let tenants: [Tenant]
    let clock: EmulatorClock
    let audit = AuditTrail()
    let faults = Faults()
    /// The secret of the admin API; nil without that API.
    var secret: AdminSecret?
    var reach = ListenOptions.loopback

    var admin: AdminAPI? { secret.map { AdminAPI(site: self, secret: $0) } }

    /// Adds the seeded users that do not exist yet, in one transaction per tenant.
    func seed() throws {
        let hashes = SharedHashes()
        // Shared users are added in the tenant that owns them.
        for tenant in tenants where tenant.configuration.usersOf == nil {
            let (database, configuration) = (tenant.database, tenant.configuration)
            try database.write { connection in
                for user in configuration.users { try database.seed(user, hashes: hashes, connection) }
                guard let file = configuration.usersFile else { return }
                let last = try connection.first("SELECT max(rowid) FROM users") { try $0.optionalInteger(0) } ?? nil
                try UsersFile(path: file, tenant: configuration).forEach { user in
                    try database.seed(user, hashes: hashes, after: last ?? 0, connection)
                }
            }
        }
    }

    func respond(to context: RequestContext) throws -> Response {
        let origin = context.origin
        if let response = try Health.response(to: context, of: self) { return response }
        guard context.hasOwnHost else {
            return .json(
                ["error": "invalid_host", "error_description": .string(context.hostReason)], status: .badRequest,
                note: context.hostReason)
        }
        if let response = try DeveloperPages.respond(self, context, origin: origin) { return response }
        if var response = try InstanceDiscovery.response(to: context, of: self, origin: origin) {
            response.facts.isMetadata = true
            return response
        }
        if let response = try UserRealm.response(to: context, of: self) { return response }
        if let users = GraphUsers(self, context) { return try users.respond() }
        if let api = try SampleAPI.find(self, context, origin: origin) {
            var response = try CrossOrigin.respond(to: context, for: .init(of: api.tenant)) {
                try faults.respond(to: context, at: .api, of: api.tenant) { try api.respond(to: context) }
            }
            response.facts.tenant = api.tenant.label
            return response
        }
        var routes: [Route] = []
        for tenant in tenants {
            let dialect = tenant.configuration.kind.dialect
            guard let (endpoint, rest) = dialect.endpoint(context.segments, context.query, in: tenant, origin: origin)
            else {
                continue
            }
            let path = rest.joined(separator: "/").lowercased()
            let found = Route.table.filter { $0.isAt(path, of: endpoint) }
            if let route = found.first(where: { $0.method.rawValue == CrossOrigin.method(of: context) }) {
                let readers = CrossOrigin.Readers(of: route, at: endpoint, context)
                return try CrossOrigin.respond(to: context, for: readers) {
                    var response = try faults.respond(to: context, at: route.fault, of: tenant, policy: endpoint) {
                        try route.respond(endpoint, context)
                    }
                    response.facts.isMetadata = [.metadata, .keys].contains(route.fault)
                    return response
                }.noting(endpoint, context)
            }
            routes += found
        }
        guard !routes.isEmpty else { return try notFound(context) }
        return Self.refusing(context, routes)
    }

    // The response to an unsupported method, or to OPTIONS (RFC 9110 sections 9.3.7 and 15.5.6).
    private static func refusing(_ context: RequestContext, _ routes: [Route]) -> Response {
        let served = routes.map(\.method)
        let methods: [HTTPRequest.Method] = [.get, .post].filter(served.contains)
        let all = methods.flatMap { $0 == .get ? [.get, .head] : [$0] } + [.options]
        let allowed = all.map(\.rawValue).joined(separator: ", ")
        let isQuestion = context.method == .options && context.headers[.accessControlRequestMethod] == nil
        let response =
            isQuestion
            ? Response(status: .noContent)
            : Response(status: .methodNotAllowed, note: "allowed: \(allowed)")
        return response.setting("Allow", allowed)
    }

    // The platform knows the addresses of every tenant, also of those that do not exist.
    private func unknownTenant(_ context: RequestContext) throws -> Response? {
        let path = context.segments.dropFirst().joined(separator: "/").lowercased()
        let errors = [
            "v2.0/.well-known/openid-configuration": "invalid_tenant", "oauth2/v2.0/token": "invalid_request",
        ]
        guard let error = errors[path], let name = context.segments.first,
            !tenants.contains(where: { $0.spelling(name) != nil }),
            tenants.contains(where: { $0.configuration.kind.dialect.traits.servesInstanceDiscovery })
        else { return nil }
        var message = RefusalMessage(
            platform: 90002, error: error,
            text: """
                Tenant '\(name)' not found. Check to make sure you have the correct tenant ID and are signing into the \
                correct cloud. Check with your subscription administrator, this may happen if there are no active \
                subscriptions for the tenant.
                """, now: context.now)
        message.addAddress()
        return .json(message.body, status: .badRequest, note: message.note)
    }

    private func notFound(_ context: RequestContext) throws -> Response {
        let unknown = unknownPolicy(context)
        let reason = { (words: Words) in
            unknown.map { words[.unknownPolicy, $0.tenant, $0.policy] } ?? words[.nothingServed]
        }
        let note = unknown == nil ? "not found" : reason(.english)
        if context.headers[.accept]?.contains("text/html") ?? false {
            return NotFoundPage.response(
                context, policyEndpoints(at: context.origin), reason: reason(context.words), note: note)
        }
        if let response = try unknownTenant(context) { return response }
        let served = tenants.map { tenant in
            let policies = tenant.configuration.policies.map(\.name.spelling).joined(separator: ", ")
            return Words.english[.tenantAndPolicies, tenant.configuration.name, policies]
        }
        let why = ([reason(.english)] + served).joined(separator: " ")
        return .json(["error": "not_found", "error_description": .string(why)], status: .notFound, note: note)
    }

    // The name of a policy in an address of a tenant that does not have it.
    private func unknownPolicy(_ context: RequestContext) -> (tenant: String, policy: String)? {
        let segments = context.segments.drop { $0.lowercased() == "tfp" }
        let named = tenants.first { $0.spelling(segments.first ?? "") != nil }
        guard let tenant = named?.configuration, tenant.kind.traits.hasPolicies,
            let policy = context.query["p"] ?? segments.dropFirst().first, policy != "oauth2",
            !tenant.policies.contains(where: { $0.name == PolicyName(policy) })
        else { return nil }
        return (tenant.name, String(policy.prefix(100)))
    }
}

extension Response {
    /// The response with tenant, policy and client for the audit trail, and with the opener policy of the client. The request of a
    /// page names no client; its transaction does.
    fileprivate func noting(_ endpoint: PolicyEndpoint, _ context: RequestContext) -> Response {
        var copy = self
        copy.facts.tenant = endpoint.tenant.label
        if endpoint.tenant.configuration.kind.traits.hasPolicies { copy.facts.policy = endpoint.policy.name.spelling }
        if copy.facts.clientID == nil { copy.facts.clientID = context.query["client_id"] ?? context.form["client_id"] }
        guard let application = copy.facts.clientID.flatMap(endpoint.registered), application.coopEnforcement else {
            return copy
        }
        return copy.setting("Cross-Origin-Opener-Policy", "same-origin")
    }
}
