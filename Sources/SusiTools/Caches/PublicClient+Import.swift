package import Susi

/// The result of an import, or of its dry run.
package struct ImportReport: Sendable {
    package let format: CacheFile.Format
    package let taken: [(match: ImportPlan.Match, outcome: Outcome)]
    /// The entries that match no application.
    package let leftOut: [ImportPlan.LeftOut]
    package let damages: [CacheFile.Damage]
    /// The accounts without a refresh token in the file.
    package let tokenless: [String]

    package enum Outcome: Sendable {
        case added(StoredAccount)
        /// The account exists with a refresh token of its own; nothing was sent.
        case known
        /// Its server or a rule refused it; nothing was stored.
        case failed(SusiError)
        /// Nothing was sent: its server failed before, or this is a dry run.
        case notSent
    }

    fileprivate init(_ file: CacheFile, _ plan: ImportPlan, _ outcomes: [Outcome]) {
        format = file.format
        taken = zip(plan.matches, outcomes).map { (match: $0, outcome: $1) }
        leftOut = plan.leftOut
        damages = file.damages
        tokenless = file.tokenless
    }
}

extension PublicClient {
    /// Redeems the refresh tokens of a file at their own authorities, and stores the accounts that the signed
    /// responses name: nothing in the file proves whose tokens it contains.
    ///
    /// A second import of the same file sends nothing for accounts that have a refresh token. `applications` are those whose
    /// entries are imported, in order of preference; by default this client's own; `others` are named where an entry is theirs. `report` is
    /// called after each response.
    ///
    /// What a server refuses is in the report. Throws ``SusiError/Code/network`` if no authority answers: nothing is sent then.
    package func importCache(
        _ file: CacheFile, for applications: [Application]? = nil, besides others: [Application] = [],
        report: @escaping @Sendable (_ done: Int, _ all: Int) -> Void = { _, _ in }
    ) async throws(SusiError) -> ImportReport {
        let plan = ImportPlan(file, for: applications ?? [application], besides: others)
        if plan.matches.isEmpty { return ImportReport(file, plan, []) }
        let flow = ImportFlow(context: context, plan: plan, report: report)
        return ImportReport(file, plan, try await withUnlockedStore { try await flow.run(in: $0) })
    }

    /// Returns what ``importCache(_:for:report:)`` would send. Sends and writes nothing.
    package func importOutlook(
        _ file: CacheFile, for applications: [Application]? = nil, besides others: [Application] = []
    ) async throws(SusiError) -> ImportReport {
        let plan = ImportPlan(file, for: applications ?? [application], besides: others)
        let now = clock()
        return ImportReport(file, plan, try await withExistingStore { try plan.outlook(in: $0, now: now) })
    }
}

extension AccountStore {
    /// Returns whether the account that an entry names has a valid refresh token: an export names it by tenant and subject, a
    /// cache by its object id, its handle, or else its address.
    func knows(_ match: ImportPlan.Match, now: Int64) throws(StoreError) -> Bool {
        let (entry, handle) = (match.entry, match.key.handle)
        let names = [entry.objectID, handle.objectID, handle.utid.isEmpty ? entry.label : handle.description]
        let found = try accounts(of: [match.key.registration], policy: match.key.policy) { accounts in
            if let exported = entry.exported { return accounts.filter { exported.names($0.person) } }
            return names.compactMap(\.self).flatMap { accounts.named($0, .exactly) }
        }
        return found.contains { $0.tokens.contains { $0.kind == .refresh && ($0.expiresOn ?? .max) > now } }
    }
}

extension SusiError {
    /// Explains why nothing of a cache file was imported.
    package init(_ error: CacheFileError, file: String) {
        let what = "nothing was imported from \(file)"
        let read = "supported: the JSON cache of MSAL and the JSON list of ADAL"
        switch error {
        case .empty: self.init(.failed, what, why: "the file is empty")
        case .tooLarge(let bytes): self.init(.failed, what, why: "the file is larger than \(bytes >> 20) MiB")
        case .tooManyEntries(let count): self.init(.failed, what, why: "the file has more than \(count) entries")
        case .encrypted(.dpapi):
            self.init(
                .failed, what,
                why: "the file is encrypted by Windows (DPAPI); only that user on that machine can decrypt it",
                next: "export the cache there as JSON, or \(.signIn())")
        case .encrypted(.binary):
            self.init(
                .failed, what, why: "the file is in the binary format of ADAL .NET and of MSAL .NET before version 3",
                next: "open it with a later MSAL .NET and export it as JSON, or \(.signIn())")
        case .encrypted(.unknown):
            self.init(
                .failed, what, why: "the file is encrypted and cannot be read",
                next: "export the cache as JSON with the library that wrote it, or \(.signIn())")
        case .notJSON(let line, let problem):
            self.init(.failed, what, why: "line \(line): \(problem); \(read)")
        case .unknownShape: self.init(.failed, what, why: "the file is not a token cache; \(read)")
        case .otherFormat(let found):
            self.init(
                .failed, what, why: "its format is that of \(found.rawValue.uppercased())",
                next: .name(.format, [found.rawValue]))
        }
    }
}
