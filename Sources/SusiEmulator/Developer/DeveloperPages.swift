import HTTPTypes
import SusiPolicies

/// The pages for a developer, in English. All but `UserPage` are read-only.
enum DeveloperPages {
    private static let pages: [String: @Sendable (Site, RequestContext, _ origin: String) throws -> Response] = [
        "/": DeveloperPage.show, Activity.path: Activity.show, RunNow.path: RunNow.start,
        TokenViewer.path: TokenViewer.show, UserPage.path: UserPage.respond,
    ]

    /// Returns `nil` if the path is not one of these pages.
    static func respond(_ site: Site, _ context: RequestContext, origin: String) throws -> Response? {
        guard let page = pages[context.path] else { return nil }
        // The pages show users, messages and the requests of others.
        guard context.isFromHere else {
            return problem(
                "Not available here",
                "These pages are available only on the machine that runs the emulator, at \(context.port.origin)/",
                status: .forbidden)
        }
        let methods: [HTTPRequest.Method] = context.path == UserPage.path ? [.get, .post] : [.get]
        guard methods.contains(context.method) else {
            let allowed = methods.map(\.rawValue).joined(separator: ", ")
            return Response(status: .methodNotAllowed, note: "allowed: \(allowed)").setting("Allow", allowed)
        }
        return try page(site, context, origin)
    }

    /// Returns whether a path is one of these pages, whose requests the activity does not list.
    static func has(_ path: String) -> Bool { pages[path] != nil }

    static func page(_ title: String, _ content: HTML) -> Page {
        Page(words: .english, title: title, content: content, isWide: true, script: .developer)
    }

    /// A page with the reason why something cannot be shown.
    static func problem(
        _ title: String, _ reason: String, status: HTTPResponse.Status = .badRequest
    ) -> Response {
        var page = page(
            title,
            """
            <h1>\(title)</h1>
            <p class="alert" role="alert">\(reason)</p>
            \(back())
            """)
        page.isWrong = true
        return page.response(status, note: reason)
    }

    /// A link to these pages at the foot of another one, if the browser may open them.
    static func footer(_ context: RequestContext) -> HTML? {
        context.isFromHere ? "<p class=\"foot\"><a href=\"/\">\(context.words[.aboutTenant])</a></p>" : nil
    }

    static func back(_ tenant: Tenant? = nil) -> HTML {
        "<p class=\"foot\"><a href=\"\(tenant.map(DeveloperPage.address) ?? "/")\">Back to the emulator</a></p>"
    }

    /// A button that copies the text of the element `id`, where scripts run.
    static func copyButton(_ id: String, of what: String) -> HTML {
        """
        <button class="copy" type="button" data-copy="\(id)" aria-label="Copy: \(what)" hidden>Copy</button>
        """
    }
}

extension Site {
    /// Every policy of every tenant, in the usual form of its address.
    func policyEndpoints(at origin: String) -> [PolicyEndpoint] { tenants.flatMap { $0.policyEndpoints(at: origin) } }

    /// The policy at a path, in any form of its address.
    func endpoint(at path: String, _ origin: String) -> PolicyEndpoint? {
        if let usual = policyEndpoints(at: origin).first(where: { $0.key == path }) { return usual }
        let segments = path.split(separator: "/").map { percentDecoded(String($0)) }
        return tenants.lazy.compactMap { tenant -> PolicyEndpoint? in
            let dialect = tenant.configuration.kind.dialect
            guard let (endpoint, rest) = dialect.endpoint(segments, Parameters(""), in: tenant, origin: origin),
                rest.isEmpty
            else { return nil }
            return tenant.policyEndpoints(at: origin).first { $0.policy.name == endpoint.policy.name }
        }.first
    }
}

extension Tenant {
    /// The policies of the tenant. Kinds without policies have one endpoint.
    func policyEndpoints(at origin: String) -> [PolicyEndpoint] {
        let policies = configuration.kind.traits.hasPolicies ? configuration.policies : [signInPolicy]
        return policies.map { configuration.kind.dialect.endpoint(of: $0, in: self, origin: origin) }
    }
}

extension PolicyEndpoint {
    /// The value of this endpoint in a form of the developer's pages.
    var key: String { base.isEmpty ? "/" : base }

    /// The name of the policy, or of the tenant if it has no policies.
    var shownName: String { tenant.configuration.kind.traits.hasPolicies ? policy.name.spelling : tenant.shownName }
}
