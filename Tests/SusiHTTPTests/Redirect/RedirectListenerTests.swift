import NIOCore
import NIOPosix
import SusiPolicies
import SusiTestSupport
import Synchronization
import Testing

@testable import SusiHTTP

@Suite("Redirect listener", .timeLimit(.minutes(5)))
struct RedirectListenerTests {
    static let done = RedirectListener.Response.page(Page(title: "Done", text: "You may close this window."))

    /// Sends a request as a browser would; redirects are not followed.
    @discardableResult
    static func visit(
        _ port: UInt16, _ target: String, method: String = "GET", host: String = "127.0.0.1",
        headers: [(name: String, value: String)] = [], body: String? = nil
    ) async throws -> PlainVisit {
        try await PlainVisit.send(method, "http://\(host):\(port)\(target)", headers: headers, body: body)
    }

    /// Posts a form as a browser does for a page of the authority.
    @discardableResult
    static func post(
        _ port: UInt16, _ target: String, _ body: String, type: String? = form, origin: String? = nil
    ) async throws -> PlainVisit {
        let headers = [("Content-Type", type), ("Origin", origin)].compactMap { field in
            field.1.map { (name: field.0, value: $0) }
        }
        return try await visit(port, target, method: "POST", headers: headers, body: body)
    }

    /// Waits for the next visitor, and responds with a page.
    @discardableResult
    static func welcome(
        _ listener: RedirectListener, with response: RedirectListener.Response = done
    ) async throws -> RedirectListener.Arrival {
        var arrivals = listener.arrivals.makeAsyncIterator()
        let arrival = try #require(await arrivals.next())
        await arrival.respond(response)
        return arrival
    }

    @Test func holdsArrivalUntilResponse() async throws {
        try await RedirectListener.with(ports: [0], paths: ["/", "/back"]) { listener async throws in
            #expect(listener.redirectURI(path: "/back") == "http://localhost:\(listener.port)/back")
            async let head = Self.visit(listener.port, "/back?code=a%2Bb&state=wrong")
            var arrivals = listener.arrivals.makeAsyncIterator()
            let arrival = try #require(await arrivals.next())
            #expect(arrival.fields == "code=a%2Bb&state=wrong")
            let text = "<script>alert(1)</script> <\u{301}b \u{202e}\u{1b}[2J\u{9b}"
            await arrival.respond(.page(Page(status: 400, title: "<b>&\"'", text: text)))
            let response = try await head
            #expect(response.status == 400)
            let page = response.body
            #expect(page.contains("<title>&lt;b&gt;&amp;&quot;&#39;</title>"))
            #expect(page.contains("<h1>&lt;b&gt;&amp;&quot;&#39;</h1>"))
            let shown = "&lt;script&gt;alert(1)&lt;/script&gt; &lt;\u{301}b \\u{202e}\\u{1b}[2J\\u{9b}"
            #expect(page.contains("<p>\(shown)</p>"), "\(page)")
            #expect(!page.contains("<script>"))
        }
    }

    @Test func respondsInAnyOrder() async throws {
        try await RedirectListener.with(ports: [0], paths: ["/"]) { listener async throws in
            async let first = Self.visit(listener.port, "/?n=1")
            var arrivals = listener.arrivals.makeAsyncIterator()
            let one = try #require(await arrivals.next())
            async let second = Self.visit(listener.port, "/?n=2")
            let two = try #require(await arrivals.next())
            #expect([one.fields, two.fields] == ["n=1", "n=2"])
            await two.respond(.redirect("/elsewhere"))
            #expect(try await second.location == "/elsewhere")
            await one.respond(Self.done)
            #expect(try await first.status == 200)
        }
    }

    @Test func sendsSafeHeaders() async throws {
        try await RedirectListener.with(ports: [0], paths: ["/"]) { listener async throws in
            let head = try await Self.visit(listener.port, "/nothing")
            #expect(head.header("Referrer-Policy") == "no-referrer")
            #expect(head.header("Cache-Control") == "no-store")
            #expect(head.header("X-Content-Type-Options") == "nosniff")
            #expect(head.header("Connection") == "close")
            let policy = try #require(head.header("Content-Security-Policy"))
            #expect(policy.hasPrefix("default-src 'none';") && !policy.contains("unsafe"))
            let nonce = try #require(policy.firstMatch(of: #/'nonce-([a-z2-9]{32})'/#)?.1)
            #expect(head.body.contains("<style nonce=\"\(nonce)\">"))
            let other = try await Self.visit(listener.port, "/nothing")
            #expect(other.header("Content-Security-Policy")?.contains(nonce) == false)
            #expect(policy.contains("frame-ancestors 'none'"))
            #expect(!policy.contains("script"))
        }
    }

