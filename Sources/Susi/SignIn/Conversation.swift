import SusiHTTP
import SusiOAuth
import SusiPolicies

/// The exchange with one person's browser over the legs of a sign-in: each leg is one authorization request.
///
/// The browser's last visit is held open until the next leg or the end, so that it is always shown what comes next.
struct Conversation {
    private let listener: RedirectListener
    private let surface: SignInSurface
    private var incoming: AsyncStream<Incoming>.AsyncIterator
    private let feed: AsyncStream<Incoming>.Continuation
    private var held: RedirectListener.Arrival?
    /// A browser on the terminal, as long as it runs.
    private var onTerminal: Task<Void, Never>?

    private enum Incoming: Sendable {
        case arrival(RedirectListener.Arrival)
        case pasted(String)
        case browserFailed(BrowserFailure)
        case misused(RedirectListener.Misuse)
        case timeIsUp
    }

    /// Runs `body` with a conversation over the listener.
    static func with<T: Sendable>(
        _ listener: RedirectListener, _ surface: SignInSurface,
        _ body: @escaping @Sendable (inout Conversation) async throws -> T
    ) async throws -> T {
        let (incoming, feed) = AsyncStream<Incoming>.makeStream()
        return try await withThrowingTaskGroup(of: T?.self) { group in
            group.addTask {
                for await arrival in listener.arrivals { feed.yield(.arrival(arrival)) }
                return nil
            }
            group.addTask {
                for await line in surface.pasted { feed.yield(.pasted(line)) }
                return nil
            }
            // The time is for the person alone: what follows an answer is not cut off by it.
            group.addTask {
                try await Task.sleep(for: .seconds(surface.timeout))
                feed.yield(.timeIsUp)
                return nil
            }
            group.addTask {
                var conversation = Conversation(
                    listener: listener, surface: surface, incoming: incoming.makeAsyncIterator(), feed: feed)
                return try await body(&conversation)
            }
            defer { group.cancelAll() }
            while let finished = try await group.next() {
                if let result = finished { return result }
            }
            throw CancellationError()
        }
    }

    /// Sends the browser to the authority and waits for the answer to this request.
    mutating func answer(
        to request: AuthorizationRequest, from metadata: ProviderMetadata
    ) async throws -> RedirectAnswer {
        let url = request.url(at: metadata.authorizationEndpoint)
        defer { listener.retireShortAddresses() }
        if let arrival = held {
            // Its window goes on by itself: an address beside it would serve other users alone.
            held = nil
            await arrival.respond(.redirect(url))
        } else {
            invite(to: url, request)
        }
        while let next = await incoming.next(isolation: #isolation) {
            switch next {
            case .arrival(let arrival):
                // Held before it is read: whatever is wrong with an answer to this request is shown to the browser.
                let before = held
                held = arrival
                if let answer = try answer(arrival, request, metadata) { return answer }
                held = before
                await arrival.respond(.page(.notOurs))
            case .pasted(let text):
                do {
                    if let answer = try pastedAnswer(text, request, metadata) { return answer }
                    surface.tell(.pasteRefused(Self.otherState))
                } catch { surface.tell(.pasteRefused(error.reason)) }
            case .timeIsUp: throw DeadlineExceeded()
            case .misused(let misuse): try judge(misuse, surface)
            case .browserFailed(let failure):
                if surface.browser?.isOnlyWay ?? false {
                    throw SusiError.pagesNotFilled(failure)
                }
                surface.tell(.browserFailed(failure.reason))
            }
        }
        throw CancellationError()
    }

    /// Shows the browser how it ended.
    mutating func end(_ page: Page) async {
        // Who has cancelled waits for no second visit.
        await held?.respond(Task.isCancelled ? .page(page) : .result(page))
        held = nil
        // What is said next would be written across its page.
        guard let onTerminal else { return }
        await withTaskCancellationHandler {
            await onTerminal.value
        } onCancel: {
            onTerminal.cancel()
        }
    }

    /// Throws when the answer that was accepted may be another user's.
    func requireSoleVisitor() throws { if listener.isExposed { throw AddressOpenedTwice() } }

    // Every user of this machine can read the arguments of a browser: it gets an address of its own that holds nothing and
    // leads on once. An id token is not shown on the terminal either.
    private mutating func invite(to url: String, _ request: AuthorizationRequest) {
        let isSecret = request.options.idTokenHint != nil
        surface.tell(
            .waiting(
                SignInEvent.Waiting(
                    url: isSecret ? nil : url, shortURL: listener.printedAddress(for: url, once: isSecret),
                    port: listener.port, opensBrowser: surface.browser != nil,
                    canPaste: request.responseMode == .query)))
        guard let browser = surface.browser else { return }
        let feed = feed
        let address = listener.argumentAddress(for: url) { feed.yield(.misused($0)) }
        // Not a child of this task: a browser's program may run as long as its window is open.
        let opening = Task.detached {
            do throws(BrowserFailure) { try await browser.open(address) } catch {
                feed.yield(.browserFailed(error))
            }
        }
        if browser.occupiesTerminal { onTerminal = opening }
    }

