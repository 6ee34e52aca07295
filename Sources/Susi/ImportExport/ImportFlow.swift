import SusiHTTP
import SusiOAuth
import SusiPolicies
import SusiStore

/// Redeems the refresh tokens of a cache at their own authorities, and stores the accounts that the signed responses name.
struct ImportFlow {
    let context: ClientContext
    let matches: [ImportPlan.Match]
    /// Called after each response with the number of responses and the number of tokens to send.
    let report: @Sendable (_ done: Int, _ all: Int) -> Void

    /// The number of tokens that are redeemed at the same time.
    static let most = 8

    /// Returns the outcome of each match. Reports a refusal as an outcome. Throws if no server can be reached.
    ///
    /// Each account is stored as soon as its response arrives, because its token may be good for one use only.
    func run(in store: AccountStore) async throws -> [ImportReport.Outcome] {
        try await FileLock.with(context.folder.lockOfImport) {
            var outcomes = try matches.map { try store.knows($0) ? ImportReport.Outcome.known : .notSent }
            let places = outcomes.indices.filter { outcomes[$0].isNotSent }
            try checkPeople(of: places.map { matches[$0] }, in: store)
            // What was stored before an error counts too.
            defer { try? makeCurrent(in: store) }
            try await context.web { web in
                let ready = try await ready(places, &outcomes, web)
                try await redeem(ready, &outcomes, web, in: store)
            }
            return outcomes
        }
    }

    /// In a shared store, tokens of another person than the one to whom it belongs, or of several people, are not sent.
    private func checkPeople(of matches: [ImportPlan.Match], in store: AccountStore) throws {
        let people = Set(matches.map(\.person))
        let holder = try store.holder(admitting: people.map { .named($0) })
        if holder == nil, people.count > 1, try store.isShared() { throw SusiError.severalPeople }
    }

    /// Returns the indices of matches whose authority responds. If none does, nothing is sent.
    private func ready(
        _ places: [Int], _ outcomes: inout [ImportReport.Outcome], _ web: WebClient
    ) async throws -> [Int] {
        var failure: SusiError?
        for (_, places) in Dictionary(grouping: places, by: { matches[$0].authority }) {
            let match = matches[places[0]]
            let context = context.with(match.application)
            do { _ = try await context.provider(for: match.policy, web, asksServer: true) } catch {
                let explained = match.explained(error)
                failure = explained
                for place in places { outcomes[place] = .failed(explained) }
            }
        }
        let ready = places.filter { outcomes[$0].isNotSent }
        if ready.isEmpty, let failure { throw failure }
        return ready
    }

    /// Redeems the tokens of these places, at most ``most`` at the same time.
    private func redeem(
        _ places: [Int], _ outcomes: inout [ImportReport.Outcome], _ web: WebClient, in store: AccountStore
    ) async throws {
        var (rest, sent, done) = (places[...], 0, 0)
        // Servers that fail or ask to wait get no further tokens, and a store that cannot be written ends the import.
        var failed: Set<String> = []
        var unwritable: StoreError?
        // No task group: its closure would use the store beside the actor that owns it.
        let (responses, feed) = AsyncStream<(place: Int, grant: Result<TokenGrant, any Error>)>.makeStream()
        while true {
            while sent - done < Self.most, unwritable == nil, !Task.isCancelled, let place = rest.popFirst() {
                let match = matches[place]
                if failed.contains(match.authority.origin) { continue }
                let context = context.with(match.application)
                Task { feed.yield((place, await Self.grant(for: match, context, web))) }
                sent += 1
            }
            if sent == done { break }
            // Not cancelled with the import: the response may be the only one to a token.
            guard let (place, grant) = await Task(operation: { await responses.first { _ in true } }).value else {
                break
            }
            let match = matches[place]
            done += 1
            do { outcomes[place] = .added(try save(try grant.get(), of: match, in: store)) } catch {
                if error is NetworkFailure || error is UnexpectedAnswer { failed.insert(match.authority.origin) }
                if let error = error as? StoreError, error.kind != .occupied { unwritable = unwritable ?? error }
                outcomes[place] = .failed(match.explained(error))
            }
            report(done, places.count)
        }
        if let unwritable { throw unwritable }
        try Task.checkCancellation()
    }

    private static func grant(
        for match: ImportPlan.Match, _ context: ClientContext, _ web: WebClient
    ) async -> Result<TokenGrant, any Error> {
        let token = match.entry.refreshToken
        do {
            let grant = try await context.redeem(
                token, under: match.policy, asking: ScopeSet([]), from: match.key.handle.utid, through: web)
            return .success(grant.keeping(token))
        } catch { return .failure(error) }
    }

    private func save(_ grant: TokenGrant, of match: ImportPlan.Match, in store: AccountStore) throws -> StoredAccount {
        guard match.isOf(grant) else { throw SusiError.cacheNamesOther(match, subject: grant.account.person.subject) }
        return try store.saveSignIn(
            grant, for: WantedScopes(exactly: ScopeSet([])), under: match.policy, makesCurrent: false,
            context.with(match.application))
    }

    // The only account of a policy becomes its current one. Among several, the order of the file must not decide.
    private func makeCurrent(in store: AccountStore) throws {
        for keys in Dictionary(grouping: matches.map(\.key), by: \.registration).values {
            for policy in Set(keys.map(\.policy)) {
                let registration = keys[0].registration
                guard try store.current(policy, in: registration) == nil else { continue }
                let accounts = try store.accounts(of: [registration], policy: policy)
                if accounts.count == 1 { try store.makeCurrent(accounts[0].account, in: registration) }
            }
        }
    }
}

extension ImportReport.Outcome {
    fileprivate var isNotSent: Bool { if case .notSent = self { true } else { false } }
}

extension ImportPlan.Match {
    fileprivate var authority: Authority { application.authority(for: policy) }

    /// What the cache says about the person; it is not signed.
    fileprivate var person: String { entry.objectID ?? entry.label.lowercased() }

    /// Whether checked tokens belong to the account that the cache names: by its handle, its object id, or its name. Only the
    /// signed claims say whose they are.
    func isOf(_ grant: TokenGrant) -> Bool {
        let person = grant.account.person
        let isOfHandle = !key.handle.utid.isEmpty && Key.canonical(grant.homeAccountID) == key.handle
        // At another tenant than that of a guest, the object id differs from the one at home.
        if grant.namesHome, isOfHandle { return true }
        if let objectID = entry.objectID { return Person.canonical(objectID) == Person.canonical(person.subject) }
        if !key.handle.utid.isEmpty { return isOfHandle }
        // Nothing else to compare: not even an address.
        return grant.profile.answers(to: entry.label, subject: person.subject)
            || grant.profile.plainName?.lowercased() == entry.label.lowercased()
    }

    fileprivate func explained(_ error: any Error) -> SusiError {
        SusiError(error, application: application, policy: policy.name)
    }
}
