package import Susi

/// The result of an encrypted export.
package struct SealedExport: Sendable {
    package struct LeftOut: Hashable, Sendable {
        /// The account under its policy.
        package let holder: String
        package let reason: String
        /// Whether the token is there and cannot be decrypted.
        package let isDamaged: Bool
    }

    package fileprivate(set) var file: [UInt8] = []
    /// The number of accounts in it.
    package fileprivate(set) var accounts = 0
    /// The number of refresh tokens in it.
    package fileprivate(set) var tokens = 0
    package fileprivate(set) var leftOut: [LeftOut] = []
}

extension PublicClient {
    /// Returns the refresh tokens of every application as an encrypted export. Left out are accounts without a valid one, and
    /// those that the refresh token of another account brings again.
    ///
    /// Throws ``SusiError/Code/unknownAccount`` if nothing is signed in or left, or `store` if the rest cannot be decrypted.
    package func exportSealed(passphrase: String) async throws(SusiError) -> SealedExport {
        let (now, contexts) = (clock(), context.ofEveryApplication)
        return try await withExistingStore { store in
            guard let store else { throw SusiError.nothingToExport }
            var (export, list) = (SealedExport(), ExportedList())
            try store.reading {
                let owners = try AccountOwners(contexts, store)
                for account in try store.allAccounts() {
                    try export.add(account, to: &list, keepsNone: owners.reason(for: account.account), store, now)
                }
            }
            guard export.tokens > 0 else { throw SusiError.nothingLeft(export.leftOut) }
            let content = list.content
            do { export.file = try ExportFile.seal(content, passphrase: passphrase) } catch is ExportFileError {
                throw SusiError(.failed, "nothing was exported", why: ExportFileError.sizeProblem)
            }
            return export
        }
    }
}

extension SealedExport {
    fileprivate mutating func add(
        _ account: StoredAccount, to list: inout ExportedList, keepsNone reason: Unowned, _ store: AccountStore,
        _ now: Int64
    ) throws {
        let leaveOut = { (reason: String, isDamaged: Bool) in
            LeftOut(holder: "\(account.label) under \(account.account.policy)", reason: reason, isDamaged: isDamaged)
        }
        let all = account.tokens.filter { $0.kind == .refresh }
        let valid = all.filter { ($0.expiresOn ?? .max) > now }
        let why: String? =
            if reason == .keepsNoAccount {
                "the policy keeps no account"
            } else if account.personAtHome != account.account.person {
                "the account in the person's own tenant brings it again"
            } else if all.isEmpty {
                "no refresh token"
            } else if valid.isEmpty {
                "its refresh token has expired"
            } else {
                nil
            }
        if let why { return leftOut.append(leaveOut(why, false)) }
        let before = tokens
        for info in valid {
            do throws(StoreError) {
                guard let token = try store.secret(info.key(of: account.account)) else { continue }
                list.add(token, of: account)
                tokens += 1
            } catch {
                guard error.kind == .sealBroken else { throw error }
                leftOut.append(leaveOut("its refresh token cannot be decrypted", true))
            }
        }
        accounts += tokens > before ? 1 : 0
    }
}

extension ExportFileError {
    fileprivate static let sizeProblem = "the file is larger than \(ExportFile.largest >> 20) MiB"
}

extension SusiError {
    fileprivate static func nothingLeft(_ leftOut: [SealedExport.LeftOut]) -> SusiError {
        leftOut.isEmpty
            ? .nothingToExport
            : SusiError(
                leftOut.contains(where: \.isDamaged) ? .store : .unknownAccount, "nothing was exported",
                why: "no account has a refresh token that can be written", next: .signIn(),
                candidates: leftOut.map { "\($0.holder): \($0.reason)" })
    }

    /// Explains why nothing of an encrypted export was imported.
    package init(_ error: ExportFileError, file: String) {
        let what = "nothing was imported from \(file)"
        let next: NextStep = "use another copy of the file, or export the accounts again"
        switch error {
        case .notOurs: self.init(.failed, what, why: "the file is not an encrypted export of susi")
        case .otherVersion:
            self.init(
                .failed, what, why: "another version of susi wrote the file, and this version cannot read it",
                next: "export the accounts again with this version")
        case .tooLarge: self.init(.failed, what, why: ExportFileError.sizeProblem)
        case .wrongPassphrase:
            self.init(
                .failed, what, why: "wrong passphrase, or the beginning of the file was changed",
                next: "try again with the passphrase of the file")
        case .altered:
            self.init(.failed, what, why: "the file was changed, or its end is missing", next: next)
        case .content(let problem):
            self.init(.failed, what, why: "its content is damaged: \(problem)", next: next)
        }
    }
}
