import Susi
import SusiPolicies

/// The policies file of the sequences: two applications with one client ID, and one with another.
enum SequencePolicies {
    static func text(at origin: String) -> String {
        """
        { "current": "local", "applications": {
          "local": \(application("1", at: origin)),
          "twin": \(application("1", at: origin)),
          "other": \(application("2", at: origin)) } }
        """
    }

    /// What the tenant knows: the client ID to which a changed file goes too.
    static func registered(at origin: String) -> String {
        text(at: origin).replacing(
            "\"twin\": \(application("1", at: origin))", with: "\"new\": \(application("3", at: origin))")
    }

    static let (susi, partner, edit, reset) = ("B2C_1_susi", "B2C_1_partner", "B2C_1_edit", "B2C_1_reset")

    private static func application(_ digit: String, at origin: String) -> String {
        """
        { "kind": "b2c", "authority": "\(origin)/contoso.onmicrosoft.com",
          "clientId": "\(digit)1111111-1111-1111-1111-111111111111", "redirectPorts": [0],
          "policies": {
            "\(susi)": { "kind": "signUpOrSignIn", "default": true },
            "\(partner)": { "kind": "signUpOrSignIn" },
            "\(edit)": { "kind": "editProfile" }, "\(reset)": { "kind": "passwordReset" } },
          "apis": { "hello": { "baseUrl": "\(origin)/api/hello",
            "scopes": ["https://contoso.onmicrosoft.com/hello/demo.read"] } } }
        """
    }

    /// A change of the file by its owner.
    enum Change: String, CaseIterable {
        case policyGone = "policy gone"
        case hostChanged = "host changed"
        case clientIDChanged = "client ID changed"
        case kindChanged = "kind changed"

        func applied(to text: String) -> String {
            let line = "\"\(partner)\": { \"kind\": \"signUpOrSignIn\" },"
            return switch self {
            case .policyGone: text.replacing(line, with: "")
            case .hostChanged: text.replacing("//localhost:", with: "//127.0.0.1:")
            case .clientIDChanged: text.replacing("\"11111111-", with: "\"31111111-")
            case .kindChanged: text.replacing(line, with: line.replacing("signUpOrSignIn", with: "editProfile"))
            }
        }
    }
}

extension PoliciesFile {
    /// Returns the application to which an account belongs; `nil` if none keeps it.
    func owner(of row: StoreRows.Row) -> Application? {
        registrants(of: row).first { $0.keeps(row.policy) }
    }

    /// Returns why no application keeps an account.
    func reason(for row: StoreRows.Row) -> String {
        guard let application = registrants(of: row).first else { return "noApplication" }
        return application.policy(PolicyName(row.policy)) == nil ? "noPolicy" : "keepsNoAccount"
    }

    private func registrants(of row: StoreRows.Row) -> [Application] {
        applications.filter { $0.clientID == row.clientID && $0.authority.description == row.authority }
    }
}

extension Application {
    func keeps(_ policy: String) -> Bool {
        self.policy(PolicyName(policy)).map { [.signUpOrSignIn, .resourceOwner].contains($0.kind) } ?? false
    }

    /// Returns whether commands of this application use an account.
    func owns(_ row: StoreRows.Row) -> Bool {
        clientID == row.clientID && authority.description == row.authority && keeps(row.policy)
    }
}
