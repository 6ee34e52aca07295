/// Methods on times (date-transformations).
extension TransformationTable {
    static let times: [Method] = [
        Method(
            """
            AssertDateTimeIsGreaterThan leftOperand rightOperand ; AssertIfEqualTo?:boolean \
            AssertIfRightOperandIsNotPresent?:boolean TreatAsEqualIfWithinMillseconds?:int >
            """, assertGreater),
        Method(
            """
            DateTimeComparison firstDateTime:dateTime secondDateTime?:dateTime ; operator timeSpanInSeconds?:int > \
            result:boolean
            """, compareTimes),
        Method("GetCurrentDateTime ; > currentDateTime:dateTime") { call in
            ["currentdatetime": .dateTime(call.facts.milliseconds)]
        },
        Method(
            """
            IsTermsOfUseConsentRequired termsOfUseConsentDateTime:dateTime ; \
            termsOfUseTextUpdateDateTime:dateTime,string > result:boolean
            """
        ) { call throws(Reason) in
            guard let update = ClaimTime.milliseconds(try call.parameter("termsOfUseTextUpdateDateTime")) else {
                throw .invalid("termsOfUseTextUpdateDateTime")
            }
            let consent = try call.milliseconds("termsOfUseConsentDateTime")
            return ["result": .boolean(consent.map { $0 < update } ?? true)]
        },
    ]

    // “Assert” in the parameters' names means: refuse (spec §0 A1).
    private static func assertGreater(_ call: TransformationCall) throws(Reason) -> Outputs {
        guard let left = try call.milliseconds("leftOperand") else { throw .noInput("leftOperand") }
        let holds: Bool
        if let right = try call.milliseconds("rightOperand") {
            let isEqual = abs(left - right) <= call.number("TreatAsEqualIfWithinMillseconds") ?? 0
            holds = isEqual ? !call.isTrue("AssertIfEqualTo", default: true) : left > right
        } else {
            holds = call.isTrue("AssertIfRightOperandIsNotPresent")
        }
        guard holds else {
            throw .message(
                key: "DateTimeGreaterThan",
                text: "Claim value comparison failed: The provided left operand is greater than the right operand.")
        }
        return [:]
    }

    // Holds the first time plus the span against the second one, which is now unless the claim has a value.
    private static func compareTimes(_ call: TransformationCall) throws(Reason) -> Outputs {
        guard let first = try call.milliseconds("firstDateTime") else { throw .noInput("firstDateTime") }
        let second = try call.milliseconds("secondDateTime") ?? call.facts.milliseconds
        let left = first + (call.number("timeSpanInSeconds") ?? 0) * 1_000
        let operators: [String: @Sendable (Int64, Int64) -> Bool] = [
            "same": { $0 == $1 }, "later than": { $0 > $1 }, "greater than": { $0 > $1 }, "earlier than": { $0 < $1 },
        ]
        return ["result": .boolean(try call.choice("operator", operators)(left, second))]
    }
}
