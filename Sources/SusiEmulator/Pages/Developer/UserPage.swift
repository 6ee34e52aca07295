import HTTPTypes
import SusiPolicies

/// Adds, edits and deletes a user, with the operations of the admin API.
enum UserPage {
    static let path = "/user"

    // What every form of this page is about.
    private static let subject = "a user of the emulator"
    private static let words = Words(language: .english)

    /// The address of a new user's page, or of a user's.
    static func address(_ tenant: Tenant, _ user: User? = nil) -> String {
        let id = user.map { "&id=\(percentEncoded($0.objectID))" } ?? ""
        return "\(path)?tenant=\(percentEncoded(tenant.label))\(id)"
    }

    static func respond(_ site: Site, _ context: RequestContext, origin: String) throws -> Response {
        // A proxy that does not say what it forwards looks like this machine, and this page needs no secret.
        guard context.isPrivate else {
            return DeveloperPages.problem(
                "Not available here",
                "Users can be changed here only while no other machine reaches the emulator. Use the admin API.",
                status: .forbidden)
        }
        guard let tenant = DeveloperPage.chosen(site, context) else {
            return DeveloperPages.problem("No such user", "This emulator has no tenant.")
        }
        let user = try context.query["id"].flatMap { try tenant.database.user(objectID: $0) }
        guard user != nil || context.query["id"] == nil else {
            return DeveloperPages.problem("No such user", "The user may have been deleted.", status: .notFound)
        }
        guard context.method == .post else { return page(tenant, user, context) }
        guard context.isFromOwnPage, FormToken.isValid(context.form["csrf"], about: subject, context) else {
            return DeveloperPages.problem(
                "Not accepted", "This form did not come from a page of this browser. Open the user again.",
                status: .forbidden)
        }
        let request = AdminRequest(
            site: site, context: context, path: ["id": user?.objectID ?? ""], query: ["tenant": .string(tenant.label)],
            body: body(context.form, user))
        do {
            if context.form["delete"] != nil, user != nil {
                _ = try UserResource.remove(request)
            } else if user != nil {
                try AdminSchema.named("UserChange").check(request.body, at: "")
                _ = try UserResource.change(request)
            } else {
                try AdminSchema.named("NewUser").check(request.body, at: "")
                _ = try UserResource.create(request)
            }
        } catch let problem as AdminProblem { return page(tenant, user, context, problem) }
        return .redirect(to: "\(DeveloperPage.address(tenant))#users")
    }

    // A new user is without what was left empty; of an existing one it is removed.
    private static func body(_ form: Parameters, _ user: User?) -> JSON {
        var body: [String: JSON] = [:]
        for name in ["email", "userName", "phone", "displayName", "givenName", "surname"] {
            let text = form[name]?.trimmed ?? ""
            let isName = ["displayName", "givenName", "surname"].contains(name)
            if !text.isEmpty || (user != nil && isName) {
                body[name] = .string(text)
            } else if user != nil {
                body[name] = .null
            }
        }
        body["password"] = form["password"].flatMap { $0.isEmpty ? nil : JSON.string($0) }
        for name in ["mustResetPassword", "isBlocked"] { body[name] = .bool(form[name] != nil) }
        return .object(body)
    }

    // MARK: The page

    private static func page(
        _ tenant: Tenant, _ user: User?, _ context: RequestContext, _ problem: AdminProblem? = nil
    ) -> Response {
        let secret = context.cookie(context.formCookie) ?? randomSecret()
        let title = user.map { "Edit \($0.displayName.isEmpty ? $0.signInName : $0.displayName)" } ?? "Add a user"
        let hidden: HTML = "<input type=\"hidden\" name=\"csrf\" value=\"\(FormToken.make(secret, about: subject))\">"
        let fields = fields(user, context, problem)
        // A problem with one of the fields is shown at that field.
        let isAtField = fields.contains { $0.error != nil }
        let alert: HTML? = isAtField ? nil : problem.map { "<p class=\"alert\" role=\"alert\">\($0.detail)</p>" }
        let id: HTML? = user.map { "<p class=\"lead\"><code>\($0.objectID)</code></p>" }
        var page = DeveloperPages.page(
            title,
            """
            <h1><bdi>\(title)</bdi></h1>
            \(id)
            \(alert)
            <form id="user" class="user" method="post" action="\(address(tenant, user))">
            \(hidden)
            \(HTML(fields.map { $0.html(words) }))
            \(check("mustResetPassword", "Must choose a new password at the next sign-in", context, user?.mustResetPassword))
            \(check("isBlocked", "Blocked: cannot sign in", context, user?.isBlocked))
            <button class="main" id="save" type="submit">\(user == nil ? "Add" : "Save")</button>
            </form>
            \(user.map { deletion($0, tenant, hidden) })
            \(DeveloperPages.back(tenant))
            """)
        page.isWrong = problem != nil
        page.isWide = false
        return page.response(problem?.status ?? .ok, note: problem?.detail).settingCookie(context.formCookie, secret)
    }

    private static func fields(_ user: User?, _ context: RequestContext, _ problem: AdminProblem?) -> [Field] {
        // After an error the page shows what was typed.
        let isTyped = context.method == .post
        let field = { (id: String, label: String, kept: String?) in
            Field(
                id: id, label: label, autocomplete: "off", value: isTyped ? context.form[id] ?? "" : kept ?? "",
                isRequired: false)
        }
        var password = Field(
            id: "password", label: "Password", type: "password", autocomplete: "new-password", isRequired: false)
        password.hint = user == nil ? "Leave empty for \(SeededUser.usualPassword)." : "Leave empty to keep it."
        let fields =
            [
                field("displayName", "Display name", user?.displayName), field("email", "Email address", user?.email),
                field("userName", "User name", user?.userName), field("givenName", "Given name", user?.givenName),
                field("surname", "Surname", user?.surname), field("phone", "Phone number", user?.phone),
            ] + (user?.identityProvider == nil ? [password] : [])
        return fields.map { field in
            var field = field
            if let problem, problem.field == field.id { field.error = text(of: problem, context) }
            field.isFocused = field.error != nil
            return field
        }
    }

    private static func text(of problem: AdminProblem, _ context: RequestContext) -> String {
        let isNameless = ["email", "userName"].allSatisfy { context.form[$0]?.trimmed.isEmpty ?? true }
        if problem.field == "email", isNameless { return "Enter an email address or a user name." }
        let reason = problem.reason ?? problem.detail
        return "\(reason.prefix(1).uppercased())\(reason.dropFirst())."
    }

    private static func check(_ id: String, _ label: String, _ context: RequestContext, _ kept: Bool?) -> HTML {
        let isChecked = context.method == .post ? context.form[id] != nil : kept ?? false
        let checked: HTML? = isChecked ? " checked" : nil
        return """
            <div class="check">
            <input id="\(id)" name="\(id)" type="checkbox" value="true" autocomplete="off"\(checked)>
            <label for="\(id)">\(label)</label>
            </div>
            """
    }

    private static func deletion(_ user: User, _ tenant: Tenant, _ hidden: HTML) -> HTML {
        """
        <details class="others"><summary>Delete this user</summary>
        <p>The user can no longer sign in, and their refresh tokens stop working.</p>
        <form method="post" action="\(address(tenant, user))">
        \(hidden)
        <button class="quiet" id="delete" name="delete" value="1" type="submit">Delete</button>
        </form></details>
        """
    }
}
