import Crypto
import CryptoExtras
import Foundation
import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiOAuth

@Suite("Signatures")
struct SignatureTests {
    static func reason(_ token: String, _ keys: KeySet) throws -> String {
        let error = try #require(throws: ProtocolViolation.self) {
            let token = try SignedToken(parsing: token)
            try keys.verify(token)
        }
        #expect(error.subject == .idToken)
        return error.reason
    }

    @Test func verifiesRS256() throws {
        let signer = try Signer.main.get()
        let token = try SignedToken(parsing: try signer.token(#"{"sub":"a"}"#))
        #expect(token.claims["sub"]?.string == "a")
        #expect(token.claimsText == #"{"sub":"a"}"#)
        try signer.keys().verify(token)
        let nameless = try signer.token("{}", header: #"{"alg":"RS256"}"#)
        try signer.keys().verify(SignedToken(parsing: nameless))
        let both = try KeySet(
            parsing: Array("{\"keys\":[\(try Signer.other.get().jwk(["kid": "main"])),\(try signer.jwk())]}".utf8))
        try both.verify(token)
    }

    @Test func verifiesVectorOfRS256() throws {
        let modulus = """
            ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS\
            -pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2C\
            apHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb\
            54h4FRWyuXpoQ
            """
        let token = """
            eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0c\
            nVlfQ.cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdb\
            F9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6\
            _dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0ig\
            cN_IoypGlUPQGe77Rw
            """
        let keys = try KeySet(parsing: Array(#"{"keys":[{"kty":"RSA","e":"AQAB","n":"\#(modulus)"}]}"#.utf8))
        let parsed = try SignedToken(parsing: token)
        try keys.verify(parsed)
        #expect(parsed.claims["iss"]?.string == "joe")
        let tampered = token.replacing(".eyJpc3MiOiJqb2Ui", with: ".eyJpc3MiOiJqb2Yi")
        #expect(try Self.reason(tampered, keys).contains("signature"))
    }

    @Test func rejectsChangedTokens() throws {
        let signer = try Signer.main.get()
        let parts = try signer.token(#"{"sub":"a"}"#).split(separator: ".").map(String.init)
        let body = Base64URL.encode(#"{"sub":"b"}"#.utf8)
        let head = Base64URL.encode(#"{"alg":"RS256"}"#.utf8)
        let keys = try signer.keys()
        #expect(try Self.reason("\(parts[0]).\(body).\(parts[2])", keys).contains("signature"))
        #expect(try Self.reason("\(head).\(parts[1]).\(parts[2])", keys).contains("signature"))
        #expect(try Self.reason("\(parts[0]).\(parts[1]).", keys).contains("signature"))
        let short = Base64URL.encode(try #require(Base64URL.decode(parts[2])).dropLast(3))
        #expect(try Self.reason("\(parts[0]).\(parts[1]).\(short)", keys).contains("signature"))
    }

    @Test func rejectsOtherKeys() throws {
        let (signer, other) = (try Signer.main.get(), try Signer.other.get())
        let token = try signer.token("{}")
        #expect(try Self.reason(token, other.keys(["kid": "main"])).contains("signature"))
        #expect(try Self.reason(token, other.keys()).contains("is not among the server's keys"))
        #expect(try Self.reason(token, signer.keys(["kid": nil])).contains("is not among the server's keys"))
    }

    @Test(
        arguments: [
            "none", "None", "NONE", "nOnE", "HS256", "hs256", "HS384", "HS512", "RS384", "RS512", "PS384", "ES384",
            "ES512",
            "ES256K", "EdDSA", "rs256", "es256", "", " RS256",
        ])
    func rejectsOtherAlgorithms(name: String) throws {
        let signer = try Signer.main.get()
        let token = try signer.token("{}", header: "{\"alg\":\"\(name)\",\"kid\":\"main\"}")
        #expect(try Self.reason(token, signer.keys()).contains("unsupported algorithm “\(name)”"))
    }

    @Test func rejectsForgedAlgorithms() throws {
        let signer = try Signer.main.get()
        let none = "\(Base64URL.encode(#"{"alg":"none"}"#.utf8)).\(Base64URL.encode("{}".utf8))."
        #expect(try Self.reason(none, signer.keys()).contains("“none”"))
        let signed = "\(Base64URL.encode(#"{"alg":"HS256","kid":"main"}"#.utf8)).\(Base64URL.encode("{}".utf8))"
        guard case .rsa(let key) = signer.key else { return }
        for secret in [Data(key.publicKey.pemRepresentation.utf8), key.publicKey.derRepresentation] {
            let code = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: SymmetricKey(data: secret))
            let token = "\(signed).\(Base64URL.encode(Data(code)))"
            #expect(try Self.reason(token, signer.keys()).contains("“HS256”"))
        }
    }

    @Test(arguments: [#"["exp"]"#, "[]", "null"])
    func rejectsCriticalExtensions(value: String) throws {
        let signer = try Signer.main.get()
        let token = try signer.token("{}", header: #"{"alg":"RS256","kid":"main","crit":\#(value)}"#)
        #expect(try Self.reason(token, signer.keys()).contains("extensions"))
    }

    @Test func ignoresSmallKeys() throws {
        let signer = try Signer(id: "small", bits: 1024)
        #expect(try Self.reason(try signer.token("{}"), signer.keys()).contains("is not among the server's keys"))
    }

    @Test(
        arguments: [
            ["use": "enc"], ["kty": "EC"], ["kty": "oct", "k": "c2VjcmV0"], ["n": "?"], ["e": nil], ["n": nil],
            ["kty": nil],
            ["key_ops": "[\"sign\"]"], ["key_ops": "[]"], ["key_ops": "[1]"], ["d": "AQAB"],
        ] as [[String: String?]])
    func ignoresKeysForOtherUses(change: [String: String?]) throws {
        let signer = try Signer.main.get()
        #expect(try Self.reason(try signer.token("{}"), signer.keys(change)).contains("is not among the server's keys"))
    }

    @Test func acceptsKeysWithoutUse() throws {
        let signer = try Signer.main.get()
        try signer.keys(["use": nil, "alg": "RS256"]).verify(SignedToken(parsing: try signer.token("{}")))
        try signer.keys(["key_ops": "[\"verify\",\"wrapKey\"]"]).verify(SignedToken(parsing: try signer.token("{}")))
    }

    @Test func verifiesPS256AndES256() throws {
        let (signer, curve) = (try Signer.main.get(), Signer.curve)
        try signer.keys().verify(SignedToken(parsing: try signer.token("{}", algorithm: "PS256")))
        try signer.keys(["alg": "PS256"]).verify(SignedToken(parsing: try signer.token("{}", algorithm: "PS256")))
        try curve.keys().verify(SignedToken(parsing: try curve.token("{}")))
        let padded = try signer.token("{}", header: #"{"alg":"PS256","kid":"main"}"#, algorithm: "RS256")
        #expect(try Self.reason(padded, signer.keys()).contains("signature"))
    }

    @Test func verifiesVectorOfES256() throws {
        let key = """
            {"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",\
            "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}
            """
        let token = """
            eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0c\
            nVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q
            """
        let keys = try KeySet(parsing: Array(Signer.keySet(key).utf8))
        try keys.verify(SignedToken(parsing: token))
        let tampered = token.replacing(".eyJpc3MiOiJqb2Ui", with: ".eyJpc3MiOiJqb2Yi")
        #expect(try Self.reason(tampered, keys).contains("signature"))
    }

    @Test func rejectsAlgorithmOfOtherKeyType() throws {
        let (signer, curve) = (try Signer.main.get(), Signer.curve)
        let asCurve = try signer.token("{}", header: #"{"alg":"ES256","kid":"main"}"#)
        #expect(try Self.reason(asCurve, signer.keys()).contains("not usable with ES256"))
        let asRSA = try curve.token("{}", header: #"{"alg":"RS256","kid":"curve"}"#)
        #expect(try Self.reason(asRSA, curve.keys()).contains("not usable with RS256"))
        let other = try signer.token("{}", algorithm: "PS256")
        #expect(try Self.reason(other, signer.keys(["alg": "RS256"])).contains("not usable with PS256"))
        #expect(
            try Self.reason(try signer.token("{}"), signer.keys(["alg": "RS512"])).contains("not usable with RS256"))
    }

    @Test(
        arguments: [
            ["x": "AQ"], ["y": nil], ["crv": "P-384"], ["x": String(repeating: "A", count: 43)],
            ["x": String(repeating: "A", count: 44)], ["x": ""],
        ]
            as [[String: String?]])
    func ignoresPointsOutsideCurve(change: [String: String?]) throws {
        #expect(
            try Self.reason(try Signer.curve.token("{}"), Signer.curve.keys(change)).contains(
                "is not among the server's keys"))
    }

    @Test func acceptsShortCoordinates() throws {
        let secret = try #require(Base64URL.decode("3siIxo-upYJWiZCC4rEO6zZsMKcD77ZaT0LtNhbcNeU"))
        let key = try P256.Signing.PrivateKey(rawRepresentation: secret)
        let content = "\(Base64URL.encode(Array(#"{"alg":"ES256"}"#.utf8))).\(Base64URL.encode(Array("{}".utf8)))"
        let signature = Base64URL.encode(Array(try key.signature(for: Data(content.utf8)).rawRepresentation))
        let whole = Array(key.publicKey.rawRepresentation)
        try #require(whole[0] == 0)
        for x in [whole[0..<32], whole[1..<32]] {
            let (x, y) = (Base64URL.encode(Array(x)), Base64URL.encode(Array(whole[32...])))
            let keys = Signer.keySet(#"{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)"}"#)
            try KeySet(parsing: Array(keys.utf8)).verify(SignedToken(parsing: "\(content).\(signature)"))
        }
    }

    @Test func rejectsMalformedES256Signatures() throws {
        let parts = try Signer.curve.token("{}").split(separator: ".").map(String.init)
        for bytes in [
            Array(repeating: UInt8(0), count: 64), Array(repeating: 0xff, count: 64), [0x30, 0x02, 0x02, 0x00],
        ] {
            let token = "\(parts[0]).\(parts[1]).\(Base64URL.encode(bytes))"
            #expect(try Self.reason(token, Signer.curve.keys()).contains("signature"))
        }
    }

    @Test func acceptsKeysWithSharedID() throws {
        let signer = try Signer.main.get()
        let set = Signer.keySet(
            try Signer.curve.jwk(["kid": "main"]), try Signer.other.get().jwk(["kid": "main"]), try signer.jwk())
        try KeySet(parsing: Array(set.utf8)).verify(SignedToken(parsing: try signer.token("{}")))
        let nameless = Signer.keySet(try Signer.other.get().jwk(["kid": nil]), try signer.jwk(["kid": nil]))
        let token = try SignedToken(parsing: try signer.token("{}", header: #"{"alg":"RS256"}"#))
        try KeySet(parsing: Array(nameless.utf8)).verify(token)
    }

    @Test(
        "a key that is not usable is ignored beside the right one, also with its id",
        arguments: [
            #"{"kty":"AKP","alg":"ML-DSA-44","kid":"main","pub":"AAAA"}"#,
            #"{"kty":"LATTICE","kid":"main","use":"sig"}"#, #"{"kid":"main","use":"sig"}"#,
            #"{"kty":"EC","crv":"P-999","kid":"main","x":"AAAA","y":"AAAA"}"#,
            #"{"kty":"OKP","crv":"Ed25519","kid":"main","x":"AAAA"}"#,
            #"{"kty":"RSA","alg":"RS1","kid":"main","n":"AAAA","e":"AQAB"}"#,
            #"{"kty":["RSA"],"kid":5,"use":{},"n":1}"#, #""main""#,
        ])
    func ignoresUnusableKeys(key: String) throws {
        let signer = try Signer.main.get()
        let set = Signer.keySet(key, try signer.jwk())
        try KeySet(parsing: Array(set.utf8)).verify(SignedToken(parsing: try signer.token("{}")))
    }

    @Test(
        arguments: [
            (#"{"alg":"RS256","kid":5}"#, "kid: expected a string, found a number"),
            (#"{"alg":["RS256"]}"#, "not a signed JWT"),
            ("[]", "not a signed JWT"),
        ])
    func rejectsInvalidHeaders(header: String, reason: String) throws {
        let signer = try Signer.main.get()
        #expect(try Self.reason(try signer.token("{}", header: header), signer.keys()).contains(reason))
        for claims in ["[]", #"{"sub":"a","sub":"b"}"#] {
            #expect(try Self.reason(try signer.token(claims), signer.keys()).contains("not a signed JWT"))
        }
    }

    @Test func ignoresKeysInHeader() throws {
        let (signer, other) = (try Signer.main.get(), try Signer.other.get())
        let header = #"{"alg":"RS256","kid":"main","jwk":\#(try other.jwk()),"jku":"https://evil.example/keys"}"#
        #expect(try Self.reason(try other.token("{}", header: header), signer.keys()).contains("signature"))
    }

    @Test func reportsEncryptedToken() throws {
        #expect(try Self.reason("e30.AA.AA.AA.AA", Signer.main.get().keys()).contains("encrypted"))
    }

    @Test(arguments: ["", "<html>", "[]", "{}", #"{"keys":{}}"#])
    func rejectsInvalidKeySets(text: String) {
        #expect(throws: ProtocolViolation.self) { try KeySet(parsing: Array(text.utf8)) }
    }

    @Test(arguments: ["", ".", "..", "a.b", "a.b.c", "e30.e30.", "e30.e30.e30.e30", "e30.e30.e30"])
    func rejectsOtherTexts(text: String) { #expect(throws: ProtocolViolation.self) { try SignedToken(parsing: text) } }
}
