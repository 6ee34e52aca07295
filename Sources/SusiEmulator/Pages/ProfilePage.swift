import SusiPolicies

extension Step {
    static let profile = Step(rawValue: "profile")
}

/// Lets a user who is signed in edit the profile.
enum ProfilePage {
    static func page(
        _ transaction: Transaction, _ profile: ProfileFields, problems: [String: LocalizedText] = [:]
    ) -> Response {
        let words = transaction.words
        let form = Form(
            action: "profile", fields: profile.fields(words, problems, focus: true),
            submit: ("continue", words[.save]))
        return transaction.page(
            words[.editProfile], heading: words[.editYourProfile], lead: transaction.inTenant,
            wrong: Form.note(problems), form.html(transaction))
    }

    static func submit(_ transaction: inout Transaction) throws -> Response {
        let user = try transaction.signedInUser().user
        let profile = ProfileFields(
            transaction.endpoint, form: transaction.context.form, hasEmail: user.identityProvider != nil, of: user)
        guard profile.problems.isEmpty else { return page(transaction, profile, problems: profile.problems) }
        let changed = try transaction.database.change(user.objectID) { user in
            guard !user.isBlocked else { throw PageError.ended }
            profile.apply(to: &user)
        }
        guard let changed else { return page(transaction, profile, problems: ["email": .addressTaken]) }
        try transaction.update { try $0.finish(.profile, of: changed.objectID) }
        return try transaction.nextPage(for: changed)
    }
}
