import HTTPTypes

/// The sample API: it greets, and echoes JSON.
struct HelloAPI: Sendable {
    let api: SampleAPI

    func answer(_ visit: Visit) throws -> Answer {
        guard visit.method == .get || visit.method == .post else {
            return Answer(status: .methodNotAllowed).setting("Allow", "GET, POST")
        }
        do {
            return try greeting(try api.claims(visit), visit)
        } catch let refusal as APIRefusal {
            return refusal.answer(realm: api.api.name)
        }
    }

    private func greeting(_ claims: JSON, _ visit: Visit) throws -> Answer {
        var body: JSON?
        if visit.method == .post, !visit.body.isEmpty {
            do { body = try JSON(parsing: visit.body) } catch {
                return try .json(
                    ["error": "invalid_request", "error_description": "The body is no JSON"], status: .badRequest)
            }
        }
        return try .json([
            "message": .string("Hello, \(claims["name"]?.string ?? "whoever you are")"),
            "policy": claims["tfp"], "oid": claims["oid"] ?? claims["sub"], "method": .string(visit.method.rawValue),
            "body": body,
        ])
    }
}
