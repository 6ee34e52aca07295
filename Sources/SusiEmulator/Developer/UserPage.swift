import HTTPTypes
import SusiBase
import SusiPolicies

/// Adds, edits and deletes a user, with the operations of the admin API.
enum UserPage {
    static let path = "/user"

    // The subject of the form tokens.
    private static let subject = "a user of the emulator"

    /// The page of a user, or of a new one.
    static func address(_ tenant: Tenant, _ user: User? = nil) -> String {
        let id = user.map { "&id=\(PercentEncoding.encode($0.objectID))" } ?? ""
        return "\(path)?tenant=\(PercentEncoding.encode(tenant.label))\(id)"
    }

    static func respond(_ site: Site, _ context: RequestContext, origin: String) throws -> Response {
        // This page needs no secret, and requests through an undeclared proxy seem to come from this machine.
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
        guard context.method == .post else { return page(of: user, tenant, context) }
        guard context.isFromOwnPage, FormToken.isValid(context.form["csrf"], about: subject, context) else {
            return DeveloperPages.problem(
                "Not accepted", "This form did not come from a page of this browser. Open the user again.",
                status: .forbidden)
        }
        do {
            if let user, context.form["delete"] != nil {
                _ = try tenant.database.removeUser(objectID: user.objectID)
            } else if let user {
                _ = try tenant.changeUser(user.objectID, body(context.form, user))
            } else {
                _ = try tenant.createUser(body(context.form, nil))
            }
        } catch let problem as AdminProblem { return page(of: user, tenant, context, problem: problem) }
        return .redirect(to: "\(DeveloperPage.address(tenant))#users")
    }

    // An empty name of a person is kept as such.
    private static let texts: [(id: String, label: String, isName: Bool)] = [
        ("displayName", "Display name", true), ("email", "Email address", false),
        ("userName", "User name", false), ("givenName", "Given name", true), ("surname", "Surname", true),
        ("phone", "Phone number", false),
    ]

    // An empty field is left out for a new user, and removed from an existing one.
    private static func body(_ form: Parameters, _ user: User?) -> JSONNode {
        var body: [String: JSON] = [:]
        guard form["unlock"] == nil else { return ["lockedUntil": JSONNode(.null)] }
        for (id, _, isName) in texts {
            let text = form[id]?.trimmed ?? ""
            guard user != nil || !text.isEmpty else { continue }
            body[id] = text.isEmpty && !isName ? .null : .string(text)
        }
        body["password"] = form["password"].map { .string($0) }
        for name in ["mustResetPassword", "isBlocked"] { body[name] = .bool(form[name] != nil) }
        return JSONNode(.object(body))
    }

    // MARK: The page

    private static func page(
        of user: User?, _ tenant: Tenant, _ context: RequestContext, problem: AdminProblem? = nil
    ) -> Response {
        let secret = context.cookie(context.formCookie) ?? RandomBytes.text()
        let title = user.map { "Edit \($0.displayName.isEmpty ? $0.signInName : $0.displayName)" } ?? "Add a user"
        let hidden: HTML = "<input type=\"hidden\" name=\"csrf\" value=\"\(FormToken.make(secret, about: subject))\">"
        let fields = fields(of: user, context, problem: problem)
        // The problem of a field is shown at that field.
        let isAtField = fields.contains { $0.error != nil }
        let alert: HTML? = isAtField ? nil : problem.map { "<p class=\"alert\" role=\"alert\">\($0.detail)</p>" }
        let id: HTML? = user.map { "<p class=\"lead\"><code>\($0.objectID)</code></p>" }
        var page = DeveloperPages.page(
            title,
            """
            <h1><bdi>\(title)</bdi></h1>
            \(id)
            \(user.flatMap { lock(of: $0, at: address(tenant, $0), hidden, now: context.now) })
            \(alert)
            <form id="user" class="user" method="post" action="\(address(tenant, user))">
            \(hidden)
            \(HTML(fields.map { $0.html(.english) }))
            \(HTML(checkboxes(of: user, context).map(\.html)))
            <button class="main" id="save" type="submit">\(user == nil ? "Add" : "Save")</button>
            </form>
            \(user.map { deletion(at: address(tenant, $0), hidden) })
            \(DeveloperPages.back(tenant))
            """)
        page.isWrong = problem != nil
        page.isWide = false
        return page.response(problem?.status ?? .ok, note: problem?.detail).settingCookie(context.formCookie, secret)
    }

    private static func fields(of user: User?, _ context: RequestContext, problem: AdminProblem?) -> [Field] {
        let kept = user.map { $0.json(now: context.now) }
        var fields = texts.map { id, label, _ in
            // After an error the page shows the submitted values.
            let value = context.method == .post ? context.form[id] : kept?[id]?.string
            return Field(id: id, label: label, autocomplete: "off", value: value ?? "", isRequired: false)
        }
        if user?.identityProvider == nil {
            var password = Field(
                id: "password", label: "Password", type: "password", autocomplete: "new-password", isRequired: false)
            password.hint = user == nil ? "Leave empty for \(User.usualPassword)." : "Leave empty to keep it."
            fields.append(password)
        }
        return fields.map { field in
            var field = field
            if let problem, problem.field == field.id { field.error = text(of: problem, context) }
            field.isFocused = field.error != nil
            return field
        }
    }

    private static func checkboxes(of user: User?, _ context: RequestContext) -> [Checkbox] {
        let isOn = { (id: String, stored: Bool?) in
            context.method == .post ? context.form[id] != nil : stored ?? false
        }
        return [
            Checkbox(
                id: "mustResetPassword", label: "Must choose a new password at the next sign-in",
                isChecked: isOn("mustResetPassword", user?.mustResetPassword)),
            Checkbox(
                id: "isBlocked", label: "Blocked: cannot sign in", isChecked: isOn("isBlocked", user?.isBlocked)),
        ]
    }

    private static func text(of problem: AdminProblem, _ context: RequestContext) -> String {
        let isNameless = ["email", "userName"].allSatisfy { context.form[$0]?.trimmed.isEmpty ?? true }
        if problem.field == "email", isNameless { return "Enter an email address or a user name." }
        let reason = problem.reason ?? problem.detail
        return "\(reason.prefix(1).uppercased())\(reason.dropFirst())."
    }

    private static func lock(of user: User, at address: String, _ hidden: HTML, now: Int64) -> HTML? {
        user.lockEnd(now: now).map { end in
            """
            <form class="remark" method="post" action="\(address)">
            \(hidden)
            <p>Locked until <code>\(timestamp(end))</code> after too many wrong passwords or codes.</p>
            <button class="quiet" id="unlock" name="unlock" value="1" type="submit">Unlock</button>
            </form>
            """
        }
    }

    private static func deletion(at address: String, _ hidden: HTML) -> HTML {
        """
        <details class="others"><summary>Delete this user</summary>
        <p>The user can no longer sign in, and their refresh tokens stop working.</p>
        <form method="post" action="\(address)">
        \(hidden)
        <button class="quiet" id="delete" name="delete" value="1" type="submit">Delete</button>
        </form></details>
        """
    }
}
