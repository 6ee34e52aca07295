import SusiBase
import SusiPolicies

/// The start page for a developer: one tenant, and the activity of all tenants.
enum DeveloperPage {
    private static let mostUsers = 50

    static func show(_ site: Site, _ context: RequestContext, origin: String) throws -> Response {
        guard let tenant = chosen(site, context) else {
            return DeveloperPages.problem("Nothing to run", "This emulator has no tenant.")
        }
        let search = context.query["q"] ?? ""
        let shown = DeveloperTenant(
            tenant: tenant, origin: origin, search: search,
            users: try tenant.database.users(matching: search, limit: mostUsers + 1), mostUsers: mostUsers,
            now: context.now)
        var page = DeveloperPages.page(
            "\(tenant.shownName) · Local emulator",
            """
            <h1><bdi>\(tenant.shownName)</bdi></h1>
            <p class="lead">\(tenant.configuration.kind.dialect.traits.title)</p>
            \(tabs(site, tenant))
            \(facts(site, tenant, origin: origin, now: context.now))
            <div class="columns">
            <div>
            \(shown.html)
            </div>
            \(try Activity(site: site, tenant: tenant).html)
            </div>
            """)
        page.isBoard = true
        page.formTarget = RunForm.targets(of: tenant)
        return page.response()
    }

    /// The tenant in the query, else the first one.
    static func chosen(_ site: Site, _ context: RequestContext) -> Tenant? {
        site.tenants.first { $0.label == context.query["tenant"] } ?? site.tenants.first
    }

    static func outbox(_ tenant: Tenant) -> String { "\(address(tenant))#outbox" }

    static func address(_ tenant: Tenant) -> String { "/?tenant=\(PercentEncoding.encode(tenant.label))" }

    private static func facts(_ site: Site, _ tenant: Tenant, origin: String, now: Int64) -> HTML {
        let state: HTML? = site.clock.isFrozen ? " <span class=\"tag\">stopped</span>" : nil
        return """
            <dl class="facts">
            <dt>Address</dt><dd><code>\(origin)</code></dd>
            \(copies(site))<dt>Time</dt><dd><code>\(timestamp(now))</code>\(state)</dd>
            <dt>Tenant ID</dt><dd><code>\(tenant.configuration.id)</code></dd>
            </dl>
            """
    }

    private static func copies(_ site: Site) -> HTML? {
        let names = Set(site.tenants.compactMap(\.configuration.copyOf?.description)).sorted()
        guard !names.isEmpty else { return nil }
        return "<dt>Copy of</dt><dd><bdi>\(names.joined(separator: "; "))</bdi></dd>\n"
    }

    private static func tabs(_ site: Site, _ current: Tenant) -> HTML? {
        guard site.tenants.count > 1 else { return nil }
        let links = site.tenants.map { tenant -> HTML in
            let mark: HTML? = tenant.label == current.label ? " aria-current=\"page\"" : nil
            return "<li><a href=\"\(address(tenant))\"\(mark)><bdi>\(tenant.shownName)</bdi></a></li>"
        }
        return """
            <nav aria-label="Tenants"><ul class="bar tabs">
            \(HTML(links))
            </ul></nav>
            """
    }
}

extension Tenant {
    /// The name on a developer's page.
    var shownName: String { configuration.name.isEmpty ? "OpenID provider" : configuration.name }
}

/// A section of a developer's page that can be folded. In a narrow window all but the first one start folded.
struct Section {
    let id: String
    let title: String
    var isOpen = false
    let content: HTML

    var html: HTML {
        let state: HTML? = isOpen ? " open" : nil
        return """
            <details class="fold" id="\(id)"\(state)><summary><h2>\(title)</h2></summary>
            \(content)
            </details>
            """
    }
}
