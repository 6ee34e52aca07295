import SusiBase

/// The calls of External ID (Microsoft, “Custom authentication extensions overview”).
extension CalloutCall {
    /// The action of a response.
    struct Action {
        /// The last word of its type, in lower case: documents differ in the rest.
        let name: String
        let members: JSON
        /// The nonce of the response.
        let nonce: String?

        var block: Block { Block(title: members["title"]?.string, message: members["message"]?.string ?? "") }
    }

    /// The application “Azure Active Directory Authentication Extensions”, which makes the calls.
    private static let caller = "99045fe1-7639-4a75-9d4a-577b6ca3810f"
    /// The time limit, in seconds.
    private static let seconds: Int64 = 2
    /// The limit of all claims for a token, in bytes.
    private static let largestClaims = 3 * 1_024

    func extensionClaims(_ action: Action) throws -> [String: JSON] {
        let members = action.members
        switch (step.place, action.name) {
        case (.beforeAttributes, "continuewithdefaultbehavior"), (.afterAttributes, "continuewithdefaultbehavior"):
            return [:]
        case (.beforeAttributes, "setprefillvalues"): return members["inputs"]?.members ?? [:]
        case (.afterAttributes, "modifyattributevalues"): return members["attributes"]?.members ?? [:]
        case (.beforeAttributes, "showblockpage"), (.afterAttributes, "showblockpage"): throw action.block
        case (.afterAttributes, "showvalidationerror"):
            let fields = (members["attributeErrors"]?.members ?? [:]).byAttribute.compactMapValues(\.string)
            throw Objection(message: members["message"]?.string ?? "", fields: fields)
        case (.beforeToken, "provideclaimsfortoken"):
            guard let claims = members["claims"]?.members else { throw failure(1_003_007, "no claims") }
            guard JSON.object(claims).text.utf8.count <= Self.largestClaims else {
                throw failure(1_003_025, "more than \(Self.largestClaims) bytes of claims")
            }
            // Texts and lists of texts only.
            return claims.filter { $0.value.string != nil || $0.value.array?.allSatisfy { $0.string != nil } ?? false }
        default: throw failure(1_003_012, "unknown action “\(action.name)”")
        }
    }

    /// Calls the code and returns the action of its response; `more` are members of the request's data.
    func act(_ more: [String: JSON] = [:]) throws -> Action {
        let response = try post(request(more), bearer: try bearer(), seconds: Self.seconds)
        guard response.status == 200 else { throw failure(response) }
        guard response.hasJSONType else { throw failure(1_003_006, "the content type is not application/json") }
        let data = response.body?["data"]
        guard let actions = data?["actions"]?.array else { throw failure(1_003_003, "no actions in “data”") }
        guard actions.count == 1, let type = actions[0]["@odata.type"]?.string else {
            throw failure(1_003_010, "\(actions.count) actions instead of one with a type")
        }
        let name = type.lowercased().split(separator: ".").last.map(String.init)
        return Action(name: name ?? "", members: actions[0], nonce: data?["nonce"]?.string)
    }

    // The token by which the code knows who calls.
    private func bearer() throws -> String {
        let (service, issued) = (derivedGUID("\(Self.caller) \(configuration.id)"), endpoint.timeOfIssue(now))
        return try endpoint.keys.sign([
            "iss": .string(endpoint.issuer), "aud": .string(callout.appID ?? ""), "azp": .string(Self.caller),
            "azpacr": "2", "oid": .string(service), "sub": .string(service), "tid": .string(configuration.id),
            "ver": "2.0", "iat": .integer(issued), "nbf": .integer(issued), "exp": .integer(now + 3_600),
        ])
    }

    private func request(_ more: [String: JSON]) -> [String: JSON] {
        let event = step.rawValue
        let isSignUp = [.beforeAttributes, .afterAttributes].contains(step.place)
        var data = more
        data["@odata.type"] = .string("microsoft.graph.on\(step.title)CalloutData")
        data["tenantId"] = .string(configuration.id)
        data["authenticationEventListenerId"] = .string(derivedGUID("listener \(event) \(configuration.id)"))
        data["customAuthenticationExtensionId"] = .string(derivedGUID("extension \(event) \(configuration.id)"))
        data["authenticationContext"] = context(isSignUp ? nil : profile)
        data["userSignUpInfo"] = isSignUp ? signUpInfo : nil
        return [
            "type": .string("microsoft.graph.authenticationEvent.\(event)"),
            "source": .string("/tenants/\(configuration.id)/applications/\(clientID)"), "data": .object(data),
        ]
    }

    private func context(_ profile: JSON?) -> JSON {
        let name = JSON.string(endpoint.registered(clientID)?.name ?? clientID)
        let application: JSON = [
            "id": .string(derivedGUID("application \(clientID.lowercased())")), "appId": .string(clientID),
            "appDisplayName": name, "displayName": name,
        ]
        return [
            "correlationId": .string(randomGUID()), "protocol": "OAUTH2.0",
            "client": ["ip": "127.0.0.1", "locale": .string(locale), "market": .string(locale)],
            "clientServicePrincipal": application,
            "resourceServicePrincipal": step == .passwordSubmit ? .null : application, "user": profile,
        ]
    }

    private var profile: JSON {
        [
            "id": .string(user.objectID), "displayName": .string(user.displayName),
            "givenName": user.givenName.isEmpty ? nil : .string(user.givenName),
            "surname": user.surname.isEmpty ? nil : .string(user.surname), "mail": user.email.map(JSON.string),
            "preferredLanguage": .string(locale), "userType": .string(user.guestOf == nil ? "Member" : "Guest"),
            "userPrincipalName": .string("\(user.objectID)@\(configuration.name)"),
        ]
    }

    // Every attribute of the form; one without a value has the default of its type.
    private var signUpInfo: JSON {
        let names = endpoint.settings.attributes?.map(\.name) ?? ["displayName", "givenName", "surname"]
        let values = names.map { name -> (String, JSON) in
            let type = configuration.attributeType(name)
            let (graphType, empty): (String, JSON) =
                [.boolean: ("boolean", .bool(false)), .integer: ("int64", 0)][type] ?? ("string", "")
            let value = user[attribute: name]
            let shown = type == .strings ? value?.attributeText.map(JSON.string) : value
            return (
                configuration.directoryName(name),
                [
                    "@odata.type": .string("microsoft.graph.\(graphType)DirectoryAttributeValue"),
                    "value": shown ?? empty,
                    "attributeType": name.hasPrefix("extension_") ? "directorySchemaExtension" : "builtIn",
                ]
            )
        }
        return [
            "attributes": .object(Dictionary(values) { $1 }),
            "identities": .array(user.identities(in: configuration.name, emailType: "email")),
        ]
    }
}
