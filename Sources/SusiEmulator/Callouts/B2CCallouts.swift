import SusiBase

/// The calls of Azure AD B2C: API connectors of user flows, and RESTful technical profiles of custom policies (Microsoft, “Add
/// an API connector to a sign-up user flow”, “Define a RESTful technical profile in a custom policy”).
extension CalloutCall {
    /// The time limit of a user flow, in seconds; that of a custom policy is twice as long (azure-docs#126864).
    private static let seconds: Int64 = 5

    func connectorClaims() throws -> [String: JSON] {
        let response = try post(connectorRequest, seconds: Self.seconds)
        let members = response.body?.members ?? [:]
        let message = members["userMessage"]?.string
        switch (response.status, members["action"]?.string) {
        case (200, "Continue") where members["version"] != nil:
            return members.filter { !["version", "action", "status", "userMessage"].contains($0.key) }
        case (200, "ShowBlockPage") where message != nil:
            // Only a sign-up can be blocked.
            guard step.place != .beforeToken else { return [:] }
            throw Block(title: nil, message: message ?? "")
        case (400, "ValidationError") where members["status"]?.attributeText == "400" && message != nil:
            throw objection(response, message ?? "")
        case (200, _): throw failure(1_003_003, "no version, or no action of this step with what it needs")
        default: throw failure(response)
        }
    }

    // Without a form, the application gets the message.
    private func objection(_ response: CalloutClient.Response, _ message: String) -> any Error {
        step.place == .afterAttributes ? Objection(message: message) : failure(response, message)
    }

    // Claims without a value are not sent.
    private var connectorRequest: [String: JSON] {
        var body = attributes(["displayName", "givenName", "surname"] + user.attributes.keys)
        let isCreated = step.place == .beforeToken
        body["email"] = user.email.map(JSON.string)
        let hasIdentity = isCreated || user.identityProvider != nil
        body["identities"] = hasIdentity ? .array(user.identities(in: configuration.name)) : nil
        body["objectId"] = isCreated ? .string(user.objectID) : nil
        body["step"] = .string(step.title)
        body["client_id"] = .string(clientID)
        body["ui_locales"] = .string(locale)
        return body
    }

    func profileClaims() throws -> [String: JSON] {
        var known = Dictionary(callout.inputClaims.keys.map { ($0, user[attribute: $0]) }) { $1 }.compactMapValues(
            \.self)
        known["objectId"] = step.place == .beforeToken ? .string(user.objectID) : nil
        let sent = callout.inputClaims.compactMap { name, partner in known[name].map { (partner, $0) } }
        let response = try post(Dictionary(sent) { $1 }, seconds: 2 * Self.seconds)
        if response.status == 409, let message = response.body?["userMessage"]?.string {
            throw objection(response, message)
        }
        guard (200..<300).contains(response.status) else { throw failure(response) }
        guard let members = response.body?.members else { throw failure(1_003_003, "the response is no JSON object") }
        return callout.outputClaims.compactMapValues { members[$0] }
    }
}
