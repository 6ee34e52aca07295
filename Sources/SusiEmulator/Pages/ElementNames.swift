/// The elements whose IDs differ between the pages of services, so that a test that fills in the pages of the service fills in
/// these. Parity.md has the sources.
struct ElementNames: Sendable {
    typealias Input = (id: String, name: String)

    /// The sign-in name on the sign-in page, and its name in the form.
    var signInName: Input = ("signInName", "signInName")
    var password: Input = ("password", "password")
    /// The button that signs in.
    var signIn = "next"
    /// Whether that button is an `input`, which tests select by `input[type=submit]`.
    var hasInputAsButton = false
    var emailCode = CodeElements("emailVerificationControl", code: "emailVerificationCode")
    let phoneCode = CodeElements("phoneVerificationControl", code: "verificationCode")

    /// A custom policy of B2C names the fields after its claims; those of the starter packs verify addresses with the older control.
    static let customPolicy: ElementNames = {
        var names = ElementNames()
        names.emailCode = CodeElements(
            code: "email_ver_input", send: "email_ver_but_send", verify: "email_ver_but_verify",
            sendNew: "email_ver_but_resend", change: "email_ver_but_edit")
        return names
    }()

    static func userFlow(_ identifier: PolicySettings.Identifier) -> ElementNames {
        ElementNames(signInName: (identifier == .email ? "email" : "logonIdentifier", "signInName"))
    }

    /// External ID and Entra ID.
    static let microsoft = ElementNames(
        signInName: ("i0116", "loginfmt"), password: ("i0118", "passwd"), signIn: "idSIButton9", hasInputAsButton: true)

    subscript(channel: OutboxMessage.Channel) -> CodeElements { channel == .email ? emailCode : phoneCode }
}

/// The elements that send and check a code.
struct CodeElements: Sendable {
    let code, send, verify, sendNew, change: String

    init(code: String, send: String, verify: String, sendNew: String, change: String) {
        (self.code, self.send, self.verify, self.sendNew, self.change) = (code, send, verify, sendNew, change)
    }

    /// A verification display control.
    init(_ control: String, code: String) {
        self.init(
            code: code, send: "\(control)_but_send_code", verify: "\(control)_but_verify_code",
            sendNew: "\(control)_but_send_new_code", change: "\(control)_but_change_claims")
    }
}
