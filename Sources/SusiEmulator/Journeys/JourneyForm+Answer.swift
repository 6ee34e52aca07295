import SusiJourneys

/// Reads a submitted form.
extension JourneyForm {
    func answer(_ form: Parameters) -> PageAnswer {
        var fields: [String: String] = [:]
        for field in page.fields { fields[field.claim] = Self.value(of: field, in: form) }
        fields["verificationCode"] = form[Self.code] ?? fields["verificationCode"]
        return PageAnswer(
            number: form[Self.page].flatMap { Int($0) } ?? 0, action(form[Self.action]), fields: fields,
            keepsSignedIn: form["rememberMe"] != nil)
    }

    /// The field for the code of a verification without a display control.
    static let code = "susi:code"

    /// The name of a claim's field: its ID, unless the form has another field of this name.
    static func name(_ claim: String) -> String {
        ["transaction", "csrf", "rememberMe"].contains(claim) ? "claim:\(claim)" : claim
    }

    private static func value(of field: PageField, in form: Parameters) -> String? {
        let name = name(field.claim)
        switch field.input {
        case "CheckboxMultiSelect":
            let ticked = field.options.indices.filter { form["\(name):\($0)"] != nil }
            return ticked.map { field.options[$0].value }.joined(separator: ",")
        case "DateTimeDropdown":
            let parts = ["year", "month", "day"].map { form["\(name)_\($0)"] ?? "" }
            return parts.contains("") ? "" : parts.joined(separator: "-")
        default: return form.all[name]
        }
    }

    // The words that the buttons have as values.
    private func action(_ text: String?) -> PageAnswer.Action {
        let words = (text ?? "").split(separator: " ", maxSplits: 1).map(String.init)
        let rest = words.count > 1 ? words[1] : ""
        switch words.first {
        case "cancel": return .cancel
        case "forgot": return .forgotPassword
        case "choose": return .choose(rest)
        case "send": return .sendCode(rest)
        case "verify": return .verifyCode(rest)
        case "edit": return .changeAddress(rest)
        case "control":
            let parts = rest.split(separator: " ", maxSplits: 1).map(String.init)
            return parts.count == 2 ? .control(parts[0], action: parts[1]) : .submit
        default: return .submit
        }
    }
}
