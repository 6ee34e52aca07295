import SusiHTTP
import SusiPolicies
import SusiStore

// The pages at the end of a flow.
extension Page {
    static let notOurs = Page(
        status: 400, title: "Not this sign-in",
        text: "This response belongs to a different sign-in. susi is still waiting for the current one.")

    static func signedIn(_ account: StoredAccount, _ policy: Policy) -> Page {
        Page(
            outcome: .success, title: "Signed in", text: "\(account.label) is signed in under \(policy.name).")
    }

    static func edited(_ account: StoredAccount) -> Page {
        Page(outcome: .success, title: "Profile saved", text: "Saved the profile of \(account.label).")
    }

    static func passwordSet(_ label: String) -> Page {
        Page(outcome: .success, title: "Password set", text: "\(label) has a new password.")
    }

    static func failure(_ error: SusiError, of kind: PolicyKind, _ surface: SignInSurface) -> Page {
        if error.code == .cancelled {
            let text =
                switch kind {
                case .signUpOrSignIn, .resourceOwner: "The sign-in was cancelled. Nothing was stored."
                case .editProfile: "The profile was not changed."
                case .passwordReset: "The password was not changed."
                }
            return Page(outcome: .cancelled, title: "Cancelled", text: text)
        }
        let title =
            switch kind {
            case .signUpOrSignIn, .resourceOwner: "Not signed in"
            case .editProfile: "Profile not updated"
            case .passwordReset: "Password not changed"
            }
        let step = surface.write(error.nextStep)
        // Only a command can be run; an instruction is a sentence of the text.
        if case .words? = error.nextStep.parts.first {
            return Page(outcome: .failure, title: title, text: "\(error.sentence) What to do: \(step).")
        }
        return Page(outcome: .failure, title: title, text: error.sentence, command: step)
    }
}
