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
            try await susi.run("policies", "list").exits(0, printing: "B2C_1_susi")
            let folder = susi.home.workingFolder
            let tenant = #"{"tenants":{"contoso.onmicrosoft.com":{"kind":"b2c","usersFile":"users.jsonl"}}}"#
            for (name, text) in [("tenants.json", tenant), ("users.jsonl", #"{"email":"dot@load.example"}"#)] {
                try folder.appending(name).write("\u{feff}\(text)\n")
            }
            let command = ["emulator", "run", "--port", "0", "--seed", "tenants.json"]
            try await susi.command(command).start { program in
                _ = try await program.waitForLine(containing: "listens at")
            }
        }
    }

    @Test("all mistakes are reported at once, and no other file is made")
    func reportsAllMistakes() async throws {
        let text = try change(Self.right, [("\"current\": \"local\"", "\"current\": \"lokal\""), ("8401", "\"8401\"")])
        try await withSusi(policies: text) { susi in
            let outcome = try await susi.run("status", "--json")
            let error = try #require(try JSONNode(parsing: outcome.standardError.utf8)["error"])
            #expect(outcome.status == 5 && error["candidates"]?.array?.count == 2, "\(outcome)")
            #expect(try susi.home.susiHome.names() == ["policies.json"])
            let doctor = try await susi.run("doctor")
            #expect(
                doctor.standardOutput.contains("line 2") && doctor.standardOutput.contains("; and 1 more"), "\(doctor)")
        }
    }

    @Test("mistakes beyond the limit are counted; a single one is reported in one line")
    func countsFurtherMistakes() async throws {
        let keys = (1...40).map { "\"nonsense\($0)\": 1," }.joined(separator: "\n")
        let text = try change(Self.right, [("\"kind\": \"b2c\",", "\(keys) \"kind\": \"b2c\",")])
        try await withSusi(policies: text) { susi in
            try await susi.refusal("status").exits(5, saying: "40 mistakes", "and 20 more")
            try susi.home.writePolicies(try change(Self.right, [("\"b2c\"", "\"b2b\"")]))
            try await susi.refusal("status").exits(5, saying: "policies.json, line 5: “applications.local.kind”")
        }
    }

    @Test("all mistakes of a tenant file are reported at once")
    func reportsAllMistakesOfTenantFile() async throws {
        let text = """
            {
              "tenants": {
                "contoso.onmicrosoft.com": {
                  "kind": "b2c", "lifetimes": { "code": "0s", "acessToken": "5m" },
                  "users": [{ "displayName": "Ben" },]
                },
                "other": { "kind": "external", "errors": { "AADB2C1": "x" } }
              }
            }
            """
        try await withSusi { susi in
            let file = susi.home.work("tenants.json")
            try file.write(text)
            try await susi.run("emulator", "run", "--port", "0", "--seed", "tenants.json").exits(
                5, saying: "5 mistakes", "line 4: “tenants.contoso.onmicrosoft.com.lifetimes.code”",
                "did you mean “accessToken”?", "line 5: “tenants.contoso.onmicrosoft.com.users.0”",
                "line 5: trailing comma", "line 7: “tenants.other.errors.AADB2C1”")
        }
    }
}
