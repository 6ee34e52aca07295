public import SusiPolicies
public import SusiStore

/// What an import did, or would do.
public struct ImportReport: Sendable {
    /// The file's form.
    public let format: CacheFile.Format
    /// The entries with a place, and what became of each.
    public let taken: [(match: ImportPlan.Match, outcome: ImportOutcome)]
    /// The entries without one.
    public let leftOut: [ImportPlan.LeftOut]
    /// The entries that are damaged.
    public let damages: [CacheFile.Damage]
    /// The accounts that the cache holds no refresh token of.
    public let tokenless: [String]
}

extension PublicClient {
    /// Takes the refresh tokens of another library's cache over, all in one transaction.
    ///
    /// Nobody is contacted, and nobody becomes an account by it: the file only claims who is in it. The first silent
    /// token of each is fetched from the account's own authority, whose signed answer makes the account. Importing the
    /// same file again changes nothing, and an account that has a refresh token keeps it.
    ///
    /// `applications` are those whose entries are taken, in order of preference; by default this client's own. With
    /// `isDryRun` nothing is written and no store is made.
    public func importCache(
        _ file: CacheFile, for applications: [Application]? = nil, isDryRun: Bool = false
    ) async throws(SusiError) -> ImportReport {
        let plan = ImportPlan(file, for: applications ?? [application])
        let now = clock()
        let tokens = plan.matches.map { match in
            let token = ImportedToken(
                key: match.key, subject: match.entry.objectID, label: match.entry.label, source: file.format.rawValue,
                importedOn: now)
            return (token: token, secret: match.entry.refreshToken)
        }
        let outcomes =
            if isDryRun || tokens.isEmpty {
                try await withExistingStore { store in
                    try tokens.map { token, secret in
                        try store?.outcomeOfImporting(token, secret: secret) ?? .added
                    }
                }
            } else {
                try await withUnlockedStore { try $0.keepImported(tokens) }
            }
        return ImportReport(
            format: file.format, taken: Array(zip(plan.matches, outcomes)).map { (match: $0.0, outcome: $0.1) },
            leftOut: plan.leftOut, damages: file.damages, tokenless: file.tokenless)
    }
}

extension SusiError {
    /// Why nothing of a cache file was taken over.
    public init(_ error: CacheFileError, file: String) {
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
                next: "export the cache there as JSON, or \(intent: .signIn())")
        case .encrypted(.binary):
            self.init(
                .failed, what, why: "the file is in the binary format of ADAL .NET and of MSAL .NET before version 3",
                next: "open it with a later MSAL .NET and export it as JSON, or \(intent: .signIn())")
        case .encrypted(.unknown):
            self.init(
                .failed, what, why: "the file is encrypted and cannot be read",
                next: "export the cache as JSON with the library that wrote it, or \(intent: .signIn())")
        case .notJSON(let line, let problem):
            self.init(.failed, what, why: "line \(line): \(problem); \(read)")
        case .unknownShape: self.init(.failed, what, why: "the file is not a token cache; \(read)")
        case .otherFormat(let found):
            self.init(
                .failed, what, why: "its format is that of \(found.rawValue.uppercased())",
                next: "leave out --from, or use --from \(found.rawValue)")
        }
    }
}
