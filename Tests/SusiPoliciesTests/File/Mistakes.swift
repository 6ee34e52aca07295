import Testing

@testable import SusiPolicies

/// A mistake in an otherwise correct file.
struct Mistake: Sendable, CustomTestStringConvertible {
    let name: String
    let old: String
    let new: String
    let line: Int
    let key: String
    let problem: String
    let expected: String?
    let near: String?
    /// Whether a JSON Schema can detect it. It cannot detect contradictions between keys.
    let isInSchema: Bool

    init(
        _ name: String, _ old: String, _ new: String, line: Int, key: String, _ problem: String,
        expected: String? = nil, near: String? = nil, isInSchema: Bool = true
    ) {
        self.name = name
        (self.old, self.new) = (old, new)
        (self.line, self.key, self.problem) = (line, key, problem)
        (self.expected, self.near, self.isInSchema) = (expected, near, isInSchema)
    }

    var testDescription: String { name }

    func text() throws -> String {
        try #require(Self.correct.contains(old))
        return Self.correct.replacing(old, with: new, maxReplacements: 1)
    }

    static let correct = """
        {
          "current": "main",
          "applications": {
            "main": {
              "kind": "b2c",
              "authority": "https://contoso.b2clogin.com/contoso.onmicrosoft.com",
              "clientId": "11111111-1111-1111-1111-111111111111",
              "redirectPorts": [8400, 0],
              "policies": {
                "B2C_1_susi": { "kind": "signUpOrSignIn", "default": true },
                "B2C_1_partner": { "kind": "signUpOrSignIn", "redirectPath": "/back" },
                "B2C_1_reset": { "kind": "passwordReset", "responseMode": "form_post", "idTokenHint": true, "trustedAudiences": ["x"] }
              },
              "knownAuthorities": ["contoso.b2clogin.com"],
              "apis": {
                "hello": {
                  "baseUrl": "https://api.contoso.example/hello",
                  "scopes": ["https://contoso.onmicrosoft.com/hello/demo.read"],
                  "policy": "b2c_1_SUSI"
                }
              }
            }
          }
        }
        """

    private static let application = "applications.main"

    static let all: [Mistake] = ofShape + ofMeaning

