import SusiHTTP
import SusiOAuth
import SusiPolicies

/// Ends the browser's sessions at the provider, one policy after the other in the same window, and shows the result.
struct BrowserSignOut: Sendable {
    let context: ClientContext
    let surface: SignInSurface
    let labels: [String]

    private struct Stop: Sendable {
        let visit: SignOutPlan.Visit
        let endpoint: Endpoint

        var policy: Policy { visit.policy }
    }

    /// Visits the providers in order. Failures are outcomes, because the accounts are removed already.
    func end(_ visits: [SignOutPlan.Visit]) async throws -> [EndedSession] {
        let (sessions, stops) = try await context.web { web in await findStops(of: visits, web) }
        guard let first = stops.first else { return sessions }
        if let obstacle = surface.obstacle { return sessions + stops.map { ended($0.visit, .failed(obstacle)) } }
        do {
            return try await sessions
                + RedirectListener.with(
                    ports: surface.ports ?? context.application.redirectPorts, host: context.application.redirectHost,
                    paths: Set(stops.map(\.policy.redirectPath)), user: context.folder.owner, closing: surface.closing
                ) { listener in
                    surface.reportUnlisted(listener, path: first.policy.redirectPath, of: context.application)
                    // All stops share one time limit.
                    return try await Conversation.with(listener, on: surface) { await go(through: stops, &$0) }
                }
        } catch {
            let failure = context.explained(error)
            return sessions + stops.map { ended($0.visit, .failed(failure)) }
        }
    }

    // Finds the endpoint that ends each session. `sessions` are those that cannot be ended, with their outcome.
    private func findStops(
        of visits: [SignOutPlan.Visit], _ web: WebClient
    ) async -> (sessions: [EndedSession], stops: [Stop]) {
        var (sessions, stops): ([EndedSession], [Stop]) = ([], [])
        for visit in visits {
            let policy = visit.policy
            if let refusal = visit.refusal {
                sessions.append(ended(visit, .failed(refusal)))
                continue
            }
            do {
                if let endpoint = try await context.provider(for: policy, web).metadata.endpoint(.endSession) {
                    stops.append(Stop(visit: visit, endpoint: endpoint))
                } else {
                    sessions.append(ended(visit, .notOffered))
                }
            } catch {
                let failure = context.explained(error, under: policy.name)
                sessions.append(ended(visit, .failed(failure)))
            }
        }
        return (sessions, stops)
    }

    private func go(through stops: [Stop], _ conversation: inout Conversation) async -> [EndedSession] {
        var sessions: [EndedSession] = []
        for stop in stops {
            let outcome = await end(stop, &conversation)
            sessions.append(ended(stop.visit, outcome))
            guard outcome == .ended else { break }
        }
        await conversation.end(.signedOut(labels))
        let rest = stops.dropFirst(sessions.count)
        return sessions + rest.map { ended($0.visit, .noResponse) }
    }

    private func ended(_ visit: SignOutPlan.Visit, _ outcome: EndedSession.Outcome) -> EndedSession {
        EndedSession(
            application: visit.application, policy: visit.policy.name,
            outcome: outcome == .ended && !visit.isOwn ? .endedElsewhere : outcome)
    }

    // The whole address is never shown: it may contain an id token.
    private func end(_ stop: Stop, _ conversation: inout Conversation) async -> EndedSession.Outcome {
        let redirectURI = conversation.listener.redirectURI(path: stop.policy.redirectPath)
        let request = EndSessionRequest(
            clientID: context.application.clientID, redirectURI: redirectURI, idTokenHint: stop.visit.idTokenHint)
        await conversation.open(
            request.url(at: stop.endpoint), hasSecret: request.idTokenHint != nil, showsAddress: false, canPaste: false)
        do {
            return try await conversation.response(otherwise: .notThisSignOut) { arrival in
                request.isCompleted(by: arrival.fields) ? .ended : nil
            }
        } catch is AddressOpenedTwice {
            return .failed(SusiError.signOutOpenedTwice)
        } catch {
            if let failure = error as? SusiError { surface.reportFailure(failure) }
            return !stop.visit.comesBack && conversation.listener.isOpened ? .probablyEnded : .noResponse
        }
    }
}

extension Page {
    fileprivate static let notThisSignOut = Page(
        status: 400, title: "Not this sign-out",
        text: "This response belongs to a different sign-out. susi is still waiting for the current one.")

    /// The last page of a sign-out: who is signed out on this machine and in the browser.
    fileprivate static func signedOut(_ labels: [String]) -> Page {
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
            outcome: .success, title: "Signed out",
            text: gone
                + "The provider has ended its own session in this browser. If it sent you on to another identity "
                + "provider at the sign-in, you may still be signed in there.")
    }
}
