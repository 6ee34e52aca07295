import HTTPTypes
import SusiBase
import SusiPolicies

enum TokenResource {
    static let order = SchemaNode.object([
        .init("user", .text(.any), required: true, "the object ID, email address or user name"),
        .init("kind", .choice(TokenOrder.Kind.allCases.map(\.rawValue)), "default: access"),
        .init("policy", .text(.any), "the policy; default: the tenant's first sign-in policy"),
        .init("client", .text(.any), "the client ID; default: the tenant's first application"),
        .init("scope", .text(.any), "the scopes; default: openid and the scopes of the first API"),
        .init("nonce", .text(.any), "the nonce of an id token"),
        .init(
            "flaws", .list(of: .choice(TokenOrder.Flaw.allCases.map(\.rawValue)), atLeast: 0), "the flaws of the token"),
        .init("claims", .map(of: .any, name: .any), "claims to set; null removes a claim"),
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
        order.claims = body["claims"].map { JSON($0) }?.members ?? [:]
        do {
            let forged = try request.site.forge(order, origin: request.context.origin)
            return .json(
                ["token": .string(forged.text), "header": forged.header, "claims": forged.claims], status: .created)
        } catch let error as TokenOrderError {
            let isThere = ["flaws", "scope"].contains(error.field)
            throw AdminProblem(isThere ? .conflict : .notFound, error.description, field: error.field)
        }
    }
}
