import SusiOAuth
package import SusiStore

extension PublicClient {
    /// Returns the accounts of every application as an encrypted export, but for those of policies that keep none.
    package func exportSealed(passphrase: String) async throws(SusiError) -> (file: [UInt8], copy: AccountCopy) {
        let (now, contexts) = (clock(), context.ofEveryApplication)
        return try await withExistingStore { store in
            guard let store else { throw SusiError.nothingToExport }
            let owners = try AccountOwners(contexts, store)
            do {
                return try store.export(passphrase: passphrase, now: now) { owners.reason(for: $0) != .keepsNoAccount }
            } catch ExportFileError.tooLarge {
                throw SusiError(.failed, "nothing was exported", why: ExportFileError.sizeProblem)
            }
        }
    }

    /// Imports an encrypted export, all of it or nothing. A dry run creates no store. Errors name the file `name`.
    package func importSealed(
        _ file: [UInt8], name: String, passphrase: String, isDryRun: Bool = false
    ) async throws(SusiError) -> AccountCopy {
        let now = clock()
        return try await mappingErrors {
            let isNew = try isDryRun && session.peek() == nil
            let store = isNew ? nil : try await session.open()
            do {
                return try store?.importExport(file, passphrase: passphrase, isDryRun: isDryRun, now: now)
                    ?? AccountStore.importOutlook(file, passphrase: passphrase, now: now)
            } catch let error as ExportFileError { throw SusiError(error, file: name) }
        }
    }
}

extension ExportFileError {
    fileprivate static let sizeProblem = "the file is larger than \(ExportFile.largest >> 20) MiB"
}

extension SusiError {
    /// Explains why nothing of an encrypted export was imported.
    package init(_ error: ExportFileError, file: String) {
        let what = "nothing was imported from \(file)"
        let next: NextStep = "use another copy of the file, or export the accounts again"
        switch error {
        case .notOurs: self.init(.failed, what, why: "the file is not an encrypted export of susi")
        case .otherVersion:
            self.init(
                .failed, what, why: "another version of susi wrote the file",
                next: "export the accounts again with the version that reads them")
        case .tooLarge: self.init(.failed, what, why: ExportFileError.sizeProblem)
        case .wrongPassphrase:
            self.init(
                .failed, what, why: "wrong passphrase, or the beginning of the file was changed",
                next: "try again with the passphrase of the file")
        case .altered:
            self.init(.failed, what, why: "the file was changed, or its end is missing", next: next)
        case .content(let problem):
            self.init(.failed, what, why: "its content is damaged: \(problem)", next: next)
        case .store(let error): self.init(.content(SusiError(error).why), file: file)
        }
    }
}
