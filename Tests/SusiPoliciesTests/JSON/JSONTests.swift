import Testing

@testable import SusiBase
@testable import SusiPolicies

@Suite("JSON")
struct JSONTests {
    struct Wrong: Sendable, CustomTestStringConvertible {
        let text: [UInt8]
        let line: Int
        let problem: String

        init(_ text: String, _ line: Int, _ problem: String) {
            self.init(bytes: Array(text.utf8), line, problem)
        }

        init(bytes: [UInt8], _ line: Int, _ problem: String) {
            (self.text, self.line, self.problem) = (bytes, line, problem)
        }

        var testDescription: String { String(decoding: text, as: UTF8.self).debugDescription }
    }

    static let wrong = [
        Wrong("", 1, "expected a value, found the end of the file"),
        Wrong("\n\n", 3, "expected a value, found the end of the file"),
        Wrong("{\n\"a\":\n\n", 4, "expected a value, found the end of the file"),
        Wrong("1\n2", 2, "text after the end"),
        Wrong("{} x", 1, "text after the end"),
        Wrong("{\n  a: 1}", 2, "a name in double quotes"),
        Wrong("{\"a\": 1,\n}", 2, "a name in double quotes"),
        Wrong("{\"a\"\n1}", 2, "expected a colon after “a”"),
        Wrong("{\"a\": 1\n\"b\": 2}", 2, "a comma or }"),
        Wrong("{\"a\": 1", 1, "a comma or }"),
        Wrong("[1\n2]", 2, "a comma or ]"),
        Wrong("[1,\n]", 2, "expected a value"),
        Wrong("{\"a\": 1,\n\"b\": 2,\n\"a\": 3}", 3, "duplicate key “a”"),
        Wrong("{\"a\": 1, \"\\u0061\": 2}", 1, "duplicate key “a”"),
        Wrong("[\n'a']", 2, "expected a value"),
        Wrong("tru", 1, "expected a value"),
        Wrong("nul", 1, "expected a value"),
        Wrong("NaN", 1, "expected a value"),
        Wrong("// comment\n1", 1, "expected a value"),
        Wrong("\u{feff}{}", 1, "expected a value"),
        Wrong("\"a\nb\"", 1, "unescaped control character"),
        Wrong("\"abc", 1, "no closing quote"),
        Wrong("\"abc\\", 1, "no closing quote"),
        Wrong("\"\\x\"", 1, "unknown escape"),
        Wrong("\"\\u12\"", 1, "four hexadecimal digits"),
        Wrong("\"\\u12g4\"", 1, "four hexadecimal digits"),
        Wrong("\"\\u+123\"", 1, "four hexadecimal digits"),
        Wrong("\"\\ud83d\"", 1, "surrogate"),
        Wrong("\"\\ud83dx\"", 1, "surrogate"),
        Wrong("\"\\ud83d\\n\"", 1, "surrogate"),
        Wrong("\"\\ud83d\\u0041\"", 1, "surrogate"),
        Wrong("\"\\ude00\"", 1, "surrogate"), Wrong("\"\\ud83dude00\"", 1, "surrogate"),
        Wrong("\"\\udc00\\udc00\"", 1, "surrogate"),
        Wrong("01", 1, "starts with 0"),
        Wrong("-", 1, "no digits"),
        Wrong("-01", 1, "starts with 0"),
        Wrong("+1", 1, "expected a value"),
        Wrong(".5", 1, "expected a value"),
        Wrong("1.", 1, "after the decimal point"),
        Wrong("1.e5", 1, "after the decimal point"),
        Wrong("1e", 1, "in the exponent"),
        Wrong("1e+", 1, "in the exponent"),
        Wrong(bytes: [0x22, 0xff, 0x22], 1, "not valid UTF-8"),
        Wrong(bytes: [0x22, 0xc0, 0xaf, 0x22], 1, "not valid UTF-8"),
        Wrong(bytes: [0x22, 0xed, 0xa0, 0x80, 0x22], 1, "not valid UTF-8"),
        Wrong(String(repeating: "[", count: 65) + String(repeating: "]", count: 65) + "]", 1, "text after the end"),
        Wrong(String(repeating: "[", count: 66), 1, "more than 64 nested"),
        Wrong(String(repeating: "{\"a\":", count: 100_000), 1, "more than 64 nested"),
    ]

    @Test(arguments: wrong)
    func rejectsInvalidJSON(wrong: Wrong) throws {
        let error = try #require(throws: JSONSyntaxError.self) { try JSONNode(parsing: wrong.text) }
        #expect(error.line == wrong.line)
        #expect(error.problem.contains(wrong.problem), "\(error.problem)")
    }

    @Test(arguments: ["0", "-0", "10", "-1.5", "1e9", "1E-2", "0.0e+00", "123456789012345678901234567890"])
    func keepsTextOfNumbers(text: String) throws {
        #expect(try JSONNode(parsing: text.utf8).value == .number(text))
    }

