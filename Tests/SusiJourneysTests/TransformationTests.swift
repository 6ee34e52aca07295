import Testing

@testable import SusiJourneys

@Suite struct TransformationTests {
    @Test(arguments: try TransformationVector.all())
    func givesWhatTheExampleSays(_ vector: TransformationVector) throws { try vector.run() }

    @Test func hasAVectorForEachMethodThatRuns() throws {
        let tested = Set(try TransformationVector.all().map(\.method.name))
        let running = TransformationTable.methods.values.filter { $0.run != nil }.map(\.name)
        // Their tests need more of a policy.
        let others = [
            "CopyClaimIfPredicateMatch", "GetLocalizedStringsTransformation", "GetMappedValueFromLocalizedCollection",
        ]
        #expect(running.filter { !tested.contains($0) }.sorted() == others)
    }

    @Test func limitsTheSizeOfAResult() throws {
        let long = String(repeating: "a", count: 40_000)
        #expect(throws: TransformationError.Reason.tooLong) { try StringFormat.apply("{0}{0}", [.text(long)]) }
        #expect(throws: TransformationError.Reason.invalid("stringFormat")) {
            try StringFormat.apply(String(long.prefix(4_001)), [])
        }
        #expect(try StringFormat.apply(String(long.prefix(4_000)), []).count == 4_000)
    }
}
