import SusiPolicies

/// What the emulator is, has and did, for a developer: one tenant, chosen by its name, and what happens in all of them.
enum DeveloperPage {
    private static let mostUsers = 50

    static func show(_ site: Site, _ visit: Visit, origin: String) throws -> Answer {
        let words = visit.words
        guard let tenant = chosen(site, visit) else {
            return DeveloperPages.problem(words[.nothingToRun], words[.noSuchPlace], visit)
        }
        let search = visit.query["q"] ?? ""
        let shown = DeveloperTenant(
            tenant: tenant, words: words, origin: origin, search: search,
            users: try tenant.database.users(matching: search, limit: mostUsers + 1), mostUsers: mostUsers)
        var page = DeveloperPages.page(
            words[.pageTitle, words.name(of: tenant)],
            """
            <h1>\(words[.emulatorTitle])</h1>
            \(facts(site, visit, origin))
            \(tabs(site, tenant, words))
            <div class="columns">
            \(shown.html)
            \(try Activity(site: site, tenant: tenant, words: words, visit: visit).html)
            </div>
            """, visit)
        page.isBoard = true
        page.formTarget = RunForm.targets(of: tenant)
        return page.answer()
    }

    /// The tenant that the address names, else the first one.
    static func chosen(_ site: Site, _ visit: Visit) -> Tenant? {
        site.tenants.first { $0.label == visit.query["tenant"] } ?? site.tenants.first
    }

    /// Where a tenant's outbox is.
    static func outbox(_ tenant: Tenant) -> String { "\(address(tenant))#outbox" }

    static func address(_ tenant: Tenant) -> String { "/?tenant=\(percentEncoded(tenant.label))" }

    private static func facts(_ site: Site, _ visit: Visit, _ origin: String) -> HTML {
        let words = visit.words
        let state: HTML? = site.clock.isFrozen ? " <span class=\"tag\">\(words[.standsStill])</span>" : nil
        return """
            <dl class="facts">
            <dt>\(words[.address])</dt><dd><code>\(origin)</code></dd>
            \(copies(site))<dt>\(words[.time])</dt><dd><code>\(timestamp(visit.now))</code>\(state)</dd>
            </dl>
            """
    }

    private static func copies(_ site: Site) -> HTML? {
        let names = Set(site.tenants.compactMap(\.configuration.copyOf)).sorted()
        guard !names.isEmpty else { return nil }
        return "<dt>Copy of</dt><dd><bdi>\(names.joined(separator: "; "))</bdi></dd>\n"
    }

    private static func tabs(_ site: Site, _ current: Tenant, _ words: Words) -> HTML? {
        guard site.tenants.count > 1 else { return nil }
        let links = site.tenants.map { tenant -> HTML in
            let mark: HTML? = tenant.label == current.label ? " aria-current=\"page\"" : nil
            return "<li><a href=\"\(address(tenant))\"\(mark)><bdi>\(words.name(of: tenant))</bdi></a></li>"
        }
        return """
            <nav aria-label="\(words[.tenants])"><ul class="bar tabs">
            \(HTML(links))
            </ul></nav>
            """
    }
}
