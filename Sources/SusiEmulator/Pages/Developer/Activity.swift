import HTTPTypes
import SusiPolicies

/// What happens in the emulator: the messages of a tenant and everybody's latest requests. The page asks for it again and
/// again, and a person can stop that (WCAG 2.2, 2.2.2).
struct Activity {
    /// Where the page asks.
    static let path = "/activity"

    private static let mostRequests = 30
    private static let mostMessages = 10

    let site: Site
    let tenant: Tenant
    let words: Words
    let visit: Visit

    /// The two lists alone, in a page that no person opens.
    static func show(_ site: Site, _ visit: Visit, origin: String) throws -> Answer {
        guard let tenant = DeveloperPage.chosen(site, visit) else { return Answer(status: .notFound) }
        let words = visit.words
        let activity = Activity(site: site, tenant: tenant, words: words, visit: visit)
        let content = HTML([try activity.messages, activity.requests])
        return Page(words: words, title: words[.emulatorTitle], content: content, script: .developer).answer()
    }

    var html: HTML {
        get throws {
            """
            <aside aria-labelledby="outbox">
            <h2 id="outbox">\(words[.outbox])</h2>
            <p class="lead">\(words[.outboxNote])</p>
            \(state)
            \(try messages)
            <h2 id="requests">\(words[.requests])</h2>
            \(requests)
            </aside>
            """
        }
    }

    // Without scripts the page stands still, and a link brings the news.
    private var state: HTML {
        let here = DeveloperPage.address(tenant)
        let language: HTML? = visit.query["ui_locales"].map { "&ui_locales=\(percentEncoded($0))" }
        let news: HTML = "\(Self.path)?tenant=\(percentEncoded(tenant.label))\(language)"
        return """
            <div class="state">
            <p id="live-state"><a href="\(here)\(language)">\(words[.reload])</a></p>
            <button class="small" id="live" type="button" data-news="\(news)" data-pause="\(words[.pause])" \
            data-resume="\(words[.resume])" data-running="\(words[.updates])" data-paused="\(words[.paused])" \
            hidden>\(words[.pause])</button>
            <p id="status" class="aside-name" role="status" data-copied="\(words[.copied])" \
            data-copy-failed="\(words[.copyFailed])"></p>
            </div>
            """
    }

    // MARK: Messages

    private var messages: HTML {
        get throws {
            let rows = try tenant.database.outbox(limit: Self.mostMessages).map(row)
            let none: HTML = "<li data-key=\"none\">\(words[.nothing])</li>"
            return """
                <ul class="rows feed" id="messages" data-live="tell">
                \(rows.isEmpty ? none : HTML(rows))
                </ul>
                """
        }
    }

    private func row(_ message: OutboxMessage) -> HTML {
        let id = "code-\(message.id)"
        return """
            <li class="mail" data-key="\(id)"><div>
            <span class="told"><code class="digits" id="\(id)">\(message.code)</code> <bdi>\(message.recipient)</bdi></span>
            <p class="why"><span>\(words[message.purpose.word])</span> <code>\(timeOfDay(message.sent))</code></p>
            </div>\(DeveloperPages.copyButton(id, of: message.code, words))</li>
            """
    }

    // MARK: Requests

    private var requests: HTML {
        let entries = site.audit.latest(10 * Self.mostRequests).filter { !DeveloperPages.has($0.path) }
            .prefix(Self.mostRequests)
        let none: HTML = "<li data-key=\"none\">\(words[.noRequests])</li>"
        return """
            <ul class="rows feed requests" id="request-list" data-live="show">
            \(entries.isEmpty ? none : HTML(entries.map(row)))
            </ul>
            """
    }

    // Why something was refused is said in the service's own words, which are English.
    private func row(_ entry: AuditEntry) -> HTML {
        let isBad = entry.status >= 400 || entry.code != nil
        let state: HTML? = isBad ? " class=\"bad\"" : nil
        let code: HTML? = entry.code.map { " <code>\($0)</code>" }
        let reason: HTML? = entry.reason.map {
            "<p class=\"why\" lang=\"en\"><bdi>\(DisplayText.safe($0))</bdi></p>"
        }
        let client: HTML? = entry.clientID.map {
            "<p class=\"why\">\(words[.client]) <code>\(DisplayText.safe($0))</code></p>"
        }
        return """
            <li\(state) data-key="request-\(String(entry.number))">
            <div class="line"><code>\(timeOfDay(entry.time))</code>
            <span class="status"><code>\(String(entry.status))</code>\(code)</span></div>
            <p><code>\(DisplayText.safe("\(entry.method) \(entry.path)"))</code></p>
            \(reason)\(client)</li>
            """
    }

    // The date is that of the page.
    private func timeOfDay(_ time: Int64) -> String {
        timestamp(time).split(separator: " ").last.map(String.init) ?? ""
    }
}

extension OutboxMessage.Purpose {
    /// What the message is for.
    fileprivate var word: DeveloperWord {
        switch self {
        case .verifyEmail: .forVerification
        case .resetPassword: .forReset
        case .secondFactor: .forSecondFactor
        }
    }
}
