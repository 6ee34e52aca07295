import Susi
import SusiTestSupport

/// Mistakes in files of users.
extension ErrorCatalog {
    private static let mistakes: [(String, String)] = [
        ("\"kind\": \"b2c\"", "\"kind\": \"b2b\""), ("\"clientId\"", "\"clientID\""), ("[8400,", "[\"8400\","),
        ("[8400, 8401, 53682]", "[]"), ("\"current\": \"local\"", "\"current\": \"lokal\""),
        ("\"kind\": \"editProfile\"", "\"kind\": \"editProfile\", \"default\": true"),
        ("\"default\": true", "\"default\": true, \"authority\": \"ftp://x\""),
        ("\"B2C_1_reset\"", "\"b2c_1_SUSI\""), ("\"B2C_1_reset\"", "\"B2C 1 reset\""),
        ("http://localhost:8480/api/hello", "http://api.example/hello"),
        ("\"baseUrl\"", "\"policy\": \"B2C_1_sus\", \"baseUrl\""),
        ("http://localhost:8480/contoso.onmicrosoft.com\",", "http://localhost:8480/contoso/B2C_1_susi\","),
        ("http://localhost:8480/contoso.onmicrosoft.com\",", "http://localhost:8480\","),
        ("http://localhost:8480/contoso.onmicrosoft.com\",", "https://login.microsoftonline.com/contoso\","),
        ("\"kind\": \"b2c\"", "\"kind\": \"openid\", \"policyIn\": \"query\""),
        ("\"current\"", "\"keySource\": \"memory\", \"current\""),
        ("\"current\"", "\"keySource\": \"file\", \"current\""), ("\"current\"", "// a comment\n\"current\""),
        ("53682]", "53682,]"), ("\"apis\"", "\"apis"), ("\"apis\"", "apis"), ("\"apis\":", "\"apis\""), ("{", "{ 1"),
        ("{", ""),
        ("8400", "08400"), ("8400", "1."), ("\"local\"", "\"\\x\""), ("\"local\"", "\"\\u12\""),
        ("\"local\"", "\"\\ud83d\""),
        ("\"kind\": \"b2c\",", "\"kind\": \"b2c\", \"kind\": \"b2c\","),
    ]

    mutating func addFiles() async throws {
        section("Mistakes in policies.json")
        let right = PoliciesFile.writtenOutText
        var texts = Self.mistakes.map { right.replacing($0.0, with: $0.1, maxReplacements: 1) }
        texts += [
            "", "{ \"applications\": {} }", String(right.dropLast(20)), right + "1", "\u{fffd}", "[[", "{ \"a\": tru }",
        ]
        for text in texts {
            do {
                let file = try PoliciesFile(text: text.utf8, source: "policies.json")
                try file.checkIsForAnybody()
            } catch { add(error) }
        }
    }
}
