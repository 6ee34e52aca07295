import SusiBase
import SusiPolicies

/// A call of the developer's code about one user.
struct CalloutCall: Sendable {
    let endpoint: PolicyEndpoint
    let step: Callout.Step
    let callout: Callout
    /// The user, as far as known: one who signs up is in no database yet.
    let user: User
    let clientID: String
    /// The language of the pages.
    let locale: String
    let now: Int64

    /// The code has ended the journey.
    struct Block: Error {
        let title: String?
        let message: String
    }

    /// The user has to change the form, of which single fields may be wrong.
    struct Objection: Error {
        let message: String
        var fields: [String: String] = [:]
    }

    var configuration: TenantConfiguration { endpoint.tenant.configuration }

    /// The claims that the code gives. Throws `Block`, `Objection`, or a refusal if the call fails.
    func claims() throws -> [String: JSON] {
        guard step.group != .authenticationExtensions else { return try extensionClaims(try act()) }
        do { return try step.group == .apiConnectors ? connectorClaims() : profileClaims() } catch let refusal
            as Refusal
        {
            // Azure AD B2C shows a failed check on the form (azure-docs#68233).
            throw step.place == .afterAttributes ? Objection(message: refusal.text) as any Error : refusal
        }
    }

    func post(_ body: [String: JSON], bearer: String? = nil, seconds: Int64) throws -> CalloutClient.Response {
        let response: CalloutClient.Response?
        let seconds = callout.timeLimit ?? seconds
        do {
            response = try endpoint.tenant.callouts.post(
                .object(body), to: callout, step, bearer: bearer, seconds: seconds,
                configuration.tls(presenting: callout.clientCertificate))
        } catch let large as CalloutClient.TooLarge { throw failure(1_003_003, large.description) } catch {
            throw failure(1_003_001, "cannot send the request: \(error)")
        }
        let reason =
            "Failed to establish connection to restful service end point within timeout limit \(seconds) seconds."
        guard let response else { throw failure(1_003_005, reason, code: "Conflict") }
        return response
    }

    func failure(_ response: CalloutClient.Response, _ message: String? = nil) -> Refusal {
        failure(1_003_002, message ?? response.reason, code: response.reason.filter { $0 != " " })
    }

    /// The refusal of a call that failed, with a number of Entra ID's sign-in logs (Microsoft, “Troubleshoot a custom
    /// authentication extension”). Without `code` the response could not be read.
    func failure(_ number: Int, _ reason: String, code: String? = nil) -> Refusal {
        // The one name that is known (azure-docs#68233).
        let name = step == .postAttributeCollection ? "PreUserWriteRestful" : step.title
        let start = "The claims exchange '\(name)' specified in step '1' returned HTTP error response"
        let end = code.map { "with Code '\($0)' and Reason '\(reason)'." } ?? "that could not be parsed."
        return Refusal(code == nil ? .calloutUnreadable : .calloutFailed, "\(start) \(end)").because(
            "\(step.rawValue), \(number): \(reason)")
    }

    /// The attributes with a value, by their names in the directory.
    func attributes(_ names: some Sequence<String>) -> [String: JSON] {
        let pairs = names.compactMap { name in
            user[attribute: name].flatMap { $0 == "" ? nil : (configuration.directoryName(name), $0) }
        }
        return Dictionary(pairs) { first, _ in first }
    }
}

extension PolicyEndpoint {
    /// The call at a place of a journey; nil if the policy names no code for it.
    func call(at place: Callout.Place, _ user: User, clientID: String, locale: String, now: Int64) -> CalloutCall? {
        settings.callouts.first { $0.key.place == place }.map { step, callout in
            CalloutCall(
                endpoint: self, step: step, callout: callout, user: user, clientID: clientID, locale: locale, now: now)
        }
    }

    /// The claims for the tokens of a sign-in, as JSON: those that are `known`, and what the code gives. The services call the
    /// code once for a sign-in, and refreshes repeat what it gave.
    func codeClaims(
        _ user: User, clientID: String, locale: String = Language.english.rawValue, now: Int64, known: String? = nil
    ) throws -> String? {
        guard signsIn, let call = call(at: .beforeToken, user, clientID: clientID, locale: locale, now: now) else {
            return known
        }
        let before = try known.map { try JSON(parsing: $0.utf8).members ?? [:] } ?? [:]
        return JSON.object(before.merging(try call.claims()) { $1 }).text
    }
}

extension Transaction {
    /// The claims that the code of a place gives for a sign-up.
    func claims(at place: Callout.Place, _ user: User) throws -> [String: JSON] {
        let call = endpoint.call(
            at: place, user, clientID: request.clientID, locale: words.language.rawValue, now: context.now)
        // A local account does not come from another provider.
        guard let call, call.step != .postFederationSignup || progress.social != nil else { return [:] }
        return try call.claims()
    }

    /// Keeps the claims of a technical profile for the tokens; those of the others are for the attributes of the form alone.
    mutating func keep(_ claims: [String: JSON]) throws {
        guard endpoint.dialect.callouts(of: endpoint.policy) == .restTechnicalProfiles else { return }
        let text = JSON.object(claims).text
        try update { $0.codeClaims = text }
    }

    /// Runs a page. The code may end the journey on a page; every other error goes to the application.
    func refusing(_ page: () throws -> Response) throws -> Response {
        do { return try page() } catch let error as PageError { throw error } catch let block as CalloutCall.Block {
            guard try database.closeTransaction(id) else { throw PageError.ended }
            return self.page(
                DisplayText.safe(block.title ?? words[.signIn]), wrong: "blocked: \(block.message)",
                "<p class=\"alert\" id=\"blocked\" role=\"alert\">\(DisplayText.safe(block.message))</p>")
        } catch { return try refuse(Refusal(error)) }
    }
}

extension TenantConfiguration {
    /// The name of an attribute in the directory: `extension_ID_NAME` for a custom one, with the ID of the application for
    /// extensions.
    func directoryName(_ attribute: String) -> String {
        guard attribute.hasPrefix("extension_") else { return attribute }
        let id = extensionsAppID ?? derivedGUID("b2c-extensions-app \(id)")
        return "extension_\(id.lowercased().filter { $0 != "-" })\(attribute.trimmingPrefix("extension"))"
    }
}

extension [String: JSON] {
    /// The claims under the names of attributes: the ID of the application for extensions is optional.
    var byAttribute: [String: JSON] {
        let pairs = map { (GraphUsers.attribute($0.key), $0.value) }
        return Dictionary(pairs) { first, _ in first }
    }
}

extension User {
    /// The user with the claims that the code gave. They never replace a claim of the protocol, nor the address.
    func adding(_ claims: [String: JSON]) -> User {
        var copy = self
        for (name, value) in claims.byAttribute where name != "email" && SchemaNode.Text.attribute.allows(name) {
            copy[attribute: name] = value
        }
        return copy
    }
}
