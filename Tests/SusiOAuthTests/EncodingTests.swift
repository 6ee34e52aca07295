import SusiBase
import SusiOAuth
import Testing

@Suite("Encodings")
struct EncodingTests {
    @Test(
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"), ("\u{3f}\u{3f}\u{3e}\u{3f}\u{3f}\u{3f}\u{3e}", "Pz8-Pz8_Pg"),
        ])
    func encodesVectorsOfRFC4648(text: String, encoded: String) {
        #expect(Base64URL.encode(text.utf8) == encoded)
        #expect(Base64URL.decode(encoded) == Array(text.utf8))
    }

    @Test(arguments: ["Zg==", "Zg", "Zg="])
    func acceptsPadding(text: String) { #expect(Base64URL.decode(text, allowsPadding: true) == [0x66]) }

    @Test(
        arguments: [
            "Z", "Zh", "Zm9vY", "Zm+v", "Zm/v", "Zm 9v", "Zm9v\n", "Zm9v\r\n", "Zm9é", "Zm9v.", "Zg=Zg", "=Zg", "Z=g=",
        ])
    func rejectsOtherCharacters(text: String) { #expect(Base64URL.decode(text) == nil) }

    @Test func keepsEveryByte() {
        let bytes = Array(UInt8.min...UInt8.max)
        for count in 250...256 {
            #expect(Base64URL.decode(Base64URL.encode(bytes.prefix(count))) == Array(bytes.prefix(count)))
        }
    }

    @Test func makesChallengeOfRFC7636() {
        let pkce = PKCE(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(pkce.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test func makesNewVerifiers() {
        let verifiers = (0..<50).map { _ in PKCE().verifier }
        #expect(Set(verifiers).count == 50)
        let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
        #expect(verifiers.allSatisfy { $0.count == 43 && $0.allSatisfy(allowed.contains) })
    }

    @Test(
        arguments: [
            "", "plain", "a b", "a+b", "a&b=c", "100%", "%41", "é", "e\u{301}", "😀", "\r\n", "\0", "~-._", "/?#",
        ])
    func decodesWhatItEncodes(text: String) throws {
        let encoded = FormEncoding.encode([(name: text, value: text), (name: "x", value: "")])
        #expect(encoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f })
        let fields = try #require(FormEncoding.decode(encoded))
        #expect(fields.map { Array($0.name.utf8) } == [Array(text.utf8), [0x78]])
        #expect(fields.map { Array($0.value.utf8) } == [Array(text.utf8), []])
    }

    @Test(arguments: [("a=1+2", "1 2"), ("a=%c3%A9", "é"), ("a=b=c", "b=c"), ("a", ""), ("a=", "")])
    func decodesFormsOfOtherWriters(text: String, expected: String) throws {
        let fields = try #require(FormEncoding.decode(text))
        #expect(fields.map(\.name) == ["a"])
        #expect(fields.map(\.value) == [expected])
    }

    @Test(arguments: ["a=%", "a=%4", "a=%4g", "a=%+1", "a=%ff", "%zz=1", "a=1&b=%c3"])
    func rejectsMalformedForms(text: String) { #expect(FormEncoding.decode(text) == nil) }

    @Test func skipsEmptyPairs() { #expect(FormEncoding.decode("&&a=1&&")?.count == 1) }

    @Test func comparesScopesAsSets() {
        #expect(ScopeSet(["b", "a", "b"]) == ScopeSet(text: " a  b "))
        #expect(ScopeSet(["b", "a"]).description == "a b")
        #expect(ScopeSet(["A"]) != ScopeSet(["a"]))
        #expect(ScopeSet(["a b"]) == ScopeSet(["a", "b"]))
        #expect(ScopeSet([""]).isEmpty)
        #expect(ScopeSet(text: "").isEmpty)
        #expect(ScopeSet(["a"]).union(.openID).description == "a offline_access openid profile")
        #expect(ScopeSet(["a", "openid"]).subtracting(.openID) == ScopeSet(["a"]))
    }
}
