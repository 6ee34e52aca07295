import SusiPolicies

/// What the emulator is and has, for a developer.
enum StartPage {
    static func show(_ site: Site, origin: String) throws -> Answer {
        let names = site.tenants.map(\.title)
        let isAlone = site.tenants.count == 1
        let page = Page(
            words: Words(language: .english),
            title: "\(isAlone ? names.joined() : "\(names.count) tenants") · emulator",
            content: """
                \(isAlone ? nil : HTML("<h1>\("\(names.count)") tenants</h1>"))
                \(HTML(try site.tenants.map { try tenant($0, origin, heading: isAlone ? "h1" : "h2") }))
                """, isWide: true)
        return page.answer()
    }

    private static func tenant(_ tenant: Tenant, _ origin: String, heading: String) throws -> HTML {
        let configuration = tenant.configuration
        let name: HTML =
            heading == "h1" ? "<h1>\(tenant.title)</h1>" : "<h2>\(tenant.title)</h2>"
        let policies =
            configuration.kind == .b2c
            ? HTML("<h3>Policies</h3>") : HTML("<h3>Addresses</h3>")
        return """
            <section>
            \(name)
            <p class="lead">\(configuration.kind.label)</p>
            <dl>
            <dt>Tenant id</dt><dd><code>\(configuration.id)</code></dd>
            \(HTML(configuration.applications.map(application)))
            \(HTML(configuration.apis.map { api($0, origin) }))
            </dl>
            \(policies)
            <ul class="rows">
            \(HTML(places(tenant, origin).map(row)))
            </ul>
            <h3>Users</h3>
            <ul class="rows">
            \(HTML(try tenant.database.users().map { user($0, configuration.users) }))
            </ul>
            </section>
            """
    }

    private static func application(_ application: RegisteredApplication) -> HTML {
        let addresses = application.redirectAddresses.map { HTML("<code>\($0)</code>") }
        return """
            <dt>Client id</dt><dd><code>\(application.clientID)</code></dd>
            <dt>Redirect addresses</dt><dd class="stack">\(HTML(addresses))</dd>
            """
    }

    private static func api(_ api: RegisteredAPI, _ origin: String) -> HTML {
        let scopes = api.fullScopes.map { HTML("<code>\($0)</code>") }
        return """
            <dt>API \(api.name)</dt><dd class="stack"><code>\(origin)\(api.samplePath)</code>\(HTML(scopes))</dd>
            """
    }

    private static func places(_ tenant: Tenant, _ origin: String) -> [Place] {
        let policies = tenant.configuration.kind == .b2c ? tenant.configuration.policies : [tenant.signInPolicy]
        return policies.map { tenant.configuration.kind.shape.place(of: $0, in: tenant, origin: origin) }
    }

    private static func row(_ place: Place) -> HTML {
        let isPolicy = place.tenant.configuration.kind == .b2c
        let name: HTML =
            isPolicy
            ? "<strong>\(place.policy.name.spelling)</strong> <span class=\"tag\">\(place.policy.kind.label)</span>"
            : "<strong>\(place.origin)\(place.base)</strong>"
        return """
            <li>\(name)
            <span><a href="\(place.address(.metadata) ?? "")">metadata</a>
            <a href="\(place.address(.keys) ?? "")">keys</a></span></li>
            """
    }

    // The password of a seeded user is shown: it is public. It may have been changed since.
    private static func user(_ user: User, _ seeded: [SeededUser]) -> HTML {
        let seed = seeded.first { $0.objectID == user.objectID }
        let password: HTML? = seed.map { " <span class=\"tag\">password at first: \($0.password)</span>" }
        return
            "<li><strong>\(user.displayName)</strong> <span>\(user.signInName)</span>\(password) <code>\(user.objectID)</code></li>"
    }
}
