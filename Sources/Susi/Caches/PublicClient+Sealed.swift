import SusiOAuth
package import SusiStore

extension PublicClient {
    /// Exports the whole store, of every application, encrypted under a passphrase; see
    /// ``AccountStore/exportSealed(passphrase:cost:exportedOn:write:)``.
    package func exportSealed(
        passphrase: String, write: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws(SusiError) -> SealedExport {
        let now = clock()
        return try await withExistingStore { store in
            guard let store else { throw SusiError.nothingToExport }
            return try store.exportSealed(passphrase: passphrase, exportedOn: now, write: write)
        }
    }

    /// Imports an encrypted export, all of it or nothing; see
    /// ``AccountStore/importSealed(passphrase:isDryRun:now:read:)``. Errors name the file `name`.
    package func importSealed(
        _ name: String, passphrase: String, isDryRun: Bool = false,
        read: @escaping @Sendable (Int) throws -> [UInt8]
    ) async throws(SusiError) -> SealedImport {
        let now = clock()
        let run = { (store: AccountStore?) throws -> SealedImport in
            // A dry run creates no store; without a store, everything in the file is new.
            try store?.importSealed(passphrase: passphrase, isDryRun: isDryRun, now: now, read: read)
                ?? AccountStore.previewSealed(passphrase: passphrase, now: now, read: read)
        }
        return try await mappingErrors {
            let store = isDryRun ? try await session.existing() : try await session.open()
            do { return try run(store) } catch let error as SealedFileError { throw SusiError(error, file: name) }
        }
    }
}

extension SusiError {
    /// Explains why nothing of an encrypted export was imported.
    package init(_ error: SealedFileError, file: String) {
        let what = "nothing was imported from \(file)"
        switch error {
        case .notOurs: self.init(.failed, what, why: "the file is not an encrypted export of susi")
        case .newer:
            self.init(
                .failed, what, why: "a newer version of susi wrote the file",
                next: "install that version or a newer one")
        case .header(let problem): self.init(.failed, what, why: "its header is damaged: \(problem)")
        case .tooCostly(let cost):
            self.init(
                .failed, what, why: "its header names the scrypt cost 2^\(cost), which susi never uses")
        case .wrongPassphrase:
            self.init(
                .failed, what, why: "wrong passphrase, or the header of the file was changed",
                next: "try again with the passphrase of the file")
        case .altered(let chunk):
            self.init(
                .failed, what, why: "chunk \(chunk) of the file was changed", next: "use another copy of the file")
        case .cut: self.init(.failed, what, why: "the end of the file is missing", next: "use another copy of the file")
        case .fromTheFuture(let seconds):
            self.init(
                .failed, what, why: "by this machine's clock, the file is dated \(Span.text(seconds)) in the future",
                next: "set the clock")
        case .line(let number, let problem):
            self.init(.failed, what, why: "record \(number) is invalid: \(problem)", next: "export the accounts again")
        }
    }
}
