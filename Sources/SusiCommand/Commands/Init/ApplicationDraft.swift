import Susi
import SusiBase

/// A draft of an application in policies.json: what options, answers and the files of another program say.
struct ApplicationDraft {
    /// The application's name in the file; `nil` means a suggested one.
    var name: String?
    var kind: AuthorityKind?
    /// The tenant of an argument, an option or an answer: its address, name or ID.
    var tenant: String?
    var clientID: String?
    var policies: [DraftPolicy] = []
    /// The named redirect ports; they replace those of a redirect address.
    var redirectPorts: [UInt16] = []
    var api: DraftAPI?
    var scopes: [String] = []
    var sources: [SourceFacts] = []
    /// Whether a person confirmed what was found in text.
    var isConfirmed = false
    /// Whether a local copy of the tenant is written too.
    var isCopied = false
    /// The file with the variables that a program reads.
    var variablesFile: String?
    /// The command to run again, with the given options.
    var again = SuggestedCommand("init")

    struct DraftPolicy: Hashable {
        let name: PolicyName
        /// The kind; `nil` if it was not named and cannot be guessed from the policy's name. It is then written as
        /// signUpOrSignIn.
        var kind: PolicyKind?
        /// Whether a sign-in can start with this policy.
        var signsIn: Bool { kind == nil || kind == .signUpOrSignIn || kind == .resourceOwner }
        /// The value of the option `--policy`.
        var option: String {
            let isGuessed = kind == PolicyKind(guessing: name.spelling)
            return isGuessed ? name.spelling : "\(name)=\((kind ?? .signUpOrSignIn).rawValue)"
        }
    }

    struct DraftAPI {
        let name: String
        let baseURL: WebAddress

        /// Returns a name for an API without one: the last part of its path that is a valid name.
        static func name(of address: WebAddress) -> String {
            address.segments.last(where: SchemaNode.Text.name.allows) ?? "api"
        }
    }
}

/// A value without which no file is written.
enum DraftNeed: CaseIterable {
    case tenant, kind, clientID, policy, scope

    var label: String {
        switch self {
        case .tenant: "the address of the tenant"
        case .kind: "the kind of tenant"
        case .clientID: "the client ID"
        case .policy: "a policy that signs in"
        case .scope: "the scope of the API"
        }
    }
}
