import HTTPTypes
import SusiBase
import SusiPolicies

enum TokenResource {
    static let order = SchemaNode.object([
        .init("user", .text(.any), required: true),
        .init("kind", .choice(TokenOrder.Kind.allCases.map(\.rawValue))), .init("policy", .text(.any)),
        .init("client", .text(.any)), .init("scope", .text(.any)), .init("nonce", .text(.any)),
        .init("flaws", .list(of: .choice(TokenOrder.Flaw.allCases.map(\.rawValue)), atLeast: 0)),
        .init("claims", .map(of: .any, name: .any)),
    ])

    static func forge(_ request: AdminRequest) throws -> Response {
        let body = request.body
        var order = TokenOrder(
            user: body["user"]?.string ?? "", kind: body["kind"]?.string.flatMap(TokenOrder.Kind.init) ?? .access)
        order.flaws = body["flaws"]?.strings?.compactMap(TokenOrder.Flaw.init) ?? []
        order.tenant = request.query["tenant"]
        order.policy = body["policy"]?.string
        order.clientID = body["client"]?.string
        order.scope = body["scope"]?.string
        order.nonce = body["nonce"]?.string
        let claims = body["claims"].map { JSON($0) }?.members ?? [:]
        do {
            let forged = try request.site.forge(order, origin: request.context.origin, replacing: claims)
            return .json(
                ["token": .string(forged.text), "header": forged.header, "claims": forged.claims], status: .created)
        } catch let error as TokenOrderError {
            let isThere = ["flaws", "scope"].contains(error.field)
            throw AdminProblem(isThere ? .conflict : .notFound, error.description, field: error.field)
        }
    }
}
