import HTTPTypes
import SusiBase

/// The part of Microsoft Graph that returns the signed-in user, and the user's groups.
struct GraphAPI: Sendable {
    let api: SampleAPI

    func respond(to context: RequestContext) throws -> Response {
        let listsGroups = api.rest.hasSuffix("/getMemberObjects") && context.method == .post
        guard listsGroups || api.rest == "me" && context.method == .get else {
            let reason = "Resource not found for the segment '\(api.rest)'."
            return try Self.error("BadRequest", message: reason, status: .notFound)
        }
        do {
            guard let user = try api.tenant.user(ofToken: try api.claims(context)) else {
                return try Self.error(
                    "Request_ResourceNotFound", message: "The user does not exist.", status: .notFound)
            }
            guard listsGroups else { return .json(profile(user)) }
            guard ["me/getMemberObjects", "users/\(user.objectID)/getMemberObjects"].contains(api.rest) else {
                throw APIRefusal(.forbidden, reason: "Insufficient privileges to complete the operation.")
            }
            return .json([
                "@odata.context": .string("\(api.origin)\(api.api.path)/$metadata#Collection(Edm.String)"),
                "value": user.attributes["groups"] ?? [],
            ])
        } catch let refusal as APIRefusal {
            let code = refusal.status == .forbidden ? "Authorization_RequestDenied" : "InvalidAuthenticationToken"
            var response = try Self.error(
                code, message: refusal.reason ?? "Access token is empty.", status: refusal.status)
            response.headers[.wwwAuthenticate] = refusal.response(realm: "").headers[.wwwAuthenticate]
            return response
        }
    }

    // Personal accounts have no mailbox, so that clients fall back to the user name.
    private func profile(_ user: User) -> JSON {
        [
            "@odata.context": .string("\(api.origin)\(api.api.path)/$metadata#users/$entity"), "businessPhones": [],
            "displayName": .string(user.displayName), "jobTitle": .null,
            "givenName": user.givenName.isEmpty ? .null : .string(user.givenName),
            "mail": user.homeTenant == nil ? user.email.map(JSON.string) ?? .null : .null, "mobilePhone": .null,
            "officeLocation": .null, "preferredLanguage": .null,
            "surname": user.surname.isEmpty ? .null : .string(user.surname),
            "userPrincipalName": .string(user.principalName(in: api.tenant.configuration.name)),
            "id": .string(user.objectID),
        ]
    }

    static func error(_ code: String, message: String, status: HTTPResponse.Status) throws -> Response {
        .json(
            ["error": ["code": .string(code), "message": .string(message)]], status: status, note: "\(code) \(message)")
    }
}