    @Test(
        arguments: [
            (#""""#, ""), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""\u00e9\u00E9é""#, "ééé"),
            (#""\ud83d\ude00""#, "😀"), (#""\uD83D\uDE00😀""#, "😀😀"), (#""\u0000""#, "\0"), (#""\uffff""#, "\u{ffff}"),
        ])
    func parsesStrings(text: String, expected: String) throws {
        let string = try #require(try JSONNode(parsing: text.utf8).string)
        #expect(Array(string.utf8) == Array(expected.utf8))
    }

    @Test func limitsNumberOfValues() throws {
        #expect(try JSONNode(parsing: #"{"a": [1]}"#.utf8, limit: 3).members.count == 1)
        #expect(throws: JSONSyntaxError.self) { try JSONNode(parsing: #"{"a": [1]}"#.utf8, limit: 2) }
    }

    @Test(arguments: [2, 33, 34, 50]) func rejectsDuplicateKeyOfObjectsOfAnySize(count: Int) throws {
        let members = { (names: [String]) in "{\(names.map { "\"\($0)\":1" }.joined(separator: ","))}" }
        let names = (0..<count).map { "n\($0)" }
        #expect(try JSONNode(parsing: members(names).utf8).members.count == count)
        for name in [names[0], names[count - 1]] {
            #expect(throws: JSONSyntaxError.self) { try JSONNode(parsing: members(names + [name]).utf8) }
        }
    }

    @Test func keepsLinesAndOrder() throws {
        let node = try JSONNode(parsing: "\n{\"b\"\n:\r\n 1, \"a\": [\n null,\ntrue]}\n".utf8)
        #expect(node.line == 2)
        #expect(node.members.map(\.name) == ["b", "a"])
        #expect(node.members.map(\.line) == [2, 4])
        #expect(node["b"]?.line == 4)
        #expect(node["a"]?.array?.map(\.line) == [5, 6])
        #expect(node["c"] == nil)
    }

    @Test func comparesValuesWithoutTheirLines() throws {
        let node = try JSONNode(parsing: "{\"a\": [1,\n true], \"b\": \"x\"}".utf8)
        let parsed = try JSONNode(parsing: "\n{\"a\":\n[1, true],\n\"b\": \"x\"}".utf8)
        let made: JSONNode = ["a": .array([.number(1), true]), "b": "x", "c": nil]
        for equal in [parsed, made] { #expect(equal == node && equal.hashValue == node.hashValue) }
        for other in [
            #"{"b": "x", "a": [1, true]}"#, #"{"a": [1, false], "b": "x"}"#, #"{"a": [1.0, true], "b": "x"}"#,
        ] {
            #expect(try JSONNode(parsing: other.utf8) != node, "\(other)")
        }
    }

    @Test func writesValuesInAlphabeticalOrder() throws {
        let text = #"{"b": [null, 1.50, -0, 18446744073709551616, 1e999], "a": {"z": true, "y": "x"}}"#
        let json = try JSON(parsing: text.utf8)
        #expect(
            json == [
                "a": ["y": "x", "z": true],
                "b": [
                    .null, .number("1.50"), .number("-0"),
                    .number("18446744073709551616"), .number("1e999"),
                ], "c": nil,
            ])
        let written = #"{"a":{"y":"x","z":true},"b":[null,1.50,-0,18446744073709551616,1e999]}"#
        #expect(json.text == written && json.encoded == Array(written.utf8))
        #expect(JSON(JSONNode(json)) == json)
        #expect(json["b"]?.array?.compactMap(\.integer) == [0])
        #expect(json["c"] == nil && json["a"]?["y"]?.string == "x" && json["b"]?["a"] == nil)
    }

    @Test func treatsNullAsMissing() throws { #expect(try JSONNode(parsing: #"{"a": null}"#.utf8)["a"] == nil) }

    @Test(
        arguments: [
            ("3600", 3600), (#""3600""#, 3600), ("3600.0", 3600), ("1e3", 1000), ("-1.5", -2), ("true", nil),
            (#""soon""#, nil), (#""""#, nil), ("1e400", nil), ("1e30", nil), (#""nan""#, nil), (#""inf""#, nil),
            ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min), ("9223372036854775808", nil),
        ] as [(String, Int64?)])
    func readsWholeNumbers(text: String, expected: Int64?) throws {
        #expect(try JSONNode(parsing: text.utf8).lenientInteger == expected)
    }

    @Test(
        arguments: [
            (#""a""#, ["a"]), (#"["a", "b"]"#, ["a", "b"]), ("[]", []), (#"["a", 1]"#, nil), ("1", nil), ("{}", nil),
        ] as [(String, [String]?)])
    func readsListsOfStrings(text: String, expected: [String]?) throws {
        #expect(try JSONNode(parsing: text.utf8).strings == expected)
    }

    @Test func writesJSON() throws {
        let text = "a\"\\\n\t\r\u{1}\u{7f}é\u{202e}😀"
        let plain = JSONText.quoted(text)
        #expect(plain == "\"a\\\"\\\\\\n\\t\\r\\u0001\u{7f}é\u{202e}😀\"")
        let ascii = JSONText.quoted(text) { !$0.isASCII }
        #expect(ascii == "\"a\\\"\\\\\\n\\t\\r\\u0001\u{7f}\\u00e9\\u202e\\ud83d\\ude00\"")
        for written in [plain, ascii] { #expect(try JSONNode(parsing: written.utf8).string == text) }
        let tree = #"{"a":[1,2.50,true,null],"b":{"\n":"x"}}"#
        #expect(try JSONText.compact(JSONNode(parsing: tree.utf8)) == tree)
        for width in [0, 80] {
            #expect(try JSONText.pretty(JSONNode(parsing: "{ }".utf8), width: width) == "{}")
            #expect(try JSONText.pretty(JSONNode(parsing: "[ ]".utf8), width: width) == "[]")
        }
    }
}
