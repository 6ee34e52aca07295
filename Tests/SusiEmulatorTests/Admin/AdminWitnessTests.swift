import Foundation
import HTTPTypes
import Subprocess
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiBase
@testable import SusiEmulator
@testable import SusiPolicies

/// The admin API, checked by Python libraries against its own description, and by the commands in its article.
@Suite("Admin API description", .inTurn, .timeLimit(.minutes(5)))
struct AdminWitnessTests {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    @Test(
        "has an OpenAPI description that each operation and response matches",
        .enabled(
            "python3 with openapi-spec-validator is missing",
            { await TestEnvironment.hasPython("openapi_spec_validator") })
    )
    func matchesDescription() async throws {
        try await withFixture { fixture in
            let result = try await Subprocess.run(
                .path(try #require(TestEnvironment.program("python3"))),
                arguments: [
                    Self.tests.appending(path: "admin_witness.py").path, fixture.emulator.origin,
                    fixture.folder.appending("admin-secret").string,
                ], output: .string(limit: 10_000), error: .string(limit: 20_000))
            #expect(result.terminationStatus.isSuccess, "\(result.standardError)")
            let said = result.standardOutput
            #expect(said.hasPrefix("admin: OpenAPI 3.1.0, \(AdminRoute.table.count) operations, "), "\(said)")
        }
    }

    @Test("describes the paths, parameters and members of the table, no more and no less")
    func describesTable() throws {
        let document = JSONNode(try AdminDescription.document())
        let component = { (node: JSONNode) -> JSONNode in
            node["$ref"]?.string?.split(separator: "/").dropFirst().reduce(document) { $0?[String($1)] } ?? node
        }
        let described = (document["paths"]?.members ?? []).flatMap { path in
            path.node.members.map { method in
                let parameters = (method.node["parameters"]?.array ?? []).map(component)
                let query = parameters.filter { $0["in"]?.string == "query" }.compactMap { $0["name"]?.string }
                let body = method.node["requestBody"]?["content"]?["application/json"]?["schema"].map(component)
                return Operation(
                    method.name.uppercased(), path.name, query, body?["properties"]?.members.map(\.name),
                    body?["required"]?.strings)
            }
        }
        let table = AdminRoute.table.map { route in
            let fields: [SchemaNode.Field]? = if case .object(let fields)? = route.body { fields } else { nil }
            return Operation(
                route.method.rawValue, route.path, route.query, fields?.map(\.name),
                fields?.filter(\.isRequired).map(\.name))
        }
        #expect(Set(table).count == table.count && Set(described).count == described.count)
        let different = Set(described).symmetricDifference(table)
        #expect(different.isEmpty, "Resources/openapi.json and AdminRoute.table differ: \(different)")
    }

    private struct Operation: Hashable {
        let name: String
        let query: Set<String>
        let members: Set<String>?
        let required: Set<String>

        init(_ method: String, _ path: String, _ query: [String], _ members: [String]?, _ required: [String]?) {
            name = "\(method) \(path)"
            self.query = Set(query)
            self.members = members.map { Set($0) }
            self.required = Set(required ?? [])
        }
    }

    @Test("runs every line of the article", .enabled("curl is missing", { await hasCurl() }))
    func runsLinesOfArticle() async throws {
        let path = "../../Sources/SusiEmulator/SusiEmulator.docc/TenantFiles.md"
        let text = try String(contentsOf: Self.tests.appending(path: path), encoding: .utf8)
        let own = "<!-- run by: AdminWitnessTests/runsLinesOfArticle -->\n```sh\n"
        let blocks = text.components(separatedBy: own).dropFirst().map { $0.components(separatedBy: "```")[0] }
        try #require(blocks.count > 8)
        // A successful line may print nothing, so the script counts the lines and prints their number at the end.
        let lines = blocks.joined().split(separator: "\n")
        let script = "set -eu\n" + lines.map { "\($0)\nran=$((${ran:-0} + 1))" }.joined(separator: "\n")
        try await withFixture { fixture in
            let result = try await Subprocess.run(
                .name("sh"), arguments: ["-c", script + "\necho \"\nran $ran\""],
                environment: .inherit.updating([
                    "EMULATOR": fixture.folder.string, "ORIGIN": fixture.emulator.origin,
                ]), output: .string(limit: 200_000), error: .string(limit: 20_000))
            #expect(result.terminationStatus.isSuccess, "\(result.standardError) \(result.standardOutput)")
            #expect(result.standardOutput.hasSuffix("\nran \(lines.count)\n"))
            #expect(fixture.emulator.faults.all.isEmpty)
        }
    }

    private static func hasCurl() async -> Bool {
        if ProcessInfo.processInfo.environment["SUSI_DEMAND_WITNESS"] != nil { return true }
        let result = try? await Subprocess.run(
            .name("curl"), arguments: ["--version"], output: .discarded, error: .discarded)
        return result?.terminationStatus.isSuccess ?? false
    }
}
