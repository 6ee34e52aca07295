import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// The applications that a command of `susi emulator exec` finds are those of the file in use.
@Suite("Policies of an emulator for one command", .inTurn, .timeLimit(.minutes(5)))
struct ExecPoliciesTests {
    /// A file with every key of an application, whose tenant and API are at `origin`.
    private static func policies(_ origin: String) -> String {
        let tenant = "\(origin)/contoso.onmicrosoft.com"
        return """
            { "current": "other", "applications": {
              "other": { "kind": "b2c", "authority": "\(tenant)", "clientId": "0ther",
                "policies": { "B2C_1_ropc": { "kind": "resourceOwner" } } },
              "dev": { "kind": "b2c", "authority": "\(tenant)", "clientId": "3f1c9a52-6d0b-4a7e-9c83-5b2e7d41f680",
                "policyIn": "query", "redirectPorts": [53001, 0], "redirectHost": "127.0.0.1",
                "policies": {
                  "B2C_1_main": { "kind": "signUpOrSignIn", "default": true, "redirectPath": "/back" },
                  "B2C_1_more": { "kind": "signUpOrSignIn", "authority": "\(tenant)", "scopes": ["https://x/orders/read"],
                    "responseMode": "form_post", "idTokenHint": true,
                    "offlineAccess": false, "trustedAudiences": ["another"] },
                  "B2C_1_ropc": { "kind": "resourceOwner" } },
                "knownAuthorities": ["\(tenant)", "\(origin)"],
                "apis": { "orders": { "baseUrl": "\(origin)/api/orders", "scopes": ["https://x/orders/read"],
                  "policy": "B2C_1_more" } } } } }
            """
    }

    private static let local = "http://localhost:8480"
    private static let cloud = "https://contoso.b2clogin.com"

    /// Returns the values of a file by their keys, with ORIGIN in place of that origin.
    private static func values(_ text: String, _ origin: String) throws -> [String: JSONNode.Content] {
        var found: [String: JSONNode.Content] = [:]
        func visit(_ node: JSONNode, _ key: [String]) {
            guard node.isObject else {
                let text = JSONText.compact(node).replacing(origin, with: "ORIGIN")
                found[key.joined(separator: " ")] = .string(text)
                return
            }
            for member in node.members { visit(member.node, key + [member.name]) }
        }
        visit(try JSONNode(parsing: text.utf8), [])
        return found
    }

    /// The keys of the schema of policies.json; “*” is a name.
    private static func keys() throws -> Set<String> {
        var found: Set<String> = []
        func visit(_ schema: JSONNode, _ key: [String]) {
            if let fields = schema["properties"] {
                for field in fields.members { visit(field.node, key + [field.name]) }
            } else if let element = schema["additionalProperties"], element.isObject {
                visit(element, key + ["*"])
            } else {
                found.insert(key.joined(separator: " "))
            }
        }
        visit(try JSONNode(parsing: PoliciesSchema.text().utf8), [])
        // An editor's, those that only the user's own file may have, and the mark of a copy.
        return found.subtracting(["$schema", "keySource", "keyCommand", "applications * copyOf"])
    }

    private static func pattern(_ key: String) -> String {
        let words = key.split(separator: " ").map(String.init)
        return words.indices.map { [1, 3].contains($0) ? "*" : words[$0] }.joined(separator: " ")
    }

    private func exec(_ susi: SusiBinary, _ options: String...) async throws -> (text: String, origin: String) {
        let script = ["-A", "dev", "sh", "-c", "echo $SUSI_EMULATOR_ORIGIN; cat $SUSI_CONFIG"]
        let ran = try await susi.command(["emulator", "exec"] + options + script).run().exits(0)
        let lines = ran.standardOutput.split(separator: "\n", maxSplits: 1).map(String.init)
        return (lines[1], lines[0])
    }

    /// Returns the file that `emulator run` writes at other ports than those of the file in use.
    private func written(_ susi: SusiBinary) async throws -> (text: String, origin: String) {
        let command = susi.command(["emulator", "run", "-A", "dev", "--port", "0"], input: .open)
        return try await command.start { program in
            let line = try await program.waitForLine(containing: "listens at http://localhost:")
            let path = try await program.waitForLine(containing: "  policies ").split(separator: " ").last ?? ""
            return (try FilePath(String(path)).text(), String(line.split(separator: " ").last ?? ""))
        }
    }

    @Test("run, exec and exec --as-cloud give susi the application with every key of the file")
    func keepsEveryKey() async throws {
        try await withSusi { susi in
            try susi.home.writePolicies(Self.policies(Self.local))
            var expected = try Self.values(Self.policies(Self.local), Self.local)
            expected["current"] = .string("\"dev\"")
            #expect(try Set(expected.keys.map(Self.pattern)) == Self.keys(), "a key of the schema is missing here")
            expected["applications other redirectPorts"] = .string("[0]")
            let ran = try await written(susi)
            #expect(try Self.values(ran.text, ran.origin) == expected)
            let onThisMachine = try await exec(susi)
            #expect(try Self.values(onThisMachine.text, onThisMachine.origin) == expected)
            try susi.home.writePolicies(Self.policies(Self.cloud))
            let asCloud = try await exec(susi, "--as-cloud", "--offline")
            #expect(try Self.values(asCloud.text, Self.cloud) == expected)
            // The copy has one address.
            expected["applications dev policies B2C_1_more authority"] = nil
            for name in ["dev", "other"] {
                expected["applications \(name) copyOf"] = .string("\"\(Self.cloud)/contoso.onmicrosoft.com\"")
            }
            let copy = try await exec(susi)
            #expect(try Self.values(copy.text, copy.origin) == expected)
        }
    }
}
