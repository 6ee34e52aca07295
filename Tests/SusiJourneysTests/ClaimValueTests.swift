import SusiBase
import Testing

@testable import SusiJourneys

@Suite struct ClaimValueTests {
    private static func json(_ text: String) throws -> JSONNode { try JSONNode(parsing: text.utf8) }

    @Test(arguments: [
        (#""a""#, ClaimDataType.string, ClaimValue.string("a")), (#""""#, .string, .string("")),
        ("1.50", .string, .string("1.50")), ("true", .string, .string("True")),
        (#"{"a": [1]}"#, .string, .string(#"{"a":[1]}"#)), ("false", .boolean, .boolean(false)),
        (#""TRUE""#, .boolean, .boolean(true)), ("-5", .int, .int(-5)), (#"" 5 ""#, .int, .int(5)),
        ("2147483648", .long, .long(2_147_483_648)), ("5.0", .long, .long(5)),
        (#""2022-02-28""#, .date, .date("2022-02-28")), (#""1970-01-01T00:00:01Z""#, .dateTime, .dateTime(1_000)),
        ("1", .dateTime, .dateTime(1_000)), (#""2""#, .dateTime, .dateTime(2_000)),
        (#"["a", 1, true]"#, .stringCollection, .stringCollection(["a", "1", "True"])),
        (#""a""#, .stringCollection, .stringCollection(["a"])), ("[]", .stringCollection, .stringCollection([])),
        (
            #"{"issuer": "a", "issuerUserId": "Yg=="}"#, .userIdentity,
            .userIdentity(UserIdentity(issuer: "a", issuerUserID: "Yg=="))
        ),
        (
            #""[{\"type\":6,\"identityProvider\":\"a\",\"key\":\"Yg==\"}]""#, .userIdentityCollection,
            .userIdentityCollection([UserIdentity(issuer: "a", issuerUserID: "Yg==")])
        ),
        (#""+1 (123) 456-7890""#, .phoneNumber, .phoneNumber("+11234567890")),
    ])
    func converts(text: String, type: ClaimDataType, expected: ClaimValue) throws {
        let value = try ClaimValue.make(try Self.json(text), as: type)
        #expect(value == expected)
        #expect(try value?.converted(to: type) == expected)
    }

    @Test(arguments: [
        ("1", ClaimDataType.boolean, "a number"), (#""yes""#, .boolean, "a string"), ("2147483648", .int, "a number"),
        ("1.5", .long, "a number"), (#""1e""#, .long, "a string"), (#""2022-02-30""#, .date, "a string"),
        (#""2022-02-28T00:00:00""#, .date, "a string"), (#""soon""#, .dateTime, "a string"),
        ("-1", .dateTime, "a number"), ("[null]", .stringCollection, "a list"), ("[[1]]", .stringCollection, "a list"),
        ("{}", .stringCollection, "an object"), (#"{"issuer": "a"}"#, .userIdentity, "an object"),
        (#"[{"issuer": "a"}]"#, .userIdentityCollection, "a list"), (#""0123456789""#, .phoneNumber, "a string"),
    ])
    func failsAloud(text: String, type: ClaimDataType, found: String) throws {
        let node = try Self.json(text)
        #expect(throws: ClaimConversionError(found: found, type: type)) { try ClaimValue.make(node, as: type) }
    }

    @Test func takesAnEmptyTextForNoValueOfOtherTypes() throws {
        for type in ClaimDataType.allCases {
            #expect(try ClaimValue.make("", as: type) == (type == .string ? .string("") : nil))
            #expect(try ClaimValue.make(JSONNode(value: .null), as: type) == nil)
        }
    }

    private static let identity = ClaimValue.userIdentity(UserIdentity(issuer: "a", issuerUserID: "b"))

    @Test(arguments: [
        (ClaimValue.boolean(true), "True", "true", "true"), (.boolean(false), "False", "false", "false"),
        (.int(-5), "-5", "-5", "-5"), (.long(5), "5", "5", "5"), (.string("a\""), "a\"", #""a\"""#, #""a\"""#),
        (.date("2022-02-28"), "2022-02-28", #""2022-02-28""#, #""2022-02-28""#),
        (.dateTime(1_500), "1970-01-01T00:00:01.5000000Z", #""1970-01-01T00:00:01.500Z""#, "1"),
        (.dateTime(-1), "1969-12-31T23:59:59.9990000Z", #""1969-12-31T23:59:59.999Z""#, "-1"),
        (
            .dateTime(-62_135_596_800_000), "0001-01-01T00:00:00.0000000Z", #""0001-01-01T00:00:00Z""#, "-62135596800"
        ),
        (.dateTime(1_709_208_000_000), "2024-02-29T12:00:00.0000000Z", #""2024-02-29T12:00:00Z""#, "1709208000"),
        (.stringCollection(["a", "b"]), "a,b", #"["a","b"]"#, #"["a","b"]"#),
        (
            identity, #"{"issuer":"a","issuerUserId":"b"}"#, #"{"issuer":"a","issuerUserId":"b"}"#,
            #"{"issuer":"a","issuerUserId":"b"}"#
        ),
        (.phoneNumber("+49151"), "+49151", #""+49151""#, #""+49151""#),
    ])
    func hasATextAndTwoFormsInJSON(value: ClaimValue, text: String, body: String, token: String) {
        #expect(value.text == text)
        #expect(JSONText.compact(value.json) == body)
        #expect(JSONText.compact(value.tokenJSON) == token)
    }

    @Test(
        arguments: [
            ("1970-01-02", 86_400_000), ("1970-01-01T01:02:03", 3_723_000), ("1970-01-01 00:00", 0),
            ("1970-01-01T00:00:00.1Z", 100), ("1970-01-01T00:00:00.1239999+00:00", 123),
            ("1970-01-01T00:00:00+01:30", -5_400_000), ("1970-01-01T00:00:00-0100", 3_600_000),
            ("01/01/1970 12:00:00 AM", 0), ("1/2/1970 12:00:01 PM", 129_601_000), ("1/1/1970 1:00:00 pm", 46_800_000),
            ("2024-02-29", 1_709_164_800_000), ("0001-01-01", -62_135_596_800_000),
            ("2023-02-29", nil), ("2022-13-01", nil), ("2022-00-01", nil), ("2022-01-01T24:00:00", nil),
            ("2022-01-01T00:60:00", nil), ("2022-01-01T00:00:00+25:00", nil), ("2022-01-01T00:00:00 PST", nil),
            ("13/01/1970", nil), ("1/1/1970 13:00:00 PM", nil), ("1/1/1970 0:00:00 AM", nil), ("0000-01-01", nil),
            ("", nil),
        ] as [(String, Int64?)])
    func readsTimes(text: String, milliseconds: Int64?) {
        #expect(ClaimTime.milliseconds(text) == milliseconds)
    }

    @Test(
        arguments: [
            (1_633_867_200_000, "10/10/2021 12:00:00 PM"), (1_640_995_200_250, "1/1/2022 12:00:00 AM"),
            (1_641_071_106_000, "1/1/2022 9:05:06 PM"),
        ] as [(Int64, String)])
    func writesTimesAsTheResolverDoes(milliseconds: Int64, text: String) {
        #expect(ClaimTime.invariantText(milliseconds) == text)
        #expect(ClaimTime.milliseconds(ClaimTime.invariantText(milliseconds)) == milliseconds / 1_000 * 1_000)
    }

    @Test func tellsAClaimThatWasNeverSetFromAnEmptyOne() throws {
        var bag = ClaimsBag()
        #expect(!bag.isSet("a"))
        bag["A"] = nil
        #expect(bag.isSet("a") && !bag.exists("a") && bag["a"] == nil)
        bag["a"] = ""
        #expect(!bag.exists("A") && bag["A"] == .string(""))
        bag["b"] = []
        bag["c"] = false
        #expect(!bag.exists("b") && bag.exists("C"))
        #expect(bag.ids == ["a", "b", "c"])
        bag.remove("A")
        #expect(!bag.isSet("a"))
    }

    @Test(
        arguments: [
            ("0151 2345678", "DE", "+491512345678"), ("06 1234 5678", "it", "+390612345678"),
            ("4255550100", "CA", "+14255550100"),
            ("+44 20 7946 0000", "FR", "+442079460000"), ("+123456", nil, nil), ("+1234567890123456", nil, nil),
            ("0151 2345678", "XX", nil), ("", "DE", nil), ("+١٢٣٤٥٦٧", nil, nil),
        ] as [(String, String?, String?)])
    func readsTelephoneNumbers(text: String, country: String?, expected: String?) {
        #expect(PhoneNumber(text, country: country)?.text == expected)
    }
}
