import FoundationEssentials
import HTTPTypes

/// The sample API: it greets, and below its address it does what a client must be able to bear, one row each.
struct HelloAPI: Sendable {
    let api: SampleAPI

    private typealias Row = @Sendable (HelloAPI, Visit) throws -> Answer

    // By the path below the API's.
    private static let rows: [String: Row] = [
        "": { try $0.greeting($1) },
        "echo": { try $0.echo($1) },
        "protected": { try $0.protected($1) },
        "long": { try $0.long($1) },
        "slow": { try $0.slow($1) },
        "redirect": { $0.redirect($1) },
        "status": { try $0.status($1) },
        "forbidden": { hello, visit in
            _ = try hello.api.claims(visit)
            throw APIRefusal(.forbidden, error: "insufficient_scope", reason: "This path refuses every token")
        },
        "never": { _, _ in
            throw APIRefusal(.unauthorized, error: "invalid_token", reason: "This path rejects every token as invalid")
        },
        "once": { try $0.once($1) },
    ]

    func answer(_ visit: Visit) throws -> Answer {
        guard let row = Self.rows[api.rest] else {
            let known = Self.rows.keys.sorted().filter { !$0.isEmpty }.joined(separator: ", ")
            return try .json(
                ["error": "not_found", "error_description": .string("Unknown path; known paths: \(known)")],
                status: .notFound)
        }
        do {
            return try row(self, visit)
        } catch let refusal as APIRefusal {
            return refusal.answer(realm: api.api.name)
        }
    }

    private func greeting(_ visit: Visit) throws -> Answer {
        guard visit.method == .get || visit.method == .post else {
            return Answer(status: .methodNotAllowed).setting("Allow", "GET, POST")
        }
        let claims = try api.claims(visit)
        var body: JSON?
        if visit.method == .post, !visit.body.isEmpty {
            do { body = try JSON(parsing: visit.body) } catch {
                return try .json(
                    ["error": "invalid_request", "error_description": "The body is not valid JSON"], status: .badRequest
                )
            }
        }
        return try .json([
            "message": .string("Hello, \(claims["name"]?.string ?? "unknown user")"),
            "policy": claims["tfp"] ?? claims["acr"], "oid": claims["oid"] ?? claims["sub"],
            "method": .string(visit.method.rawValue),
            "body": body,
        ])
    }

    // Everything but what would show a token again. It needs none, so that what a client sends elsewhere can be seen.
    private func echo(_ visit: Visit) throws -> Answer {
        var headers: [String: JSON] = [:]
        for field in visit.headers where ![.authorization, .cookie].contains(field.name) {
            headers[field.name.canonicalName] = .string(field.value)
        }
        return try .json([
            "method": .string(visit.method.rawValue), "path": .string(visit.path), "query": .string(visit.rawQuery),
            "headers": .object(headers), "body": String(validating: visit.body, as: UTF8.self).map(JSON.string),
            "bytes": .integer(Int64(visit.body.count)), "hasToken": .bool(visit.bearerToken != nil),
        ])
    }

    // A claims challenge as Microsoft's APIs write it: what a token must carry, in base64.
    private func protected(_ visit: Visit) throws -> Answer {
        let claims = try api.claims(visit)
        let context = visit.query["acrs"] ?? "c1"
        if case .array(let all)? = claims["acrs"], all.contains(.string(context)) { return try greeting(visit) }
        let wanted: JSON = ["access_token": ["acrs": ["essential": .bool(true), "value": .string(context)]]]
        let text = Data(try wanted.encoded()).base64EncodedString()
        let refusal = APIRefusal(
            .unauthorized, error: "insufficient_claims", reason: "Sign in again with the requested claims")
        return refusal.answer(realm: api.api.name, more: [("claims", text)])
    }

    private func long(_ visit: Visit) throws -> Answer {
        _ = try api.claims(visit)
        var answer = Answer(status: .ok, type: "text/plain; charset=utf-8")
        answer.filler = Filler(
            bytes: max(0, min(visit.query["bytes"].flatMap { Int($0) } ?? 1 << 20, Filler.most)),
            announcesLength: visit.query["length"] != "no")
        return answer
    }

    private func slow(_ visit: Visit) throws -> Answer {
        var answer = try greeting(visit)
        answer.delay = .milliseconds(visit.query["milliseconds"].flatMap { Int($0) } ?? 1_000)
        return answer
    }

    // To another origin of the same machine, unless told otherwise.
    private func redirect(_ visit: Visit) -> Answer {
        let status = HTTPResponse.Status(code: visit.query["status"].flatMap { Int($0) } ?? 307)
        var answer = Answer(status: status.kind == .redirection ? status : .temporaryRedirect)
        answer.headers[.location] =
            visit.query["to"] ?? "\(visit.port.origin(host: "127.0.0.1"))\(api.api.samplePath)/echo"
        return answer
    }

    private func status(_ visit: Visit) throws -> Answer {
        let code = visit.query["code"].flatMap { Int($0) } ?? 500
        let status = HTTPResponse.Status(code: (200...599).contains(code) ? code : 500)
        return try .json(["status": .integer(Int64(code))], status: status)
    }

    // The first token with which this is called is refused from then on, here and everywhere. Others are not.
    private func once(_ visit: Visit) throws -> Answer {
        _ = try api.claims(visit)
        guard api.tenant.refused.insertFirst(visit.bearerToken ?? "") else { return try greeting(visit) }
        throw APIRefusal(.unauthorized, error: "invalid_token", reason: "The token was revoked")
    }
}
