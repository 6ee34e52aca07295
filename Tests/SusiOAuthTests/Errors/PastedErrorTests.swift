import SusiOAuth
import Testing

/// Codes in a text that somebody pasted.
@Suite("Pasted errors")
struct PastedErrorTests {
    @Test(
        arguments: [
            ("AADB2C90118", ["AADB2C90118"], []),
            ("see aadsts50126, AADB2C90118: x and AADSTS50126", ["AADSTS50126", "AADB2C90118"], []),
            ("AADSTS99999 or AADSTS99999: invalid_grant", ["invalid_grant"], ["AADSTS99999"]),
            ("50126", ["AADSTS50126"], []), (" 90118\n", ["AADB2C90118"], []),
            ("1234567890", [], ["1234567890"]),
            ("Invalid_Grant happened", ["invalid_grant"], []), ("my_own_code: x", [], ["my_own_code"]),
            ("hello", [], []), ("hello world_1: x", [], []), ("", [], []),
            ("http://localhost/?a=b&error=access_denied&error_description=AADB2C90118%3a+x", ["AADB2C90118"], []),
            ("http://localhost/?x=1#error=access_denied&state=s", ["access_denied"], []),
            (#"{"error":"invalid_grant","error_description":"x","error_codes":[50173]}"#, ["AADSTS50173"], []),
        ] as [(String, [String], [String])])
    func findsCodes(text: String, known: [String], unknown: [String]) {
        let error = PastedError(text)
        #expect(
            error.known.map(\.name) == known && error.unknown == unknown, "\(error.known.map(\.name)) \(error.unknown)")
    }

    @Test(arguments: [
        "AADB2C90118: x\r\nCorrelation ID: c-1\r\nTimestamp: 2026-01-02 03:04:05Z",
        "http://localhost/?error=e&error_description=AADB2C90118%3a+x%0d%0aCorrelation+ID%3a+c-1%0d%0aTimestamp%3a+2026-01-02+03%3a04%3a05Z",
    ])
    func readsIDAndTime(text: String) {
        let error = PastedError(text)
        #expect(error.correlationID == "c-1" && error.timestamp == "2026-01-02 03:04:05Z")
    }

    @Test func explainsCodesOfAPIsByTheirSettings() {
        let (own, others) = (ErrorCode.table.filter(\.isOfAPI), ErrorCode.table.filter { !$0.isOfAPI })
        #expect(Set(own.map(\.cause)).count == 1)
        #expect(Set(own.map(\.cause)).isDisjoint(with: others.map(\.cause)))
    }
}
