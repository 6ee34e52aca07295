import SusiPolicies

/// One tenant on the developer's page.
struct DeveloperTenant {
    let tenant: Tenant
    /// Tells the ids of its elements from those of another one.
    let index: Int
    let origin: String
    let search: String
    /// One more than are shown, where there are more.
    let users: [User]
    let mostUsers: Int
    let messages: [OutboxMessage]

    private var configuration: TenantConfiguration { tenant.configuration }

    var html: HTML {
        """
        <section aria-labelledby="\(id("tenant"))">
        <h2 id="\(id("tenant"))">\(tenant.title)</h2>
        <p class="lead">\(configuration.kind.label) Tenant id <code>\(configuration.id)</code></p>
        \(policies)
        \(runForm)
        \(applications)
        \(apis)
        \(userList)
        \(outbox)
        <h3>Use it</h3>
        \(HTML(snippets))
        </section>
        """
    }

    private func id(_ name: String) -> String { "\(name)-\(index)" }

    // MARK: Policies

    private var policies: HTML {
        let title = configuration.kind == .b2c ? "Policies" : "Addresses"
        return """
            <h3>\(title)</h3>
            <ul class="rows">
            \(HTML(tenant.places(origin).map(row)))
            </ul>
            """
    }

    private func row(_ place: Place) -> HTML {
        let name: HTML =
            configuration.kind == .b2c
            ? "<strong>\(place.policy.name.spelling)</strong> <span class=\"tag\">\(place.policy.kind.label)</span>"
            : "<strong>\(place.origin)\(place.base)</strong>"
        let what = configuration.kind == .b2c ? place.policy.name.spelling : tenant.title
        let run: HTML? =
            place.policy.kind == .resourceOwner
            ? nil : "<a href=\"\(RunNow.address(place))\">run now<span class=\"aside-name\"> \(what)</span></a>"
        return """
            <li>\(name)
            <span class="links">\(run)
            <a href="\(place.address(.metadata) ?? "")">metadata<span class="aside-name"> of \(what)</span></a>
            <a href="\(place.address(.keys) ?? "")">keys<span class="aside-name"> of \(what)</span></a></span></li>
            """
    }

    private var runForm: HTML {
        let places = tenant.places(origin).filter { $0.policy.kind != .resourceOwner }
        let viewer = TokenViewer.application(origin)
        let targets = [viewer] + configuration.applications
        let types = places.first.map(RunNow.responseTypes) ?? []
        let apis = configuration.apis.filter { !$0.scopes.isEmpty }
        let choices = [
            Choice(
                id: id("place"), name: "place", label: configuration.kind == .b2c ? "Policy" : "Address",
                groups: [Choice.Group(options: places.map { ($0.key, placeName($0)) })]),
            Choice(
                id: id("to"), name: "to", label: "Application and redirect address",
                groups: targets.map { application in
                    Choice.Group(
                        label: application == viewer ? "Token viewer of this emulator" : application.clientID,
                        options: application.redirectAddresses.map { ("\(application.clientID) \($0)", $0) })
                }),
            Choice(
                id: id("type"), name: "type", label: "Response type",
                groups: [Choice.Group(options: types.map { ($0, $0) })]),
            Choice(
                id: id("api"), name: "api", label: "API",
                groups: [Choice.Group(options: [("", "none")] + apis.map { ($0.name, $0.name) })]),
            Choice(
                id: id("language"), name: "language", label: "Language",
                groups: [
                    Choice.Group(
                        options: [("", "as the browser")] + Language.allCases.map { ($0.rawValue, $0.rawValue) })
                ]),
        ]
        return """
            <h3>Run now</h3>
            <form method="get" action="\(RunNow.path)" class="run">
            \(HTML(choices.map(\.html)))
            <button class="main" type="submit">Run now<span class="aside-name"> in \(tenant.title)</span></button>
            </form>
            """
    }

    private func placeName(_ place: Place) -> String {
        configuration.kind == .b2c ? place.policy.name.spelling : place.key
    }

    // MARK: Registrations

    private var applications: HTML {
        let rows = configuration.applications.map { application -> HTML in
            let addresses = application.redirectAddresses.map { HTML("<code>\($0)</code>") }
            return """
                <dt>Client id</dt><dd><code>\(application.clientID)</code></dd>
                <dt>Redirect addresses</dt><dd class="stack">\(HTML(addresses))</dd>
                """
        }
        return section("Applications", rows.isEmpty ? nil : "<dl>\(HTML(rows))</dl>")
    }

