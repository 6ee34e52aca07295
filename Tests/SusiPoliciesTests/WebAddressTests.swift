import SusiPolicies
import Testing

@Suite("Web addresses")
struct WebAddressTests {
    @Test(
        arguments: [
            ("https://Contoso.B2CLogin.com/Contoso", "https://contoso.b2clogin.com/Contoso"),
            ("HTTPS://host", "https://host"), ("https://host/", "https://host"),
            ("https://host//a///b/", "https://host/a/b"),
            ("https://host:443/a", "https://host/a"), ("http://host:80", "http://host"),
            ("https://host:80", "https://host:80"), ("http://host:443", "http://host:443"),
            ("http://localhost:8480/a", "http://localhost:8480/a"), ("http://[::1]:8480/a", "http://[::1]:8480/a"),
            ("http://[::1]", "http://[::1]"), ("https://host/a%C3%A9", "https://host/a%C3%A9"),
            ("https://host/.well-known/x", "https://host/.well-known/x"), ("https://host/a..b", "https://host/a..b"),
            ("https://host/a;..;b/..c;d/;e/100%", "https://host/a;..;b/..c;d/;e/100%"),
        ])
    func canonicalizesAddresses(text: String, expected: String) throws {
        #expect(try WebAddress(text).description == expected)
        #expect(try WebAddress(expected).description == expected)
    }

    @Test(
        arguments: [
            "", "host", "host/path", "//host/path", "https://", "https:///path", "ftp://host", "file:///etc/passwd",
            "javascript:alert(1)", "https://user@host", "https://user:word@host", "https://@host",
            "https://contoso.b2clogin.com@evil.com", "https://host\\@evil.com", "https://host/a\\b", "https://ho st",
            " https://host", "https://host\n", "https://host/é", "https://hóst", "https://host?p=1", "https://host/?",
            "https://host#a", "https://host/#", "https://host:0", "https://host:65536", "https://host:99999999999",
            "https://host:x", "https://host:-1", "https://host/a/../b", "https://host/./b", "https://host/a/..",
            "https://host/%2e%2e/b", "https://host/%2E./b", "https://host/a%2fb", "https://host/a%2Fb",
            "https://host/a%252fb", "https://evil.com%2f.contoso.com", "https://contoso.com%40evil.com",
            "https://evil.com%3f.contoso.com", "https://evil.com%23.contoso.com", "https://evil.com%5c.contoso.com",
            "https://evil.com%00.contoso.com", "https://[::1", "https://::1", "https://host%2ecom",
            "https://host/..;/a", "https://host/a/..;b=c", "https://host/.;", "https://host/..%3b/a",
            "https://host/..%3B", "https://host/%%32e%%32e/a", "https://host/%2%65%2%65", "https://host/a%%32fb",
            "https://host/a%2eb", "https://host/a%5cb", "https://host/a%5Cb", "https://host/a%00b",
        ])
    func rejectsAmbiguousAddresses(text: String) {
        #expect(throws: InvalidAddress.self) { try WebAddress(text) }
    }

    @Test(
        arguments: [
            ("localhost", true), ("LOCALHOST", true), ("127.0.0.1", true), ("127.0.0.2", true),
            ("127.255.255.254", true), ("[::1]", true), ("127.1", false), ("127.0.0.1.evil.com", false),
            ("localhost.evil.com", false), ("evil-localhost", false), ("0x7f.1", false), ("0x7f.0.0.1", false),
            ("0127.0.0.1", false), ("127.0.0.256", false), ("127.0.0.+1", false), ("127.0.0.01", false),
            ("2130706433", false), ("128.0.0.1", false), ("1.127.0.0", false), ("127.0.0", false),
            ("127.0.0.1.", false), ("[::2]", false), ("[::]", false), ("0.0.0.0", false),
        ])
    func recognizesLoopback(host: String, expected: Bool) {
        let address = try? WebAddress("http://\(host)/a")
        #expect((address?.isLoopback ?? false) == expected)
        #expect((address?.isSecure ?? false) == expected)
        #expect((try? WebAddress("https://\(host)/a"))?.isSecure ?? true)
    }

    @Test(
        arguments: [
            ("https://host/api", "https://host/api", true), ("https://host/api", "https://host/api/x", true),
            ("https://host/api/", "https://host/api", true), ("https://host/api", "https://host/apix", false),
            ("https://host/api", "https://host/", false), ("https://host/api", "https://host/API", false),
            ("https://host", "https://host/anything", true), ("https://host", "http://host", false),
            ("https://host", "https://host:8443", false), ("https://host", "https://host.evil.com", false),
            ("https://host:443/a", "https://HOST/a/b", true),
        ])
    func comparesSegments(base: String, other: String, expected: Bool) throws {
        #expect(try WebAddress(base).contains(WebAddress(other)) == expected)
    }
}
