import SusiHTTP
import SusiOAuth
import SusiPolicies

/// Ends the browser's sessions at the provider, one policy after the other in the same window, and shows how it went.
struct BrowserSignOut: Sendable {
    let context: ClientContext
    let surface: SignInSurface
    let labels: [String]

    /// One policy whose session is to end.
    struct Visit: Sendable {
        let policy: Policy
        let idTokenHint: String?
    }

    private struct Stop: Sendable {
        let policy: PolicyName
        let endpoint: Endpoint
        let path: String
        let idTokenHint: String?
    }

    private enum Incoming: Sendable {
        case arrival(RedirectListener.Arrival)
        case browserFailed(BrowserFailure)
        case misused(RedirectListener.Misuse)
        case timeIsUp
    }

    /// Visits the providers in order. Failures are outcomes: the accounts are removed already.
    func end(_ visits: [Visit]) async throws -> [EndedSession] {
        try await context.web { web in await end(visits, web) }
    }

    private func end(_ visits: [Visit], _ web: WebClient) async -> [EndedSession] {
        var sessions: [EndedSession] = []
        var stops: [Stop] = []
        for visit in visits {
            switch await stop(visit, web) {
            case .success(let stop?): stops.append(stop)
            case .success(nil): sessions.append(EndedSession(policy: visit.policy.name, outcome: .notOffered))
            case .failure(let error): sessions.append(EndedSession(policy: visit.policy.name, outcome: .failed(error)))
            }
        }
        guard let first = stops.first else { return sessions }
        do {
            let (ports, paths) = (surface.ports ?? context.application.redirectPorts, Set(stops.map(\.path)))
            let chosen = stops
            return sessions
                + (try await RedirectListener.with(
                    ports: ports, paths: paths, user: context.folder.owner, closing: surface.closing
                ) { listener in
                    surface.reportUnlisted(listener, path: first.path, of: context.application)
                    return try await go(through: chosen, listener)
                })
        } catch {
            let failure = SusiError(error, application: context.application)
            return sessions + stops.map { EndedSession(policy: $0.policy, outcome: .failed(failure)) }
        }
    }

    private func stop(_ visit: Visit, _ web: WebClient) async -> Result<Stop?, SusiError> {
        do {
            let metadata = try await context.provider(for: visit.policy, web).metadata
            return .success(
                try metadata.endpoint(.endSession).map {
                    Stop(
                        policy: visit.policy.name, endpoint: $0, path: visit.policy.redirectPath,
                        idTokenHint: visit.idTokenHint)
                })
        } catch {
            return .failure(SusiError(error, application: context.application, policy: visit.policy.name))
        }
    }

    // All stops share one time: the listener, the clock and the browser feed one stream.
    private func go(through stops: [Stop], _ listener: RedirectListener) async throws -> [EndedSession] {
        let (incoming, feed) = AsyncStream<Incoming>.makeStream()
        return try await withThrowingTaskGroup(of: [EndedSession]?.self) { group in
            group.addTask {
                for await arrival in listener.arrivals { feed.yield(.arrival(arrival)) }
                return nil
            }
            group.addTask {
                try await Task.sleep(for: .seconds(surface.timeout))
                feed.yield(.timeIsUp)
                return nil
            }
            group.addTask { await visit(stops, listener, incoming, feed) }
            defer { group.cancelAll() }
            while let finished = try await group.next() {
                if let sessions = finished { return sessions }
            }
            throw CancellationError()
        }
    }

    private func visit(
        _ stops: [Stop], _ listener: RedirectListener, _ incoming: AsyncStream<Incoming>,
        _ feed: AsyncStream<Incoming>.Continuation
    ) async -> [EndedSession] {
        var sessions: [EndedSession] = []
        var held: RedirectListener.Arrival?
        var messages = incoming.makeAsyncIterator()
        for stop in stops {
            let request = EndSessionRequest(
                clientID: context.application.clientID, redirectURI: listener.redirectURI(path: stop.path),
                idTokenHint: stop.idTokenHint)
            let url = request.url(at: stop.endpoint)
            if let arrival = held {
                // Its window goes on by itself: an address beside it would give an id token to other users alone.
                await arrival.respond(.redirect(url))
            } else {
                invite(to: url, isSecret: stop.idTokenHint != nil, listener, feed)
            }
            let outcome: EndedSession.Outcome
            (held, outcome) = await answer(to: request, &messages)
            listener.retireShortAddresses()
            sessions.append(EndedSession(policy: stop.policy, outcome: outcome))
            guard held != nil else { break }
        }
        await held?.respond(.result(.signedOut(labels)))
        return sessions + stops.dropFirst(sessions.count).map { EndedSession(policy: $0.policy, outcome: .noAnswer) }
    }

    private func answer(
        to request: EndSessionRequest, _ messages: inout AsyncStream<Incoming>.AsyncIterator
    ) async -> (RedirectListener.Arrival?, EndedSession.Outcome) {
        while let message = await messages.next(isolation: #isolation) {
            switch message {
            case .arrival(let arrival) where request.isAnswered(by: arrival.fields): return (arrival, .ended)
            case .arrival(let arrival): await arrival.respond(.page(.notThisSignOut))
            case .misused(let misuse):
                do { try judge(misuse, surface) } catch { return (nil, .failed(SusiError.signOutOpenedTwice)) }
            case .browserFailed(let failure):
                surface.tell(.browserFailed(failure.reason))
                if surface.browser?.isOnlyWay ?? false { return (nil, .noAnswer) }
            case .timeIsUp: return (nil, .noAnswer)
            }
        }
        return (nil, .noAnswer)
    }

    // The long address may hold an id token, and every user of this machine can read the arguments of a browser.
    private func invite(
        to url: String, isSecret: Bool, _ listener: RedirectListener, _ feed: AsyncStream<Incoming>.Continuation
    ) {
        surface.tell(
            .waiting(
                .init(
                    url: nil, shortURL: listener.printedAddress(for: url, once: isSecret), port: listener.port,
                    opensBrowser: surface.browser != nil, canPaste: false)))
        guard let browser = surface.browser else { return }
        let address = listener.argumentAddress(for: url) { feed.yield(.misused($0)) }
        // Not a child of this task: a browser's program may run as long as its window is open.
        Task.detached {
            do throws(BrowserFailure) { try await browser.open(address) } catch {
                feed.yield(.browserFailed(error))
            }
        }
    }
}

extension Page {
    static let notThisSignOut = Page(
        status: 400, title: "Not this sign-out",
        text: "This response belongs to a different sign-out. susi is still waiting for the current one.")

    /// The end of a sign-out: what is gone here and what has ended in the browser.
    static func signedOut(_ labels: [String]) -> Page {
        var names: [String] = []
        for label in labels where !names.contains(label) { names.append(label) }
        let gone =
            switch names.count {
            case 0: ""
            case 1: "\(names[0]) is no longer signed in on this machine. "
            case 2...3: "\(names.joined(separator: ", ")) are no longer signed in on this machine. "
            default: "\(names.count) people are no longer signed in on this machine. "
            }
        return Page(
            outcome: .success, title: "Signed out", text: gone + "The provider has ended the browser's session.")
    }
}
