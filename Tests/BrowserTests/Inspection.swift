import SusiTestSupport
import Testing

extension Browser {
    /// Presses Tab, or Shift and Tab, until the element with that id, or one whose `id href` fits, has the focus.
    /// Expects a visible focus on every element on the way (WCAG 2.2, 2.4.7).
    func reach(_ id: String, backwards: Bool = false, where fits: ((String) -> Bool)? = nil) async throws {
        var passed: [String] = []
        while true {
            let place = try await execute(Self.place)
            let name = place[0].string
            if fits?(name) ?? (name.split(separator: " ").first.map(String.init) == id) { return }
            passed.append(name)
            try #require(passed.count < 60, "Tab does not reach \(id), only \(passed)")
            try await press(.tab, holding: backwards ? .shift : nil)
            let now = try await execute(Self.place)
            #expect(now[1].string == "seen", "no visible focus at \(now[0].string)")
        }
    }

    private static let place = """
        const one = document.activeElement;
        const style = getComputedStyle(one);
        const box = one.getBoundingClientRect();
        const isSeen = one === document.body || (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2
          && box.bottom > 0 && box.top < innerHeight);
        return [`${one.id || '-'} ${one.getAttribute('href') ?? ''}`, isSeen ? 'seen' : 'unseen'];
        """

    /// Waits for a page and inspects it.
    func inspect(_ name: String, titled title: String, status: Int = 200) async throws {
        try await waitForTitle(title)
        try await inspect(name, status: status)
    }

    /// Checks the open page in a desktop's window, in light and dark mode, and in a phone's window, and expects no violations:
    /// see ``Accessibility`` and `script`. Colors do not depend on the window.
    func inspect(_ name: String, status: Int = 200) async throws {
        #expect(try await self.status == status, "\(name)")
        let lines = try await takeLog().filter { line in
            // The console repeats the status of a page that is an error by design. One of Chromium's hints comes by chance: if
            // it looks at a form while the page loads, it judges the fields of a second look alone, and misses the user name.
            // The rule `password-username` below checks the same.
            !(line.source == "recommendation"
                && line.message.contains("should have (optionally hidden) username fields"))
                && !(status >= 400 && line.source == "network" && line.message.contains("status of \(status)"))
        }
        #expect(lines.isEmpty, "\(name)")
        try await inspectLooks("desktop-\(name)", [.light, .dark])
        #expect(try await reflowComplaints().isEmpty, "\(name)")
        try await asPhone {
            try await inspectLooks("phone-\(name)", [.light])
            #expect(try await complaints(Accessibility.reflow).isEmpty, "\(name)")
        }
        for id in try await execute(Self.fields).elements.map(\.string) {
            let label = try await execute(
                "return document.getElementById(arguments[0]).labels[0].innerText", [.string(id)])
            #expect(try await accessibleName(ofID: id) == label.string, "\(name): \(id)")
        }
    }

    // Takes a picture of each mode if the run keeps pictures, or something is wrong.
    private func inspectLooks(_ name: String, _ schemes: [Chromium.ColorScheme]) async throws {
        for scheme in schemes {
            try await prefer(scheme)
            let wrong = try await complaints(Accessibility.script) + complaints(Self.script)
            #expect(wrong.isEmpty, "\(name), \(scheme)")
            if !wrong.isEmpty || TestEnvironment.variable("SUSI_SCREENSHOTS") != nil {
                try await screenshot("\(name)-\(scheme)")
            }
        }
        try await prefer(.light)
    }

    /// Shows pages as on a phone while `body` runs.
    func asPhone(_ body: () async throws -> Void) async throws {
        try await devTools(
            "Emulation.setDeviceMetricsOverride",
            ["width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": true])
        try await body()
        try await setWidth(nil)
    }

    /// Runs a script and returns its complaints.
    func complaints(_ script: String) async throws -> [String] { try await execute(script).elements.map(\.string) }

    /// Returns the complaints about reflow: at the current size, in a narrow window, zoomed to 200 %, and with text of
    /// twice the size.
    func reflowComplaints() async throws -> [String] {
        var found = try await complaints(Accessibility.reflow)
        // A width of 320 pixels equals 1280 at 400 %, and 640 equals 1280 at 200 %.
        for width in [320, 640] {
            try await setWidth(width)
            found += try await complaints(Accessibility.reflow).map { "\(width): \($0)" }
        }
        try await setWidth(nil)
        try await execute("document.documentElement.style.fontSize = '200%'")
        found += try await complaints(Accessibility.reflow).map { "large letters: \($0)" }
        try await execute("document.documentElement.style.fontSize = ''")
        return found
    }

    private static let fields = """
        return [...document.querySelectorAll('input:not([type=submit]), select, textarea')].filter(field => field.checkVisibility())
          .map(field => field.id)
        """

    /// Further rules for pages: they load nothing, except that the developer's page polls for changes.
    private static let script = """
        const wrong = [];
        if (document.querySelector('script[src]')) wrong.push('a script from elsewhere');
        const news = location.origin + '/activity?';
        if (performance.getEntriesByType('resource').some(one => !one.name.startsWith(news)))
          wrong.push('something was loaded beside the page');
        return wrong;
        """
}
