import SusiOAuth
public import SusiStore

extension PublicClient {
    /// Writes everything that is stored, of every application, sealed under a passphrase; see
    /// ``AccountStore/exportSealed(passphrase:cost:exportedOn:write:)``.
    public func exportSealed(
        passphrase: String, write: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws(SusiError) -> SealedExport {
        try await explained {
            guard let store = try existingStore() else {
                throw SusiError(
                    .unknownAccount, "Nothing was exported", why: "nobody is signed in",
                    next: "\(SuggestedCommand("sign-in"))")
            }
            return try store.exportSealed(passphrase: passphrase, exportedOn: clock(), write: write)
        }
    }

    /// Takes a sealed export over, all of it or nothing; see ``AccountStore/importSealed(passphrase:alone:isDryRun:now:read:)``.
    /// `name` is what errors call the file.
    public func importSealed(
        _ name: String, passphrase: String, isDryRun: Bool = false,
        read: @escaping @Sendable (Int) throws -> [UInt8]
    ) async throws(SusiError) -> SealedImport {
        try await explained {
            do {
                // Looking makes no store; without one everything in the file is new.
                if isDryRun, let store = try existingStore() {
                    return try store.importSealed(
                        passphrase: passphrase, alone: alone, isDryRun: true, now: clock(), read: read)
                }
                if isDryRun { return try AccountStore.previewSealed(passphrase: passphrase, now: clock(), read: read) }
                return try store().importSealed(passphrase: passphrase, alone: alone, now: clock(), read: read)
            } catch let error as SealedFileError { throw SusiError(error, file: name) }
        }
    }
}

extension SusiError {
    /// Why nothing of a sealed file was taken.
    public init(_ error: SealedFileError, file: String) {
        let what = "Nothing of \(file) was imported"
        switch error {
        case .notOurs: self.init(.failed, what, why: "it is no sealed export")
        case .newer:
            self.init(
                .failed, what, why: "a newer version of this program wrote it",
                next: "install that version, or a newer one")
        case .header(let problem): self.init(.failed, what, why: "its header is damaged: \(problem)")
        case .tooCostly(let cost):
            self.init(
                .failed, what, why: "its header asks scrypt for a cost of 2^\(cost), which this program never writes")
        case .wrongPassphrase:
            self.init(
                .failed, what, why: "the passphrase is not that of the file, or its header was altered",
                next: "try again with the right one")
        case .altered(let chunk):
            self.init(.failed, what, why: "chunk \(chunk) of it was altered", next: "take another copy of the file")
        case .cut: self.init(.failed, what, why: "its end is missing", next: "take another copy of the file")
        case .fromTheFuture(let seconds):
            self.init(
                .failed, what, why: "by this machine's clock it was written \(Span.text(seconds)) from now",
                next: "set the clock of this machine")
        case .line(let number, let problem):
            self.init(.failed, what, why: "record \(number) is invalid: \(problem)", next: "export the accounts again")
        }
    }
}
