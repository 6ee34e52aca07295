import FoundationEssentials
import HTTPTypes
import SusiBase

/// The sample API: a greeting and, below its address, a path for each difficult response that a client must handle.
struct HelloAPI: Sendable {
    let api: SampleAPI

    private typealias Row = @Sendable (HelloAPI, RequestContext) throws -> Response

    // The handlers by the path below the API.
    private static let rows: [String: Row] = [
        "": { try $0.greeting($1) },
        "echo": { try $0.echo($1) },
        "protected": { try $0.protected($1) },
        "long": { try $0.long($1) },
        "slow": { try $0.slow($1) },
        "redirect": { $0.redirect($1) },
        "status": { try $0.status($1) },
        "forbidden": { hello, context in
            _ = try hello.api.claims(context)
            throw APIRefusal(.forbidden, error: "insufficient_scope", reason: "This path refuses every token")
        },
        "never": { _, _ in
            throw APIRefusal(.unauthorized, error: "invalid_token", reason: "This path rejects every token as invalid")
        },
        "once": { try $0.once($1) },
    ]

    func respond(to context: RequestContext) throws -> Response {
        guard let row = Self.rows[api.rest] else {
            let known = Self.rows.keys.sorted().filter { !$0.isEmpty }.joined(separator: ", ")
            return .json(
                ["error": "not_found", "error_description": .string("Unknown path; known paths: \(known)")],
                status: .notFound)
        }
        do {
            return try row(self, context)
        } catch let refusal as APIRefusal {
            return refusal.response(realm: api.api.name)
        }
    }

    private func greeting(_ context: RequestContext) throws -> Response {
        guard context.method == .get || context.method == .post else {
            return Response(status: .methodNotAllowed).setting("Allow", "GET, POST")
        }
        let claims = try api.claims(context)
        var body: JSON?
        if context.method == .post, !context.body.isEmpty {
            do { body = try JSON(parsing: context.body) } catch {
                return .json(
                    ["error": "invalid_request", "error_description": "The body is not valid JSON"], status: .badRequest
                )
            }
        }
        return .json([
            "message": .string("Hello, \(claims["name"]?.string ?? "unknown user")"),
            "policy": claims["tfp"] ?? claims["acr"], "oid": claims["oid"] ?? claims["sub"],
            "method": .string(context.method.rawValue),
            "body": body,
        ])
    }

    // Returns the request without its tokens. Requires no token, to show what a client sends to other origins.
    private func echo(_ context: RequestContext) throws -> Response {
        var headers: [String: JSON] = [:]
        for field in context.headers where ![.authorization, .cookie].contains(field.name) {
            headers[field.name.canonicalName] = .string(field.value)
        }
        return .json([
            "method": .string(context.method.rawValue), "path": .string(context.path),
            "query": .string(context.rawQuery),
            "headers": .object(headers), "body": String(validating: context.body, as: UTF8.self).map(JSON.string),
            "bytes": .integer(Int64(context.body.count)), "hasToken": .bool(context.bearerToken != nil),
        ])
    }

    // A claims challenge in the format of Microsoft's APIs: the required claims in base64.
    private func protected(_ context: RequestContext) throws -> Response {
        let claims = try api.claims(context)
        let wantedClass = context.query["acrs"] ?? "c1"
        if case .array(let all)? = claims["acrs"], all.contains(.string(wantedClass)) { return try greeting(context) }
        let wanted: JSON = ["access_token": ["acrs": ["essential": .bool(true), "value": .string(wantedClass)]]]
        let text = Data(wanted.encoded).base64EncodedString()
        let refusal = APIRefusal(
            .unauthorized, error: "insufficient_claims", reason: "Sign in again with the requested claims")
        return refusal.response(realm: api.api.name, more: [("claims", text)])
    }

    private func long(_ context: RequestContext) throws -> Response {
        _ = try api.claims(context)
        var response = Response(status: .ok, type: "text/plain; charset=utf-8")
        response.filler = StreamedBody(
            bytes: HelloQuery(query: context.query).bytes, announcesLength: context.query["length"] != "no")
        return response
    }

    private func slow(_ context: RequestContext) throws -> Response {
        var response = try greeting(context)
        response.delay = HelloQuery(query: context.query).delay
        return response
    }

    // Redirects, by default to another origin of the same machine.
    private func redirect(_ context: RequestContext) -> Response {
        var response = Response(status: HelloQuery(query: context.query).redirect)
        response.headers[.location] =
            context.query["to"] ?? "\(context.port.origin(host: "127.0.0.1"))\(api.api.samplePath)/echo"
        return response
    }

    private func status(_ context: RequestContext) throws -> Response {
        let status = HelloQuery(query: context.query).status
        return .json(["status": .integer(Int64(status.code))], status: status)
    }

    // Refuses the first token that it receives, which the tenant then refuses everywhere. Accepts all others.
    private func once(_ context: RequestContext) throws -> Response {
        _ = try api.claims(context)
        guard api.tenant.refused.insertFirst(context.bearerToken ?? "") else { return try greeting(context) }
        throw APIRefusal(.unauthorized, error: "invalid_token", reason: "The token was revoked")
    }
}
