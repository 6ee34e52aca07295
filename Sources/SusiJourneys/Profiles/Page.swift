import SusiBase

/// A page that waits for its user. Passwords are not in it.
struct OpenPage: Codable {
    let kind: PageModel.Kind
    let profile: String?
    var number = 0
    var contentDefinition: String?
    /// The exchanges to choose from.
    var options: [String] = []
    /// What the link for forgotten passwords runs.
    var passwordLink: String?
    /// By claim in lower case, the texts in the form.
    var values: [String: String] = [:]
    var errors: [String: String] = [:]
    var message: String?
    /// The display control that the message is about.
    var failedControl: String?
    var failures = 0
    /// By display control or claim, how far a verification is, and the values that it is for.
    var verified: [String: Verification] = [:]
    var verifiedValues: [String: [String: String]] = [:]
    /// What display controls output.
    var results = ClaimsBag()

    init(kind: PageModel.Kind, profile: String?) { (self.kind, self.profile) = (kind, profile) }
}

extension PageModel.Kind: Codable {}

/// A field or display control that a page has.
enum Asked {
    case claim(Element, ClaimType)
    case control(Element, fields: [(entry: Element, type: ClaimType)])
}

extension JourneyRun {
    /// What a self-asserted page asks for, in order (spec §6.2).
    func asked(by profile: Profile) -> [Asked] {
        let shown = profile.element.all("DisplayClaims", "DisplayClaim")
        guard shown.isEmpty else { return shown.compactMap { asked($0) } }
        let found = Set(
            profile.validations.compactMap { policy.profile($0["ReferenceId"]) }.flatMap { validation in
                validation.outputClaims.compactMap(\.claim)
                    + policy.transformed(by: validation, "OutputClaimsTransformation")
            })
        // A claim is asked for only if nothing else gives its value.
        return profile.outputClaims.compactMap { entry in
            let isKnown = entry["DefaultValue"] != nil || found.contains(entry.claim ?? "")
            return isKnown ? nil : asked(entry)
        }
    }

    private func asked(_ entry: Element) -> Asked? {
        if let control = policy[.displayControl, entry["DisplayControlReferenceId"]] {
            let fields = control.all("DisplayClaims", "DisplayClaim").compactMap { entry in
                policy.claimType(entry.claim).map { (entry, $0) }
            }
            return .control(control, fields: fields)
        }
        guard let type = policy.claimType(entry.claim), type.inputType != nil else { return nil }
        return .claim(entry, type)
    }

    /// Opens a page, or runs on where there is nothing to collect (spec §0 A10).
    mutating func open(_ page: OpenPage) throws -> Need? {
        guard isInteractive else {
            throw Failure.policy("a page in a request without a browser", currentStep?.element ?? policy.file.root)
        }
        var page = page
        state.pages += 1
        page.number = state.pages
        guard let profile = policy.profile(page.profile) else {
            state.page = page
            return nil
        }
        page.contentDefinition = page.contentDefinition ?? profile.metadata("ContentDefinitionReferenceId")
        try transform("InputClaimsTransformation", of: profile)
        if page.kind == .phone { return try openPhone(page, profile) }
        let items = asked(by: profile)
        try prefill(&page, profile, items)
        guard !items.isEmpty || page.kind == .combined else {
            state.bag = try outputs(of: profile, from: state.bag)
            try finishPage(of: profile)
            completeStep()
            return nil
        }
        state.page = page
        note(profile.id, "page \(page.number)")
        return nil
    }

    private func prefill(_ page: inout OpenPage, _ profile: Profile, _ items: [Asked]) throws {
        var entries = profile.inputClaims
        for case .control(let control, _) in items { entries += control.all("InputClaims", "InputClaim") }
        for entry in entries {
            guard let id = entry.claim, policy.claimType(id)?.isPassword == false else { continue }
            page.values[id] = try inputValue(of: entry, profile)?.text
        }
    }

