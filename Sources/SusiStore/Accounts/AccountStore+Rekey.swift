internal import SusiOAuth
internal import SusiPolicies
internal import SusiSQLite

package struct KeyChange: Sendable {
    /// The number of re-encrypted values.
    package internal(set) var resealed = 0
    /// The number of values that could not be decrypted and were removed.
    package internal(set) var dropped = 0
    /// The names of the first removed values.
    package internal(set) var droppedNames: [String] = []
    /// The previous key; `nil` if it is not known.
    package internal(set) var old: KeyRecord?
    /// Whether no value encrypted with the old key is left in the store's files, as in ``Removal/isErased``.
    package internal(set) var isErased = false
}

extension AccountStore {
    /// Re-encrypts everything with a new key, in one transaction. The caller has stored the key where its record says.
    ///
    /// If the process dies at any time, the store can still be opened, with the old key or with the new one. If a value
    /// cannot be decrypted, it throws `.sealBroken` and changes nothing; with `droppingDamaged` it removes the value,
    /// and the whole account if those are its claims. Memory does not grow with the number of rows.
    package func rekey(to new: NewKey, droppingDamaged: Bool = false) throws(StoreError) -> KeyChange {
        var change = try write {
            // First: a copy of the store would keep values encrypted with the old key.
            folder.removeLeftovers()
            _ = try keys.settle(database, dropsDamaged: droppingDamaged)
            let old: Seal?
            do { old = try currentSeal() } catch  where droppingDamaged && Self.isLoss(error) { old = nil }
            let change = try reseal(from: old, to: Seal(key: new.key))
            if !droppingDamaged, let first = change.droppedNames.first {
                throw StoreError(.rekeyRefused(first: first, count: change.dropped), folder.database)
            }
            try keys.prepare(new, database)
            return change
        }
        use(new.key)
        // If this fails, the next opening moves the file; until then the key is found in `key.new`.
        change.old = try? write { try keys.settle(database) }
        change.isErased = erase()
        return change
    }

    /// Encrypts every value with another key and removes the values that cannot be decrypted; without the old key,
    /// these are all values. The caller may roll the transaction back.
    private func reseal(from old: Seal?, to new: Seal) throws -> KeyChange {
        var change = KeyChange()
        try SealedRows(database: database, seal: old).forEach(SealedValue.Table.allCases) { value in
            let table = value.table
            if let text = value.text {
                let sealed = try new.seal(text, value.owner)
                try database.update(table.rawValue, id: value.id, sealed.columns(table.column))
                change.resealed += 1
            } else {
                try database.execute("DELETE FROM \(table.rawValue) WHERE id = ?", [.integer(value.id)])
                // A note that cannot be decrypted is not shown: its loss is none.
                if table == .signOuts { return }
                change.dropped += 1
                if change.droppedNames.count < Self.mostNames { change.droppedNames.append(value.lossName) }
            }
        }
        try database.execute(AccountQuery.deleteUnownedPersons)
        return change
    }

    /// The maximum number of names in `droppedNames`.
    private static let mostNames = 20

    private static func isLoss(_ error: any Error) -> Bool {
        guard let error = error as? StoreError else { return false }
        return [.keyMissing, .keyDamaged, .otherKey].contains(error.kind)
    }
}
