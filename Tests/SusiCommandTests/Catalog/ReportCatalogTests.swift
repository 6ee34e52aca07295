import Susi
import SusiEmulator
import SusiTestSupport
import Testing

@testable import SusiCommand

/// Every help page, report and question of the program, once and with typical values, in text files for review.
///
/// A change of wording changes `help.txt`, `reports.txt` or `keys.txt`; the failure says how to compare and accept it.
@Suite("Report catalog", .inTurn, .timeLimit(.minutes(5)))
struct ReportCatalogTests {
    @Test func printsTheReviewedHelp() async throws {
        var text = CommandTree.all.map { Self.session($0.words, CommandTree.help($0.type, columns: 80)) }.joined()
        try await withSusi { susi in
            for topic in HelpTopic.allCases {
                let help = try await susi.run("help", topic.rawValue, environment: ["COLUMNS": "80"]).exits(
                    0, error: "")
                text += Self.session([topic.rawValue], String(help.standardOutput.dropLast()))
            }
            text += "$ susi policies schema    # keys and descriptions\n"
            let schema = try await susi.run("policies", "schema").json()
            text += Self.descriptions(schema, []).joined(separator: "\n") + "\n"
            if let difference = try CatalogFile("help.txt").difference(from: text) { Issue.record("\(difference)") }
        }
    }

    @Test func printsTheReviewedReports() async throws {
        let recording = Recording()
        try await Self.setUp(recording)
        try await withHome { home in
            recording.name(home, as: "/ana")
            try await withLocalTenant(in: home, policies: Self.policies, configure: Self.configure) { tenant in
                recording.name(tenant.emulator.port, as: "8480")
                let susi = RecordedProgram(susi: tenant.susi, recording: recording)
                try await Self.signIn(susi)
                try await Self.showAccounts(susi)
                try await Self.useTokens(susi)
                try await Self.inspect(susi)
                try await Self.changeProfiles(susi)
                try await Self.checkPolicies(susi)
                try await Self.move(susi)
                try await Self.checkStore(susi)
                try await Self.diagnose(susi)
                try await Self.removeAccounts(susi)
            }
        }
        try await Self.emulate(recording)
        try await Self.signInOnAnotherDevice(recording)
        try await Self.demonstrate(recording)
        if let difference = try CatalogFile("reports.txt").difference(from: recording.text) {
            Issue.record("\(difference)")
        }
    }

    @Test(.enabled(if: KernelKeyring.refusal == nil, "the kernel keyring is unavailable"))
    func printsTheReviewedReportsOfKeys() async throws {
        let recording = Recording()
        try await withHome { home in
            recording.name(home, as: "/ana")
            try await withLocalTenant(in: home, policies: Self.policies, configure: Self.configure, signedIn: [.ana]) {
                tenant in
                let susi = RecordedProgram(susi: tenant.susi, recording: recording)
                try await Self.changeKeys(susi)
                _ = try await tenant.susi.run("store", "lock")
            }
        }
        if let difference = try CatalogFile("keys.txt").difference(from: recording.text) {
            Issue.record("\(difference)")
        }
    }

    // MARK: Help

    private static func session(_ words: [String], _ help: String) -> String {
        "$ \((["susi", "help"] + words).joined(separator: " "))\n\(help)\n\n"
    }

    /// Returns the keys of a JSON Schema with their descriptions.
    private static func descriptions(_ schema: JSONNode, _ path: [String]) -> [String] {
        let own = schema["description"]?.string.map { ["\(path.joined(separator: ".")): \($0)"] } ?? []
        let keys = (schema["properties"]?.members ?? []).flatMap { descriptions($0.node, path + [$0.name]) }
        let rest = schema["additionalProperties"].map { descriptions($0, path + ["*"]) } ?? []
        return (path.isEmpty ? [] : own) + keys + rest
    }

    // MARK: A tenant with long token lifetimes, so that a slow machine changes no report

    static func policies(_ text: String) -> String {
        addingPasswordPolicy(to: text).replacing(
            "\"applications\": {\n", with: "\"applications\": {\n\(production)", maxReplacements: 1)
    }

    private static let production = """
            "production": {
              "kind": "b2c", "authority": "https://contoso.b2clogin.com/contoso.onmicrosoft.com", "clientId": "one",
              "redirectPorts": [8400], "policies": { "B2C_1_susi": { "kind": "signUpOrSignIn" } },
              "apis": { "orders": { "baseUrl": "https://api.contoso.example/orders",
                "scopes": ["https://contoso.onmicrosoft.com/orders/read"] } }
            },

        """

    static func configure(_ tenant: inout TenantConfiguration) {
        tenant.lifetimes.accessToken = 86_400
        tenant.lifetimes.idToken = 86_400
    }
}
