import Foundation
import Susi
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// The reports of mistakes in files: all mistakes at once.
@Suite("Mistakes in files", .inTurn, .timeLimit(.minutes(5)))
struct FileMistakeTests {
    private static let right = PoliciesFile.writtenOutText

    private func change(_ text: String, _ changes: [(String, String)]) throws -> String {
        try changes.reduce(text) { text, change in
            try #require(text.contains(change.0), "\(change.0)")
            return text.replacing(change.0, with: change.1, maxReplacements: 1)
        }
    }

    @Test("a byte order mark is accepted in policies.json, in a tenant file and in a users file")
    func acceptsByteOrderMark() async throws {
        try await withSusi { susi in
            try susi.home.writePolicies("\u{feff}" + Self.right)
            let listed = try await susi.run("policies", "list")
            #expect(listed.status == 0 && listed.standardOutput.contains("B2C_1_susi"), "\(listed)")
            let folder = susi.home.workingFolder
            let tenant = #"{"tenants":{"contoso.onmicrosoft.com":{"kind":"b2c"}}}"#
            for (name, text) in [("tenants.json", tenant), ("users.jsonl", #"{"email":"dot@load.example"}"#)] {
                try Data("\u{feff}\(text)\n".utf8).write(to: URL(filePath: folder.appending(name).string))
            }
            let command = ["emulator", "run", "--port", "0", "--seed", "tenants.json", "--users", "users.jsonl"]
            try await susi.command(command).start { program in
                _ = try await program.waitForLine(containing: "listens at")
            }
        }
    }

    private func mistakes(_ text: String) throws -> PolicyFileError {
        try #require(throws: PolicyFileError.self) { try PoliciesFile(text: text.utf8, source: "policies.json") }
    }

    @Test("comments and trailing commas are reported by name and line, beside other mistakes")
    func namesCommentsAndTrailingCommas() throws {
        let text = try change(
            Self.right,
            [
                ("\"current\": \"local\",", "\"current\": \"local\", // the usual one"),
                ("\"kind\": \"b2c\",", "/* one\n of two lines */ \"kind\": \"b2c\","),
                ("[8400, 8401, 53682]", "[8400, 8401, 65536,\n ]"),
                ("\"kind\": \"editProfile\" }", "\"kind\": \"editProfiel\", }"),
                ("\"knownAuthorities\"", "# known\n\"knownAuthorities\""),
            ])
        expect(
            [
                "line 2: JSON has no comments", "line 5: JSON has no comments",
                "line 9: trailing comma before ]",
                "line 9: “applications.local.redirectPorts.2”: found a number",
                "line 17: trailing comma before }",
                "line 17: “applications.local.policies.B2C_1_edit_profile.kind”: unknown value “editProfiel”",
                "line 20: JSON has no comments",
            ], try mistakes(text))
    }

    /// Expects the mistakes in the order of their lines.
    private func expect(_ starts: [String], _ error: PolicyFileError) {
        let found = SusiError(error, next: "").candidates
        #expect(found.count == starts.count, "\(found)")
        for (line, start) in zip(found, starts) { #expect(line.hasPrefix(start), "\(line)") }
    }

    @Test("all mistakes are reported at once, by line, each with key and expected value")
    func reportsAllMistakesInOrder() async throws {
        let text = try change(
            Self.right,
            [
                ("\"current\": \"local\"", "\"current\": \"lokal\""), ("\"clientId\"", "\"clientID\""),
                ("8401", "\"8401\""), ("\"default\": true", "\"default\": \"yes\""),
                ("\"passwordReset\"", "\"passwordReset\", \"default\": true"),
                ("http://localhost:8480/contoso.onmicrosoft.com\"]", "a.example/..\"]"),
                ("http://localhost:8480/api/hello", "http://api.example/hello"),
                ("\"baseUrl\"", "\"policy\": \"B2C_1_sus\", \"baseUrl\""),
            ])
        expect(
            [
                "line 2: “current”: no application “lokal”", "line 7: “applications.local.clientID”: unknown key",
                "line 8: “applications.local.redirectPorts.1”: found a string",
                "line 10: “applications.local.policies.B2C_1_susi.default”: found a string",
                "line 16: “applications.local.policies.B2C_1_reset.default”: a policy of kind “passwordReset” cannot",
                "line 18: “applications.local.knownAuthorities.0”: ",
                "line 21: “applications.local.apis.hello.policy”: no policy “B2C_1_sus”",
                "line 21: “applications.local.apis.hello.baseUrl”: tokens would be sent unencrypted",
            ], try mistakes(text))
        try await withSusi(policies: text) { susi in
            let outcome = try await susi.run("status", "--json")
            let error = try #require(try JSONNode(parsing: outcome.standardError.utf8)["error"])
            #expect(outcome.status == 5 && error["candidates"]?.array?.count == 8, "\(outcome)")
            let doctor = try await susi.run("doctor")
            #expect(
                doctor.standardOutput.contains("line 2") && doctor.standardOutput.contains("; and 7 more"), "\(doctor)")
        }
    }

    @Test("mistakes beyond the limit are counted; a single one is reported in one line")
    func countsFurtherMistakes() async throws {
        let keys = (1...40).map { "\"nonsense\($0)\": 1," }.joined(separator: "\n")
        let text = try change(Self.right, [("\"kind\": \"b2c\",", "\(keys) \"kind\": \"b2c\",")])
        try await withSusi(policies: text) { susi in
            let many = try await susi.refusal("status")
            #expect(many.text.contains("40 mistakes") && many.text.contains("and 20 more"), "\(many)")
            try susi.home.writePolicies(try change(Self.right, [("\"b2c\"", "\"b2b\"")]))
            let one = try await susi.refusal("status")
            #expect(one.text.contains("policies.json, line 5: “applications.local.kind”"), "\(one)")
        }
    }

    @Test("all mistakes of a tenant file are reported at once")
    func reportsAllMistakesOfTenantFile() async throws {
        let text = """
            {
              // two tenants
              "tenants": {
                "contoso.onmicrosoft.com": {
                  "kind": "b2c", "issuerForm": "trailingSlash",
                  "lifetimes": { "code": "0s", "acessToken": "5m" },
                  "users": [
                    { "email": "ana@contoso.example" },
                    { "email": "ana@contoso.example" },
                    { "displayName": "Ben" },
                  ]
                },
                "other": { "kind": "external", "errors": { "AADB2C1": "x" } }
              }
            }
            """
        try await withSusi { susi in
            let file = susi.home.workingFolder.appending("tenants.json")
            try Data(text.utf8).write(to: URL(filePath: file.string))
            let refused = try await susi.run("emulator", "run", "--port", "0", "--seed", "tenants.json")
            #expect(refused.status == 5, "\(refused)")
            for words in [
                "8 mistakes", "line 2: ", "line 5: “tenants.contoso.onmicrosoft.com.issuerForm”",
                "line 6: “tenants.contoso.onmicrosoft.com.lifetimes.code”", "did you mean “accessToken”?",
                "line 9: “tenants.contoso.onmicrosoft.com.users.1”",
                "line 10: “tenants.contoso.onmicrosoft.com.users.2”", "line 10: trailing comma",
                "line 13: “tenants.other.errors.AADB2C1”",
            ] { #expect(refused.standardError.contains(words), "\(words) in \(refused.standardError)") }
        }
    }
}
