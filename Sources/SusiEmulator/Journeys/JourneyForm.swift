import SusiBase
import SusiJourneys
import SusiPolicies

/// The form of a journey's page: each button submits it, so that it works without scripts. The IDs of its elements are those
/// of the service (spec §6.3).
struct JourneyForm {
    let page: PageModel
    let transaction: Transaction

    /// The field with the number of the page. No claim has such a name, nor that of the next one.
    static let page = "susi:page"
    /// The ID of the page's error.
    static let alert = "claimVerificationServerError"
    /// The field with what a button does.
    static let action = "susi:do"

    init(_ page: PageModel, _ transaction: Transaction) { (self.page, self.transaction) = (page, transaction) }

    var words: Words { transaction.words }

    func response(_ policies: CustomPolicies) -> Response {
        let wrong = page.message ?? page.items.lazy.compactMap(\.problem).first
        return transaction.page(
            title, lead: page.texts["intro"] ?? words[.toContinueWith, transaction.endpoint.tenant.configuration.name],
            wrong: wrong, template: template(policies), html)
    }

    private var title: String {
        if let heading = page.texts["heading"], !heading.isEmpty { return heading }
        return switch page.kind {
        case .combined, .selection: words[.signIn]
        case .phone: words[.secondFactor]
        case .selfAsserted: page.title
        }
    }

    // A file of the folder with the name of the LoadUri; the name may have no claim resolver (spec §0 B2).
    private func template(_ policies: CustomPolicies) -> String? {
        let custom = policies.policies[transaction.endpoint.policy.name.lowercased]
        guard let uri = custom?.policy.loadURI(of: page.contentDefinition), !uri.contains("{") else { return nil }
        let name = uri.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last ?? ""
        return PercentEncoding.decode(String(name)).flatMap { policies.files.pages[$0.lowercased()] }
    }

    private var html: HTML {
        let alert: HTML? = page.message.map {
            "<div class=\"alert error pageLevel\" id=\"\(Self.alert)\" role=\"alert\"><p>\($0)</p></div>"
        }
        let list = JourneyFields(form: self)
        // Enter presses the first button of a form: it must not send a code.
        let first: HTML? =
            list.hasButtons && hasMain ? "<button type=\"submit\" hidden>\(mainText)</button>" : nil
        let rememberMe = transaction.context.form["rememberMe"] != nil
        let keep: HTML? =
            page.keepsSignedIn
            ? Checkbox(id: "rememberMe", label: "\(words[.keepMeSignedIn])", isChecked: rememberMe).html
            : rememberMe ? "<input type=\"hidden\" name=\"rememberMe\" value=\"true\">" : nil
        let cancel: HTML? = page.hasCancel ? button("cancel", "cancel", words[.cancel]) : nil
        return """
            <form id="\(page.kind == .combined ? "localAccountForm" : "attributeVerification")" class="asks" method="post" \
            action="\(transaction.endpoint.page(Route.journey))">
            \(transaction.hiddenFields)
            <input type="hidden" name="\(Self.page)" value="\(String(page.number))">
            \(first)\(alert)
            <div id="attributeList">
            \(list.html)
            </div>
            \(keep)
            \(main)
            \(links)
            \(choices)
            \(cancel)
            </form>
            """
    }

    private var hasMain: Bool { page.hasContinue && page.kind != .phone && page.kind != .selection }

    private var mainText: String {
        page.kind == .combined
            ? page.texts["button_signin"] ?? words[.signIn] : page.texts["button_continue"] ?? words[.continue]
    }

    private var main: HTML? {
        guard hasMain else { return nil }
        return """
            <button class="main" id="\(page.kind == .combined ? "next" : "continue")" type="submit">\(mainText)</button>
            """
    }

    private var links: HTML? {
        let forgot = page.hasForgotPassword ? button("forgotPassword", "forgot", words[.forgotPassword]) : nil
        let signUp = page.signUp.map { button("createAccount", "choose \($0.id)", words[.signUpNow]) }
        return forgot == nil && signUp == nil ? nil : "\(forgot)\(signUp)"
    }

    // The providers.
    private var choices: HTML? {
        guard !page.buttons.isEmpty else { return nil }
        return "<div class=\"others\">\(HTML(page.buttons.map { button($0.id, "choose \($0.id)", $0.label) }))</div>"
    }

    func button(_ id: String, _ action: String, _ text: String) -> HTML {
        """
        <button class="quiet" id="\(id)" name="\(Self.action)" value="\(action)" type="submit" formnovalidate>\(text)</button>
        """
    }
}

extension PageItem {
    /// What is wrong with it.
    fileprivate var problem: String? {
        switch self {
        case .field(let field): field.error
        case .control(let control): control.message ?? control.fields.lazy.compactMap(\.error).first
        }
    }
}
