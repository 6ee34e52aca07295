import SusiBase
import SusiPolicies
import Testing

@Suite("Near match")
struct NearMatchTests {
    @Test(
        arguments: [
            ("clientID", "clientId"), ("cleintId", "clientId"), ("clintId", "clientId"), ("clientIds", "clientId"),
            ("policys", "policies"), ("KIND", "kind"), ("kidn", "kind"), ("knd", "kind"), ("xyz", nil), ("", nil),
            ("somethingElseEntirely", nil),
        ] as [(String, String?)])
    func findsMisspelledNames(text: String, expected: String?) {
        #expect(NearMatch.of(text, in: ["kind", "clientId", "policies"]) == expected)
    }

    @Test func countsOneSwapOfNeighborsOnly() {
        #expect(NearMatch.of("ab", in: ["ba"]) == "ba")
        for other in ["bc", "ca"] { #expect(NearMatch.of("ab", in: [other]) == nil, "\(other)") }
    }

    @Test func prefersNearest() {
        #expect(NearMatch.of("B2C_1_susy", in: ["B2C_1_sus", "B2C_1_susi", "B2C_1_xxsy"]) == "B2C_1_sus")
    }

    @Test func prefersExactName() { #expect(NearMatch.of("susi", in: ["sus", "susie", "SUSI"]) == "SUSI") }

    @Test func suggestsNothingForLongTexts() {
        let text = { (count: Int) in String(repeating: "a", count: count) }
        #expect(NearMatch.of(text(128), in: [text(127)]) == text(127))
        // The length of each text is limited, regardless of the other one.
        #expect(NearMatch.of(text(129), in: [text(128)]) == nil)
        #expect(NearMatch.of(text(128), in: [text(129)]) == nil)
        #expect(NearMatch.of("policys", in: [text(129), "policies"]) == "policies")
    }

    @Test func comparesTheFirstThousandCandidates() {
        let others = Array(repeating: "something else", count: 999)
        #expect(NearMatch.of("policys", in: others + ["policies"]) == "policies")
        #expect(NearMatch.of("policys", in: others + ["other", "policies"]) == nil)
    }

    @Test func sortsByLikelihood() {
        let labels = ["ana@x.example", "ben@x.example", "user01@x.example", "user1@x.example", "zuser@x.example"]
        #expect(NearMatch.nearestFirst("usr1", in: labels).prefix(2) == ["user1@x.example", "user01@x.example"])
        #expect(NearMatch.nearestFirst("USER", in: labels).prefix(3) == labels.suffix(3))
        #expect(NearMatch.nearestFirst("bem@x.example", in: labels).first == "ben@x.example")
        #expect(NearMatch.nearestFirst("", in: labels) == labels)
        // A long candidate comes last, even if much of it fits.
        let (long, other) = (String(repeating: "a", count: 129), String(repeating: "z", count: 128))
        #expect(NearMatch.nearestFirst("aaaaaaaaab", in: [long, other]) == [other, long])
        #expect(NearMatch.nearestFirst(long, in: [other, long]) == [other, long])
    }

    @Test func findsNoOnlyOneAmongEquallyNearCandidates() {
        #expect(NearMatch.only("bne", in: ["ben", "chi"]) == "ben")
        #expect(NearMatch.only("be", in: ["bea", "ben"]) == nil)
        #expect(NearMatch.only("bem", in: ["ben", "ben", "bemo1"]) == "ben")
        #expect(NearMatch.only("xyz", in: ["ben"]) == nil)
    }

    @Test func findsNothingInEmptyList() { #expect(NearMatch.of("a", in: [String]()) == nil) }
}
