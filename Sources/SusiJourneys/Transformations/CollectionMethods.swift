/// Methods on collections of texts (stringcollection-transformations).
extension TransformationTable {
    static let collections: [Method] = [
        Method("AddItemToStringCollection item collection?:stringCollection ; > collection:stringCollection") { call in
            add(call.text("item"), to: call.strings("collection"))
        },
        Method("AddParameterToStringCollection collection?:stringCollection ; item > collection:stringCollection") {
            call throws(Reason) in add(try call.parameter("item"), to: call.strings("collection"))
        },
        Method("GetSingleItemFromStringCollection collection:stringCollection ; > extractedItem") { call in
            call.strings("collection")?.first.map { ["extracteditem": .string($0)] } ?? [:]
        },
        Method("StringCollectionContains inputClaim:stringCollection ; item ignoreCase > outputClaim:boolean") {
            call throws(Reason) in contains(call, call.strings("inputClaim"), try call.parameter("item"))
        },
        Method("StringCollectionContainsClaim collection:stringCollection item ; ignoreCase > outputClaim:boolean") {
            call in contains(call, call.strings("collection"), call.text("item"))
        },
        Method("StringJoin inputClaim:stringCollection ; delimiter > outputClaim") { call throws(Reason) in
            let delimiter = try call.parameter("delimiter")
            return call.strings("inputClaim").map { ["outputclaim": .string($0.joined(separator: delimiter))] } ?? [:]
        },
        Method("StringSplit inputClaim ; delimiter > outputClaim:stringCollection") { call throws(Reason) in
            let delimiter = try call.parameter("delimiter")
            guard !delimiter.isEmpty else { throw .invalid("delimiter") }
            guard let text = call.text("inputClaim") else { return [:] }
            let parts = text.split(separator: delimiter, omittingEmptySubsequences: false).map(String.init)
            return ["outputclaim": .stringCollection(parts)]
        },
    ]

    private static func add(_ item: String?, to collection: [String]?) -> Outputs {
        guard let item, !item.isEmpty else { return [:] }
        let items = collection ?? []
        let isKnown = items.contains { areEqual($0, item, ignoringCase: false) }
        return ["collection": .stringCollection(isKnown ? items : items + [item])]
    }

    private static func contains(_ call: TransformationCall, _ collection: [String]?, _ item: String?) -> Outputs {
        guard let collection, let item else { return [:] }
        let ignoresCase = call.isTrue("ignoreCase")
        return ["outputclaim": .boolean(collection.contains { areEqual($0, item, ignoringCase: ignoresCase) })]
    }
}