    static let strangers: [(method: String, target: String)] = [
        ("GET", "/other?code=c&state=s"), ("GET", "/back/x?code=c"), ("GET", "/backx?code=c"), ("GET", "/BACK?code=c"),
        ("GET", "/"), ("GET", "/back"), ("GET", "/favicon.ico"), ("HEAD", "/back?code=c"), ("POST", "/back?code=c"),
        ("PUT", "/back?code=c"), ("GET", "/go"), ("POST", "/go"),
        ("GET", "/back?code=\(String(repeating: "x", count: 16_384))"),
    ]

    static let strangePosts: [(target: String, body: String, type: String?, status: Int)] = [
        ("/other", "code=c", form, 404), ("/back/x", "code=c", form, 404), ("/back", "code=c", "application/json", 415),
        ("/back", "code=c", "text/plain", 415), ("/back", "code=c", nil, 415), ("/back", "code=c", "\(form)x", 415),
        ("/back", String(repeating: "x", count: 16_385), form, 413),
    ]

    @Test func rejectsOtherRequests() async throws {
        try await RedirectListener.with(ports: [0], paths: ["/back"], acceptsForms: true) { listener async throws in
            for (method, target) in Self.strangers {
                let status = try await Self.visit(listener.port, target, method: method).status
                #expect(status == 404, "\(method) \(target)")
            }
            for (target, body, type, status) in Self.strangePosts {
                let found = try await Self.post(listener.port, target, body, type: type).status
                #expect(found == status, "\(target) \(type ?? "-")")
            }
            async let good = Self.post(listener.port, "/back", "good")
            #expect(try await Self.welcome(listener).fields == "good")
            #expect(try await good.status == 200)
        }
    }

