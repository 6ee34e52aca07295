import HTTPTypes
import SusiPolicies

/// The pages for a developer, which belong to no tenant. They are in English, as everything that the program says to one,
/// and only read: each is a GET.
enum DeveloperPages {
    private static let pages: [String: @Sendable (Site, Visit, _ origin: String) throws -> Answer] = [
        "/": DeveloperPage.show, RunNow.path: RunNow.start, TokenViewer.path: TokenViewer.show,
    ]

    /// The answer when the path is one of theirs.
    static func answer(_ site: Site, _ visit: Visit, origin: String) throws -> Answer? {
        guard let page = pages[visit.path] else { return nil }
        guard visit.method == .get else {
            return Answer(status: .methodNotAllowed, note: "allowed is GET").setting("Allow", "GET")
        }
        return try page(site, visit, origin)
    }

    /// Whether a path is one of theirs: their own requests are no news to whoever looks at them.
    static func has(_ path: String) -> Bool { pages[path] != nil }

    /// A page for a developer.
    static func page(_ title: String, _ content: HTML) -> Page {
        Page(words: Words(language: .english), title: title, content: content, isWide: true)
    }

    /// A page that says why something could not be shown.
    static func problem(_ title: String, _ reason: String) -> Answer {
        page(
            title,
            """
            <h1>\(title)</h1>
            <p class="alert" role="alert">\(reason)</p>
            <p class="foot"><a href="/">Back to the tenants</a></p>
            """
        ).answer(.badRequest, note: reason)
    }
}

extension Site {
    /// Where each policy of each tenant is, in the usual form of its address.
    func places(_ origin: String) -> [Place] { tenants.flatMap { $0.places(origin) } }
}

extension Tenant {
    /// Where its policies are; kinds without policies have one place.
    func places(_ origin: String) -> [Place] {
        let policies = configuration.kind == .b2c ? configuration.policies : [signInPolicy]
        return policies.map { configuration.kind.shape.place(of: $0, in: self, origin: origin) }
    }
}

extension Place {
    /// What names this place in a form of the developer's pages.
    var key: String { base.isEmpty ? "/" : base }

    /// The registered application with that client id, the token viewer among them.
    func registered(_ clientID: String) -> RegisteredApplication? {
        clientID.lowercased() == TokenViewer.clientID
            ? TokenViewer.application(origin) : tenant.application(clientID)
    }
}
