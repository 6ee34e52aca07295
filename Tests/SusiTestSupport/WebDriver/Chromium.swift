package import SystemPackage

/// Debian's `chromium` with its `chromedriver`.
package struct Chromium: Sendable {
    package let browser: FilePath
    package let driver: FilePath

    /// Whether browser tests run: both programs are on `PATH`, or `SUSI_DEMAND_BROWSER` is set, which turns a skip into a
    /// failure.
    package static var isAvailable: Bool { found != nil || TestEnvironment.variable("SUSI_DEMAND_BROWSER") != nil }

    static var found: Chromium? {
        guard let browser = TestEnvironment.program("chromium"), let driver = TestEnvironment.program("chromedriver")
        else { return nil }
        return Chromium(browser: browser, driver: driver)
    }

    /// The value of `prefers-color-scheme`.
    package enum ColorScheme: String, Sendable {
        case light
        case dark
    }

    /// The capabilities of a session (https://www.w3.org/TR/webdriver2/#capabilities, `goog:chromeOptions`).
    func capabilities(profile: FilePath, arguments: [String]) -> JSONValue {
        var options: [String: JSONValue] = [
            "binary": .string(browser.string),
            "args": [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--disable-background-networking", "--lang=en-US", "--window-size=1280,900",
                .string("--user-data-dir=\(profile.string)"),
            ],
            // Otherwise the new tab page is loaded first, which can take five seconds.
            "prefs": ["session.restore_on_startup": 4, "session.startup_urls": ["about:blank"]],
        ]
        if case .array(let usual)? = options["args"] {
            options["args"] = .array(usual + arguments.map(JSONValue.string))
        }
        return [
            "capabilities": [
                "alwaysMatch": [
                    "browserName": "chrome", "goog:chromeOptions": .object(options),
                    "goog:loggingPrefs": ["browser": "ALL"],
                    "timeouts": ["implicit": 30_000, "pageLoad": 60_000, "script": 30_000],
                ]
            ]
        ]
    }
}

/// Opens a headless browser with an empty profile while `body` runs; `arguments` are added to the usual ones.
package func withBrowser<T>(arguments: [String] = [], _ body: (Browser) async throws -> T) async throws -> T {
    guard let chromium = Chromium.found else {
        throw WebDriverError(
            command: "start", code: "not installed", message: "chromium and chromedriver are not both on PATH")
    }
    return try await withHome { home in
        let capabilities = chromium.capabilities(profile: home.folder.appending("profile"), arguments: arguments)
        for _ in 1...8 {
            let driver = Program(chromium.driver, ["--port=0"], environment: home.environment, limit: .seconds(280))
            let result = try await driver.start { program -> T? in
                guard let port = try await port(of: program) else { return nil }
                return try await withSession(WebDriverConnection(base: "http://127.0.0.1:\(port)"), capabilities, body)
            }
            if let result { return result }
        }
        throw WebDriverError(command: "start", code: "no port", message: "chromedriver found no free port")
    }
}

/// Returns the port of a driver, or nil if its IPv6 port was in use for IPv4 and the driver ended.
private func port(of driver: RunningProgram) async throws -> String? {
    do {
        let line = try await driver.waitForLine(containing: "started successfully on port")
        return line.split(whereSeparator: { !$0.isNumber }).last.map(String.init) ?? ""
    } catch {
        guard await driver.text(.output).contains("port not available") else { throw error }
        return nil
    }
}

private func withSession<T>(
    _ connection: WebDriverConnection, _ capabilities: JSONValue, _ body: (Browser) async throws -> T
) async throws -> T {
    let session = try await connection.send(.post, "/session", capabilities)["sessionId"].string
    let browser = Browser(connection: connection, path: "/session/\(session)")
    do {
        try await browser.prefer(.light)
        try await browser.takeFocus()
        let result = try await body(browser)
        try await browser.quit()
        return result
    } catch {
        // The browser is a separate process that survives the driver. A cancelled test cannot send anything itself.
        await Task { try? await browser.quit() }.value
        throw error
    }
}