    @Test func redirectsOnce() async throws {
        let long = "https://login.example/authorize?id_token_hint=secret"
        try await RedirectListener.with(ports: [0], paths: ["/go"]) { listener async throws in
            let path = { (address: String) in String(address.dropFirst("http://localhost:\(listener.port)".count)) }
            let first = path(listener.printedAddress(for: long, once: true))
            #expect(first.wholeMatch(of: #//go/[a-z2-9]{8}/#) != nil, "\(first)")
            for other in ["/go", "/go/", first + "x", String(first.dropLast()), first.uppercased(), first + "?a=b"] {
                #expect(try await Self.visit(listener.port, other).status == 404, "\(other)")
            }
            #expect(try await Self.visit(listener.port, first).location == long)
            for _ in 0..<2 {
                let late = try await Self.visit(listener.port, first)
                #expect(late.status == 410 && late.body.contains("Already opened"), "\(late)")
                #expect(!"\(late)".contains("secret"))
            }
            let second = path(listener.printedAddress(for: long, once: true))
            #expect(second != first)
            #expect(try await Self.visit(listener.port, first).status == 410)
            #expect(try await Self.visit(listener.port, second).location == long)
            let printed = path(listener.printedAddress(for: long, once: false))
            for _ in 0..<2 { #expect(try await Self.visit(listener.port, printed).location == long) }
            listener.retireShortAddresses()
            for address in [first, second, printed] {
                #expect(try await Self.visit(listener.port, address).status == 410)
            }
            #expect(!listener.isExposed)
        }
    }

    @Test func reportsSecondVisitOnce() async throws {
        // Without a user id to compare, every visitor's user is unknown.
        for user in [getuid(), nil] as [UInt32?] {
            let trace = Trace()
            try await RedirectListener.with(ports: [0], paths: ["/"], user: user) { listener async throws in
                let long = "http://localhost:\(listener.port)/page"
                let address = listener.argumentAddress(for: long) { trace.add("\($0)") }
                let path = String(address.dropFirst("http://localhost:\(listener.port)".count))
                #expect(try await Self.visit(listener.port, path).location == long)
                #expect(trace.lines.isEmpty && !listener.isExposed)
                for _ in 0..<3 { #expect(try await Self.visit(listener.port, path).status == 410) }
                #expect(trace.lines == ["openedAgain(firstByUser: \(user != nil))"])
                #expect(listener.isExposed == (user == nil))
            }
        }
    }

    @Test func findsOwnerOfConnection() throws {
        let table = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:20D0 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1 0 100 0
               1: 0100007F:20D0 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 2 1 0 20 4
               2: 0100007F:C350 0100007F:20D0 01 00000000:00000000 00:00000000 00000000  1001        0 3 1 0 20 4
               3: 0200007F:C350 0100007F:20D0 01 00000000:00000000 00:00000000 00000000  1002        0 4 1 0 20 4
               4: 0100007F:C350 0100007F:20D1 01 00000000:00000000 00:00000000 00000000  1003        0 5 1 0 20 4
               5: 0100007F:C352 0100007F:20D0 05 00000000:00000000 00:00000000 00000000     0        0 0 1 0 20 4
               6: 0100007F:20D0 0100007F:C352 08 00000000:00000000 00:00000000 00000000  1000        0 6 1 0 20 4
               7: 0100007F:20D0 0100007F:C353 01 00000000:00000000 00:00000000 00000000  1000        0 7 1 0 20 4
            """
        let names = { (host: String, port: Int) in
            ConnectionOwner.names(try SocketAddress(ipAddress: host, port: port))
        }
        let server = try names("127.0.0.1", 8_400)
        let owner = { (host: String, port: Int) in
            ConnectionOwner.find(client: try names(host, port), server: server, in: [table, table])
        }
        #expect(try owner("127.0.0.1", 50_000) == .user(1_001))
        #expect(try owner("127.0.0.2", 50_000) == .user(1_002))
        #expect(try owner("127.0.0.1", 50_001) == .closed)
        #expect(try owner("127.0.0.1", 50_002) == .closed)
        // The client is outside this system, for example a relay of its host.
        #expect(try owner("127.0.0.1", 50_003) == .unknown)
        #expect(ConnectionOwner.find(client: [], server: server, in: []) == .unknown)
        #expect(try names("::1", 8_400) == ["00000000000000000000000001000000:20D0"])
        #expect(try names("127.0.0.1", 80).last == "0000000000000000FFFF00000100007F:0050")
        #expect(try names("192.0.2.1", 80).isEmpty)
    }

    static let form = "application/x-www-form-urlencoded"

    @Test func acceptsPostedForm() async throws {
        try await RedirectListener.with(ports: [0], paths: ["/back"], acceptsForms: true) { listener async throws in
            for (type, origin) in [
                (Self.form, nil), ("Application/X-WWW-Form-Urlencoded; charset=UTF-8", "https://a.example"),
                (Self.form, "null"),
            ] as [(String, String?)] {
                async let visit = Self.post(listener.port, "/back", "code=a%2Bb&state=s", type: type, origin: origin)
                let arrival = try await Self.welcome(listener)
                #expect(arrival.fields == "code=a%2Bb&state=s")
                #expect(try #require(arrival.form).origin == origin)
                let response = try await visit
                #expect(response.status == 200 && response.body.contains("Done"))
            }
            async let query = Self.visit(listener.port, "/back?code=c")
            #expect(try await Self.welcome(listener).form == nil)
            #expect(try await query.status == 200)
        }
    }

    @Test func rejectsFormsByDefault() async throws {
        try await RedirectListener.with(ports: [0], paths: ["/back"]) { listener async throws in
            #expect(try await Self.post(listener.port, "/back", "code=c").status == 404)
        }
    }

    @Test(arguments: ["GET", "POST"])
    func servesResultPageOnce(method: String) async throws {
        let page = Page(outcome: .success, title: "Done", text: "Ana is signed in.")
        try await RedirectListener.with(
            ports: [0], paths: ["/back"], acceptsForms: true, patience: .seconds(600)
        ) { listener async throws in
            let origin = "http://127.0.0.1:\(listener.port)"
            async let visit =
                method == "GET"
                ? PlainVisit.get("\(origin)/back?code=secret") : PlainVisit.post("\(origin)/back", form: "code=secret")
            try await Self.welcome(listener, with: .result(page))
            let response = try await visit
            #expect(response.status == 303 && response.body.isEmpty && response.header("Cache-Control") == "no-store")
            let path = try #require(response.location)
            #expect(path.wholeMatch(of: #/\/result\/[a-z2-9]{8}/#) != nil, "\(path)")
            for other in [path + "x", String(path.dropLast()), path + "?a=b", "/result", "/result/"] {
                #expect(try await PlainVisit.get(origin + other).status == 404, "\(other)")
            }
            let first = try await PlainVisit.get(origin + path)
            #expect(first.status == 200 && first.body.contains("<p>Ana is signed in.</p>"))
            #expect(!first.body.contains("secret"))
            #expect(try await PlainVisit.get(origin + path).status == 404)
        }
    }

    @Test func staysOpenForResultPage() async throws {
        let (port, visitor) = try await RedirectListener.with(ports: [0], paths: ["/"], patience: .seconds(600)) {
            listener async throws in
            let origin = "http://127.0.0.1:\(listener.port)"
            let (ended, end) = AsyncStream<Void>.makeStream()
            async let visit = PlainVisit.get("\(origin)/?code=c")
            try await Self.welcome(listener, with: Self.result)
            let path = try #require(try await visit.location)
            // The browser requests the page after this closure has ended.
            let visitor = Task {
                for await _ in ended {}
                return try await PlainVisit.get(origin + path)
            }
            end.finish()
            return (listener.port, visitor)
        }
        #expect(try await visitor.value.status == 200)
        await #expect(throws: (any Error).self) { try await Self.visit(port, "/x") }
    }

    @Test func limitsWaitForBrowser() async throws {
        let port = try await RedirectListener.with(ports: [0], paths: ["/"], patience: .milliseconds(20)) {
            listener async throws in
            async let visit = PlainVisit.get("http://127.0.0.1:\(listener.port)/?code=c")
            try await Self.welcome(listener, with: Self.result)
            #expect(try await visit.status == 303)
            return listener.port
        }
        await #expect(throws: (any Error).self) { try await Self.visit(port, "/x") }
    }

    @Test func runsClosingAfterResult() async throws {
        let works = Mutex<[@Sendable () async -> Void]>([])
        let (port, path) = try await RedirectListener.with(
            ports: [0], paths: ["/"], patience: .seconds(600), closing: { work in works.withLock { $0.append(work) } }
        ) { listener async throws in
            async let visit = PlainVisit.get("http://127.0.0.1:\(listener.port)/?code=c")
            try await Self.welcome(listener, with: Self.result)
            return (listener.port, try #require(try await visit.location))
        }
        let work = try #require(works.withLock { $0.first })
        let page = try await PlainVisit.get("http://127.0.0.1:\(port)\(path)")
        #expect(page.status == 200 && page.body.contains("Done"))
        await work()
        await #expect(throws: (any Error).self) { try await Self.visit(port, "/x") }
    }

    private static let result = RedirectListener.Response.result(Page(outcome: .success, title: "Done", text: "Done."))

    @Test(
        arguments: [
            (Page.Outcome.success, "Return to your terminal. You can close this window."),
            (.cancelled, "Return to your terminal. You can close this window."),
            (.failure, "Return to your terminal for details. You can close this window."),
        ])
    func distinguishesOutcomes(outcome: Page.Outcome, ending: String) {
        let page = Page(outcome: outcome, title: "T", text: "X.").html(nonce: "n")
        #expect(page.contains("<main class=\"\(outcome.rawValue)\">") && page.contains(ending))
        #expect(page.contains("<style nonce=\"n\">") && !page.contains("style=\""))
        let signs = [Page.Outcome.success, .cancelled, .failure, .notice].map {
            Page(outcome: $0, title: "T", text: "X.").html(nonce: "n").firstMatch(of: #/<svg class="sign".*?<\/svg>/#)?
                .0
        }
        #expect(Set(signs).count == 4)
    }

    @Test func showsEscapedCommand() {
        let page = Page(outcome: .failure, title: "T", text: "X.", command: "susi sign-in -a '<b>'").html(nonce: "n")
        #expect(page.contains("<p>Run this in your terminal:</p>"))
        #expect(page.contains("<code>susi sign-in -a &#39;&lt;b&gt;&#39;</code>"))
    }

    @Test(arguments: ["127.0.0.1", "::1"])
    func skipsBusyPort(host: String) async throws {
        try await withListener(host: host) { busy in
            // Port 0 follows, because a port that was just freed may already be in use again.
            let ports: [UInt16] = [UInt16(busy), 0]
            let port = try await RedirectListener.with(ports: ports, paths: ["/"]) { $0.port }
            #expect(port != ports[0] && port != 0)
            let error = try await #require(throws: RedirectListener.NoFreePort.self) {
                try await RedirectListener.with(ports: [ports[0]], paths: ["/"]) { _ in }
            }
            #expect(error.ports == [ports[0]])
        }
    }

    @Test(arguments: ["127.0.0.1", "::1", "0.0.0.0", "::"])
    func bindsPortExclusively(host: String) async throws {
        try await RedirectListener.with(ports: [0], paths: ["/"]) { listener async throws in
            let other = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            await #expect(throws: IOError.self) {
                try await other.bind(host: host, port: Int(listener.port)).get().close()
            }
        }
    }

    @Test(arguments: [(RedirectHost.ipv4, RedirectHost.ipv6), (.ipv6, .ipv4)])
    func listensOnlyAtTheHostOfTheAddress(host: RedirectHost, other: RedirectHost) async throws {
        try await RedirectListener.with(ports: [0], host: host, paths: ["/"]) { listener async throws in
            let port = listener.port
            #expect(listener.redirectURI(path: "/") == "http://\(host.rawValue):\(port)/")
            let short = listener.printedAddress(for: "https://id.example", once: true)
            #expect(short.hasPrefix("http://\(host.rawValue):\(port)/"))
            #expect(try await Self.visit(port, "/x", host: host.rawValue).status == 404)
            await #expect(throws: (any Error).self) { try await Self.visit(port, "/x", host: other.rawValue) }
            await #expect(throws: RedirectListener.NoFreePort.self) {
                try await RedirectListener.with(ports: [port], host: host, paths: ["/"]) { _ in }
            }
        }
    }

    @Test func freesPortAfterwards() async throws {
        // Uses ports below those that the kernel assigns to connections, so that it does not assign this one in
        // between.
        let port = try await RedirectListener.with(ports: Array(20_400..<20_450), paths: ["/"]) {
            listener async throws in
            for host in ["127.0.0.1", "[::1]", "localhost"] {
                #expect(try await Self.visit(listener.port, "/x", host: host).status == 404)
            }
            return listener.port
        }
        await #expect(throws: DeadlineExceeded.self) {
            try await RedirectListener.with(ports: [port], paths: ["/"]) { _ in throw DeadlineExceeded() }
        }
        #expect(try await RedirectListener.with(ports: [port], paths: ["/"]) { $0.port } == port)
        await #expect(throws: (any Error).self) { try await Self.visit(port, "/x") }
    }

    @Test func survivesConnectionsAtEnd() async throws {
        for _ in 0..<20 {
            let (started, start) = AsyncStream<Void>.makeStream()
            let visitors = try await RedirectListener.with(ports: [0], paths: ["/"]) { listener async throws in
                let port = listener.port
                let visitors = (0..<8).map { _ in
                    Task {
                        start.yield()
                        let group = MultiThreadedEventLoopGroup.singleton
                        let visitor = try? await ClientBootstrap(group: group)
                            .connect(host: "127.0.0.1", port: Int(port)).get()
                        try? await visitor?.close()
                    }
                }
                for await _ in started.prefix(4) {}
                return visitors
            }
            for visitor in visitors { await visitor.value }
        }
    }

    @Test func respondsToWaitingVisitorAtEnd() async throws {
        let response = try await RedirectListener.with(ports: [0], paths: ["/"]) { listener async throws in
            let port = listener.port
            let visitor = Task { try? await Self.visit(port, "/?code=c") }
            var arrivals = listener.arrivals.makeAsyncIterator()
            _ = await arrivals.next()
            return visitor
        }
        _ = await response.value
    }
}
