import Testing

/// One input of `susi init`, with the shape of a public file and invented values.
struct InitSource: Sendable, CustomTestStringConvertible {
    /// The name of the file; `nil` if the text is an address on the command line.
    var file: String?
    let text: String
    /// Whether the file is written in UTF-16.
    var isUTF16 = false
    var flags: [String] = []
    /// The expected application in the notation of ``InitSource/notation(of:)``.
    var application = ""
    /// Parts of the report: where a value was read, and what was left out.
    var report: [String] = []
    /// Parts of the error or of the values that were read, if the input is refused.
    var refusal: [String] = []
    var testDescription: String { "\(file ?? text) \(flags.joined(separator: " "))" }

    static let id = "90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6"
    static let otherID = "841e1190-d73a-450c-9d68-f5cf16b78e81"
    static let tenantID = "775527ff-9a37-4307-8b3d-cc311f58d925"
    static let contoso = "b2c https://contoso.b2clogin.com/contoso.onmicrosoft.com"
    /// The three user flows of most samples.
    static let flows =
        "policy B2C_1_susi signUpOrSignIn\npolicy B2C_1_reset passwordReset\npolicy B2C_1_edit_profile editProfile"

    /// The files, by family.
    static let files =
        aspNet + msal + msalCode + variables + nextAuth + auth0 + okta + zitadel + keycloak + containers
        + otherCode

    static func typed(_ address: String, _ flags: [String], _ application: String, _ report: String...) -> InitSource {
        InitSource(text: address, flags: flags, application: application, report: report)
    }

    /// An address without a client ID.
    static func typed(_ address: String, _ application: String, _ report: String...) -> InitSource {
        InitSource(text: address, flags: ["--client-id", id], application: application, report: report)
    }

    static func refused(typed address: String, _ flags: [String], _ refusal: String...) -> InitSource {
        InitSource(text: address, flags: flags, refusal: refusal)
    }

    /// An address without a client ID that is refused.
    static func refused(typed address: String, _ refusal: String...) -> InitSource {
        InitSource(text: address, flags: ["--client-id", id], refusal: refusal)
    }

    static func read(_ file: String, _ text: String, _ application: String, _ report: String...) -> InitSource {
        InitSource(file: file, text: text, application: application, report: report)
    }

    static func read(
        _ file: String, _ flags: [String], _ text: String, _ application: String, _ report: String...
    ) -> InitSource {
        InitSource(file: file, text: text, flags: flags, application: application, report: report)
    }

    /// A file in UTF-16.
    static func read(_ file: String, isUTF16: Bool, _ text: String, _ application: String) -> InitSource {
        InitSource(file: file, text: text, isUTF16: isUTF16, application: application)
    }

    static func refused(_ file: String, _ text: String, _ refusal: String...) -> InitSource {
        InitSource(file: file, text: text, refusal: refusal)
    }
}