    func model(of page: OpenPage) throws -> PageModel {
        var model = PageModel(kind: page.kind, number: page.number, profile: page.profile)
        model.contentDefinition = page.contentDefinition
        model.message = page.failedControl == nil ? page.message : nil
        if page.kind != .phone { model.buttons = page.options.map { PageButton(id: $0, label: label(of: $0)) } }
        for key in Self.texts { model.texts[key] = string("UxElement", nil, key) }
        guard let profile = policy.profile(page.profile) else { return model }
        model.title = profile.element.text(of: "DisplayName") ?? profile.id
        model.texts["button_continue"] = model.texts["button_continue"] ?? profile.metadata("language.button_continue")
        model.hasCancel = profile.metadata("setting.showCancelButton")?.lowercased() != "false"
        model.hasContinue = profile.metadata("setting.showContinueButton")?.lowercased() != "false"
        if page.kind == .phone {
            model.items = phoneItems(page)
            return model
        }
        model.items = asked(by: profile).map { item(for: $0, page, profile) }
        guard page.kind == .combined else { return model }
        model.hasForgotPassword = true
        model.keepsSignedIn = profile.isTrue("setting.enableRememberMe")
        if let target = profile.metadata("SignUpTarget"),
            profile.metadata("setting.showSignupLink")?.lowercased() != "false"
        {
            model.signUp = PageButton(id: target, label: label(of: target))
        }
        return model
    }

    private static let texts = ["heading", "intro", "button_continue", "button_signin"]

    private func label(of exchange: String) -> String {
        let profile = following(exchange)
        let provider = profile.flatMap { policy.provider(of: $0.id).displayName }
        return string("ClaimsProvider", nil, exchange) ?? provider ?? profile?.element.text(of: "DisplayName")
            ?? exchange
    }

    private func item(for asked: Asked, _ page: OpenPage, _ profile: Profile) -> PageItem {
        switch asked {
        case .claim(let entry, let type): return .field(field(entry, type, page, isVerifiedBy: nil))
        case .control(let control, let fields):
            let id = control["Id"] ?? ""
            return .control(
                PageControl(
                    id: id, fields: fields.map { field($0.entry, $0.type, page, isVerifiedBy: id) },
                    actions: control.all("Actions", "Action").compactMap { $0["Id"] },
                    verification: page.verified[id] ?? .open, message: page.failedControl == id ? page.message : nil))
        }
    }

    private func field(_ entry: Element, _ type: ClaimType, _ page: OpenPage, isVerifiedBy control: String?)
        -> PageField
    {
        let id = entry.claim ?? ""
        var field = PageField(
            claim: type.id, label: string("ClaimType", type.id, "DisplayName") ?? type.displayName,
            help: string("ClaimType", type.id, "UserHelpText") ?? type.helpText, input: type.inputType ?? "TextBox")
        let isShown = ["Readonly", "Paragraph"].contains(field.input)
        field.value = page.values[id].map { isShown ? type.masked($0) : $0 } ?? ""
        field.isRequired = entry["Required"] == "true"
        field.isCode = entry["ControlClaimType"] == "VerificationCode"
        let choices = policy.choices(of: type, page: page.contentDefinition, in: facts.language)
        field.options = choices.map { PageOption(text: $0.text, value: $0.value, isDefault: $0.isSelected) }
        field.error = page.errors[id]
        if needsVerification(entry, page) { field.verification = page.verified[id] ?? .open }
        let state = field.verification ?? control.flatMap { page.verified[$0] }
        field.isFixed = isShown || state == .verified
        return field
    }

    /// Whether a claim has the older verification of e-mail addresses (self-asserted-technical-profile).
    func needsVerification(_ entry: Element, _ page: OpenPage) -> Bool {
        entry["PartnerClaimType"]?.lowercased() == "verified.email"
            && policy.profile(page.profile)?.metadata("EnforceEmailVerification")?.lowercased() != "false"
    }
}
