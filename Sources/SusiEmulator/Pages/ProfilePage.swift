import SusiPolicies

/// What a person who is signed in may change about themselves.
enum ProfilePage {
    static func page(_ flow: Flow, _ profile: ProfileFields, problems: [String: LocalizedText] = [:]) -> Response {
        let words = flow.words
        let form = Form(
            action: "profile", fields: profile.fields(words, problems, focus: true),
            submit: ("continue", words[.save]))
        return flow.answer(
            Page(
                words: words, title: words[.editProfile], isWrong: !problems.isEmpty,
                content: """
                    <h1>\(words[.editYourProfile])</h1>
                    <p class="lead">\(words[.inTenant, flow.endpoint.tenant.configuration.name])</p>
                    \(form.html(flow))
                    """))
    }

    static func submit(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        try Flow.answering(context) {
            let flow = try Flow.opened(endpoint, context)
            if flow.wasCancelled { return try flow.cancel() }
            guard endpoint.policy.kind == .editProfile, let objectID = flow.transaction.objectID,
                let authTime = flow.transaction.authTime,
                let user = try endpoint.tenant.database.user(objectID: objectID)
            else { throw PageError.ended }
            let profile = ProfileFields(endpoint.settings, form: context.form, hasEmail: user.identityProvider != nil)
            guard profile.problems.isEmpty else { return page(flow, profile, problems: profile.problems) }
            let changed = try endpoint.tenant.database.change(objectID) { user in
                guard !user.isBlocked else { throw PageError.ended }
                profile.apply(to: &user)
            }
            guard let changed else { return page(flow, profile, problems: ["email": .addressTaken]) }
            return try flow.finish(changed, authTime: authTime)
        }
    }
}
