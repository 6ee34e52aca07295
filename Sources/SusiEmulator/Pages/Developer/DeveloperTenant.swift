import SusiPolicies

/// One tenant on the developer's page.
struct DeveloperTenant {
    // A list that is longer is folded.
    private static let mostRows = 10

    let tenant: Tenant
    let words: Words
    let origin: String
    let search: String
    /// One more than are shown, where there are more.
    let users: [User]
    let mostUsers: Int

    private var configuration: TenantConfiguration { tenant.configuration }
    private var isB2C: Bool { configuration.kind == .b2c }

    var html: HTML {
        """
        <section aria-labelledby="tenant">
        <h2 id="tenant"><bdi>\(words.name(of: tenant))</bdi></h2>
        <p class="lead">\(words[configuration.kind.word])</p>
        <dl class="facts"><dt>\(words[.tenantID])</dt><dd><code>\(configuration.id)</code></dd></dl>
        \(contents)
        <h3 id="policies">\(words[isB2C ? .policies : .addresses])</h3>
        \(folded(tenant.places(origin).map(row)))
        \(RunForm(tenant: tenant, words: words, origin: origin).html())
        \(applications)
        \(apis)
        \(userList)
        <h3 id="use">\(words[.useIt])</h3>
        \(HTML(snippets))
        </section>
        """
    }

    private var contents: HTML {
        let links: [(String, DeveloperWord)] = [
            ("run", .runNow), ("applications", .applications), ("users", .users), ("use", .useIt),
            ("outbox", .outbox), ("requests", .requests),
        ]
        return """
            <nav aria-label="\(words[.onThisPage])"><ul class="bar">
            \(HTML(links.map { "<li><a href=\"#\($0)\">\(words[$1])</a></li>" }))
            </ul></nav>
            """
    }

    private func folded(_ rows: [HTML]) -> HTML {
        let first: HTML = "<ul class=\"rows\">\n\(HTML(Array(rows.prefix(Self.mostRows))))\n</ul>"
        guard rows.count > Self.mostRows else { return first }
        let rest = Array(rows.dropFirst(Self.mostRows))
        return """
            \(first)
            <details><summary>\(words[.more, "\(rest.count)"])</summary>
            <ul class="rows">
            \(HTML(rest))
            </ul></details>
            """
    }

    private func row(_ place: Place) -> HTML {
        let what = place.shownName(words)
        let name: HTML =
            isB2C
            ? "<strong><bdi>\(what)</bdi></strong> <span class=\"tag\">\(words[place.policy.kind.word])</span>"
            : "<strong><code>\(place.origin)\(place.base)</code></strong>"
        let of: HTML = "<span class=\"aside-name\"><bdi> \(what)</bdi></span>"
        let run: HTML? =
            place.policy.kind == .resourceOwner
            ? nil : "<a href=\"\(RunNow.address(place))\">\(words[.runNow])\(of)</a>"
        return """
            <li>\(name)
            <span class="links">\(run)
            <a href="\(place.address(.metadata) ?? "")">\(words[.metadata])\(of)</a>
            <a href="\(place.address(.keys) ?? "")">\(words[.keys])\(of)</a></span></li>
            """
    }

    // MARK: Registrations

    private var applications: HTML {
        let rows = configuration.applications.enumerated().map { index, application -> HTML in
            let addresses = application.redirectAddresses.map { HTML("<code>\($0)</code>") }
            let id = "client-\(index)"
            let name: HTML? = application.name.map { "<strong><bdi>\($0)</bdi></strong>" }
            let list: HTML? =
                addresses.isEmpty
                ? nil
                : "<p class=\"why\">\(words[.redirectAddresses])</p><div class=\"stack\">\(HTML(addresses))</div>"
            return """
                <li class="mail"><div>\(name)
                <p class="why">\(words[.clientID])</p><code id="\(id)">\(application.clientID)</code>
                \(list)</div>
                \(DeveloperPages.copyButton(id, of: application.clientID, words))</li>
                """
        }
        return "<h3 id=\"applications\">\(words[.applications])</h3>\n\(listed(rows))"
    }

