/// A page of a journey as values; the host draws it (spec §6). All texts are texts, never HTML.
package struct PageModel: Equatable, Sendable {
    package enum Kind: String, Sendable { case selection, combined, selfAsserted, phone }

    package let kind: Kind
    /// Changes with each page. A form carries it, so that a stale one is known.
    package let number: Int
    /// The profile that asks; for a selection without a form, nothing.
    package var profile: String?
    package var contentDefinition: String?
    /// What the developer calls the profile.
    package var title = ""
    /// Texts of the policy for parts of the page by UxElement, such as `heading` and `button_continue`
    /// (localization-string-ids).
    package var texts: [String: String] = [:]
    package var items: [PageItem] = []
    /// Providers and other exchanges to choose.
    package var buttons: [PageButton] = []
    package var signUp: PageButton?
    package var hasForgotPassword = false
    package var hasCancel = true
    package var hasContinue = true
    package var keepsSignedIn = false
    /// The mistake that the page is about.
    package var message: String?

    /// All fields, those of display controls too.
    package var fields: [PageField] {
        items.flatMap { item in
            switch item {
            case .field(let field): [field]
            case .control(let control): control.fields
            }
        }
    }
}

package enum PageItem: Equatable, Sendable {
    case field(PageField)
    case control(PageControl)
}

/// A claim that a page asks for or shows.
package struct PageField: Equatable, Sendable {
    package let claim: String
    package let label: String
    package let help: String
    /// UserInputType: TextBox, EmailBox, Password, DropdownSingleSelect…
    package let input: String
    /// The value to show; never that of a password.
    package var value = ""
    package var isRequired = false
    /// A value that the user cannot change: Readonly, Paragraph, or verified.
    package var isFixed = false
    package var options: [PageOption] = []
    /// Whether it is for the code of a display control.
    package var isCode = false
    /// What is wrong with the value.
    package var error: String?
    /// For a claim with the older verification of an e-mail address.
    package var verification: Verification?
}

package struct PageOption: Equatable, Sendable {
    package let text: String
    package let value: String
    package let isDefault: Bool
}

package struct PageButton: Equatable, Sendable {
    /// The claims exchange.
    package let id: String
    package let label: String
}

/// How far the verification of an address has come.
package enum Verification: String, Codable, Equatable, Sendable { case open, sent, verified }

/// A display control (display-controls).
package struct PageControl: Equatable, Sendable {
    package let id: String
    package var fields: [PageField]
    package let actions: [String]
    package let verification: Verification
    package var message: String?
}

/// What a user does on a page.
package struct PageAnswer: Sendable {
    package enum Action: Equatable, Sendable {
        case submit, cancel, forgotPassword
        /// An exchange of the buttons, or the sign-up link.
        case choose(String)
        /// An action of a display control, such as SendCode.
        case control(String, action: String)
        /// The older verification of a claim: send a code, verify it, or change the address.
        case sendCode(String), verifyCode(String), changeAddress(String)
    }

    package let number: Int
    package let action: Action
    /// By claim, what the form has. Several choices are separated by commas. The code of the older verification and of
    /// a phone is under `verificationCode`, a new phone number under `number`.
    package var fields: [String: String]
    package var keepsSignedIn = false

    package init(number: Int, _ action: Action, fields: [String: String] = [:], keepsSignedIn: Bool = false) {
        (self.number, self.action, self.fields, self.keepsSignedIn) = (number, action, fields, keepsSignedIn)
    }
}
