import SusiPolicies

/// What the emulator is, has and did, for a developer.
enum DeveloperPage {
    private static let mostRequests = 30
    private static let mostUsers = 50
    private static let mostMessages = 10

    static func show(_ site: Site, _ visit: Visit, origin: String) throws -> Answer {
        let search = visit.query["q"] ?? ""
        let tenants = try site.tenants.enumerated().map { index, tenant in
            try DeveloperTenant(
                tenant: tenant, index: index, origin: origin, search: search,
                users: tenant.database.users(matching: search, limit: mostUsers + 1), mostUsers: mostUsers,
                messages: tenant.database.outbox(limit: mostMessages)
            ).html
        }
        let count = site.tenants.count
        var page = DeveloperPages.page(
            "\(count == 1 ? site.tenants.map(\.title).joined() : "\(count) tenants") · emulator",
            """
            <h1>Emulator</h1>
            <p class="lead">\(count == 1 ? "One tenant" : "\(count) tenants") at <code>\(origin)</code>, time \
            <code>\(timestamp(visit.now))</code>\(site.clock.isFrozen ? " (it stands still)" : "")</p>
            \(HTML(tenants))
            \(requests(site))
            """)
        page.formTarget = targets(site).joined(separator: " ")
        return page.answer()
    }

    // Chromium checks a form's redirects too: a browser that is signed in goes on to the application at once.
    private static func targets(_ site: Site) -> [String] {
        let addresses = site.tenants.flatMap { $0.configuration.applications.flatMap(\.redirectAddresses) }
        return Set(addresses.map(ReturnAddress.origin)).sorted().filter { !$0.isEmpty }
    }

    private static func requests(_ site: Site) -> HTML {
        let entries = site.audit.latest(10 * mostRequests).filter { !DeveloperPages.has($0.path) }.prefix(mostRequests)
        let rows = entries.map(row)
        let list: HTML =
            rows.isEmpty
            ? "<p class=\"lead\">None yet.</p>"
            : """
            <table class="requests">
            <thead><tr><th scope="col">Time</th><th scope="col">Request</th><th scope="col">Answer</th></tr></thead>
            <tbody>
            \(HTML(rows))
            </tbody>
            </table>
            """
        return """
            <section aria-labelledby="requests">
            <h2 id="requests">Latest requests</h2>
            \(list)
            </section>
            """
    }

    private static func row(_ entry: AuditEntry) -> HTML {
        let isBad = entry.status >= 400 || entry.code != nil
        let code: HTML? = entry.code.map { " <strong>\($0)</strong>" }
        let reason: HTML? = entry.reason.map { "<br>\($0)" }
        let client: HTML? = entry.clientID.map { "<br>client <code>\($0)</code>" }
        let state: HTML = isBad ? " class=\"bad\"" : ""
        // The time of day: the date is that of the page.
        let time = timestamp(entry.time).split(separator: " ").last ?? ""
        return """
            <tr\(state)><td><code>\(time)</code></td>
            <td><code>\(entry.method) \(entry.path)</code>\(client)</td>
            <td>\("\(entry.status)")\(code)\(reason)</td></tr>
            """
    }
}