    private var apis: HTML {
        let rows = configuration.apis.map { api -> HTML in
            let scopes = api.fullScopes.map { HTML("<code>\($0)</code>") }
            return """
                <li class="stack"><strong><bdi>\(api.name)</bdi></strong> <code>\(origin)\(api.samplePath)</code>
                \(HTML(scopes))</li>
                """
        }
        return "<h3>\(words[.apis])</h3>\n\(listed(rows))"
    }

    private func listed(_ rows: [HTML]) -> HTML {
        rows.isEmpty ? "<p class=\"lead\">\(words[.nothing])</p>" : "<ul class=\"rows feed\">\n\(HTML(rows))\n</ul>"
    }

    // MARK: People

    private var userList: HTML {
        let rows = users.prefix(mostUsers).map(user)
        let list: HTML =
            rows.isEmpty
            ? "<p class=\"lead\">\(search.isEmpty ? words[.nothing] : words[.noUser, search])</p>" : folded(rows)
        let more: HTML? = users.count > mostUsers ? "<p class=\"lead\">\(words[.moreUsers])</p>" : nil
        return """
            <h3 id="users">\(words[.users])</h3>
            <form method="get" action="/#users" class="search" role="search">
            <input type="hidden" name="tenant" value="\(tenant.label)">
            <div class="field">
            <label for="q">\(words[.searchUsers])</label>
            <input id="q" name="q" type="search" autocomplete="off" value="\(search)">
            </div>
            <button class="quiet" type="submit">\(words[.search])</button>
            </form>
            \(list)\(more)
            """
    }

    // The password of the standard users is shown: everybody knows it. It may have been changed since.
    private func user(_ user: User) -> HTML {
        let seed = configuration.users.first { $0.objectID == user.objectID }
        let isUsual = seed?.password == SeededUser.usualPassword && seed?.passwordHash == nil
        let tags = [
            isUsual && user.identityProvider == nil ? words[.passwordAtFirst, SeededUser.usualPassword] : nil,
            user.isBlocked ? words[.blocked] : nil, user.mustResetPassword ? words[.mustChoose] : nil,
        ]
        let shown = tags.compactMap { $0 }.map { HTML("<span class=\"tag\">\($0)</span>") }
        let provider: HTML? = user.identityProvider.map { "<span class=\"tag\"><bdi>\($0)</bdi></span>" }
        return """
            <li><strong><bdi>\(DisplayText.safe(user.displayName))</bdi></strong> <bdi>\(DisplayText.safe(user.signInName))</bdi>
            \(HTML(shown))\(provider) <code>\(user.objectID)</code></li>
            """
    }

    // MARK: Snippets

    private var snippets: [HTML] {
        guard let snippets = Snippets(tenant, origin) else {
            return ["<p class=\"lead\">\(words[.registerFirst])</p>"]
        }
        return snippets.all.enumerated().map { index, snippet in
            let id = "snippet-\(index)"
            return """
                <details><summary id="\(id)-title"><bdi>\(snippet.title)</bdi></summary>
                <div class="snippet">
                \(DeveloperPages.copyButton(id, of: snippet.title, words))
                <pre tabindex="0" role="region" aria-labelledby="\(id)-title"><code id="\(id)">\(snippet.text)</code></pre>
                </div></details>
                """
        }
    }
}

extension AuthorityKind {
    /// The kind in a person's words.
    fileprivate var word: DeveloperWord {
        switch self {
        case .b2c: .kindB2C
        case .external: .kindExternal
        case .entra: .kindEntra
        case .openid: .kindOpenID
        }
    }
}

extension PolicyKind {
    /// What the policy is for.
    fileprivate var word: DeveloperWord {
        switch self {
        case .signUpOrSignIn: .kindSignUpOrSignIn
        case .editProfile: .kindEditProfile
        case .passwordReset: .kindPasswordReset
        case .resourceOwner: .kindResourceOwner
        }
    }
}
