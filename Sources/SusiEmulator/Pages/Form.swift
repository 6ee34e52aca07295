struct Field: Sendable {
    /// The element's ID, as the service has it.
    let id: String
    /// The name in the form; by default the ID.
    var name: String?
    let label: String
    var type = "text"
    var autocomplete: String
    var value = ""
    /// The accepted values; empty accepts any text.
    var choices: [String] = []
    var isRequired = true
    var isReadOnly = false
    var hint: String?
    /// A note that the value must be entered again.
    var note: String?
    var error: String?
    /// The check that the browser makes before it sends the form.
    var rule: FieldRule?
    var isFocused = false
    var inputMode: String?
    /// The ID of another element that describes the field.
    var describedBy: String?

    func html(_ words: Words) -> HTML {
        if type == "checkbox" { return Checkbox(id: id, label: "\(label)", isChecked: value == "true").html }
        let hintLine: HTML? = hint.map { "<p class=\"hint\" id=\"\(id)-hint\">\($0)</p>" }
        let noteLine: HTML? = note.map { "<p class=\"note\" id=\"\(id)-note\">\($0)</p>" }
        let errorLine: HTML? = error.map {
            "<p class=\"error itemLevel show\" id=\"\(id)-error\" role=\"alert\">\($0)</p>"
        }
        let needed: HTML? = isNeeded ? " needed" : nil
        return """
            <div class="field\(needed)">
            <label for="\(id)">\(label)</label>
            \(choices.isEmpty ? shownInput(words) : select(words))
            \(hintLine)\(noteLine)\(errorLine)
            </div>
            """
    }

    /// Whether the user has to fill it in.
    var isNeeded: Bool { isRequired && !isReadOnly }

    private func input(_ words: Words) -> HTML {
        let mode: HTML? = inputMode.map { " inputmode=\"\($0)\"" }
        let filled: HTML? = type == "password" ? nil : " value=\"\(value)\""
        let fixed: HTML? = isReadOnly ? " readonly" : nil
        let checks: HTML? = isReadOnly ? nil : rule?.attributes(words)
        return """
            <input\(naming) type="\(type)" autocomplete="\(autocomplete)"\(filled)\(mode)\(state(words))\(fixed)\(checks) \
            spellcheck="false" autocapitalize="none">
            """
    }

    // A password with a button that shows it, where scripts run. Its name is text, so that one element has the label “Password”.
    private func shownInput(_ words: Words) -> HTML {
        guard type == "password" else { return input(words) }
        return """
            <div class="secret">
            \(input(words))
            <button class="reveal" type="button" aria-controls="\(id)" data-show="\(words[.hide])" \
            data-name="\(words[.hidePassword])" hidden><span aria-hidden="true">\(words[.show])</span>\
            <span class="aside-name">\(words[.showPassword])</span></button>
            </div>
            """
    }

    private func select(_ words: Words) -> HTML {
        let options = choices.map { choice in
            let selected: HTML? = choice == value ? " selected" : nil
            return HTML("<option value=\"\(choice)\"\(selected)>\(choice)</option>")
        }
        return """
            <select\(naming) autocomplete="\(autocomplete)"\(state(words))>
            <option value="">\(words[.pleaseChoose])</option>
            \(HTML(options))
            </select>
            """
    }

    private var naming: HTML { " id=\"\(id)\" name=\"\(name ?? id)\"" }

    // The hint and the error describe the field, in this order (WCAG 2.2, 3.3.1 and 3.3.2).
    private func state(_ words: Words) -> HTML {
        let described = [
            describedBy, hint.map { _ in "\(id)-hint" }, note.map { _ in "\(id)-note" },
            error.map { _ in "\(id)-error" },
        ].compactMap(\.self)
        let required: HTML? = isNeeded ? " required data-missing=\"\(words[.required])\"" : nil
        let description: HTML? = described.isEmpty ? nil : " aria-describedby=\"\(described.joined(separator: " "))\""
        let invalid: HTML? = error == nil ? nil : " aria-invalid=\"true\""
        let focus: HTML? = isFocused ? " autofocus" : nil
        return "\(required)\(description)\(invalid)\(focus)"
    }
}

/// A secondary button of a form.
struct FormButton: Sendable {
    let id: String
    let name: String
    let text: String
}

