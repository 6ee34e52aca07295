import SusiBase
import SusiPolicies
import Testing

@Suite("Authorities")
struct AuthorityTests {
    static let guid = "775527ff-9a37-4307-8b3d-cc311f58d925"
    static let other = "00000000-9a37-4307-8b3d-cc311f58d925"

    static func authority(_ base: String, _ policy: String = "B2C_1_susi") throws -> Authority {
        Authority(kind: .b2c, base: try WebAddress(base), policy: PolicyName(policy))
    }

    @Test func comparesNamesWithoutCase() {
        let (one, two) = (PolicyName("B2C_1_SuSi"), PolicyName("b2c_1_susi"))
        #expect(one == two)
        #expect(Set([one, two]).count == 1)
        #expect(one.description == "B2C_1_SuSi")
        #expect(one.lowercased == "b2c_1_susi")
        #expect(one != PolicyName("B2C_1_susi_x"))
        #expect(one != PolicyName("susi"))
    }

    @Test(
        arguments: [
            (
                "https://c.b2clogin.com/c.onmicrosoft.com",
                "https://c.b2clogin.com/c.onmicrosoft.com/B2C_1_susi/v2.0/.well-known/openid-configuration"
            ),
            (
                "https://c.b2clogin.com/tfp/c.onmicrosoft.com/",
                "https://c.b2clogin.com/tfp/c.onmicrosoft.com/B2C_1_susi/v2.0/.well-known/openid-configuration"
            ),
            (
                "https://c.b2clogin.com/\(guid)",
                "https://c.b2clogin.com/\(guid)/B2C_1_susi/v2.0/.well-known/openid-configuration"
            ),
        ])
    func makesDiscoveryAddress(base: String, expected: String) throws {
        #expect(try Self.authority(base).discovery.description == expected)
    }

    @Test func readsTenantOfBase() throws {
        #expect(try Self.authority("https://c.b2clogin.com/c.onmicrosoft.com").tenant == "c.onmicrosoft.com")
        #expect(try Self.authority("https://c.b2clogin.com/tfp/c.onmicrosoft.com").tenant == "c.onmicrosoft.com")
        #expect(try Self.authority("https://c.b2clogin.com/C.onmicrosoft.com").tenant == "C.onmicrosoft.com")
    }

    static let issuers: [(String, Bool)] = [
        ("https://c.b2clogin.com/\(guid)/v2.0/", true),
        ("https://c.b2clogin.com/\(guid.uppercased())/v2.0/", true),
        ("https://C.B2CLOGIN.com/\(guid)/v2.0/", true),
        ("https://c.b2clogin.com/tfp/\(guid)/B2C_1_susi/v2.0/", true),
        ("https://c.b2clogin.com/tfp/\(guid)/b2c_1_SUSI/v2.0/", true),
        ("https://c.b2clogin.com/\(guid)/v2.0", false),
        ("https://c.b2clogin.com/tfp/\(guid)/B2C_1_susi/v2.0", false),
        ("https://c.b2clogin.com/tfp/\(guid)/B2C_1_reset/v2.0/", false),
        ("https://c.b2clogin.com/tfp/\(guid)/v2.0/", false),
        ("https://c.b2clogin.com/\(guid)/B2C_1_susi/v2.0/", false),
        ("https://c.b2clogin.com/\(guid)/v1.0/", false),
        ("https://c.b2clogin.com/\(guid)/", false),
        ("https://c.b2clogin.com/c.onmicrosoft.com/v2.0/", false),
        ("https://c.b2clogin.com/\(guid)x/v2.0/", false),
        ("https://c.b2clogin.com/\(guid.replacing("-", with: ""))/v2.0/", false),
        ("https://evil.com/\(guid)/v2.0/", false),
        ("https://c.b2clogin.com.evil.com/\(guid)/v2.0/", false),
        ("https://c.b2clogin.com:8443/\(guid)/v2.0/", false),
        ("http://c.b2clogin.com/\(guid)/v2.0/", false),
        ("https://c.b2clogin.com@evil.com/\(guid)/v2.0/", false),
        ("https://c.b2clogin.com/\(guid)/v2.0/?x=/", false),
        ("", false), ("/", false),
    ]

    @Test(arguments: issuers)
    func checksIssuer(issuer: String, expected: Bool) throws {
        let authority = try Self.authority("https://c.b2clogin.com/c.onmicrosoft.com")
        let tenant = try? authority.tenant(ofIssuer: issuer)
        #expect(tenant?.id == (expected ? Self.guid : nil))
        #expect(tenant?.origin == (expected ? "https://c.b2clogin.com" : nil))
    }

    @Test(
        arguments: [
            ("https://login.microsoftonline.com/contoso.onmicrosoft.com", "https://contoso.b2clogin.com"),
            ("https://login.microsoftonline.com/tfp/contoso.onmicrosoft.com", "https://contoso.b2clogin.com"),
            ("https://login.microsoftonline.com/\(guid)", nil),
            ("https://login.contoso.example/contoso.onmicrosoft.com", nil),
        ] as [(String, String?)])
    func replacesAddressesOfTheWorkforceService(base: String, host: String?) throws {
        let found = AuthorityKind.b2c.replacement(for: try WebAddress(base))
        #expect(found?.description == host.map { "\($0)/contoso.onmicrosoft.com" })
    }

    @Test func rejectsOtherGUIDs() throws {
        for base in ["https://c.b2clogin.com/\(Self.guid.uppercased())", "https://c.b2clogin.com/tfp/\(Self.guid)"] {
            let authority = try Self.authority(base)
            #expect(try authority.tenant(ofIssuer: "https://c.b2clogin.com/\(Self.guid)/v2.0/").id == Self.guid)
            for path in [Self.other, "tfp/\(Self.other)/B2C_1_susi"] {
                #expect(throws: InvalidInput.self) {
                    try authority.tenant(ofIssuer: "https://c.b2clogin.com/\(path)/v2.0/")
                }
            }
        }
    }
}
