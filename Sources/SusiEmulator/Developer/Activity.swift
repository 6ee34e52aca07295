import HTTPTypes
import SusiBase
import SusiJourneys
import SusiPolicies

/// The activity of the emulator: a tenant's messages and the latest requests of all tenants. The page polls it, and a button
/// pauses that (WCAG 2.2, 2.2.2).
struct Activity {
    /// The path that the page polls.
    static let path = "/activity"

    private static let mostRequests = 30
    private static let mostMessages = 10

    let site: Site
    let tenant: Tenant

    /// The two lists for the script of the page.
    static func show(_ site: Site, _ context: RequestContext, origin: String) throws -> Response {
        guard let tenant = DeveloperPage.chosen(site, context) else { return Response(status: .notFound) }
        let activity = Activity(site: site, tenant: tenant)
        return DeveloperPages.page("Activity", HTML([try activity.messages, activity.requests])).response()
    }

    var html: HTML {
        get throws {
            let sections = [
                Section(id: "outbox", title: "Outbox", isOpen: true, content: try outbox),
                Section(id: "requests", title: "Requests", isOpen: true, content: HTML([filter, requests])),
            ]
            return """
                <section class="activity" aria-label="Activity">
                \(state)
                \(HTML(sections.map(\.html)))
                </section>
                """
        }
    }

    private var outbox: HTML {
        get throws {
            """
            <p class="lead">Emails and text messages that the tenant would send.</p>
            \(try messages)
            """
        }
    }

    // The style sheet hides the other requests, so that the filter works without scripts.
    private var filter: HTML {
        """
        <div class="check"><input id="all-requests" type="checkbox" autocomplete="off">
        <label for="all-requests">Show metadata and key requests</label></div>
        """
    }

    // Without scripts the page does not update.
    private var state: HTML {
        """
        <div class="state">
        <p id="live-state"><a href="\(DeveloperPage.address(tenant))">Reload to update</a></p>
        <button class="small" id="live" type="button" \
        data-news="\(Self.path)?tenant=\(PercentEncoding.encode(tenant.label))" hidden>Pause</button>
        <p id="status" class="aside-name" role="status"></p>
        </div>
        """
    }

    // MARK: Messages

    private var messages: HTML {
        get throws {
            let rows = try tenant.database.outbox(limit: Self.mostMessages).map(row)
            return """
                <ul class="rows feed" id="messages" data-live="tell">
                \(rows.isEmpty ? "<li data-key=\"none\">No messages yet.</li>" : HTML(rows))
                </ul>
                """
        }
    }

    private func row(_ message: OutboxMessage) -> HTML {
        let id = "code-\(message.id)"
        return """
            <li class="mail" data-key="\(id)"><div>
            <span class="told"><code class="digits" id="\(id)">\(message.code)</code> <bdi>\(message.recipient)</bdi></span>
            <p class="why">\(message.purpose.shown) <code>\(timeOfDay(message.sent))</code></p>
            </div>\(DeveloperPages.copyButton(id, of: message.code))</li>
            """
    }

    // MARK: Requests

    // The latest relevant requests, with the routine requests between them.
    private var requests: HTML {
        var rest = Self.mostRequests
        let entries = site.audit.latest(10 * Self.mostRequests).filter { !Self.isOwn($0.path) }.prefix {
            entry in
            rest -= entry.isRoutine ? 0 : 1
            return rest >= 0
        }
        let none: HTML? =
            entries.contains { !$0.isRoutine } ? nil : "<li data-key=\"none\">No requests yet.</li>"
        return """
            <ul class="rows feed requests" id="request-list" data-live="show">
            \(none)\(HTML(entries.map(row)))
            </ul>
            """
    }

    private func row(_ entry: AuditEntry) -> HTML {
        let state: HTML? = entry.isRefused ? " class=\"bad\"" : entry.isRoutine ? " class=\"routine\"" : nil
        let code: HTML? = entry.code.map { "<code>\($0)</code> " }
        let reason: HTML? = entry.reason.map { "<bdi>\(DisplayText.safe($0))</bdi>" }
        let why: HTML? = code == nil && reason == nil ? nil : "<p class=\"why\">\(code)\(reason)</p>"
        // The style sheet shortens the ID; searching and copying find the whole one.
        let client: HTML? = entry.clientID.map { DisplayText.safe($0) }.map { id in
            "<p class=\"client\">Client <code class=\"id\" title=\"\(id)\">\(id)</code></p>"
        }
        return """
            <li\(state) data-key="request-\(String(entry.number))">
            <div class="line"><code class="status s\(String(entry.status / 100))">\(String(entry.status))</code>
            <code class="when">\(timeOfDay(entry.time))</code>
            <code class="what">\(DisplayText.safe(entry.method)) \(Self.breakable(DisplayText.safe(entry.path)))</code></div>
            \(why)\(client)\(journey(entry))</li>
            """
    }

    private func journey(_ entry: AuditEntry) -> HTML? {
        guard !entry.journey.isEmpty else { return nil }
        let lines = entry.journey.map { HTML("<li><code>\(DisplayText.safe($0.shown))</code></li>") }
        return "<details class=\"journey\"><summary>Journey</summary><ol>\(HTML(lines))</ol></details>"
    }

    // Requests for these pages and for the icon that browsers request.
    private static func isOwn(_ path: String) -> Bool { DeveloperPages.has(path) || path == "/favicon.ico" }

    /// A path that breaks at its slashes in a narrow window.
    static func breakable(_ path: String) -> HTML {
        HTML(path.split(separator: "/", omittingEmptySubsequences: false).map { HTML("\($0)") }, between: "/<wbr>")
    }

    // The page shows the date.
    private func timeOfDay(_ time: Int64) -> String {
        timestamp(time).split(separator: " ").last.map(String.init) ?? ""
    }
}

extension AuditEntry {
    fileprivate var isRefused: Bool { status >= 400 || code != nil }
}

extension OutboxMessage.Purpose {
    fileprivate var shown: String {
        switch self {
        case .verifyEmail: "email verification"
        case .resetPassword: "password reset"
        case .secondFactor: "second factor"
        }
    }
}
