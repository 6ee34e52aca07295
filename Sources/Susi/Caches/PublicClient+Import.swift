package import SusiPolicies
package import SusiStore

/// The result of an import, or of its dry run.
package struct ImportReport: Sendable {
    package let format: CacheFile.Format
    package let taken: [(match: ImportPlan.Match, outcome: ImportOutcome)]
    /// The entries that match no application.
    package let leftOut: [ImportPlan.LeftOut]
    package let damages: [CacheFile.Damage]
    /// The accounts without a refresh token in the cache.
    package let tokenless: [String]
}

extension PublicClient {
    /// Imports the refresh tokens of another library's cache, all in one transaction.
    ///
    /// No server is contacted, and no account is created, because nothing in the file proves whose tokens it contains.
    /// The first silent token of each is fetched from the account's own authority, whose signed response makes the
    /// account. A second import of the same file changes nothing, and an account that has a refresh token keeps it.
    ///
    /// `applications` are those whose entries are imported, in order of preference; by default this client's own. With
    /// `isDryRun` nothing is written and no store is created.
    package func importCache(
        _ file: CacheFile, for applications: [Application]? = nil, isDryRun: Bool = false
    ) async throws(SusiError) -> ImportReport {
        let plan = ImportPlan(file, for: applications ?? [application])
        let tokens = plan.tokens(importedOn: clock())
        let outcomes =
            isDryRun || tokens.isEmpty
            ? try await withExistingStore { store in
                try tokens.map { try store?.outcomeOfImporting($0.token, secret: $0.secret) ?? .added }
            } : try await withUnlockedStore { try $0.keepImported(tokens) }
        return ImportReport(
            format: file.format, taken: zip(plan.matches, outcomes).map { (match: $0, outcome: $1) },
            leftOut: plan.leftOut, damages: file.damages, tokenless: file.tokenless)
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
                next: NextStep(.nameFormat(found.rawValue)))
        }
    }
}
