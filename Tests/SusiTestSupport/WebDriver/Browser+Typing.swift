extension Browser {
    /// Types at the keyboard focus, key by key.
    package func type(_ text: String) async throws {
        var actions: [JSONValue] = []
        for character in text {
            actions.append(["type": "keyDown", "value": .string(String(character))])
            actions.append(["type": "keyUp", "value": .string(String(character))])
        }
        let keyboard: JSONValue = ["type": "key", "id": "keyboard", "actions": .array(actions)]
        _ = try await post("/actions", ["actions": [keyboard]])
    }

    package func waitForTitle(_ expected: String, limit: Duration = .seconds(60)) async throws {
        let clock = ContinuousClock()
        let end = clock.now + limit
        while true {
            let found = try await title
            if found == expected { return }
            guard clock.now < end else {
                throw WebDriverError(
                    command: "wait for title", code: "timeout", message: "“\(found)”, not “\(expected)”")
            }
            // The page waits by itself; a navigation meanwhile ends the script with an error and is what the test waits for.
            _ = try? await post(
                "/execute/async", ["script": "setTimeout(arguments[arguments.length - 1], 30)", "args": []])
        }
    }
}
