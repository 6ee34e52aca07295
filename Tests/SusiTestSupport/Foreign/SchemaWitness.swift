import Foundation
import SystemPackage

/// An independent check of JSON files against a JSON Schema: Python's `jsonschema`.
package enum SchemaWitness {
    /// Whether it is available or required.
    @Sendable package static func isWanted() async -> Bool { await TestEnvironment.hasPython("jsonschema") }

    /// A file that must be accepted or refused.
    package struct Case: Sendable {
        let name: String
        let text: String
        let isRight: Bool

        /// Describes a file by a name without spaces.
        package init(_ name: String, _ text: String, isRight: Bool) {
            (self.name, self.text, self.isRight) = (name, text, isRight)
        }
    }

    /// Returns the names of the files with another result than expected. Throws if Python fails.
    package static func disagreements(on cases: [Case], schema: String) async throws -> Set<String> {
        let script = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
            .appending("SusiPoliciesTests/schema.py").string
        guard let python = TestEnvironment.program("python3") else { throw Missing() }
        return try await withTemporaryFolder { folder in
            let url = URL(filePath: folder.string)
            try Data(schema.utf8).write(to: url.appending(path: "schema.json"))
            for item in cases { try Data(item.text.utf8).write(to: url.appending(path: "case-\(item.name).json")) }
            let path = ["PATH": TestEnvironment.path]
            let outcome = try await Program(python, [script, folder.string], environment: path).run()
            guard outcome.status == 0 else { throw Failed(description: "\(outcome)") }
            let said = Set(outcome.standardOutput.split(separator: "\n").map(String.init))
            let wrong = cases.filter { !said.contains("case-\($0.name) \($0.isRight ? "yes" : "no")") }
            return Set(wrong.map(\.name))
        }
    }

    private struct Missing: Error {}

    private struct Failed: Error, CustomStringConvertible { let description: String }
}
