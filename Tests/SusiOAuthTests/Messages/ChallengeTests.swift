import SusiBase
import SusiOAuth
import SusiPolicies
import Testing

@Suite("Challenges of an API")
struct ChallengeTests {
    typealias Parameters = [[String]]

    private static func read(_ header: String) -> [(scheme: String, parameters: Parameters)] {
        AuthenticationChallenge.list(in: header).map { ($0.scheme, $0.parameters.map { [$0.name, $0.value] }) }
    }

    @Test(
        arguments: [
            ("Bearer", [("bearer", [])]),
            (
                #"Bearer realm="api", error="invalid_token""#,
                [("bearer", [["realm", "api"], ["error", "invalid_token"]])]
            ),
            ("BEARER  Error = invalid_token", [("bearer", [["error", "invalid_token"]])]),
            (
                #"Basic realm="a, b=\"c\"", Bearer error="x", DPoP algs="ES256 PS256""#,
                [
                    ("basic", [["realm", #"a, b="c""#]]), ("bearer", [["error", "x"]]),
                    ("dpop", [["algs", "ES256 PS256"]]),
                ]
            ),
            ("Negotiate, NTLM", [("negotiate", []), ("ntlm", [])]),
            ("Negotiate YWJj==, Bearer error=x", [("negotiate", []), ("bearer", [["error", "x"]])]),
            ("Negotiate YWJj== , Bearer a=1", [("negotiate", []), ("bearer", [["a", "1"]])]),
            ("Negotiate YWJj==\t, Bearer a=1", [("negotiate", []), ("bearer", [["a", "1"]])]),
            ("Negotiate YWJj==", [("negotiate", [])]), ("Bearer , Basic", [("bearer", []), ("basic", [])]),
            ("Bearer a=1 , b=2 , Basic", [("bearer", [["a", "1"], ["b", "2"]]), ("basic", [])]),
            (", ,Bearer a=1, , b=2 ,", [("bearer", [["a", "1"], ["b", "2"]])]),
            (#"Bearer a="", b="\\""#, [("bearer", [["a", ""], ["b", #"\"#]])]),
            // A syntax error ends the list.
            (#"Bearer a=1, b="never closed"#, [("bearer", [["a", "1"]]), ("b", [])]),
            (#"Bearer a=1;b=2"#, [("bearer", [["a", "1"]])]), ("Bearer a=1 b=2, c=3", [("bearer", [["a", "1"]])]),
            ("", []), ("=", []), ("\"Bearer\"", []),
        ] as [(String, [(String, Parameters)])])
    func parsesSeveralChallenges(header: String, expected: [(scheme: String, parameters: Parameters)]) {
        let read = Self.read(header)
        #expect(read.map(\.scheme) == expected.map(\.scheme))
        #expect(read.map(\.parameters) == expected.map(\.parameters))
    }

    @Test func readsErrorOfBearerOnly() {
        let challenges = AuthenticationChallenge.list(in: #"Digest error="invalid_token", Bearer error="other""#)
        #expect(challenges.map(\.bearerError) == [nil, "other"])
    }

    @Test(
        arguments: [
            (#"acr_values="a  b", max_age="300""#, "a b", 300, #"{"acr_values":"a b","max_age":300}"#),
            (#"max_age=0"#, nil, 0, #"{"max_age":0}"#),
            (#"acr_values="urn:x""#, "urn:x", nil, #"{"acr_values":"urn:x"}"#),
            (#"realm="x""#, nil, nil, nil),
            (#"max_age="9223372036854775807""#, nil, 3_155_760_000, #"{"max_age":3155760000}"#),
        ] as [(String, String?, Int64?, String?)])
    func readsStepUpChallenge(parameters: String, values: String?, age: Int64?, kept: String?) throws {
        let header = "Bearer error=\"insufficient_user_authentication\", \(parameters)"
        let challenge = try #require(try StepUpChallenge(in: AuthenticationChallenge.list(in: header)))
        #expect(challenge.acrValues == values && challenge.maximumAge == age && challenge.kept?.text == kept)
        #expect(challenge.kept.flatMap(StepUpChallenge.init(kept:)) == (kept == nil ? nil : challenge))
    }

    @Test func aDemandForClaimsIsNotAStepUp() throws {
        let claims = try ClaimsRequest(parsing: #"{"access_token":{"acrs":null},"max_age":0}"#.utf8)
        #expect(StepUpChallenge(kept: claims) == nil)
        for text in ["{}", #"{"acr_values":5,"max_age":"soon"}"#] {
            #expect(StepUpChallenge(kept: try ClaimsRequest(parsing: text.utf8)) == nil, "\(text)")
        }
    }

    @Test(
        arguments: [
            #"max_age="soon""#, #"max_age="-1""#, #"max_age="""#, #"acr_values="é""#,
            "acr_values=\"\(String(repeating: "a", count: 3_000))\"",
        ])
    func rejectsInvalidStepUpChallenges(parameters: String) throws {
        let list = AuthenticationChallenge.list(in: "Bearer error=\"insufficient_user_authentication\", \(parameters)")
        #expect(throws: ProtocolViolation.self) { try StepUpChallenge(in: list) }
        #expect(try StepUpChallenge(in: AuthenticationChallenge.list(in: "Bearer error=x, max_age=soon")) == nil)
    }

    static let claims = #"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#

    @Test(
        arguments: [
            "eyJhY2Nlc3NfdG9rZW4iOnsiYWNycyI6eyJlc3NlbnRpYWwiOnRydWUsInZhbHVlIjoiYzEifX19",
            "eyJhIjoi8J-YgCJ9", "eyJhIjoi8J+YgCJ9", "eyJhIjoxfQ==", "eyJhIjoxfQ",
        ])
    func acceptsBothAlphabets(text: String) throws {
        let header = #"Bearer realm="", error="insufficient_claims", claims="\#(text)""#
        let challenge = try #require(try ClaimsChallenge(in: AuthenticationChallenge.list(in: header)))
        #expect(!challenge.claims.members.isEmpty)
        if text.count > 40 { #expect(challenge.json == Self.claims) }
    }

    @Test(arguments: ["Bearer", #"Bearer error="insufficient_claims""#, "Bearer claims=e30"])
    func findsNoChallengeWithoutClaims(header: String) throws {
        #expect(try ClaimsChallenge(in: AuthenticationChallenge.list(in: header)) == nil)
    }

    @Test(arguments: ["W10", "!", "bm8", "eyJ", "/w==", ""])
    func rejectsInvalidClaims(text: String) {
        #expect(throws: ProtocolViolation.self) { try ClaimsChallenge(decoding: text) }
    }

    @Test func limitsSize() throws {
        let frame = #"{"a":""}"#
        let text = { (count: Int) in #"{"a":"\#(String(repeating: "x", count: count - frame.utf8.count))"}"# }
        let largest = text(ClaimsChallenge.largest)
        #expect(try ClaimsChallenge(json: largest).json == largest)
        #expect(try ClaimsChallenge(decoding: Base64URL.encode(largest.utf8)).json == largest)
        #expect(throws: ProtocolViolation.self) { try ClaimsChallenge(json: text(ClaimsChallenge.largest + 1)) }
        #expect(throws: ProtocolViolation.self) {
            try ClaimsChallenge(decoding: Base64URL.encode(text(ClaimsChallenge.largest + 1).utf8))
        }
    }
}
