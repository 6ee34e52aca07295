import SusiHTTP
import SusiOAuth
import SusiPolicies

/// The exchange with one browser over the legs of a flow: each leg is one request to a provider.
///
/// The browser's last request is held open until the next leg or the end, so that its window always shows what comes next.
struct Conversation {
    let listener: RedirectListener
    let surface: SignInSurface
    private var incoming: AsyncStream<Incoming>.AsyncIterator
    private let feed: AsyncStream<Incoming>.Continuation
    private var held: RedirectListener.Arrival?
    /// The redirect address, until a response arrives there.
    private var silentAddress: String?
    /// The lines of a pasted text, until no more of them arrive.
    private var pasted: [String] = []
    /// A browser in the terminal while it runs.
    private var onTerminal: Task<Void, Never>?

    private enum Incoming: Sendable {
        case arrival(RedirectListener.Arrival)
        case pasted(String)
        /// No line came for a moment after that many.
        case pasteEnded(lines: Int)
        case browserFailed(SusiError)
        case misused(RedirectListener.Misuse)
        case patienceIsOver
        case timeIsUp
    }

    /// Whether a browser waits for the next leg. None does after a pasted response.
    var hasWindow: Bool { held != nil }

    /// Runs `body` with a conversation over the listener.
    static func with<T: Sendable>(
        _ listener: RedirectListener, on surface: SignInSurface, redirectPath: String? = nil,
        _ body: (inout Conversation) async throws -> T
    ) async throws -> T {
        let (incoming, feed) = AsyncStream<Incoming>.makeStream()
        // No task group: the body would run beside the actor whose store it uses.
        let sources = [
            Task { for await arrival in listener.arrivals { feed.yield(.arrival(arrival)) } },
            Task { for await line in surface.pasted { feed.yield(.pasted(line)) } },
            // The limit applies to the person only: the exchange after a response is not cut off.
            Task { if (try? await Task.sleep(for: .seconds(surface.timeout))) != nil { feed.yield(.timeIsUp) } },
            Task { if (try? await Task.sleep(for: surface.patience)) != nil { feed.yield(.patienceIsOver) } },
        ]
        defer { for source in sources { source.cancel() } }
        var conversation = Conversation(
            listener: listener, surface: surface, incoming: incoming.makeAsyncIterator(), feed: feed,
            silentAddress: redirectPath.map(listener.redirectURI))
        return try await body(&conversation)
    }

    /// Leads the browser to an address. A waiting window is redirected; no short address is made then, because only
    /// other users could use it. Otherwise a browser is opened and the address is shown.
    ///
    /// With `hasSecret`, the short address works once; `showsAddress` shows the whole address too.
    mutating func open(_ url: String, hasSecret: Bool, showsAddress: Bool, canPaste: Bool) async {
        if let arrival = held {
            held = nil
            return await arrival.respond(.redirect(url))
        }
        surface.tell(
            .waiting(
                SignInEvent.Waiting(
                    url: showsAddress ? url : nil, shortURL: listener.printedAddress(for: url, once: hasSecret),
                    port: listener.port, opensBrowser: surface.browser != nil, canPaste: canPaste)))
        guard let browser = surface.browser else { return }
        let feed = feed
        // Every user of this machine can read the arguments of a browser: the address contains no secret and works once.
        let address = listener.argumentAddress(for: url) { feed.yield(.misused($0)) }
        // Not a child task: a browser's program may run as long as its window is open.
        let opening = Task.detached {
            do throws(SusiError) { try await browser.open(address) } catch {
                feed.yield(.browserFailed(error))
            }
        }
        if browser.occupiesTerminal { onTerminal = opening }
    }

    /// Waits until `read` or `readPasted` returns a response; anything else gets the page `stray`. The request with the
    /// response is held open.
    ///
    /// Throws ``DeadlineExceeded``, ``AddressOpenedTwice``, and the browser's error if only that browser can reach the
    /// address.
    mutating func response<T>(
        otherwise stray: Page, readPasted: ([String]) -> T? = { _ in nil },
        read: (RedirectListener.Arrival) throws -> T?
    ) async throws -> T {
        defer { listener.retireShortAddresses() }
        while let next = await incoming.next(isolation: #isolation) {
            switch next {
            case .arrival(let arrival):
                // Held before the response is read, so that the browser shows what is wrong with it.
                let before = held
                held = arrival
                silentAddress = nil
                if let response = try read(arrival) { return response }
                held = before
                await arrival.respond(.page(stray))
            case .pasted(let line):
                pasted.append(line)
                let (feed, count) = (feed, pasted.count)
                // A terminal, or the program that was copied from, may have broken the address into lines.
                Task {
                    try? await Task.sleep(for: .milliseconds(100))
                    feed.yield(.pasteEnded(lines: count))
                }
            case .pasteEnded(let count):
                guard count == pasted.count else { continue }
                let lines = pasted
                pasted = []
                if let response = readPasted(lines) { return response }
            case .patienceIsOver:
                if let silentAddress { surface.tell(.stillWaiting(redirectAddress: silentAddress)) }
            case .timeIsUp: throw DeadlineExceeded()
            case .misused(let misuse): try judge(misuse)
            case .browserFailed(let failure):
                if surface.isOnlyBrowser { throw failure }
                surface.reportFailure(failure)
            }
        }
        throw CancellationError()
    }

