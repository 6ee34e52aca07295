import Foundation
import SusiTestSupport
import SystemPackage
import Testing

/// A program that uses a library of another stack; a script in `Tests/Examples`, whose first line says what it needs.
struct ForeignProgram: Sendable {
    private static let folder = ReadmeTests.root.appending("Tests/Examples")

    /// The settings of the application, as they are for the cloud.
    static let settings = """
        {
          "AzureAdB2C": {
            "Instance": "https://fabrikam.b2clogin.com",
            "Domain": "fabrikam.onmicrosoft.com",
            "ClientId": "3f1c9a52-6d0b-4a7e-9c83-5b2e7d41f680",
            "SignUpSignInPolicyId": "B2C_1_signin",
            "EditProfilePolicyId": "B2C_1_edit"
          }
        }
        """

    /// The manual's own tenant file with further redirect addresses: of the programs, and of `susi` as the application of the page.
    static func tenants(issuerForm: String = "tenant", pagePort: UInt16, susiPort: UInt16 = 8400) throws -> String {
        let page = try #require(try Manuals.yourApplication.read().blocks("json").first)
        let more = ["getAToken", "callback"].map { "\"http://localhost:5000/\($0)\", " }.joined()
        let changes = [
            ("\"kind\": \"b2c\",", "\"kind\": \"b2c\", \"issuerForm\": \"\(issuerForm)\","),
            ("\"web\": [", "\"redirectPorts\": \"any\", \"web\": [\(more)"),
            (
                "{ \"spa\": [\"http://localhost:5173/\"] }",
                """
                {
                  "spa": ["http://localhost:\(pagePort)/"], "native": ["http://localhost:\(susiPort)/"]
                },
                "44444444-4444-4444-4444-444444444444": {
                  "spa": ["http://localhost:\(pagePort)/"], "coopEnforcement": true
                }
                """
            ),
        ]
        return try changes.reduce(page) { text, change in
            try #require(text.contains(change.0))
            return text.replacing(change.0, with: change.1)
        }
    }

    let script: FilePath

    init(_ name: String) { script = Self.folder.appending("\(name).sh") }

    /// Whether this machine has what it needs. Required if `SUSI_DEMAND_FOREIGN` is set.
    var canRun: Bool {
        get async {
            if TestEnvironment.variable("SUSI_DEMAND_FOREIGN") != nil { return true }
            let text = try? String(contentsOfFile: script.string, encoding: .utf8)
            guard let needs = text?.prefixMatch(of: #/# needs: ([^\n]+)/#)?.1 else { return true }
            let path = ["PATH": TestEnvironment.path]
            return (try? await Program("/bin/sh", ["-c", String(needs)], environment: path).run().status) == 0
        }
    }

    /// The variables that the scripts read, except those of the emulator.
    static func environment(_ susi: SusiBinary) -> [String: String] {
        let support = ReadmeTests.root.appending("Tests/SusiEmulatorTests").string
        let own = [
            "TENANT": "fabrikam.onmicrosoft.com", "TENANT_ID": "7f0b5c6e-2222-4e4e-9a9a-0123456789ab",
            "POLICY": "B2C_1_signin", "CLIENT_ID": "3f1c9a52-6d0b-4a7e-9c83-5b2e7d41f680",
            "SPA_ID": "8d7c4b52-1a0e-4c39-8f6d-2e9b0c7a5d14", "SECRET": "local-secret",
            "API_ID": "9c1b7a11-5c3d-4a2f-8d5e-1f2a3b4c5d6e",
            "SCOPE": "https://fabrikam.onmicrosoft.com/hello/demo.read", "WORK": susi.home.workingFolder.string,
            "HERE": folder.string, "PYTHONPATH": "\(support):\(folder)", "PYTHONDONTWRITEBYTECODE": "1",
            "SUSI": susi.path.string, "VISITOR": "\(support)/visitor.py",
            // Beside the program, so that Go compiles its own library once.
            "GO_CACHE": susi.path.removingLastComponent().appending("go-cache").string,
        ]
        return susi.home.environment.merging(own) { $1 }
    }
}
