import HTTPTypes

enum TokenResource {
    static func forge(_ request: AdminRequest) throws -> AdminResult {
        let body = request.body
        var order = TokenOrder(
            user: body["user"]?.string ?? "", kind: body["kind"]?.string.flatMap(TokenOrder.Kind.init) ?? .access)
        if case .array(let flaws)? = body["flaws"] {
            order.flaws = flaws.compactMap { $0.string.flatMap(TokenOrder.Flaw.init) }
        }
        order.tenant = body["tenant"]?.string
        order.policy = body["policy"]?.string
        order.clientID = body["client"]?.string
        order.scope = body["scope"]?.string
        order.nonce = body["nonce"]?.string
        var claims: [String: JSON] = [:]
        if case .object(let members)? = body["claims"] { claims = members }
        do {
            let forged = try request.site.forge(order, origin: request.context.origin, replacing: claims)
            return .json(["token": .string(forged.text), "header": forged.header, "claims": forged.claims])
        } catch let error as TokenOrderError {
            let isThere = ["flaws", "scope"].contains(error.field)
            throw AdminProblem(isThere ? .conflict : .notFound, error.description, field: error.field)
        }
    }
}