struct Checkbox: Sendable {
    let id: String
    var value = "true"
    let label: HTML
    var isChecked = false
    var describedBy: String?

    var html: HTML {
        let checked: HTML? = isChecked ? " checked" : nil
        let description: HTML? = describedBy.map { " aria-describedby=\"\($0)\"" }
        return """
            <div class="check">
            <input id="\(id)" name="\(id)" type="checkbox" value="\(value)" autocomplete="off"\(checked)\(description)>
            <label for="\(id)">\(label)</label>
            </div>
            """
    }
}

/// A form of a transaction: fields, a main button, secondary buttons and a cancel button.
struct Form: Sendable {
    /// The ID that B2C uses on all pages but the sign-in page.
    var id = "attributeVerification"
    let action: String
    let fields: [Field]
    /// The ID and text of the main button. It is the first button, so that Enter presses it.
    let submit: (id: String, text: String)
    var hasInputAsButton = false
    var buttons: [FormButton] = []
    /// The error of the whole form.
    var alert: String?
    var afterFields: HTML?
    /// The user name for password managers, where no visible field has it.
    var username: String?
    /// Whether the form offers “keep me signed in”. The later forms pass the choice on.
    var offersToKeep = false

    // The ID that B2C uses on the same pages.
    private static let alertID = "claimVerificationServerError"

    /// The request log's note about the first problem.
    static func note(_ problems: [String: LocalizedText]) -> String? {
        problems.keys.min().map { "invalid field \($0)" }
    }

    func html(_ transaction: Transaction) -> HTML {
        let alertLine: HTML? = alert.map {
            "<div class=\"alert error pageLevel\" id=\"\(Self.alertID)\" role=\"alert\"><p>\($0)</p></div>"
        }
        let usernameField: HTML? = username.map {
            "<input name=\"username\" type=\"text\" autocomplete=\"username\" value=\"\($0)\" readonly hidden>"
        }
        let more = buttons.map { button in
            HTML(
                """
                <button class="quiet" id="\(button.id)" name="\(button.name)" value="1" \
                type="submit" formnovalidate>\(button.text)</button>
                """)
        }
        let others: HTML? = more.isEmpty ? nil : "<div class=\"more\">\n\(HTML(more))\n</div>"
        let legend: HTML? = marksNeeded ? "<p class=\"legend\">\(transaction.words[.neededFields])</p>" : nil
        return """
            <form id="\(id)" class="asks\(marksNeeded ? " marked" : "")" method="post" \
            action="\(transaction.endpoint.page(action))">
            \(transaction.hiddenFields)
            \(usernameField)\(alertLine)\(legend)
            \(HTML(focusedFields.map { $0.html(transaction.words) }))
            \(keeping(transaction))\(afterFields)
            \(mainButton)
            \(others)
            <button class="quiet" id="cancel" name="cancel" value="1" type="submit" formnovalidate>\(transaction.words[.cancel])</button>
            </form>
            """
    }

    private var mainButton: HTML {
        hasInputAsButton
            ? "<input class=\"main\" id=\"\(submit.id)\" type=\"submit\" value=\"\(submit.text)\">"
            : "<button class=\"main\" id=\"\(submit.id)\" type=\"submit\">\(submit.text)</button>"
    }

    // A form with more than a name and a password says which fields are required.
    private var marksNeeded: Bool { fields.count(where: { !$0.isReadOnly }) > 2 }

    private func keeping(_ transaction: Transaction) -> HTML? {
        let isKept = transaction.context.form["rememberMe"] != nil
        guard offersToKeep else {
            return isKept ? "<input type=\"hidden\" name=\"rememberMe\" value=\"true\">" : nil
        }
        let label: HTML = "\(transaction.words[.keepMeSignedIn])"
        return Checkbox(id: "rememberMe", label: label, isChecked: isKept).html
    }

    // The focus is on the first field with an error, and a screen reader reads the form's error with it.
    private var focusedFields: [Field] {
        let wrong = fields.firstIndex { $0.error != nil }
        return fields.enumerated().map { index, field in
            var field = field
            if let wrong { field.isFocused = index == wrong }
            if alert != nil, field.isFocused { field.describedBy = Self.alertID }
            return field
        }
    }
}
