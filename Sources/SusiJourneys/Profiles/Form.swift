import SusiBase

/// What a form has for the fields of a page.
struct Form {
    let items: [Asked]
    /// By claim in lower case.
    var values: [String: String]

    struct Field {
        let entry: Element
        let type: ClaimType
        /// The display control that it is in.
        var control: String?

        var id: String { type.id.lowercased() }
        var isCode: Bool { entry["ControlClaimType"] == "VerificationCode" }
        var isShown: Bool { ["Readonly", "Paragraph"].contains(type.inputType) }
    }

    init(items: [Asked], fields: [String: String]) {
        self.items = items
        values = Dictionary(fields.map { ($0.key.lowercased(), $0.value) }) { $1 }
    }

    var allFields: [Field] {
        items.flatMap { item in
            switch item {
            case .claim(let entry, let type): [Field(entry: entry, type: type)]
            case .control(let control, let fields):
                fields.map { Field(entry: $0.entry, type: $0.type, control: control["Id"] ?? "") }
            }
        }
    }

    func control(_ id: String) -> Element? {
        for case .control(let control, _) in items where control["Id"]?.lowercased() == id.lowercased() {
            return control
        }
        return nil
    }

    func fields(of control: String) -> [Field] {
        allFields.filter { $0.control?.lowercased() == control.lowercased() }
    }
}

extension JourneyRun {
    /// Takes what may be changed; a verified value that changes is no longer verified (spec §6.2).
    mutating func take(_ form: inout Form) {
        guard var page = state.page else { return }
        for field in form.allFields {
            let (id, key) = (field.id, field.control ?? field.id)
            if field.isShown {
                form.values[id] = page.values[id]
            } else if page.verified[key] != nil, let known = page.verifiedValues[key]?[id] {
                if form.values[id] ?? known != known { page.verified[key] = nil } else { form.values[id] = known }
            }
            guard !field.type.isPassword, !field.isCode else { continue }
            page.values[id] = form.values[id]
        }
        state.page = page
    }

    /// Puts a text on the page.
    mutating func show(_ text: String?) { state.page?.message = text }

    /// Checks the values of fields, and notes what is wrong with them on the page.
    mutating func check(_ form: Form, _ fields: [Form.Field], isWhole: Bool) -> Bool {
        for field in fields where !field.isCode && !(field.isShown && form.values[field.id] == nil) {
            let error = error(in: form, field)
            state.page?.errors[field.id] = error
        }
        guard let errors = state.page?.errors, errors.isEmpty else {
            let isMissing = fields.contains { $0.entry["Required"] == "true" && form.values[$0.id]?.isEmpty ?? true }
            show(message(isMissing ? "error_requiredFieldMissing" : "error_fieldIncorrect", of: nil))
            return false
        }
        let (new, again) = (form.values["newpassword"], form.values["reenterpassword"])
        guard !isWhole || new == nil || again == nil || new == again else {
            show(message("error_passwordEntryMismatch", of: nil))
            return false
        }
        return true
    }

    private func error(in form: Form, _ field: Form.Field) -> String? {
        let text = form.values[field.id] ?? ""
        guard !text.isEmpty else { return field.entry["Required"] == "true" ? message("required_field", of: nil) : nil }
        if (try? ClaimValue.make(text, as: field.type.dataType)) == nil {
            return message("UserMessageIfInvalidInput", of: nil, field.type.displayName)
        }
        let failures = policy.failures(of: text, for: field.type, facts, page: state.page?.contentDefinition)
        guard !field.isShown, let failure = failures.first else { return nil }
        switch failure {
        case .choice: return message("UserMessageIfInvalidInput", of: nil, field.type.displayName)
        case .pattern(let help): return string("ClaimType", field.type.id, "PatternHelpText") ?? help
        case .group(_, let heading, let predicates):
            let texts = predicates.map { string("Predicate", $0.id, "HelpText") ?? $0.help }
            return ([heading] + texts).filter { !$0.isEmpty }.joined(separator: "\n")
        }
    }

    /// Whether all that must be verified is.
    mutating func isVerified(_ form: Form) -> Bool {
        guard let page = state.page else { return false }
        for item in form.items {
            switch item {
            case .claim(let entry, let type) where needsVerification(entry, page):
                guard page.verified[type.id.lowercased()] != .verified else { continue }
                guard entry["Required"] == "true" || form.values[type.id.lowercased()]?.isEmpty == false else {
                    continue
                }
                show(message("UserMessageIfClaimNotVerified", of: nil, type.id))
            case .control(let control, let fields) where control["UserInterfaceControlType"] == "VerificationControl":
                let id = control["Id"] ?? ""
                let isRequired = fields.contains { $0.entry["Required"] == "true" }
                guard isRequired, page.verified[id] != .verified else { continue }
                show(message("UserMessageIfVerificationControlClaimsNotVerified", of: nil))
                state.page?.failedControl = id
            default: continue
            }
            return false
        }
        return true
    }

    /// The bag as the profiles of a submit see it.
    func overlay(_ form: Form, _ profile: Profile) throws -> ClaimsBag {
        var overlay = state.bag
        for id in state.page?.results.ids ?? [] { overlay[id] = state.page?.results[id] }
        // Default values of input claims are claims for this page and its validations.
        for entry in profile.inputClaims where entry["DefaultValue"] != nil {
            if let id = entry.claim, let value = try inputValue(of: entry, profile) { overlay[id] = value }
        }
        for field in form.allFields {
            guard let text = form.values[field.id] else { continue }
            do {
                overlay[field.id] = text.isEmpty ? nil : try ClaimValue.make(text, as: field.type.dataType)
            } catch {
                throw Failure.policy("cannot convert the value of “\(field.type.id)”", profile)
            }
        }
        return overlay
    }

    /// Remembers what the trace must not show of a form.
    mutating func gatherFormSecrets() {
        guard let profile = policy.profile(state.page?.profile) else { return }
        for field in Form(items: asked(by: profile), fields: [:]).allFields {
            if field.type.isPassword { work.passwords.add(claims[field.id]?.text) }
            if field.isCode { hideClaim(field.id, isStored: false) }
        }
    }

    /// Runs the transformations of a list; what is made of a secret is one (spec §0 B4).
    mutating func transform(_ list: String, of profile: Profile) throws {
        for reference in profile.element.all("\(list)s", list) {
            let id = reference["ReferenceId"] ?? ""
            let page = state.page?.contentDefinition ?? profile.metadata("ContentDefinitionReferenceId")
            var bag = claims
            do {
                try policy.transform(id, &bag, facts, page: page)
            } catch {
                guard case .message(let key, let text) = error.reason else {
                    throw Failure.policy(
                        "\(error.transformation): \(error.reason.text)", policy[.transformation, id] ?? reference)
                }
                let found = message(key, of: profile)
                throw Failure.message(found == key ? text : found, code: "AADB2C90037")
            }
            let element = policy[.transformation, id]
            let isSecret =
                element?.all("InputClaims", "InputClaim").compactMap(\.claim).contains(where: isSecret) ?? false
            claims = bag
            if isSecret { element?.all("OutputClaims", "OutputClaim").compactMap(\.claim).forEach { hideClaim($0) } }
            note(id, element?["TransformationMethod"] ?? "")
        }
    }
}