    private var apis: HTML {
        let rows = configuration.apis.map { api -> HTML in
            let scopes = api.fullScopes.map { HTML("<code>\($0)</code>") }
            return """
                <dt>\(api.name)</dt><dd class="stack"><code>\(origin)\(api.samplePath)</code>\(HTML(scopes))</dd>
                """
        }
        return section("APIs and scopes", rows.isEmpty ? nil : "<dl>\(HTML(rows))</dl>")
    }

    private func section(_ title: String, _ content: HTML?) -> HTML {
        "<h3>\(title)</h3>\n\(content ?? HTML("<p class=\"lead\">None.</p>"))"
    }

    // MARK: People

    private var userList: HTML {
        let rows = users.prefix(mostUsers).map(user)
        let list: HTML =
            rows.isEmpty
            ? "<p class=\"lead\">None\(search.isEmpty ? "" : " that fits “\(search)”").</p>"
            : "<ul class=\"rows\">\n\(HTML(rows))\n</ul>"
        let more: HTML? =
            users.count > mostUsers ? "<p class=\"lead\">And more: search for them.</p>" : nil
        return """
            <h3>Users</h3>
            <form method="get" action="/" class="search" role="search">
            <div class="field">
            <label for="\(id("q"))">Search by name, address or object id</label>
            <input id="\(id("q"))" name="q" type="search" autocomplete="off" value="\(search)">
            </div>
            <button class="quiet" type="submit">Search<span class="aside-name"> users of \(tenant.title)</span></button>
            </form>
            \(list)\(more)
            """
    }

    // The password of the standard users is shown: everybody knows it. It may have been changed since.
    private func user(_ user: User) -> HTML {
        let seed = configuration.users.first { $0.objectID == user.objectID }
        let isUsual = seed?.password == SeededUser.usualPassword && seed?.passwordHash == nil
        let tags = [
            isUsual && user.identityProvider == nil ? "password at first: \(SeededUser.usualPassword)" : nil,
            user.identityProvider, user.isBlocked ? "blocked" : nil,
            user.mustResetPassword ? "must choose a new password" : nil,
        ]
        let shown = tags.compactMap { $0 }.map { HTML("<span class=\"tag\">\($0)</span>") }
        return """
            <li><strong>\(user.displayName)</strong> <span>\(user.signInName)</span>
            \(HTML(shown)) <code>\(user.objectID)</code></li>
            """
    }

    private var outbox: HTML {
        let rows = messages.map { message -> HTML in
            """
            <li><strong>\(message.code)</strong> <span>to \(message.recipient)</span>
            <span class="tag">\(message.purpose.label)</span> <code>\(timestamp(message.sent))</code></li>
            """
        }
        return section("Outbox", rows.isEmpty ? nil : "<ul class=\"rows\">\n\(HTML(rows))\n</ul>")
    }

    // MARK: Snippets

    private var snippets: [HTML] {
        guard let snippets = Snippets(tenant, origin) else {
            return ["<p class=\"lead\">Register an application first.</p>"]
        }
        return snippets.all.map { snippet in
            """
            <details><summary>\(snippet.title)</summary>
            <pre tabindex="0" aria-label="\(snippet.title)"><code>\(snippet.text)</code></pre>
            </details>
            """
        }
    }
}

extension OutboxMessage.Purpose {
    fileprivate var label: String {
        switch self {
        case .verifyEmail: "verification"
        case .resetPassword: "password reset"
        case .secondFactor: "second factor"
        }
    }
}

/// One of several, to pick from a list.
struct Choice {
    struct Group {
        var label: String?
        let options: [(value: String, text: String)]
    }

    let id: String
    let name: String
    let label: String
    let groups: [Group]

    var html: HTML {
        let list = groups.map { group -> HTML in
            let options = HTML(group.options.map { "<option value=\"\($0.value)\">\($0.text)</option>" })
            return group.label.map { "<optgroup label=\"\($0)\">\(options)</optgroup>" } ?? options
        }
        return """
            <div class="field">
            <label for="\(id)">\(label)</label>
            <select id="\(id)" name="\(name)" autocomplete="off">
            \(HTML(list))
            </select>
            </div>
            """
    }
}
