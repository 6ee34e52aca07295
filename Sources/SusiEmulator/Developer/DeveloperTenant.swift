import SusiBase
import SusiPolicies

struct DeveloperTenant {
    // The rest of a longer list is folded.
    private static let mostRows = 10

    let tenant: Tenant
    let origin: String
    let search: String
    /// The users to show, and one more if the page cannot show all.
    let users: [User]
    let mostUsers: Int
    let now: Int64

    private var configuration: TenantConfiguration { tenant.configuration }
    private var hasPolicies: Bool { configuration.kind.traits.hasPolicies }

    var html: HTML {
        let title = hasPolicies ? "Policies" : "Addresses"
        let sections = [
            Section(
                id: "policies", title: title, isOpen: true, content: folded(tenant.policyEndpoints(at: origin).map(row))
            ),
            Section(id: "users", title: "Users", isOpen: true, content: userList),
            Section(id: "run", title: "Run with options", content: RunForm(tenant: tenant, origin: origin).html),
            Section(id: "applications", title: "Applications", content: listed(applications)),
            Section(id: "apis", title: "APIs and scopes", content: listed(apis)),
            Section(id: "use", title: "Settings for your application", content: HTML(snippets)),
        ]
        return HTML(sections.map(\.html))
    }

    private func folded(_ rows: [HTML]) -> HTML {
        let first: HTML = "<ul class=\"rows\">\n\(HTML(Array(rows.prefix(Self.mostRows))))\n</ul>"
        guard rows.count > Self.mostRows else { return first }
        let rest = Array(rows.dropFirst(Self.mostRows))
        return """
            \(first)
            <details><summary>\(String(rest.count)) more</summary>
            <ul class="rows">
            \(HTML(rest))
            </ul></details>
            """
    }

    private func row(_ endpoint: PolicyEndpoint) -> HTML {
        let what = endpoint.shownName
        let kind = endpoint.signsIn ? endpoint.settings.offer.label : endpoint.policy.kind.label
        let name: HTML =
            hasPolicies
            ? "<strong><bdi>\(what)</bdi></strong> <span class=\"tag\">\(kind)</span>"
            : "<strong><code>\(Activity.breakable("\(endpoint.origin)\(endpoint.base)"))</code></strong>"
        let of: HTML = "<span class=\"aside-name\"><bdi> \(what)</bdi></span>"
        let run: HTML? =
            endpoint.policy.kind == .resourceOwner
            ? nil : "<a href=\"\(RunNow.address(endpoint))\">Run\(of)</a>"
        return """
            <li>\(name)
            <span class="links">\(run)
            <a href="\(endpoint.address(.metadata) ?? "")">Metadata\(of)</a>
            <a href="\(endpoint.address(.keys) ?? "")">Keys\(of)</a></span></li>
            """
    }

    // MARK: Registrations

    private var applications: [HTML] {
        configuration.applications.enumerated().map { index, application in
            let addresses = application.redirectAddresses.map { HTML("<code>\($0)</code>") }
            let id = "client-\(index)"
            let name: HTML? = application.name.map { "<strong><bdi>\($0)</bdi></strong>" }
            let list: HTML? =
                addresses.isEmpty
                ? nil : "<p class=\"why\">Redirect addresses</p><div class=\"stack\">\(HTML(addresses))</div>"
            return """
                <li class="mail"><div>\(name)
                <p class="why">Client ID</p><code id="\(id)">\(application.clientID)</code>
                \(list)</div>
                \(DeveloperPages.copyButton(id, of: application.clientID))</li>
                """
        }
    }

    private var apis: [HTML] {
        configuration.apis.map { api in
            let scopes = api.fullScopes.map { HTML("<code>\($0)</code>") }
            return """
                <li class="stack"><strong><bdi>\(api.name)</bdi></strong> <code>\(origin)\(api.samplePath)</code>
                \(HTML(scopes))</li>
                """
        }
    }

    private func listed(_ rows: [HTML]) -> HTML {
        rows.isEmpty ? "<p class=\"lead\">None.</p>" : "<ul class=\"rows feed\">\n\(HTML(rows))\n</ul>"
    }

    // MARK: Users

    private var userList: HTML {
        let rows = users.prefix(mostUsers).map(user)
        let list: HTML =
            rows.isEmpty
            ? "<p class=\"lead\">\(search.isEmpty ? "No users." : "No user matches “\(search)”.")</p>" : folded(rows)
        let more: HTML? =
            users.count > mostUsers
            ? "<p class=\"lead\">Only the first \(String(mostUsers)) are listed. Search for the others.</p>" : nil
        let password: HTML? =
            users.contains(where: hasUsualPassword)
            ? "<p class=\"lead\">Password, unless changed: <code>\(User.usualPassword)</code></p>" : nil
        return """
            \(users.count > 5 || !search.isEmpty ? searchForm : nil)
            \(password)\(list)\(more)
            <p class="links"><a id="add-user" href="\(UserPage.address(tenant))">Add a user</a></p>
            """
    }

    private var searchForm: HTML {
        """
        <form method="get" action="/#users" class="search" role="search">
        <input type="hidden" name="tenant" value="\(tenant.label)">
        <div class="field">
        <label for="q">Search by name, address or object ID</label>
        <input id="q" name="q" type="search" autocomplete="off" value="\(search)">
        </div>
        <button class="quiet" type="submit">Search</button>
        </form>
        """
    }

    // The password of the standard users is public.
    private func hasUsualPassword(_ user: User) -> Bool {
        let seed = configuration.users.first { $0.objectID == user.objectID }
        return seed?.password == User.usualPassword && seed?.passwordHash == nil && user.identityProvider == nil
    }

    private func user(_ user: User) -> HTML {
        let tags = [
            user.isBlocked ? "blocked" : nil, user.lockEnd(now: now).map { "locked until \(timestamp($0))" },
            user.mustResetPassword ? "must choose a new password" : nil, user.identityProvider,
        ]
        let shown = tags.compactMap { $0 }.map { HTML("<span class=\"tag\"><bdi>\($0)</bdi></span>") }
        return """
            <li><strong><bdi>\(DisplayText.safe(user.displayName))</bdi></strong> <bdi>\(DisplayText.safe(user.signInName))</bdi>
            \(HTML(shown))
            <span class="links"><a href="\(UserPage.address(tenant, user))">Edit\
            <span class="aside-name"><bdi> \(DisplayText.safe(user.displayName))</bdi></span></a></span></li>
            """
    }

    // MARK: Snippets

    private var snippets: [HTML] {
        guard let snippets = Snippets(tenant, origin) else {
            return ["<p class=\"lead\">Register an application first.</p>"]
        }
        let more: HTML = """
            <p class="lead">The manual <cite>Your application</cite> has the settings of MSAL and of other libraries.</p>
            """
        let all = [("susi: policies.json", snippets.policies), ("curl", snippets.curl)].enumerated().map {
            index, snippet -> HTML in
            let (title, text) = snippet
            let id = "snippet-\(index)"
            return """
                <details><summary id="\(id)-title">\(title)</summary>
                <div class="snippet">
                \(DeveloperPages.copyButton(id, of: title))
                <pre tabindex="0" role="region" aria-labelledby="\(id)-title"><code id="\(id)">\(text)</code></pre>
                </div></details>
                """
        }
        return [more] + all
    }
}
