/// One field of a form, with its label and, when there is one, its error.
struct Field: Sendable {
    /// The element's id and name; B2C's own.
    let id: String
    /// The name in the form, where it is another one.
    var name: String?
    let label: String
    var type = "text"
    var autocomplete: String
    var value = ""
    var isRequired = true
    var hint: String?
    var error: String?
    var isFocused = false
    var inputMode: String?
    /// The id of an element elsewhere on the page that describes the field too.
    var describedBy: String?

    var html: HTML {
        // What describes the field: its hint and its error, in this order (WCAG 2.2, 3.3.1 and 3.3.2).
        let described = [describedBy, hint.map { _ in "\(id)-hint" }, error.map { _ in "\(id)-error" }].compactMap {
            $0
        }
        let description: HTML? = described.isEmpty ? nil : " aria-describedby=\"\(described.joined(separator: " "))\""
        let invalid: HTML? = error == nil ? nil : " aria-invalid=\"true\""
        let mode: HTML? = inputMode.map { " inputmode=\"\($0)\"" }
        let filled: HTML? = type == "password" ? nil : " value=\"\(value)\""
        let required: HTML? = isRequired ? " required" : nil
        let focus: HTML? = isFocused ? " autofocus" : nil
        let hintLine: HTML? = hint.map { "<p class=\"hint\" id=\"\(id)-hint\">\($0)</p>" }
        let errorLine: HTML? = error.map { "<p class=\"error\" id=\"\(id)-error\" role=\"alert\">\($0)</p>" }
        return """
            <div class="field">
            <label for="\(id)">\(label)</label>
            <input id="\(id)" name="\(name ?? id)" type="\(type)" autocomplete="\(autocomplete)"\(required)\(filled)\
            \(mode)\(description)\(invalid)\(focus) spellcheck="false" autocapitalize="none">
            \(hintLine)\(errorLine)
            </div>
            """
    }
}

/// A form of a transaction: fields, one main button, a cancel button.
struct Form: Sendable {
    let action: String
    let fields: [Field]
    /// The main button's id and text; it comes first, so that Enter presses it.
    let submit: (id: String, text: String)
    /// An error of the whole form.
    var alert: String?
    var afterFields: HTML?
    /// Whose password it is, where no field asks: a password manager reads it, nobody sees it.
    var username: String?

    func html(_ flow: Flow) -> HTML {
        let alertLine: HTML? = alert.map { "<p class=\"alert\" id=\"alert\" role=\"alert\">\($0)</p>" }
        let usernameField: HTML? = username.map {
            "<input name=\"username\" type=\"email\" autocomplete=\"username\" value=\"\($0)\" readonly hidden>"
        }
        return """
            <form method="post" action="\(flow.place.page(action))" novalidate>
            <input type="hidden" name="transaction" value="\(flow.transaction.id)">
            <input type="hidden" name="csrf" value="\(flow.csrfToken)">
            \(usernameField)\(alertLine)
            \(HTML(focusedFields.map(\.html)))
            \(afterFields)
            <button class="main" id="\(submit.id)" type="submit">\(submit.text)</button>
            <button class="quiet" id="cancel" name="cancel" value="1" type="submit">\(flow.words[.cancel])</button>
            </form>
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
