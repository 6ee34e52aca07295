import SusiBase
import SusiPolicies
import Testing

@testable import SusiOAuth

/// Names of people, and handles of accounts.
@Suite("Identity")
struct IdentityTests {
    private static let guid = Contoso.object
    private static let other = "bbbbbbbb-0000-4000-8000-00000000000b"

    @Test(
        "a whole address and a whole identifier are complete names",
        arguments: [
            ("ana@contoso.com", true, false), ("ana@", false, false), ("ana@contoso", false, false),
            ("@contoso.com", false, false), ("ana", false, false), (guid, true, true), (guid.uppercased(), true, true),
            (String(guid.prefix(20)), false, true), (String(guid.prefix(9)), false, true),
            (String(guid.prefix(8)), false, false), ("\(guid)-b2c_1_susi.t", true, true), ("auth0|12", true, true),
            ("1234567890123456", true, true), ("123456789012345", false, false),
            ("abcdefabcdefabcdef", false, false), ("abcdefabcdefabcde1", true, true), ("auth0 |12", false, false),
            ("x|y@contoso", false, false), ("", false, false),
        ])
    func recognizesCompleteNames(text: String, isComplete: Bool, isIdentifier: Bool) {
        #expect(text.isCompleteName == isComplete && text.looksLikeIdentifier == isIdentifier)
    }

    @Test(
        arguments: [
            (guid, guid), (guid.uppercased(), guid), ("\(guid)-b2c_1_susi", guid), ("\(guid)x", nil),
            ("\(guid)_p", nil),
            ("ana", nil), ("", nil), (String(guid.dropLast()), nil), (String(repeating: "a", count: 36), nil),
        ] as [(String, String?)])
    func readsObjectIDOfHandle(uid: String, objectID: String?) {
        #expect(HomeAccountID(uid: uid, utid: "t").objectID == objectID)
    }

    @Test(
        "a display name identifies no person; a text like an identifier is compared with the subject alone",
        arguments: [
            ("ANA@contoso.example", true, true), ("ana.l", true, true), ("Ana Lima", false, true),
            ("s-1", true, true), ("ben@contoso.example", false, true), (guid, false, true),
        ])
    func comparesNames(text: String, isName: Bool, canMatch: Bool) {
        let profile = Profile(name: "Ana Lima", emails: ["ana@contoso.example"], username: "ana.l")
        #expect(profile.matches(text, subject: "s-1") == isName && profile.canMatch(text) == canMatch)
        // Somebody's user name may look like another person's identifier.
        #expect(!Profile(username: Self.guid).matches(Self.guid, subject: "s-1"))
        #expect(Profile(username: Self.guid).matches(Self.guid.uppercased(), subject: Self.guid))
        let nameless = Profile(name: "Ana Lima")
        #expect(!nameless.canMatch("ana@contoso.example") && !nameless.canMatch("ana"))
        #expect(nameless.canMatch(Self.guid))
        #expect(!Profile(username: "ana").canMatch("ana@contoso.example"))
        #expect(Profile(username: "ana@contoso.example").canMatch("ben@contoso.example"))
    }

    @Test(
        "client_info may name another tenant than the signed one only for a guest",
        arguments: [
            (.entra, guid, Contoso.guid.uppercased(), nil, true), (.entra, guid, other, nil, true),
            (.entra, guid, other, "https://sts.windows.net/\(other)/", true),
            (.entra, guid, other, "https://sts.windows.net/\(guid)/", false), (.entra, guid, other, "google.com", true),
            (.entra, guid, "contoso.example", nil, false), (.entra, "common", other, nil, false),
            (.b2c, "contoso.example", other, nil, false), (.external, "contoso.example", other, nil, true),
        ] as [(AuthorityKind, String, String, String?, Bool)])
    func comparesTenants(kind: AuthorityKind, tenant: String, home: String, provider: String?, agrees: Bool) throws {
        let authority = Authority(
            kind: kind, base: try WebAddress("https://login.microsoftonline.com/\(tenant)"), policy: PolicyName("p"))
        let info = try ClientInfo(decoding: Base64URL.encode(#"{"uid":"u","utid":"\#(home)"}"#.utf8))
        let claims = try JSONNode(parsing: (provider.map { #"{"idp":"\#($0)"}"# } ?? "{}").utf8)
        let signed = Tenant(origin: authority.origin, id: Contoso.guid)
        #expect(authority.agrees(info, tenant: signed, claims) == agrees)
    }

    @Test(arguments: [
        ("e30.e30.x", "signed"), ("e30.e30.", "signed"), ("e30.a.b.c.d", "encrypted"), ("e30.e30", "opaque"),
        ("e30", "opaque"), ("e30.e30.x.y", "opaque"), ("W10.e30.x", "opaque"), ("e30.W10.x", "opaque"),
        ("W10.a.b.c.d", "opaque"), ("", "opaque"), ("refresh", "opaque"),
    ])
    func decodesTokens(text: String, form: String) {
        let found =
            switch DecodedToken(text) {
            case .signed: "signed"
            case .encrypted: "encrypted"
            case .opaque: "opaque"
            }
        #expect(found == form)
    }

    @Test(arguments: [
        (#"{"tenant_discovery_endpoint":"https://h/t"}"#, true), (#"{"error":"invalid_instance"}"#, false),
        (#"{"error":"x","tenant_discovery_endpoint":"https://h/t"}"#, false), ("{}", false), ("", false),
        (#"{"tenant_discovery_endpoint":5}"#, false),
    ])
    func readsInstanceDiscovery(body: String, isKnown: Bool) throws {
        let discovery = InstanceDiscovery(of: try Contoso.authority())
        #expect(
            discovery.endpoint.description.contains(
                "authorization_endpoint=https%3A%2F%2Fcontoso.b2clogin.com%2Fcommon"))
        if isKnown {
            try discovery.check(Array(body.utf8))
        } else {
            #expect(throws: discovery.refusal) { try discovery.check(Array(body.utf8)) }
        }
    }
}
