import FoundationEssentials
import SusiPolicies

/// A new account.
enum SignUpPage {
    private static func page(
        _ flow: Flow, email: String, names: ProfileFields, problems: [String: Word] = [:]
    ) -> Answer {
        let words = flow.words
        let form = Form(
            action: "sign-up",
            fields: [
                Field(
                    id: "email", label: words[.emailAddress], type: "email", autocomplete: "email", value: email,
                    error: words[problems["email"]], isFocused: true),
                Field(
                    id: "newPassword", label: words[.newPassword], type: "password", autocomplete: "new-password",
                    hint: words[.passwordRule],
                    error: words[problems["newPassword"]]),
                Field(
                    id: "reenterPassword", label: words[.confirmPassword], type: "password",
                    autocomplete: "new-password", error: words[problems["reenterPassword"]]),
            ] + names.fields(words, problems, focus: false),
            submit: ("continue", words[.create]))
        let problem = problems.min { $0.key < $1.key }?.key
        return flow.answer(
            Page(
                words: words, title: words.title(.signUp, toCheck: problem != nil),
                content: """
                    <h1>\(words[.createYourAccount])</h1>
                    <p class="lead">\(words[.inTenant, flow.place.tenant.configuration.name])</p>
                    \(form.html(flow))
                    """), note: problem.map { "field \($0) refused" })
    }

    /// The page with nothing filled in yet.
    static func firstPage(_ flow: Flow) -> Answer { page(flow, email: "", names: ProfileFields()) }

    static func show(_ place: Place, _ visit: Visit) throws -> Answer {
        try Flow.answering(visit) {
            guard place.offersSignUp else { throw PageError.ended }
            return firstPage(try Flow.opened(place, visit))
        }
    }

    static func submit(_ place: Place, _ visit: Visit) throws -> Answer {
        try Flow.answering(visit) {
            let flow = try Flow.submitted(place, visit)
            if flow.wasCancelled { return try flow.cancel() }
            guard place.offersSignUp else { throw PageError.ended }
            let names = ProfileFields(visit.form)
            let email = visit.form["email"]?.trimmed ?? ""
            var problems = names.problems
            problems.merge(passwordProblems(visit.form)) { $1 }
            if !isEmailAddress(email) { problems["email"] = .invalidEmail }
            guard problems.isEmpty else { return page(flow, email: email, names: names, problems: problems) }
            let user = User(
                objectID: UUID().uuidString.lowercased(), email: email, displayName: names.displayName,
                givenName: names.givenName, surname: names.surname)
            let hash = try PasswordHash(visit.form["newPassword"] ?? "")
            guard try place.tenant.database.add(user, password: hash) else {
                return page(flow, email: email, names: names, problems: ["email": .addressTaken])
            }
            return try flow.finish(user, authTime: visit.now, isNew: true, startsSession: true)
        }
    }

    /// What is wrong with the two password fields that sign-up and reset share.
    static func passwordProblems(_ form: Parameters) -> [String: Word] {
        let password = form["newPassword"] ?? ""
        if let problem = passwordProblem(password) { return ["newPassword": problem] }
        return form["reenterPassword"] == password ? [:] : ["reenterPassword": .passwordsDiffer]
    }

    // One @ between something and a name with a dot: the rest only a mail would show.
    private static func isEmailAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && text.utf8.count <= 254
            && parts[1].split(separator: ".", omittingEmptySubsequences: false).count > 1
            && parts[1].split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
            && !text.contains { $0.isWhitespace || $0 == "<" || $0 == ">" || $0 == "\"" }
    }
}
