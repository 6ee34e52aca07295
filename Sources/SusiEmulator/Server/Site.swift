import HTTPTypes
import SusiPolicies
import SusiSQLite

/// Everything that one emulator serves.
struct Site: Sendable {
    let tenants: [Tenant]
    let clock: EmulatorClock
    /// The latest requests.
    let audit = AuditTrail()
    /// What goes wrong on purpose.
    let faults = Faults()
    /// What an administrator must know; nil when there is no admin API.
    var secret: AdminSecret?
    /// From where it is reached.
    var reach = ListenOptions.loopback

    /// Whether nobody has the database just now. All tenants are in one.
    var isIdle: Bool { tenants.first?.database.file.isIdle ?? true }

    /// The admin API of this site.
    var admin: AdminAPI? { secret.map { AdminAPI(site: self, secret: $0) } }

    /// Adds the seeded users that are absent, all of a tenant in one transaction.
    func seed() throws {
        let hashes = SharedHashes()
        for tenant in tenants {
            let (database, configuration) = (tenant.database, tenant.configuration)
            try database.write { connection in
                for user in configuration.users { try database.seed(user, hashes, connection) }
                guard let file = configuration.usersFile else { return }
                let last = try connection.first("SELECT max(rowid) FROM users") { try $0.optionalInteger(0) } ?? nil
                try UsersFile(path: file).forEach { user in
                    try database.seed(user, hashes, after: last ?? 0, connection)
                }
            }
        }
    }

    /// The answer to any request.
    func answer(_ context: RequestContext) throws -> Response {
        let origin = context.origin
        guard context.hasOwnHost else {
            return try .json(
                ["error": "invalid_host", "error_description": .string(context.hostReason)], status: .badRequest,
                note: context.hostReason)
        }
        if let answer = try DeveloperPages.respond(self, context, origin: origin) { return answer }
        if var answer = try InstanceDiscovery.answer(self, context, origin: origin) {
            answer.facts.isMetadata = true
            return answer
        }
        if let answer = try UserRealm.answer(self, context) { return answer }
        if let api = try SampleAPI.find(self, context, origin: origin) {
            var answer =
                try CrossOrigin.preflight(of: api.tenant, context)
                ?? faults.answer(.api, api.tenant, nil, context) { try api.answer(context) }
            answer.facts.tenant = api.tenant.label
            return CrossOrigin.opening(answer, of: api.tenant, context)
        }
        var routes: [Route] = []
        for tenant in tenants {
            let dialect = tenant.configuration.kind.dialect
            guard let (endpoint, rest) = dialect.endpoint(context.segments, context.query, in: tenant, origin: origin)
            else {
                continue
            }
            let path = rest.joined(separator: "/").lowercased()
            let found = Route.table.filter { $0.isAt(path, dialect) }
            if let route = found.first(where: { $0.method == context.method }) {
                var answer = try faults.answer(route.fault, tenant, endpoint, context) {
                    try route.answer(endpoint, context)
                }
                answer.facts.isMetadata = [.metadata, .keys].contains(route.fault)
                return CrossOrigin.opening(answer.noting(endpoint, context), of: route, endpoint, context)
            }
            if let answer = CrossOrigin.preflight(found, endpoint, context) { return answer.noting(endpoint, context) }
            routes += found
        }
        guard !routes.isEmpty else { return try notFound(context) }
        return Self.refusing(context, routes)
    }

    // Another method, or the question which there are (RFC 9110 sections 9.3.7 and 15.5.6).
    private static func refusing(_ context: RequestContext, _ routes: [Route]) -> Response {
        let served = routes.map(\.method)
        let methods: [HTTPRequest.Method] = [.get, .post].filter(served.contains)
        let all = methods.flatMap { $0 == .get ? [.get, .head] : [$0] } + [.options]
        let allowed = all.map(\.rawValue).joined(separator: ", ")
        let isQuestion = context.method == .options && context.headers[.accessControlRequestMethod] == nil
        let answer =
            isQuestion
            ? Response(status: .noContent)
            : Response(status: .methodNotAllowed, note: "allowed: \(allowed)")
        return answer.setting("Allow", allowed)
    }

    private func notFound(_ context: RequestContext) throws -> Response {
        if context.headers[.accept]?.contains("text/html") ?? false {
            return NotFoundPage.response(context, places(context.origin))
        }
        let words = Words(language: .english)
        let served = tenants.map { tenant in
            let policies = tenant.configuration.policies.map(\.name.spelling).joined(separator: ", ")
            return words[.tenantAndPolicies, tenant.configuration.name, policies]
        }
        let reason = ([words[.nothingServed]] + served).joined(separator: " ")
        return try .json(
            ["error": "not_found", "error_description": .string(reason)], status: .notFound, note: "not found")
    }
}

extension Response {
    /// The same answer with whom it was for. A request that says nothing about the client may be one of a page, whose
    /// transaction knows it.
    fileprivate func noting(_ endpoint: PolicyEndpoint, _ context: RequestContext) -> Response {
        var copy = self
        copy.facts.tenant = endpoint.tenant.label
        if endpoint.tenant.configuration.kind == .b2c { copy.facts.policy = endpoint.policy.name.spelling }
        if copy.facts.clientID == nil { copy.facts.clientID = context.query["client_id"] ?? context.form["client_id"] }
        return copy
    }
}
