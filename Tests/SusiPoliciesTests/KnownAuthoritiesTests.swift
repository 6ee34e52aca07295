import Testing

@testable import SusiPolicies

@Suite("Known authorities")
struct KnownAuthoritiesTests {
    static let base = "https://contoso.b2clogin.com/contoso.onmicrosoft.com"

    static let cases: [(entry: String, base: String, isAllowed: Bool)] = [
        ("contoso.b2clogin.com", base, true),
        ("https://contoso.b2clogin.com", base, true),
        ("https://contoso.b2clogin.com/", base, true),
        ("contoso.b2clogin.com:443", base, true),
        ("CONTOSO.b2clogin.com", base, true),
        ("contoso.b2clogin.com/contoso.onmicrosoft.com", base, true),
        ("contoso.b2clogin.com/Contoso.OnMicrosoft.com", base, true),
        ("\(base)/B2C_1_susi", base, true),
        ("\(base)/b2c_1_SUSI/", base, true),
        ("https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_susi", base, true),
        (base, "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com", true),
        ("\(base)/B2C_1_reset", base, false),
        ("\(base)/B2C_1_susi/v2.0", base, false),
        ("\(base)/B2C_1_sus", base, false),
        ("contoso.b2clogin.com/fabrikam.onmicrosoft.com", base, false),
        ("contoso.b2clogin.com/contoso.onmicrosoft.co", base, false),
        ("contoso.b2clogin.com:8443", base, false),
        ("http://contoso.b2clogin.com", base, false),
        ("b2clogin.com", base, false),
        ("fabrikam.b2clogin.com", base, false),
        ("contoso.b2clogin.com", "https://evil-contoso.b2clogin.com/contoso.onmicrosoft.com", false),
        ("contoso.b2clogin.com", "https://contoso.b2clogin.com.evil.com/contoso.onmicrosoft.com", false),
        ("contoso.b2clogin.com", "https://contoso.b2clogin.com.:443/contoso.onmicrosoft.com", false),
        ("contoso.b2clogin.com", "https://contoso.b2clogin.com:8443/contoso.onmicrosoft.com", false),
        ("http://localhost:8480", "http://localhost:8480/contoso.onmicrosoft.com", true),
        ("localhost:8480", "http://localhost:8480/contoso.onmicrosoft.com", false),
        ("http://localhost:8480", "http://localhost:8481/contoso.onmicrosoft.com", false),
        ("http://localhost:8480", "http://127.0.0.1:8480/contoso.onmicrosoft.com", false),
    ]

    @Test(arguments: cases)
    func decidesByEntry(entry: String, base: String, isAllowed: Bool) throws {
        try Self.check(entry, for: try AuthorityTests.authority(base), isAllowed: isAllowed)
    }

    /// Expects that the entry alone allows the authority, or else that the one that is missing does.
    static func check(_ entry: String, for authority: Authority, isAllowed: Bool) throws {
        let entry = try KnownAuthorities.Entry(entry)
        switch KnownAuthorities([entry]).decision(for: authority) {
        case .allowed(let by): #expect(isAllowed && by == entry)
        case .refused(let refusal):
            #expect(!isAllowed, "\(refusal)")
            let missing = try KnownAuthorities.Entry(#require(refusal.missing))
            #expect(KnownAuthorities([entry, missing]).decision(for: authority) == .allowed(by: missing))
        }
    }

    @Test func allowsNothingByEmptyList() throws {
        let authority = try AuthorityTests.authority(Self.base)
        let expected = KnownAuthorities.Refusal(
            authority: authority, reason: "no entry of knownAuthorities allows it", missing: Self.base)
        #expect(KnownAuthorities([]).decision(for: authority) == .refused(expected))
    }

    @Test(arguments: ["evil.com", "0127.0.0.1"])
    func refusesPlainHTTP(host: String) throws {
        let authority = try AuthorityTests.authority("http://\(host)/contoso.onmicrosoft.com")
        let known = KnownAuthorities([try KnownAuthorities.Entry("http://\(host)")])
        guard case .refused(let refusal) = known.decision(for: authority) else {
            Issue.record("it was allowed")
            return
        }
        #expect(refusal.missing == nil)
        #expect(refusal.reason.contains("plain http"))
    }

    @Test(
        "an entry that is no address",
        arguments: ["", "https://", "a b", "user@host", "host?x", "ftp://host", "host/tfp"])
    func rejectsInvalidEntry(text: String) {
        #expect(throws: InvalidAddress.self) { try KnownAuthorities.Entry(text) }
    }
}