    static let ofShape = [
        Mistake(
            "wrong key", #""clientId""#, #""clientID""#, line: 7, key: "\(application).clientID", "unknown",
            expected: "“clientId”", near: "clientId"),
        Mistake(
            "wrong key at the top", #""current""#, #""curent""#, line: 2, key: "curent", "unknown",
            expected: "“current”", near: "current"),
        Mistake(
            "key of nothing", #""redirectPorts""#, #""zzzzzz""#, line: 8, key: "\(application).zzzzzz", "unknown"),
        Mistake(
            "missing key", #""clientId": "11111111-1111-1111-1111-111111111111","#, "", line: 4, key: application,
            "“clientId” is missing", expected: "client"),
        Mistake("wrong type", #""b2c""#, "5", line: 5, key: "\(application).kind", "a number", expected: "“b2c”"),
        Mistake(
            "null", #""b2c""#, "null", line: 5, key: "\(application).kind", "found null", expected: "“b2c”"),
        Mistake(
            "text for a flag", "true", #""true""#, line: 10, key: "\(application).policies.B2C_1_susi.default",
            "found a string", expected: "true or false"),
        Mistake(
            "unknown response mode", "form_post", "fragment", line: 12,
            key: "\(application).policies.B2C_1_reset.responseMode", "unknown value “fragment”",
            expected: "one of “query”, “form_post”"),
        Mistake(
            "unknown kind of tenant", #""b2c""#, #""b3c""#, line: 5, key: "\(application).kind", "unknown value “b3c”",
            expected: "“b2c”", near: "b2c"),
        Mistake(
            "unknown kind of policy", #""passwordReset""#, #""passwordreset""#, line: 12,
            key: "\(application).policies.B2C_1_reset.kind", "unknown", expected: "“passwordReset”",
            near: "passwordReset"),
        Mistake(
            "port too large", "8400", "65536", line: 8, key: "\(application).redirectPorts.0", "65536",
            expected: "0 to 65535"),
        Mistake("port negative", "8400", "-1", line: 8, key: "\(application).redirectPorts.0", "found -1"),
        Mistake("port with a fraction", "8400", "1.5", line: 8, key: "\(application).redirectPorts.0", "found 1.5"),
        Mistake("no ports", "[8400, 0]", "[]", line: 8, key: "\(application).redirectPorts", "empty"),
        Mistake(
            "policy's name with a space", "B2C_1_reset", "B2C 1 reset", line: 12, key: "\(application).policies",
            "invalid key “B2C 1 reset”", expected: "a policy name of letters"),
        Mistake(
            "policy's name that is a step up", "B2C_1_reset", "..", line: 12, key: "\(application).policies",
            "invalid key “..”"),
        Mistake(
            "authority with a query", "contoso.onmicrosoft.com\"", "contoso.onmicrosoft.com?p=B2C_1_susi\"", line: 6,
            key: "\(application).authority", "invalid value", expected: "https address"),
        Mistake(
            "authority without a scheme", "https://contoso.b2clogin.com", "contoso.b2clogin.com", line: 6,
            key: "\(application).authority", "invalid value", expected: "https address"),
        Mistake(
            "scope with a space", "hello/demo.read", "hello/demo.read b", line: 18,
            key: "\(application).apis.hello.scopes.0", "invalid value", expected: "scope without spaces"),
        Mistake(
            "redirect path without a slash", "/back", "back", line: 11,
            key: "\(application).policies.B2C_1_partner.redirectPath", "invalid value", expected: "“/”"),
        Mistake(
            "knownAuthorities as text", #"["contoso.b2clogin.com"]"#, #""contoso.b2clogin.com""#, line: 14,
            key: "\(application).knownAuthorities", "a string", expected: "a list"),
        Mistake(
            "key source", #""applications":"#, #""keySource": "magic", "applications":"#, line: 3, key: "keySource",
            "“magic”", expected: "“secret-service”"),
        Mistake(
            "key command as text", #""applications":"#, #""keyCommand": "pass", "applications":"#, line: 3,
            key: "keyCommand", "a string", expected: "a list"),
        Mistake("a list for the whole", correct, "[]", line: 1, key: "", "a list", expected: "“applications”"),
    ]

    static let ofMeaning = [
        Mistake(
            "two defaults", #"{ "kind": "signUpOrSignIn", "redirectPath""#,
            #"{ "kind": "signUpOrSignIn", "default": true, "redirectPath""#, line: 11,
            key: "\(application).policies.B2C_1_partner.default", "“B2C_1_susi” is already the default",
            expected: "one default", isInSchema: false),
        Mistake(
            "default reset policy", #""passwordReset""#, #""passwordReset", "default": true"#, line: 12,
            key: "\(application).policies.B2C_1_reset.default", "cannot be the default", isInSchema: false),
        Mistake(
            "policies equal but for case", "B2C_1_partner", "B2C_1_SUSI", line: 11,
            key: "\(application).policies.B2C_1_SUSI", "“B2C_1_susi” only in upper and lower case", isInSchema: false),
        Mistake(
            "unknown policy of an API", "b2c_1_SUSI", "B2C_1_sus", line: 19,
            key: "\(application).apis.hello.policy", "no policy “B2C_1_sus”", near: "B2C_1_susi", isInSchema: false),
        Mistake(
            "policy of an API that keeps no account", "b2c_1_SUSI", "B2C_1_reset", line: 19,
            key: "\(application).apis.hello.policy", "B2C_1_reset resets the password and keeps no account",
            expected: "a policy that signs in", isInSchema: false),
        Mistake(
            "http API on a public host", "https://api", "http://api", line: 17,
            key: "\(application).apis.hello.baseUrl", "unencrypted", expected: "https", isInSchema: false),
        Mistake(
            "authority with a policy", "contoso.onmicrosoft.com\"", "contoso.onmicrosoft.com/B2C_1_susi\"", line: 6,
            key: "\(application).authority", "leave out the policy", isInSchema: false),
        Mistake(
            "tfp authority with a policy", "/contoso.onmicrosoft.com\"", "/tfp/contoso.onmicrosoft.com/B2C_1_susi\"",
            line: 6, key: "\(application).authority", "leave out the policy", isInSchema: false),
        Mistake(
            "authority without a tenant", "b2clogin.com/contoso.onmicrosoft.com\"", "b2clogin.com\"", line: 6,
            key: "\(application).authority", "no tenant: write", isInSchema: false),
        Mistake(
            "authority with a user", "https://contoso", "https://a@contoso", line: 6,
            key: "\(application).authority", "contains a user name", isInSchema: false),
        Mistake(
            "known authority with dots", #"["contoso.b2clogin.com"]"#, #"["a.b/.."]"#, line: 14,
            key: "\(application).knownAuthorities.0", "dots", expected: "a host", isInSchema: false),
        Mistake(
            "current unknown", #""current": "main""#, #""current": "mian""#, line: 2, key: "current",
            "no application “mian”", expected: "“main”", near: "main", isInSchema: false),
    ]
}
