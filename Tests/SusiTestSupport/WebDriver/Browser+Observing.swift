extension Browser {
    /// A line of the browser's console: errors of scripts and of the network, violations of a content security policy.
    package struct LogLine: Sendable, CustomStringConvertible {
        /// `SEVERE`, `WARNING` and so on.
        package let level: String
        /// Its source: `network`, `security`, `javascript` and so on.
        package let source: String
        /// The text, the address first.
        package let message: String

        package var description: String { "\(level) \(source): \(message)" }
    }

    /// Returns the console's lines since the last call.
    package func takeLog() async throws -> [LogLine] {
        try await post("/se/log", ["type": "browser"]).elements.map { line in
            LogLine(level: line["level"].string, source: line["source"].string, message: line["message"].string)
        }
    }

    /// Returns the accessible name of an element by its `id` (https://www.w3.org/TR/accname-1.2/).
    package func accessibleName(ofID id: String) async throws -> String {
        try await get(try await find("[id='\(id)']").path + "/computedlabel").string
    }

    /// Returns the addresses in the window's history, with the current page.
    package func history() async throws -> [String] {
        try await devTools("Page.getNavigationHistory", [:])["entries"].elements.map { $0["url"].string }
    }

    package var windowCount: Int { get async throws { try await get("/window/handles").elements.count } }
}
