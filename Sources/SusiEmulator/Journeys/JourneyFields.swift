import SusiBase
import SusiJourneys

/// The fields and verification controls of a page.
struct JourneyFields {
    let form: JourneyForm

    private var page: PageModel { form.page }
    var words: Words { form.words }

    /// Whether it has buttons of its own.
    var hasButtons: Bool {
        page.items.contains { item in
            switch item {
            case .field(let field): field.verification != nil
            case .control: true
            }
        }
    }

    var html: HTML {
        HTML(
            page.items.map { item in
                switch item {
                case .field(let field): field.verification == nil ? input(field) : verified(field)
                case .control(let control): self.control(control)
                }
            })
    }

    // MARK: Verification

    // The older control, and that of a phone (spec §6.3).
    private func verified(_ field: PageField) -> HTML {
        let isPhone = page.kind == .phone
        let id = { (part: String, phone: String) in isPhone ? phone : "\(field.claim)_ver_\(part)" }
        let claim = field.claim
        switch field.verification {
        case .sent:
            let code = Field(
                id: id("input", "verificationCode"), name: JourneyForm.code, label: words[.verificationCode],
                autocomplete: "one-time-code", isRequired: false, isFocused: true, inputMode: "numeric")
            var shown = field
            shown.isFixed = true
            // The number of a known phone is not on the page.
            let address: HTML? = isPhone ? nil : input(shown)
            return """
                \(address)
                \(VerifyPage.outbox(form.transaction, .codeInOutbox))
                \(code.html(words))
                <div class="more">
                \(form.button(id("but_verify", "verifyCode"), "verify \(claim)", words[.verifyCode]))
                \(form.button(id("but_resend", "retryCode"), "send \(claim)", words[.sendNewCode]))
                \(form.button(id("but_edit", "changeNumber"), "edit \(claim)", words[isPhone ? .changeNumber : .changeEmail]))
                </div>
                """
        case .verified:
            return """
                \(input(field))
                \(form.button(id("but_edit", "changeNumber"), "edit \(claim)", words[.changeEmail]))
                """
        default:
            return "\(input(field))\n\(form.button(id("but_send", "sendCode"), "send \(claim)", words[.sendCode]))"
        }
    }

    // The code is asked for when it was sent (display-control-verification).
    private func control(_ control: PageControl) -> HTML {
        let isSent = control.verification == .sent
        let fields = control.fields.filter { !$0.isCode || isSent }
        let buttons = control.verification == .verified ? [] : control.actions.compactMap { self.button($0, control) }
        let message: HTML? = control.message.map {
            "<p class=\"error itemLevel show\" id=\"\(control.id)_error_message\" role=\"alert\">\($0)</p>"
        }
        let outbox = isSent ? VerifyPage.outbox(form.transaction, .codeInOutbox) : nil
        return """
            <div id="\(control.id)" class="verification">
            \(message)\(outbox)
            \(HTML(fields.map(input)))
            <div class="more">
            \(HTML(buttons))
            </div>
            </div>
            """
    }

    private func button(_ action: String, _ control: PageControl) -> HTML? {
        let rows: [String: (id: String, text: LocalizedText)] = [
            "sendcode": control.verification == .sent
                ? ("send_new_code", .sendNewCode) : ("send_code", .sendCode),
            "verifycode": ("verify_code", .verifyCode),
        ]
        guard let row = rows[action.lowercased()] else {
            return form.button("\(control.id)_but_\(action)", "control \(control.id) \(action)", action)
        }
        guard row.text != .verifyCode || control.verification == .sent else { return nil }
        return form.button("\(control.id)_but_\(row.id)", "control \(control.id) \(action)", words[row.text])
    }

    // MARK: Inputs

    private func input(_ field: PageField) -> HTML {
        let name = JourneyForm.name(field.claim)
        switch field.input {
        case "Paragraph":
            return "<p class=\"remark\" id=\"\(field.claim)\">\(field.value.isEmpty ? field.label : field.value)</p>"
        case _ where field.isFixed: return text(field, name).html(words)
        case "DropdownSingleSelect": return labelled(field, select(field.claim, name, field))
        case "RadioSingleSelect", "CheckboxMultiSelect": return group(field, name)
        case "DateTimeDropdown": return date(field, name)
        default: return text(field, name).html(words)
        }
    }

    private func text(_ field: PageField, _ name: String) -> Field {
        let isPassword = field.input == "Password"
        // The focus is on the first field with an error, and a screen reader reads the page's error with it.
        let first = page.fields.first { $0.error != nil } ?? page.fields.first { !$0.isFixed }
        let isFirst = first?.claim == field.claim
        return Field(
            id: field.claim, name: name, label: field.label,
            type: isPassword ? "password" : field.input == "EmailBox" ? "email" : "text",
            autocomplete: autocomplete(field), value: field.value, isRequired: field.isRequired,
            isReadOnly: field.isFixed, hint: field.help.isEmpty || field.isFixed ? nil : field.help,
            error: field.error, isFocused: isFirst,
            describedBy: isFirst && page.message != nil ? JourneyForm.alert : nil)
    }

    private func autocomplete(_ field: PageField) -> String {
        if field.input == "Password" { return page.kind == .combined ? "current-password" : "new-password" }
        if page.kind == .combined { return "username" }
        let names = [
            "email": "email", "displayname": "name", "givenname": "given-name", "surname": "family-name",
            "number": "tel", "city": "address-level2", "postalcode": "postal-code",
        ]
        return names[field.claim.lowercased()] ?? "off"
    }
}