    // Nil for what is no answer to this request, and says so: waiting goes on.
    private func answer(
        _ arrival: RedirectListener.Arrival, _ request: AuthorizationRequest, _ metadata: ProviderMetadata
    ) throws(ProtocolViolation) -> RedirectAnswer? {
        // Another path belongs to another policy, which may be another authorization server's (RFC 8252 section 8.10).
        let address = listener.redirectURI(path: arrival.path)
        guard address == request.redirectURI else {
            surface.tell(.strayArrival("it arrived at \(address), not at \(request.redirectURI)"))
            return nil
        }
        if let form = arrival.form, let stray = Self.complaint(form, request, metadata.authorizationEndpoint) {
            surface.tell(.strayArrival(stray))
            return nil
        }
        if let answer = try RedirectAnswer(form: arrival.fields, to: request, from: metadata) { return answer }
        surface.tell(.strayArrival(Self.otherState))
        return nil
    }

    // A query is taken where a form was asked: some servers report errors so. The other way round is nobody's habit.
    private static func complaint(
        _ form: RedirectListener.FormPost, _ request: AuthorizationRequest, _ endpoint: Endpoint
    ) -> String? {
        guard request.responseMode == .formPost else { return "it was posted; a query was requested" }
        let expected = endpoint.address.origin
        let others = request.authority.kind.otherResponseOrigins
        guard let origin = form.origin, origin != "null", !([expected] + others).contains(origin) else { return nil }
        return "it was posted by \(origin), not by \(expected)"
    }

    // The pasted address passes the same checks as an arrival, and must be this request's redirect address.
    private func pastedAnswer(
        _ text: String, _ request: AuthorizationRequest, _ metadata: ProviderMetadata
    ) throws(ProtocolViolation) -> RedirectAnswer? {
        guard request.responseMode == .query else {
            throw ProtocolViolation(
                .redirect, "the response is posted, not in the address; the browser has to reach this machine",
                source: "OAuth 2.0 Form Post Response Mode 2")
        }
        let parts = text.filter { !$0.isWhitespace }.split(separator: "?", maxSplits: 1)
        guard parts.count == 2, parts[0] == request.redirectURI else {
            throw ProtocolViolation(
                .redirect, "the address does not start with \(request.redirectURI)?", source: "RFC 8252 7.3")
        }
        return try RedirectAnswer(form: String(parts[1]), to: request, from: metadata)
    }

    private static let otherState = "it cannot be read, or its state does not match the request"
}

/// The address of a browser's arguments was opened twice, the first time by an unknown user.
struct AddressOpenedTwice: Error {}

/// Reports what is wrong with a visit of a browser's address. Another user is refused and gets nothing. Where the first of
/// two visitors may have been another user, he has the state of the request and could have it answered with his own code:
/// then it throws, and no answer is accepted any more.
func judge(_ misuse: RedirectListener.Misuse, _ surface: SignInSurface) throws(AddressOpenedTwice) {
    switch misuse {
    case .refused(let user): surface.tell(.visitRefused(user: user))
    case .openedAgain(firstByUser: true): surface.tell(.openedAgain)
    case .openedAgain(firstByUser: false): throw AddressOpenedTwice()
    }
}

extension Page {
    static let notOurs = Page(
        status: 400, title: "Not this sign-in",
        text: "This response belongs to a different sign-in. susi is still waiting for the current one.")

    /// The page after a failure: what happened and what to do.
    static func failure(_ error: SusiError, of kind: PolicyKind, _ surface: SignInSurface) -> Page {
        if error.code == .cancelled {
            let text =
                switch kind {
                case .signUpOrSignIn, .resourceOwner: "The sign-in was cancelled. Nothing was stored."
                case .editProfile: "The profile was not changed."
                case .passwordReset: "The password was not changed."
                }
            return Page(outcome: .cancelled, title: "Cancelled", text: text)
        }
        let title =
            switch kind {
            case .signUpOrSignIn, .resourceOwner: "Not signed in"
            case .editProfile: "Profile not updated"
            case .passwordReset: "Password not changed"
            }
        let step = surface.write(error.nextStep)
        // Only a command can be run; an instruction is a sentence of the text.
        if case .words? = error.nextStep.pieces.first {
            return Page(outcome: .failure, title: title, text: "\(error.sentence) What to do: \(step).")
        }
        return Page(outcome: .failure, title: title, text: error.sentence, command: step)
    }
}
