import SusiBase
import SusiJourneys

/// The simulated provider of a custom policy, where a user can have any identity: the claims follow from an address and a
/// name, and any other one can be typed (spec §3.4).
enum JourneyProviderPage {
    /// Stands for the number of the page.
    static let number = "provider"

    struct Problems: Error {
        let fields: [String: LocalizedText]
    }

    static func page(
        _ transaction: Transaction, _ call: ProviderCall, problems: [String: LocalizedText]? = nil
    ) -> Response {
        let words = transaction.words
        let form = problems == nil ? Parameters("") : transaction.context.form
        let fields = [
            Field(
                id: "email", label: words[.emailAddress], type: "email", autocomplete: "email",
                value: form["email"] ?? "", error: words[problems?["email"]], rule: .email, isFocused: true),
            Field(
                id: "displayName", label: words[.displayName], autocomplete: "name", value: form["displayName"] ?? "",
                error: words[problems?["displayName"]], rule: .text),
            Field(
                id: "claims", label: words[.furtherClaims], autocomplete: "off", value: form["claims"] ?? "",
                isRequired: false, hint: words[.furtherClaimsHint, call.outputs.joined(separator: ", ")],
                error: words[problems?["claims"]]),
        ]
        var html = Form(action: Route.journey, fields: fields, submit: ("continue", words[.continue]))
        html.afterFields = "<input type=\"hidden\" name=\"\(JourneyForm.page)\" value=\"\(number)\">"
        return transaction.page(
            words[.signInWith, call.displayName], wrong: problems.flatMap(Form.note),
            """
            <p class="remark">\(words[.pretence])</p>
            \(html.html(transaction))
            """)
    }

    static func answer(_ transaction: Transaction, _ call: ProviderCall) -> Result<ProviderAnswer, Problems> {
        let form = transaction.context.form
        if form["cancel"] != nil { return .success(.cancelled) }
        let (email, name) = (form["email"]?.trimmed ?? "", form["displayName"]?.trimmed ?? "")
        let more = (form["claims"] ?? "").split(separator: ",").map { part in
            part.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
        }
        var problems: [String: LocalizedText] = [:]
        if !isEmailAddress(email) { problems["email"] = .invalidEmail }
        if name.isEmpty { problems["displayName"] = .required }
        if name.count > 128 { problems["displayName"] = .tooLong }
        if more.contains(where: { $0.count != 2 }) { problems["claims"] = .furtherClaimsWrong }
        guard problems.isEmpty else { return .failure(Problems(fields: problems)) }
        var claims = claims(email, name, call)
        for pair in more { claims[pair[0]] = .string(pair[1]) }
        return .success(.claims(claims))
    }

    // The names that providers use for the same facts.
    private static func claims(_ email: String, _ name: String, _ call: ProviderCall) -> [String: JSONNode] {
        let id = derivedGUID("\(call.domain.lowercased()) \(email.lowercased())")
        let given = name.split(separator: " ").first.map(String.init) ?? name
        let family = name.split(separator: " ").dropFirst().joined(separator: " ")
        let rows: [(names: [String], value: String)] = [
            (["id", "sub", "oid", "user_id", "userId"], id), (["email", "emailAddress", "upn", "unique_name"], email),
            (["name", "displayName", "unique_display_name"], name),
            (["given_name", "first_name", "givenName", "firstName"], given),
            (["family_name", "last_name", "surname", "lastName"], family),
            (["iss"], "https://\(call.domain)/"), (["idp"], call.domain), (["tid"], derivedGUID(call.domain)),
            (["{oauth2:access_token}", "access_token"], RandomBytes.text()),
        ]
        var claims: [String: JSONNode] = [:]
        for row in rows where !row.value.isEmpty { for name in row.names { claims[name] = .string(row.value) } }
        return claims
    }
}
