import SusiOAuth
import Testing

/// The redaction of secrets in logs.
@Suite("Redaction")
struct RedactionTests {
    @Test(
        arguments: [
            "Authorization", "Proxy-Authorization", "cookie", "Set-Cookie", "X-Api-Key", "access_token",
            "refresh_token",
            "id_token", "id_token_hint", "code", "code_verifier", "device_code", "password", "client_secret",
            "client_assertion", "client_info", "login_hint", "oob", "continuation_token", "username",
        ])
    func hidesByName(name: String) {
        #expect(Redaction.header(name, "ab") == Redaction.hidden)
        #expect(Redaction.form("\(name)=ab&scope=openid") == "\(name)=[hidden]&scope=openid")
    }

    @Test(
        arguments: [
            "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "0.AXoAbc1-9dEf_GhIjKlMnOpQrStUv",
            "M.C5_BAY.0.U.-CkB2Lh!x9eF4tGhIjKlMnOpQrStUv3*", "9b74c9897bac770ffc029102a200c5de",
            "eyJhbGciO", "dGhpcyBpcyBvcGFxdWU5+/A=", "Bearer abcdefghij0123456789ABCDEFGHIJ",
        ])
    func hidesByShape(secret: String) {
        let shown = Redaction.header("X-Any", "before \(secret) after")
        #expect(shown.contains(Redaction.hidden) && shown.hasPrefix("before ") && shown.hasSuffix(" after"))
        for part in secret.split(whereSeparator: { ".!* ".contains($0) }) where part.count >= 20 {
            #expect(!shown.contains(part))
        }
    }

    @Test(
        arguments: [
            ("Content-Type", "application/json; charset=utf-8"), ("Date", "Sat, 21 Nov 2026 08:55:55 GMT"),
            ("x-ms-request-id", "0f8fad5b-d9cb-469f-a165-70867728950e"), ("token_type", "Bearer"),
            ("Strict-Transport-Security", "max-age=31536000; includeSubDomains"), ("scope", "openid offline_access"),
            ("WWW-Authenticate", #"Bearer error="invalid_token""#), ("Authorization", ""),
            // One character less than a secret has.
            ("X-Version", "Build7Release2026ab"), ("X-Start", "eyJhbGci"),
        ])
    func showsHarmlessValues(name: String, value: String) {
        #expect(Redaction.header(name, value) == value)
    }

    @Test func hidesSecretsInAddress() {
        let address = "https://login.contoso.example/Tenant1/B2C_1_susi/oauth2/v2.0/authorize"
        #expect(Redaction.header("Location", address) == address)
        #expect(
            Redaction.header("Location", "http://localhost:8400/?code=x&state=y#id_token=z")
                == "http://localhost:8400/?code=[hidden]&state=y#id_token=[hidden]")
        #expect(Redaction.form("a=%zz") == Redaction.hidden)
    }
}
