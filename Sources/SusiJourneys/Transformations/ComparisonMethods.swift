/// Methods that compare texts, and booleans (string-transformations, boolean-transformations).
extension TransformationTable {
    static let comparisons: [Method] = [
        Method("AssertStringClaimsAreEqual inputClaim1 inputClaim2 ; stringComparison >", assertEqual),
        Method("CompareClaims inputClaim1 inputClaim2 ; operator ignoreCase?:string,boolean > outputClaim:boolean") {
            call throws(Reason) in try compare(call, call.text("inputClaim2"))
        },
        Method("CompareClaimToValue inputClaim1 ; operator compareTo ignoreCase?:string,boolean > outputClaim:boolean")
        { call throws(Reason) in try compare(call, try call.parameter("compareTo")) },
        Method("DoesClaimExist inputClaim:any ; > outputClaim:boolean") { call in
            ["outputclaim": .boolean(call.value("inputClaim").map { !$0.isEmpty } ?? false)]
        },
        Method(
            """
            SetClaimsIfRegexMatch claimToMatch ; matchTo outputClaimIfMatched? extractGroups?:boolean > * \
            outputClaim? regexCompareResultClaim?:boolean
            """, setIfRegexMatch),
        Method(
            """
            SetClaimsIfStringsMatch claimToMatch ; matchTo stringComparison outputClaimIfMatched > \
            outputClaim stringCompareResultClaim?:boolean
            """, setIfStringsMatch),
        Method("StringContains inputClaim ; contains ignoreCase > outputClaim:boolean") { call throws(Reason) in
            let part = try call.parameter("contains")
            guard let text = call.text("inputClaim") else { return [:] }
            let (all, wanted) = call.isTrue("ignoreCase") ? (text.lowercased(), part.lowercased()) : (text, part)
            return ["outputclaim": .boolean(Array(all.unicodeScalars).contains(Array(wanted.unicodeScalars)))]
        },
    ]

    static let booleans: [Method] = [
        Method("AndClaims inputClaim1:boolean inputClaim2:boolean ; > outputClaim:boolean", combine { $0 && $1 }),
        Method("AssertBooleanClaimIsEqualToValue inputClaim:boolean ; valueToCompareTo:boolean >") {
            call throws(Reason) in
            guard let expected = call.parameterValue("valueToCompareTo") else { throw .noParameter("valueToCompareTo") }
            guard call.value("inputClaim") == expected else {
                throw .message(
                    key: "UserMessageIfClaimsTransformationBooleanValueIsNotEqual",
                    text: "Boolean claim value comparison failed for claim type \"inputClaim\".")
            }
            return [:]
        },
        Method("NotClaims inputClaim:boolean ; > outputClaim:boolean") { call throws(Reason) in
            ["outputclaim": .boolean(!(try call.flag("inputClaim")))]
        },
        Method("OrClaims inputClaim1:boolean inputClaim2:boolean ; > outputClaim:boolean", combine { $0 || $1 }),
    ]

    private static func combine(_ result: @escaping @Sendable (Bool, Bool) -> Bool) -> Run {
        { call throws(Reason) in
            ["outputclaim": .boolean(result(try call.flag("inputClaim1"), try call.flag("inputClaim2")))]
        }
    }

    private static let stringComparisons = ["ordinal": false, "ordinalignorecase": true]

    /// Compares as .NET's ordinal comparisons do; two claims without a value are equal.
    static func areEqual(_ left: String?, _ right: String?, ignoringCase: Bool) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return ignoringCase
            ? left.lowercased().unicodeScalars.elementsEqual(right.lowercased().unicodeScalars)
            : left.unicodeScalars.elementsEqual(right.unicodeScalars)
    }

    private static func compare(
        _ call: TransformationCall, _ other: String?
    ) throws(Reason) -> Outputs {
        let isEqual = try call.choice("operator", ["equal": true, "not equal": false])
        let found = areEqual(call.text("inputClaim1"), other, ignoringCase: call.isTrue("ignoreCase"))
        return ["outputclaim": .boolean(found == isEqual)]
    }

    private static func assertEqual(_ call: TransformationCall) throws(Reason) -> Outputs {
        let ignoresCase = try call.choice("stringComparison", stringComparisons)
        guard areEqual(call.text("inputClaim1"), call.text("inputClaim2"), ignoringCase: ignoresCase) else {
            let comparison = ignoresCase ? "OrdinalIgnoreCase" : "Ordinal"
            throw .message(
                key: "UserMessageIfClaimsTransformationStringsAreNotEqual",
                text: "Claim value comparison failed using StringComparison \"\(comparison)\".")
        }
        return [:]
    }

    private static func setIfStringsMatch(_ call: TransformationCall) throws(Reason) -> Outputs {
        let ignoresCase = try call.choice("stringComparison", stringComparisons)
        let matches = areEqual(call.text("claimToMatch"), try call.parameter("matchTo"), ignoringCase: ignoresCase)
        let value = try call.parameter("outputClaimIfMatched")
        return ["outputclaim": matches ? .string(value) : nil, "stringcompareresultclaim": .boolean(matches)]
    }

    // The groups are outputs by the ids of their claims.
    private static func setIfRegexMatch(_ call: TransformationCall) throws(Reason) -> Outputs {
        guard let pattern = Pattern(try call.parameter("matchTo")) else { throw .invalid("matchTo") }
        guard let groups = call.text("claimToMatch").flatMap(pattern.groups) else {
            return ["outputclaim": nil, "regexcompareresultclaim": .boolean(false)]
        }
        let named = call.isTrue("extractGroups") ? groups : [:]
        var outputs = Outputs(named.map { ($0.lowercased(), .string($1)) }) { $1 }
        outputs["regexcompareresultclaim"] = .boolean(true)
        outputs.updateValue(call.parameterValue("outputClaimIfMatched"), forKey: "outputclaim")
        return outputs
    }
}
