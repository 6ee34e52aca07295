import Crypto
import CryptoExtras
import Foundation
import SusiPolicies
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

    @Test("RS256 by the key that is named, or by any when none is")
    func good() throws {
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

    @Test("RFC 7515 appendix A.2")
    func rfc() throws {
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

    @Test("a changed payload, header or signature")
    func tampered() throws {
        let signer = try Signer.main.get()
        let parts = try signer.token(#"{"sub":"a"}"#).split(separator: ".").map(String.init)
        let body = Base64URL.encode(#"{"sub":"b"}"#.utf8)
        let head = Base64URL.encode(#"{"alg":"RS256"}"#.utf8)
        let keys = try signer.keys()
        #expect(try Self.reason("\(parts[0]).\(body).\(parts[2])", keys).contains("signature"))
        #expect(try Self.reason("\(head).\(parts[1]).\(parts[2])", keys).contains("signature"))
        #expect(try Self.reason("\(parts[0]).\(parts[1]).", keys).contains("signature"))
        let short = String(parts[2].dropLast(4))
        #expect(try Self.reason("\(parts[0]).\(parts[1]).\(short)", keys).contains("signature"))
    }

    @Test("another key under the right name, and a name that is not published")
    func otherKey() throws {
        let (signer, other) = (try Signer.main.get(), try Signer.other.get())
        let token = try signer.token("{}")
        #expect(try Self.reason(token, other.keys(["kid": "main"])).contains("signature"))
        #expect(try Self.reason(token, other.keys()).contains("does not publish"))
        #expect(try Self.reason(token, signer.keys(["kid": nil])).contains("does not publish"))
    }

    @Test("no algorithm but RS256", arguments: ["none", "None", "RS384", "PS256", "ES256", "rs256", "HS256", ""])
    func algorithms(name: String) throws {
        let signer = try Signer.main.get()
        let token = try signer.token("{}", header: "{\"alg\":\"\(name)\",\"kid\":\"main\"}")
        #expect(try Self.reason(token, signer.keys()).contains("its algorithm is “\(name)”"))
    }

    @Test("alg none without a signature, and HS256 under the public key")
    func forgeries() throws {
        let signer = try Signer.main.get()
        let none = "\(Base64URL.encode(#"{"alg":"none"}"#.utf8)).\(Base64URL.encode("{}".utf8))."
        #expect(try Self.reason(none, signer.keys()).contains("“none”"))
        let signed = "\(Base64URL.encode(#"{"alg":"HS256","kid":"main"}"#.utf8)).\(Base64URL.encode("{}".utf8))"
        for secret in [Data(signer.key.publicKey.pemRepresentation.utf8), signer.key.publicKey.derRepresentation] {
            let code = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: SymmetricKey(data: secret))
            let token = "\(signed).\(Base64URL.encode(Data(code)))"
            #expect(try Self.reason(token, signer.keys()).contains("“HS256”"))
        }
    }

    @Test("critical extensions", arguments: [#"["exp"]"#, "[]", "null"])
    func critical(value: String) throws {
        let signer = try Signer.main.get()
        let token = try signer.token("{}", header: #"{"alg":"RS256","kid":"main","crit":\#(value)}"#)
        #expect(try Self.reason(token, signer.keys()).contains("extensions"))
    }

    @Test("a key of 1024 bits is passed over")
    func small() throws {
        let signer = try Signer(id: "small", bits: 1024)
        #expect(try Self.reason(try signer.token("{}"), signer.keys()).contains("does not publish"))
    }

    @Test(
        "keys for something else are passed over",
        arguments: [
            ["use": "enc"], ["kty": "EC"], ["alg": "RS512"], ["n": "?"], ["e": nil], ["n": nil], ["kty": nil],
        ] as [[String: String?]])
    func passedOver(change: [String: String?]) throws {
        let signer = try Signer.main.get()
        #expect(try Self.reason(try signer.token("{}"), signer.keys(change)).contains("does not publish"))
    }

    @Test("keys without use and with the algorithm are taken")
    func taken() throws {
        let signer = try Signer.main.get()
        try signer.keys(["use": nil, "alg": "RS256"]).verify(SignedToken(parsing: try signer.token("{}")))
    }

    @Test("no key set", arguments: ["", "<html>", "[]", "{}", #"{"keys":{}}"#])
    func noKeys(text: String) { #expect(throws: ProtocolViolation.self) { try KeySet(parsing: Array(text.utf8)) } }

    @Test("no signed JWT", arguments: ["", ".", "..", "a.b", "a.b.c", "e30.e30.", "e30.e30.e30.e30", "e30.e30.e30"])
    func noToken(text: String) { #expect(throws: ProtocolViolation.self) { try SignedToken(parsing: text) } }
}
