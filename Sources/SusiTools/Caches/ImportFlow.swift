import Susi

/// Redeems the refresh tokens of a file at their own authorities, and stores the accounts that the signed responses name.
struct ImportFlow {
    let context: ClientContext
    let plan: ImportPlan
    /// Called after each response with the number of responses and the number of tokens to send.
    let report: @Sendable (_ done: Int, _ all: Int) -> Void

    private var matches: [ImportPlan.Match] { plan.matches }

    /// The number of tokens that are redeemed at the same time.
    static let most = 8

    /// Returns the outcome of each match. Reports a refusal as an outcome. Throws if no server can be reached.
    ///
    /// Each account is stored as soon as its response arrives, because its token may be good for one use only.
    func run(in store: AccountStore) async throws -> [ImportReport.Outcome] {
        try await FileLock.with(context.folder.lockOfImport) {
            var outcomes = try plan.outlook(in: store, now: context.clock())
            let places = outcomes.indices.filter { outcomes[$0].isNotSent }
            // What was stored before an error counts too.
            defer { try? makeCurrent(in: store) }
            try await context.web { web in
                let ready = try await ready(places, &outcomes, web)
                try await redeem(ready, &outcomes, web, in: store)
            }
            return outcomes
        }
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
                if error is NetworkFailure || error is UnexpectedResponse { failed.insert(match.authority.origin) }
                if let error = error as? StoreError, error.kind != .occupied { unwritable = unwritable ?? error }
                outcomes[place] = .failed(match.explained(error).tellingOfSentToken)
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
                token, under: match.policy, asking: match.key.scopes, from: match.key.handle.utid, through: web)
            return .success(grant.keeping(token))
        } catch { return .failure(error) }
    }

    private func save(_ grant: TokenGrant, of match: ImportPlan.Match, in store: AccountStore) throws -> StoredAccount {
        guard match.isOf(grant) else { throw SusiError.fileNamesOther(match, than: grant.account.person) }
        return try store.saveSignIn(
            grant, for: WantedScopes(exactly: match.key.scopes), under: match.policy, makesCurrent: false,
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

extension ImportPlan {
    /// Returns what becomes of each match before anything is sent. Accounts that have a refresh token are known. In a shared
    /// store, entries that name another person are refused; throws if it has no account and the entries name several people.
    func outlook(in store: AccountStore?, now: Int64) throws -> [ImportReport.Outcome] {
        guard let store else { return matches.map { _ in .notSent } }
        var outcomes = try matches.map { match -> ImportReport.Outcome in
            try store.knows(match, now: now) ? .known : .notSent
        }
        guard try store.isShared() else { return outcomes }
        let unsent = Dictionary(grouping: outcomes.indices.filter { outcomes[$0].isNotSent }) { matches[$0].person }
        if unsent.count > 1, try store.holder() == nil { throw SusiError.severalPeople }
        for (person, places) in unsent {
            do throws(StoreError) { _ = try store.holder(admitting: [person]) } catch {
                guard error.kind == .occupied else { throw error }
                for place in places { outcomes[place] = .failed(SusiError(error)) }
            }
        }
        return outcomes
    }
}

extension ImportReport.Outcome {
    fileprivate var isNotSent: Bool { if case .notSent = self { true } else { false } }
}

extension ImportPlan.Match {
    fileprivate var authority: Authority { application.authority(for: policy) }

    /// What the file says about the person. It is not signed: it may refuse an entry, and accepts none.
    fileprivate var person: AccountStore.Newcomer {
        entry.exported.map { .identified(tenantID: $0.tenantID, subject: $0.subject) }
            ?? .named(entry.objectID ?? entry.label.lowercased())
    }

    /// Whether checked tokens belong to the account that the file names: an export by tenant and subject, a cache by its handle,
    /// its object id, or its name. Only the signed claims say whose they are.
    func isOf(_ grant: TokenGrant) -> Bool {
        let person = grant.account.person
        if let exported = entry.exported { return exported.names(person) }
        let isOfHandle = !key.handle.utid.isEmpty && Key.canonical(grant.homeAccountID) == key.handle
        // At another tenant than that of a guest, the object id differs from the one at home.
        if grant.namesHome, isOfHandle { return true }
        if let objectID = entry.objectID { return Person.canonical(objectID) == Person.canonical(person.subject) }
        if !key.handle.utid.isEmpty { return isOfHandle }
        // Nothing else to compare: not even an address.
        return grant.profile.matches(entry.label, subject: person.subject)
            || grant.profile.plainName?.lowercased() == entry.label.lowercased()
    }

    fileprivate func explained(_ error: any Error) -> SusiError {
        SusiError(error, application: application, policy: policy.name)
    }
}
