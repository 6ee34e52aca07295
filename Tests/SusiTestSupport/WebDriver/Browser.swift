/// One window of a real browser. Elements are found by CSS selector; the functions wait for a missing one (30 s), so that
/// tests need no pauses.
package struct Browser: Sendable {
    let connection: WebDriverConnection
    let path: String

    // MARK: Pages

    /// Opens an address and waits until it is loaded.
    package func navigate(to url: String) async throws { _ = try await post("/url", ["url": .string(url)]) }

    package var currentURL: String { get async throws { try await get("/url").string } }

    package var title: String { get async throws { try await get("/title").string } }

    package var source: String { get async throws { try await get("/source").string } }

    /// Waits until the address satisfies the condition and returns it.
    @discardableResult
    package func waitForURL(
        limit: Duration = .seconds(60), where isExpected: (String) -> Bool
    ) async throws -> String {
        let clock = ContinuousClock()
        let end = clock.now + limit
        while true {
            let url = try await currentURL
            if isExpected(url) { return url }
            guard clock.now < end else {
                throw WebDriverError(command: "wait for address", code: "timeout", message: "still at \(url)")
            }
            // The page waits by itself; a navigation meanwhile ends the script with an error and is what the test waits for.
            _ = try? await post(
                "/execute/async", ["script": "setTimeout(arguments[arguments.length - 1], 50)", "args": []])
        }
    }

    // MARK: Elements

    /// Waits for the first element that a CSS selector finds.
    package func find(_ css: String) async throws -> Element {
        element(try await post("/element", ["using": "css selector", "value": .string(css)]))
    }

    /// Whether an element is there now, without waiting.
    package func has(_ css: String) async throws -> Bool {
        try await execute("return document.querySelector(arguments[0]) !== null", [.string(css)]) == true
    }

    package func text(_ css: String) async throws -> String { try await find(css).text }

    /// Returns an element's attribute, or nil if it has none.
    package func attribute(_ name: String, of css: String) async throws -> String? {
        try await find(css).attribute(name)
    }

    /// Replaces the text of a field. If the page is replaced meanwhile, fills the field of the new page.
    package func fill(_ css: String, with text: String) async throws {
        for attempt in 1... {
            do {
                let field = try await find(css)
                try await field.clear()
                return try await field.type(text)
            } catch let error as WebDriverError where error.code == "stale element reference" && attempt < 5 {}
        }
    }

    /// Clicks an element and waits for a navigation.
    package func click(_ css: String) async throws { try await find(css).click() }

    /// The `id` of the element with the keyboard focus.
    package var activeElementID: String {
        get async throws { try await element(try await get("/element/active")).attribute("id") ?? "" }
    }

    /// Presses and releases a key at the keyboard focus, with another key held down if one is named.
    package func press(_ key: Key, holding held: Key? = nil) async throws {
        let keys = [held, key].compactMap(\.self)
        let down: [JSONValue] = keys.map { ["type": "keyDown", "value": .string($0.rawValue)] }
        let up: [JSONValue] = keys.reversed().map { ["type": "keyUp", "value": .string($0.rawValue)] }
        let keyboard: JSONValue = ["type": "key", "id": "keyboard", "actions": .array(down + up)]
        _ = try await post("/actions", ["actions": [keyboard]])
    }

    /// Keys by WebDriver's code points (https://www.w3.org/TR/webdriver2/#keyboard-actions).
    package enum Key: String, Sendable {
        case tab = "\u{E004}"
        case enter = "\u{E007}"
        case escape = "\u{E00C}"
        case space = " "
        case shift = "\u{E008}"
        case control = "\u{E009}"
    }

    // MARK: Other functions

    /// Runs JavaScript in the page; `return` gives the result, `arguments` the values.
    @discardableResult
    package func execute(_ script: String, _ arguments: [JSONValue] = []) async throws -> JSONValue {
        try await post("/execute/sync", ["script": .string(script), "args": .array(arguments)])
    }

    /// Deletes the cookies of the current page's host, as for a new person at the same browser.
    package func deleteCookies() async throws { _ = try await connection.send(.delete, path + "/cookie") }

    /// Runs a command of the Chrome DevTools Protocol.
    @discardableResult
    package func devTools(_ command: String, _ parameters: JSONValue) async throws -> JSONValue {
        try await post("/goog/cdp/execute", ["cmd": .string(command), "params": parameters])
    }

    package func goBack() async throws { _ = try await post("/back") }

    /// Sets `prefers-color-scheme` on every page from now on.
    package func prefer(_ scheme: Chromium.ColorScheme) async throws {
        let feature: JSONValue = ["name": "prefers-color-scheme", "value": .string(scheme.rawValue)]
        let command: JSONValue = ["cmd": "Emulation.setEmulatedMedia", "params": ["features": [feature]]]
        _ = try await post("/goog/cdp/execute", command)
    }

    /// Sets the width of the window inside; nil restores the earlier one.
    package func setWidth(_ width: Int?) async throws {
        let size: JSONValue = [
            "width": .number(Double(width ?? 0)), "height": 900, "deviceScaleFactor": 1, "mobile": false,
        ]
        let command: JSONValue =
            width == nil
            ? ["cmd": "Emulation.clearDeviceMetricsOverride", "params": [:]]
            : ["cmd": "Emulation.setDeviceMetricsOverride", "params": size]
        _ = try await post("/goog/cdp/execute", command)
    }

    /// Gives the window the keyboard focus: a headless one may not have it, and then shows no focus.
    func takeFocus() async throws {
        let command: JSONValue = ["cmd": "Emulation.setFocusEmulationEnabled", "params": ["enabled": true]]
        _ = try await post("/goog/cdp/execute", command)
    }

    func quit() async throws { _ = try await connection.send(.delete, path) }

    func get(_ command: String) async throws -> JSONValue { try await connection.send(.get, path + command) }

    func post(_ command: String, _ body: JSONValue = [:]) async throws -> JSONValue {
        try await connection.send(.post, path + command, body)
    }

    private func element(_ reference: JSONValue) -> Element {
        Element(browser: self, path: "/element/\(reference[Element.identifier].string)")
    }
}

/// An element of the open page; it is stale after a navigation.
package struct Element: Sendable {
    let browser: Browser
    let path: String

    /// The key of elements in WebDriver's messages (https://www.w3.org/TR/webdriver2/#elements).
    static let identifier = "element-6066-11e4-a52e-4f735466cecf"

    package var text: String { get async throws { try await browser.get(path + "/text").string } }

    /// Returns an attribute, or nil if it has none; `value` of a field is its current text.
    package func attribute(_ name: String) async throws -> String? {
        let script =
            "const v = arguments[1] === 'value' ? arguments[0].value : null;"
            + "return v ?? arguments[0].getAttribute(arguments[1])"
        let reference: JSONValue = [Self.identifier: .string(String(path.dropFirst("/element/".count)))]
        let value = try await browser.execute(script, [reference, .string(name)])
        return if case .string(let text) = value { text } else { nil }
    }

    /// Types at the end of the current text.
    package func type(_ text: String) async throws {
        _ = try await browser.post(path + "/value", ["text": .string(text)])
    }

    package func clear() async throws { _ = try await browser.post(path + "/clear") }

    /// Clicks and waits for a navigation.
    package func click() async throws { _ = try await browser.post(path + "/click") }
}
