import SusiPolicies

/// The form that runs a policy as an application would, with all options.
struct RunForm {
    let tenant: Tenant
    let origin: String

    /// The addresses to which this form may lead. Chromium checks a form's redirects too, and a browser with a session is
    /// redirected to the application at once.
    static func targets(of tenant: Tenant) -> String {
        let addresses = tenant.configuration.applications.flatMap(\.redirectAddresses)
        return Set(addresses.map(ReturnAddress.origin)).sorted().filter { !$0.isEmpty }.joined(separator: " ")
    }

    var html: HTML {
        """
        <form method="get" action="\(RunNow.path)" class="run">
        \(HTML(choices.map(\.html)))
        <div class="field">
        <label for="login_hint">Sign-in name to fill in</label>
        <input id="login_hint" name="login_hint" type="text" autocomplete="off" spellcheck="false" autocapitalize="none">
        </div>
        \(scopes)
        <button class="main" type="submit">Run</button>
        </form>
        """
    }

    private var choices: [Choice] {
        let hasPolicies = tenant.configuration.kind.traits.hasPolicies
        let places = tenant.policyEndpoints(at: origin).filter { $0.policy.kind != .resourceOwner }
        let types = places.first.map(RunNow.responseTypes) ?? []
        let languages = Language.allCases.map { Choice.Option($0.rawValue) }
        return [
            Choice(
                name: "place", label: hasPolicies ? "Policy" : "Address", isWhole: true,
                groups: [
                    Choice.Group(options: places.map { Choice.Option($0.key, hasPolicies ? $0.shownName : $0.key) })
                ]),
            Choice(name: "to", label: "Application and redirect address", isWhole: true, groups: targets),
            Choice(
                name: "type", label: "Response type",
                groups: [Choice.Group(options: types.map { Choice.Option($0) })]),
            Choice(
                name: "prompt", label: "Prompt",
                groups: [
                    Choice.Group(
                        options: [Choice.Option("", "not sent")]
                            + RunNow.prompts.map { Choice.Option($0) })
                ]),
            Choice(
                name: "language", label: "Language",
                groups: [Choice.Group(options: [Choice.Option("", "browser setting")] + languages)]),
        ]
    }

    private var targets: [Choice.Group] {
        let viewer = TokenViewer.application(origin)
        let own = Choice.Group(
            label: "This emulator",
            options: viewer.redirectAddresses.map {
                Choice.Option("\(viewer.clientID) \($0)", "Token viewer, \($0)")
            })
        return [own]
            + tenant.configuration.applications.map { application in
                Choice.Group(
                    label: application.name ?? application.clientID,
                    options: application.redirectAddresses.map { Choice.Option("\(application.clientID) \($0)", $0) })
            }
    }

    private var scopes: HTML? {
        let all = tenant.configuration.apis.flatMap(\.fullScopes)
        guard !all.isEmpty else { return nil }
        let boxes = all.enumerated().map { index, scope in
            Checkbox(id: "scope-\(index)", value: scope, label: "<code>\(scope)</code>").html
        }
        return "<fieldset><legend>Scopes</legend>\n\(HTML(boxes))\n</fieldset>"
    }
}

struct Choice {
    struct Group {
        var label: String?
        let options: [Option]
    }

    struct Option {
        let value: String
        let text: String

        init(_ value: String, _ text: String? = nil) {
            self.value = value
            self.text = text ?? value
        }
    }

    let name: String
    let label: String
    /// Whether it takes a whole line.
    var isWhole = false
    let groups: [Group]

    var html: HTML {
        let list = groups.map { group -> HTML in
            let options = HTML(
                group.options.map { "<option value=\"\($0.value)\">\($0.text)</option>" })
            return group.label.map { "<optgroup label=\"\($0)\">\(options)</optgroup>" } ?? options
        }
        return """
            <div class="field\(isWhole ? " whole" : "")">
            <label for="\(name)">\(label)</label>
            <select id="\(name)" name="\(name)" autocomplete="off">
            \(HTML(list))
            </select>
            </div>
            """
    }
}
