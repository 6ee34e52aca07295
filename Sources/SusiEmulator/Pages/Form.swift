/// One field of a form, with its label and, when there is one, its error.
struct Field: Sendable {
    /// The element's id and name; B2C's own.
    let id: String
    let label: String
    var type = "text"
    var autocomplete: String
    var value = ""
    /// What the field may be; empty takes any text.
    var choices: [String] = []
    var isRequired = true
    /// Whether it only shows its value.
    var isReadOnly = false
    var hint: String?
    /// A word about this time: what has to be done again.
    var note: String?
    var error: String?
    /// What the browser checks before it sends the form.
    var rule: FieldRule?
    var isFocused = false
    var inputMode: String?
    /// The id of an element elsewhere on the page that describes the field too.
    var describedBy: String?

    func html(_ words: Words) -> HTML {
        let hintLine: HTML? = hint.map { "<p class=\"hint\" id=\"\(id)-hint\">\($0)</p>" }
        let noteLine: HTML? = note.map { "<p class=\"note\" id=\"\(id)-note\">\($0)</p>" }
        let errorLine: HTML? = error.map { "<p class=\"error\" id=\"\(id)-error\" role=\"alert\">\($0)</p>" }
        let needed: HTML? = isNeeded ? " needed" : nil
        return """
            <div class="field\(needed)">
            <label for="\(id)">\(label)</label>
            \(choices.isEmpty ? shownInput(words) : select(words))
            \(hintLine)\(noteLine)\(errorLine)
            </div>
            """
    }

    /// Whether the person has to fill it in.
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

    // A password can be looked at. The button is there only where scripts run.
    private func shownInput(_ words: Words) -> HTML {
        guard type == "password" else { return input(words) }
        return """
            <div class="secret">
            \(input(words))
            <button class="reveal" type="button" aria-controls="\(id)" aria-label="\(words[.showPassword])" \
            data-show="\(words[.show])" data-hide="\(words[.hide])" data-show-name="\(words[.showPassword])" \
            data-hide-name="\(words[.hidePassword])" hidden>\(words[.show])</button>
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

    private var naming: HTML { " id=\"\(id)\" name=\"\(id)\"" }

    // What describes the field: its hint and its error, in this order (WCAG 2.2, 3.3.1 and 3.3.2).
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

/// A further button of a form; its name and value tell which one was pressed.
struct FormButton: Sendable {
    let id: String
    let name: String
    var value = "1"
    let text: String
}

/// A form of a transaction: fields, one main button, further buttons, a cancel button.
struct Form: Sendable {
    /// B2C's own id for all pages but the sign-in.
    var id = "attributeVerification"
    let action: String
    let fields: [Field]
    /// The main button's id and text; it comes first, so that Enter presses it.
    let submit: (id: String, text: String)
    var buttons: [FormButton] = []
    /// An error of the whole form.
    var alert: String?
    var afterFields: HTML?
    /// Whose password it is, where no field asks: a password manager reads it, nobody sees it.
    var username: String?
    /// Whether the person is asked to stay signed in. The forms after that one pass the answer on.
    var offersToKeep = false

    func html(_ flow: Flow) -> HTML {
        let alertLine: HTML? = alert.map { "<p class=\"alert\" id=\"alert\" role=\"alert\">\($0)</p>" }
        let usernameField: HTML? = username.map {
            "<input name=\"username\" type=\"text\" autocomplete=\"username\" value=\"\($0)\" readonly hidden>"
        }
        let more = buttons.map { button in
            HTML(
                """
                <button class="quiet" id="\(button.id)" name="\(button.name)" value="\(button.value)" \
                type="submit" formnovalidate>\(button.text)</button>
                """)
        }
        let others: HTML? = more.isEmpty ? nil : "<div class=\"more\">\n\(HTML(more))\n</div>"
        let legend: HTML? = marksNeeded ? "<p class=\"legend\">\(flow.words[.neededFields])</p>" : nil
        return """
            <form id="\(id)" class="asks\(marksNeeded ? " marked" : "")" method="post" \
            action="\(flow.endpoint.page(action))">
            \(flow.hiddenFields)
            \(usernameField)\(alertLine)\(legend)
            \(HTML(focusedFields.map { $0.html(flow.words) }))
            \(keeping(flow))\(afterFields)
            <button class="main" id="\(submit.id)" type="submit">\(submit.text)</button>
            \(others)
            <button class="quiet" id="cancel" name="cancel" value="1" type="submit" formnovalidate>\(flow.words[.cancel])</button>
            </form>
            """
    }

    // Where a form asks for more than a name and a password, it says beforehand what has to be filled in.
    private var marksNeeded: Bool { fields.count(where: { !$0.isReadOnly }) > 2 }

    private func keeping(_ flow: Flow) -> HTML? {
        let isKept = flow.context.form["keepMeSignedIn"] != nil
        guard offersToKeep else {
            return isKept ? "<input type=\"hidden\" name=\"keepMeSignedIn\" value=\"true\">" : nil
        }
        let checked: HTML? = isKept ? " checked" : nil
        return """
            <div class="check">
            <input id="keepMeSignedIn" name="keepMeSignedIn" type="checkbox" value="true" autocomplete="off"\(checked)>
            <label for="keepMeSignedIn">\(flow.words[.keepMeSignedIn])</label>
            </div>
            """
    }

    // The keyboard is at the first field that has to be mended, and that field tells the form's error when it is read out.
    private var focusedFields: [Field] {
        let wrong = fields.firstIndex { $0.error != nil }
        return fields.enumerated().map { index, field in
            var field = field
            if let wrong { field.isFocused = index == wrong }
            if alert != nil, field.isFocused { field.describedBy = "alert" }
            return field
        }
    }
}

extension Flow {
    /// What every form of the transaction carries along.
    var hiddenFields: HTML {
        """
        <input type="hidden" name="transaction" value="\(transaction.id)">
        <input type="hidden" name="csrf" value="\(csrfToken)">
        """
    }
}
