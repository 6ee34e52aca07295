import SusiPolicies

/// What the emulator is and has, for a developer.
enum StartPage {
    static func show(_ tenant: Tenant, origin: String) throws -> Answer {
        let configuration = tenant.configuration
        let page = Page(
            title: "\(configuration.name) · emulator",
            content: """
                <h1>\(configuration.name)</h1>
                <p class="lead">A local tenant in the manner of Azure AD B2C.</p>
                <dl>
                <dt>Tenant id</dt><dd><code>\(configuration.id)</code></dd>
                \(HTML(configuration.applications.map(application)))
                \(HTML(configuration.apis.map { api($0, origin) }))
                </dl>
                <h2>Policies</h2>
                <ul class="rows">
                \(HTML(configuration.policies.map { policy($0, tenant, origin) }))
                </ul>
                <h2>Users</h2>
                <ul class="rows">
                \(HTML(try tenant.database.users().map { user($0, configuration.users) }))
                </ul>
                """, isWide: true)
        return page.answer()
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

    private static func policy(_ policy: Policy, _ tenant: Tenant, _ origin: String) -> HTML {
        let place = Place(
            tenant: tenant, origin: origin, form: .path, tenantSpelling: tenant.configuration.name, policy: policy)
        return """
            <li><strong>\(policy.name.spelling)</strong> <span class="tag">\(policy.kind.label)</span>
            <span><a href="\(place.endpoint("v2.0/.well-known/openid-configuration"))">metadata</a>
            <a href="\(place.endpoint("discovery/v2.0/keys"))">keys</a></span></li>
            """
    }

    // The password of a seeded user is shown: it is public. It may have been changed since.
    private static func user(_ user: User, _ seeded: [SeededUser]) -> HTML {
        let seed = seeded.first { $0.objectID == user.objectID }
        let password: HTML? = seed.map { " <span class=\"tag\">password at first: \($0.password)</span>" }
        return
            "<li><strong>\(user.displayName)</strong> <span>\(user.email)</span>\(password) <code>\(user.objectID)</code></li>"
    }
}
