extension Browser {
    /// A line of the browser's console: errors of scripts and of the network, violations of a content security policy.
    public struct LogLine: Sendable, CustomStringConvertible {
        /// `SEVERE`, `WARNING` and so on.
        public let level: String
        /// Where it comes from: `network`, `security`, `javascript` and so on.
        public let source: String
        /// The text, the address first.
        public let message: String

        /// Everything on one line.
        public var description: String { "\(level) \(source): \(message)" }
    }

    /// Takes the lines that the console got since the last time.
    public func takeLog() async throws -> [LogLine] {
        try await post("/se/log", ["type": "browser"]).elements.map { line in
            LogLine(level: line["level"].string, source: line["source"].string, message: line["message"].string)
        }
    }

    /// The name that assistive technology gives an element, by its `id` (https://www.w3.org/TR/accname-1.2/).
    public func accessibleName(ofID id: String) async throws -> String {
        try await get(try await find("[id='\(id)']").path + "/computedlabel").string
    }

    /// The addresses that the window's history holds, where the back button leads and the open page.
    public func history() async throws -> [String] {
        try await devTools("Page.getNavigationHistory", [:])["entries"].elements.map { $0["url"].string }
    }

    /// How many windows and tabs are open.
    public var windowCount: Int { get async throws { try await get("/window/handles").elements.count } }
}
