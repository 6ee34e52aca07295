enum Manuals {
    /// A document, named by its path in the package.
    struct Manual: CustomStringConvertible, Sendable {
        let path: String

        var description: String { String(path.split(separator: "/").last ?? "") }
        /// The folder that links start from.
        var folder: String { String(path.dropLast(description.count)) }

        func read() throws -> Document { try Document(path: path) }

        fileprivate static func susi(_ name: String) -> Manual { Manual(path: "Sources/Susi/Susi.docc/\(name).md") }

        fileprivate static func emulator(_ name: String) -> Manual {
            Manual(path: "Sources/SusiEmulator/SusiEmulator.docc/\(name).md")
        }
    }

    static let readme = Manual(path: "README.md")
    static let dailyUse = Manual.susi("DailyUse")
    static let policiesFile = Manual.susi("PoliciesFile")
    static let fromB2C = Manual.susi("FromB2CToExternalID")
    static let otherPrograms = Manual.susi("OtherPrograms")
    static let storeAndKeys = Manual.susi("StoreAndKeys")
    static let library = Manual.susi("Susi")
    static let reference = Manual.susi("Reference")
    static let forAgents = Manual.susi("ForAgents")
    static let emulator = Manual.emulator("Emulator")
    static let yourApplication = Manual.emulator("YourApplication")
    static let differences = Manual.emulator("Differences")

    static let stacks = Manual(path: "Tests/Examples/Stacks.md")

    /// Tables that tests read, and the examples that they run.
    private static let tables = [
        Manual(path: "Tests/Conformance.md"), stacks, Manual(path: "Tests/Parity.md"),
    ]

    /// The pages that people read. Tables and JSON results are beside them.
    static let pages: [Manual] = [
        forAgents, dailyUse, policiesFile, storeAndKeys, otherPrograms, fromB2C, .susi("Troubleshooting"), reference,
        emulator, yourApplication, .emulator("TenantFiles"), .emulator("CheckPolicies"), differences,
    ]

    static let all: [Manual] = [readme] + pages + [.susi("JSONResults"), library, .emulator("SusiEmulator")] + tables

    /// Blocks of the README that scripts in `.ci` run.
    static let marksOfScripts: Set<String> = ["archive", "uninstall", "demo", "tests"]
}
