import SusiBase
import Testing

@Suite("Times and texts of others")
struct EpochTimeTests {
    @Test(
        "a time has four digits for the year",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1_769_860_799, "2026-01-31T11:59:59Z"), (.max, "9999-12-31T23:59:59Z"),
            // Before 1582, Foundation counts by the Julian calendar.
            (.min, "0001-01-03T00:00:00Z"),
        ] as [(Int64, String)])
    func writesTimes(time: Int64, text: String) { #expect(EpochTime.text(time) == text) }

    @Test(arguments: [("", ""), (" \n\t", ""), (" a b\u{a0}\r\n", "a b"), ("ab", "ab"), ("\u{3000}é ", "é")])
    func trimsWhiteSpaceAtBothEnds(text: String, trimmed: String) { #expect(text.trimmed == trimmed) }
}
