import SusiBase
import Testing

@testable import SusiHTTP

@Suite("Dates in HTTP")
struct HTTPDateTests {
    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Fri, 15 Jan 2027 08:00:00 GMT", 1_800_000_000),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2028 23:59:60 GMT", 1_835_481_600),
            ("Wed, 31 Dec 2098 23:59:59 GMT", 4_070_908_799),
        ] as [(String, Int64)])
    func parsesThreeFormats(text: String, expected: Int64) { #expect(HTTPDate.seconds(text) == expected) }

    @Test(
        arguments: [
            "", "tomorrow", "Sun, 06 Nov 1994", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 0x Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 99999999999999999999 08:49:37 GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT",
        ])
    func rejectsOtherTexts(text: String) { #expect(HTTPDate.seconds(text) == nil) }

    @Test(
        arguments: [
            ("0", nil, 0), ("120", nil, 120), ("99999999", nil, 604_800), ("-1", nil, nil), ("1.5", nil, nil),
            ("", nil, nil), ("99999999999999999999", nil, nil), ("Fri, 15 Jan 2027 08:00:00 GMT", nil, nil),
            ("Fri, 15 Jan 2027 08:00:00 GMT", 1_799_999_990, 10), ("Fri, 15 Jan 2027 08:00:00 GMT", 1_900_000_000, 0),
        ] as [(String, Int64?, Int64?)])
    func parsesRetryAfter(text: String, date: Int64?, expected: Int64?) {
        #expect(HTTPDate.delay(text, since: date) == expected)
    }
}
