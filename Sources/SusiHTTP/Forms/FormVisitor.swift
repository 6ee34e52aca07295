import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import SusiBase
import SusiOAuth
import SusiPolicies

/// Submits the forms of the emulator's pages, which work without scripts. It visits only loopback addresses, because it
/// sends passwords.
package struct FormVisitor: Sendable {
    /// The values to enter, by field name.
    package let answers: [String: String]
    /// Ids of buttons or links to press, in this order, each on the first page that has it.
    package let presses: [String]
    private let client: WebClient
    private let cookies: CookieJar
    private static let mostPages = 12
    // The sign-in page of External ID and Entra ID has other names for its fields.
    private static let names = ["loginfmt": "signInName", "passwd": "password"]

    package init(answers: [String: String], presses: [String] = [], client: WebClient, cookies: CookieJar = CookieJar())
    {
        self.answers = answers
        self.presses = presses
        self.client = client
        self.cookies = cookies
    }

    /// Opens `url`, submits forms until a page has none, and returns that page's text.
    @discardableResult
    package func visit(_ url: String) async throws -> String {
        var presses = presses[...]
        var step = Step(url: url)
        var last: PageForm?
        for _ in 0..<Self.mostPages {
            let (address, html) = try await load(step)
            guard var form = PageForm(html: html) else { return html }
            guard form != last else { throw InvalidInput("the page did not accept the answers") }
            last = form
            if let press = presses.first, let link = form.links[press] {
                presses = presses.dropFirst()
                step = Step(url: try Self.resolve(link, against: address))
                continue
            }
            form.fields = form.fields.map { ($0.name, answers[Self.names[$0.name] ?? $0.name] ?? $0.value) }
            let pressed = form.buttons.first { $0.id == presses.first }
            if pressed != nil { presses = presses.dropFirst() }
            if let button = pressed ?? form.buttons.first, !button.name.isEmpty {
                form.fields.append((button.name, button.value))
            }
            step = Step(
                url: try Self.resolve(form.action, against: address), form: FormEncoding.encode(form.fields),
                origin: try WebAddress(ignoringQuery: address).origin)
        }
        throw InvalidInput("more than \(Self.mostPages) pages")
    }

    private struct Step {
        let url: String
        var form: String?
        /// The origin of the page with the form.
        var origin = ""
    }

    // Loads a page. Redirects are followed with GET, as a browser does after a form.
    private func load(_ first: Step) async throws -> (url: String, html: String) {
        var step = first
        for _ in 0..<Self.mostPages {
            guard let address = try? WebAddress(ignoringQuery: step.url), address.isLoopback
            else { throw InvalidInput("a page led away from this machine") }
            var request = HTTPClientRequest(url: step.url)
            if let cookie = cookies.header(for: address.host) { request.headers.add(name: "Cookie", value: cookie) }
            if let form = step.form {
                request.method = .POST
                request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
                request.headers.add(name: "Origin", value: step.origin)
                request.body = .bytes(ByteBuffer(string: form))
            }
            let response = try await client.connections.client(to: address)
                .execute(request, timeout: TimeAmount(client.network.limits.exchange))
            cookies.keep(response.headers[canonicalForm: "Set-Cookie"], of: address.host)
            if (300...399).contains(response.status.code), let location = response.headers.first(name: "Location") {
                step = Step(url: try Self.resolve(location, against: step.url))
                continue
            }
            let body = try await response.body.collect(upTo: client.network.limits.response)
            guard response.status == .ok else {
                throw InvalidInput("the page at \(address) responded with status \(response.status.code)")
            }
            return (step.url, String(buffer: body))
        }
        throw InvalidInput("too many redirects")
    }

    private static func resolve(_ target: String, against url: String) throws -> String {
        if target.isEmpty { return url }
        if target.hasPrefix("http://") || target.hasPrefix("https://") { return target }
        let base = try WebAddress(ignoringQuery: url)
        guard target.hasPrefix("/") else { throw InvalidInput("unsupported relative address “\(target)”") }
        return base.origin + target
    }
}
