import Foundation
import Susi
import SusiTestSupport
import SystemPackage
import Testing

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

    @Test("comments and trailing commas are reported by name and line, beside other mistakes")
    func namesCommentsAndTrailingCommas() async throws {
        let text = try change(
            Self.right,
            [
                ("\"current\": \"local\",", "\"current\": \"local\", // the usual one"),
                ("\"kind\": \"b2c\",", "/* one\n of two lines */ \"kind\": \"b2c\","),
                ("[8400, 8401, 53682]", "[8400, 8401, 65536,\n ]"),
                ("\"kind\": \"editProfile\" }", "\"kind\": \"editProfiel\", }"),
                ("\"knownAuthorities\"", "# known\n\"knownAuthorities\""),
            ])
        try await withSusi { susi in
            try susi.home.writePolicies(text)
            let outcome = try await susi.run("status")
            #expect(outcome.status == 5, "\(outcome)")
            for words in [
                "7 mistakes", "line 2: JSON has no comments", "line 5: JSON has no comments",
                "line 9: “applications.local.redirectPorts.2”: found a number; expected a port from 0 to 65535",
                "line 9: trailing comma before ]", "line 17: trailing comma before }",
                "line 17: “applications.local.policies.B2C_1_edit_profile.kind”: unknown value “editProfiel”",
                "did you mean “editProfile”?", "line 20: JSON has no comments", "next: ",
            ] { #expect(outcome.standardError.contains(words), "\(words) in \(outcome.standardError)") }
        }
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
        try await withSusi { susi in
            try susi.home.writePolicies(text)
            let outcome = try await susi.run("status", "--json")
            #expect(outcome.status == 5)
            let error = try #require(try JSONNode(parsing: outcome.standardError.utf8)["error"])
            #expect(error["what"]?.string?.hasSuffix("policies.json has 8 mistakes") == true, "\(outcome)")
            let found = try #require(error["candidates"]?.strings)
            let starts = [
                "line 2: “current”: no application “lokal”",
                "line 7: “applications.local.clientID”: unknown key",
                "line 8: “applications.local.redirectPorts.1”: found a string",
                "line 10: “applications.local.policies.B2C_1_susi.default”: found a string",
                "line 16: “applications.local.policies.B2C_1_reset.default”: a policy of kind “passwordReset” cannot",
                "line 18: “applications.local.knownAuthorities.0”: ",
                "line 21: “applications.local.apis.hello.policy”: no policy “B2C_1_sus”",
                "line 21: “applications.local.apis.hello.baseUrl”: tokens would be sent unencrypted",
            ]
            try #require(found.count == starts.count, "\(found)")
            for (line, start) in zip(found, starts) { #expect(line.hasPrefix(start), "\(line)") }
            #expect(found[1].hasSuffix("did you mean “clientId”?") && found[3].contains("; expected true or false"))
            let doctor = try await susi.run("doctor")
            #expect(
                doctor.standardOutput.contains("line 2") && doctor.standardOutput.contains("; and 7 more"), "\(doctor)")
        }
    }

    @Test("mistakes beyond the limit are counted; a single one is reported in one line")
    func countsFurtherMistakes() async throws {
        try await withSusi { susi in
            let keys = (1...40).map { "\"nonsense\($0)\": 1," }.joined(separator: "\n")
            try susi.home.writePolicies(try change(Self.right, [("\"kind\": \"b2c\",", "\(keys) \"kind\": \"b2c\",")]))
            let outcome = try await susi.run("status")
            #expect(outcome.standardError.contains("has 40 mistakes"), "\(outcome)")
            #expect(outcome.standardError.contains("and 20 more"), "\(outcome)")
            try susi.home.writePolicies(try change(Self.right, [("\"b2c\"", "\"b2b\"")]))
            let one = try await susi.run("status")
            #expect(one.standardError.contains("policies.json, line 5: “applications.local.kind”"), "\(one)")
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
                "tenants.json has 8 mistakes", "line 2: JSON has no comments",
                "line 5: “tenants.contoso.onmicrosoft.com.issuerForm”",
                "line 6: “tenants.contoso.onmicrosoft.com.lifetimes.code”", "did you mean “accessToken”?",
                "line 9: “tenants.contoso.onmicrosoft.com.users.1”: duplicate name “ana@contoso.example”",
                "line 10: “tenants.contoso.onmicrosoft.com.users.2”", "line 10: trailing comma before ]",
                "line 13: “tenants.other.errors.AADB2C1”",
            ] { #expect(refused.standardError.contains(words), "\(words) in \(refused.standardError)") }
        }
    }
}