    mutating func end(_ page: Page) async {
        // After a cancellation there is no wait for a second request.
        await held?.respond(Task.isCancelled ? .page(page) : .result(page))
        held = nil
        // Later messages would be written across the page of a browser in the terminal.
        guard let onTerminal else { return }
        await withTaskCancellationHandler {
            await onTerminal.value
        } onCancel: {
            onTerminal.cancel()
        }
    }

    /// Throws if the accepted response may be another user's.
    func requireSoleVisitor() throws { if listener.isExposed { throw AddressOpenedTwice() } }

    // Another user is refused and gets nothing. If the first of two visitors may have been another user, that user
    // knows the state of the request and could send a code of their own. Then no response is accepted.
    private func judge(_ misuse: RedirectListener.Misuse) throws(AddressOpenedTwice) {
        switch misuse {
        case .refused(let user): surface.tell(.visitRefused(user: user))
        case .openedAgain(firstByUser: true): surface.tell(.openedAgain)
        case .openedAgain(firstByUser: false): throw AddressOpenedTwice()
        }
    }
}

/// The address in a browser's arguments was opened twice, the first time by an unknown user.
struct AddressOpenedTwice: Error {}

extension Conversation {
    /// Sends the browser to the authority and waits for the response to this request.
    mutating func response(
        to request: AuthorizationRequest, from metadata: ProviderMetadata
    ) async throws -> AuthorizationResponse {
        let hasSecret = request.options.idTokenHint != nil
        await open(
            request.url(at: metadata.authorizationEndpoint), hasSecret: hasSecret, showsAddress: !hasSecret,
            canPaste: request.responseMode == .query)
        let reader = ResponseReader(
            request: request, metadata: metadata, redirectURI: listener.redirectURI, tell: surface.tell)
        return try await response(
            otherwise: .notOurs, readPasted: { reader.response(pasted: $0) }, read: { try reader.response(in: $0) })
    }
}

/// Finds the response to one authorization request. Reports anything else and returns `nil`, so that waiting continues.
private struct ResponseReader {
    let request: AuthorizationRequest
    let metadata: ProviderMetadata
    let redirectURI: (_ path: String) -> String
    let tell: @Sendable (SignInEvent) -> Void

    private static let otherState = "it cannot be read, or its state does not match the request"

    func response(in arrival: RedirectListener.Arrival) throws(ProtocolViolation) -> AuthorizationResponse? {
        // Another path belongs to another policy, which may have another authorization server (RFC 8252 section 8.10).
        let address = redirectURI(arrival.path)
        guard address == request.redirectURI else {
            tell(.strayArrival("it arrived at \(address), not at \(request.redirectURI)"))
            return nil
        }
        if let form = arrival.form, let stray = complaint(about: form) {
            tell(.strayArrival(stray))
            return nil
        }
        if let response = try read(arrival.fields, arrival.form == nil ? .query : .formPost) { return response }
        tell(.strayArrival(Self.otherState))
        return nil
    }

    private func read(_ fields: String, _ mode: ResponseMode) throws(ProtocolViolation) -> AuthorizationResponse? {
        guard let response = try AuthorizationResponse(form: fields, to: request, from: metadata) else { return nil }
        ServerMessage.received(fields.utf8, .redirect(mode), from: metadata.authorizationEndpoint)
        return response
    }

    // A query is accepted if a form was requested, because some servers report errors in that way.
    private func complaint(about form: RedirectListener.FormPost) -> String? {
        guard request.responseMode == .formPost else { return "it was posted; a query was requested" }
        let expected = metadata.authorizationEndpoint.address.origin
        let others = request.authority.kind.traits.otherResponseOrigins
        guard let origin = form.origin, origin != "null", !([expected] + others).contains(origin) else { return nil }
        return "it was posted by \(origin), not by \(expected)"
    }

    /// A line that does not begin with the redirect address continues the one before it.
    func response(pasted lines: [String]) -> AuthorizationResponse? {
        let isBare = { (character: Character) in !character.isWhitespace && !"\"'“”<>`".contains(character) }
        let texts = lines.map { $0.filter(isBare) }.reduce(into: [String]()) { texts, line in
            if texts.isEmpty || line.hasPrefix(request.redirectURI) {
                texts.append(line)
            } else {
                texts[texts.count - 1] += line
            }
        }
        for text in texts {
            do throws(ProtocolViolation) {
                if let response = try checkedResponse(pasted: text) { return response }
                tell(.pasteRefused(Self.otherState))
            } catch { tell(.pasteRefused(error.reason)) }
        }
        return nil
    }

    // The pasted address passes the same checks as an arrival, and must be this request's redirect address.
    private func checkedResponse(pasted text: String) throws(ProtocolViolation) -> AuthorizationResponse? {
        guard request.responseMode == .query else {
            throw ProtocolViolation(
                .redirect, "the response is posted, not in the address; the browser has to reach this machine",
                source: "OAuth 2.0 Form Post Response Mode 2")
        }
        let parts = text.split(separator: "?", maxSplits: 1)
        guard parts.count == 2, parts[0] == request.redirectURI else {
            throw ProtocolViolation(
                .redirect, "the address does not start with \(request.redirectURI)?", source: "RFC 8252 7.3")
        }
        return try read(String(parts[1]), .query)
    }
}
