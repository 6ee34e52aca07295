import SusiOAuth
import SusiPolicies
package import SusiStore

// Which accounts a text means, by nothing but the accounts. Case does not matter.

/// How a text is compared with names.
package enum NameMatching {
    /// The whole address, user name or identifier.
    case exactly
    /// A whole display name; else the beginning of an address, a user name or a name, or four or more characters at the beginning
    /// of a GUID. A complete name (an address, an identifier) is no beginning and matches nothing.
    case beginning
}

extension [StoredAccount] {
    /// Returns the accounts that a text means.
    ///
    /// An identifier goes before an address or a user name with the same text, and a text that looks like an identifier is
    /// compared with identifiers alone: people choose display names, and often user names, themselves.
    package func named(_ text: String, _ matching: NameMatching) -> [StoredAccount] {
        let wanted = text.lowercased()
        if wanted.isEmpty { return [] }
        return matching == .exactly ? named(exactly: wanted) : named(beginning: wanted)
    }

    private func named(exactly wanted: String) -> [StoredAccount] {
        let identified = filter { $0.hasIdentifier { $0 == wanted } }
        if !identified.isEmpty || wanted.looksLikeIdentifier { return identified }
        return filter { $0.addresses.contains(wanted) }
    }

    private func named(beginning wanted: String) -> [StoredAccount] {
        if wanted.isCompleteName { return [] }
        // Fewer than four letters are the start of a name, not of an identifier. Only a GUID has a fixed length.
        let mayBegin = wanted.utf8.count > 3 && wanted.mayBeginGUID
        let beginsIdentifier = { (identifier: String) in
            identifier.hasPrefix(wanted) && String(identifier.prefix(36)).isGUID
        }
        if wanted.looksLikeIdentifier { return mayBegin ? filter { $0.hasIdentifier(beginsIdentifier) } : [] }
        let named = filter { $0.profile.plainName?.lowercased() == wanted }
        if !named.isEmpty { return named }
        return filter { account in
            account.names.contains { $0.hasPrefix(wanted) } || mayBegin && account.hasIdentifier(beginsIdentifier)
        }
    }

    /// Returns the first account with each label that begins with the text.
    package func completing(_ start: String, atMost count: Int) -> [StoredAccount] {
        let start = start.lowercased()
        var seen: Set<String> = []
        let found = filter { $0.label.lowercased().hasPrefix(start) && seen.insert($0.label).inserted }
        return Array(found.prefix(count))
    }

    /// Returns the labels next to a text in the alphabet, each once: those that it may be a misspelling of. An account that its label
    /// does not name is there with its identifier.
    func labels(near text: String) -> [String] {
        let (wanted, most) = (text.lowercased(), 100)
        let names = Set(map { $0.isNamed($0.label) ? $0.label : $0.account.person.subject })
        let labels = names.sorted { ($0.lowercased(), $0) < ($1.lowercased(), $1) }
        let place = labels.firstIndex { $0.lowercased() >= wanted } ?? labels.count
        return labels[Swift.max(0, place - most)..<Swift.min(labels.count, place + most)].sorted()
    }

    /// Returns the current accounts in the order of these policies, then all others in theirs.
    func currentFirst(_ order: [PolicyName]) -> [StoredAccount] {
        let current = filter { $0.isCurrent && order.contains($0.account.policy) }
        return order.flatMap { policy in current.filter { $0.account.policy == policy } }
            + filter { !$0.isCurrent || !order.contains($0.account.policy) }
    }

    /// An account of the only person; `nil` if there are several people or none.
    package var ofOnePerson: StoredAccount? { Set(map(\.account.person)).count == 1 ? first : nil }
}

extension StoredAccount {
    /// Returns whether this is the account's complete name: an address, a user name or an identifier.
    package func isNamed(_ text: String) -> Bool { ![self].named(text, .exactly).isEmpty }

    /// Returns whether an address, a user name or a name contains the text, or an identifier begins with it.
    package func matches(_ filter: String) -> Bool {
        let wanted = filter.lowercased()
        return wanted.isEmpty || names.contains { $0.contains(wanted) } || hasIdentifier { $0.hasPrefix(wanted) }
    }

    fileprivate var addresses: [String] {
        (profile.emails + [profile.username].compactMap(\.self)).map { $0.lowercased() }
    }

    fileprivate var names: [String] { addresses + [profile.plainName?.lowercased()].compactMap(\.self) }

    /// Returns whether the subject or the handle passes a test.
    fileprivate func hasIdentifier(_ test: (String) -> Bool) -> Bool {
        test(account.person.subject.lowercased()) || test(homeAccountID.description.lowercased()) && isHandleSigned
    }

    /// Whether signed claims confirm the handle: it names the account's person, or the person at home whose refresh token brought
    /// that one. Servers send it unsigned, so that it could name anybody.
    private var isHandleSigned: Bool {
        let (uid, utid) = (homeAccountID.uid.lowercased(), homeAccountID.utid.lowercased())
        return [account.person, personAtHome].contains { person in
            let subject = person.subject.lowercased()
            return (utid.isEmpty || utid == person.tenant.id.lowercased())
                && (uid == subject || uid == "\(subject)-\(account.policy.lowercased)")
        }
    }
}
