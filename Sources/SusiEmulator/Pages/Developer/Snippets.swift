import SusiPolicies

/// How to point a program at a tenant, with the tenant's own values.
struct Snippets {
    struct Snippet: Sendable {
        let title: String
        let text: String
    }

    private let tenant: Tenant
    private let origin: String
    private let application: RegisteredApplication
    private let place: Place

    /// Nil for a tenant without a public client.
    init?(_ tenant: Tenant, _ origin: String) {
        guard let application = tenant.configuration.applications.first(where: { !$0.isConfidential }),
            let place = tenant.places(origin).first(where: { $0.policy.kind == .signUpOrSignIn })
        else { return nil }
        self.tenant = tenant
        self.origin = origin
        self.application = application
        self.place = place
    }

    var all: [Snippet] {
        [
            Snippet(title: "policies.json for susi", text: policies),
            Snippet(title: "MSAL for Python", text: secured("#") + python),
            Snippet(title: "MSAL.js", text: secured("//") + javaScript),
            Snippet(title: "MSAL.NET", text: secured("//") + dotNet),
            Snippet(title: "MSAL for Android: auth_config.json", text: android),
            Snippet(title: "MSAL for iOS and macOS", text: secured("//") + apple),
            Snippet(title: "curl", text: curl),
        ]
    }

    private var configuration: TenantConfiguration { tenant.configuration }
    private var isB2C: Bool { configuration.kind == .b2c }
    private var base: String { isB2C ? "\(origin)/\(configuration.name)" : "\(origin)\(place.base)" }
    private var authority: String { "\(origin)\(place.base)" }
    /// The form that some libraries demand.
    private var marked: String { isB2C ? "\(origin)/tfp\(place.base)" : authority }
    private var host: String { origin.split(separator: "/").last.map(String.init) ?? "" }
    private var scopes: [String] { configuration.apis.first?.fullScopes ?? ["openid"] }
    private var redirect: String { application.redirectAddresses.first ?? "http://localhost/" }

    /// The port of a redirect address on this machine.
    private static func port(_ address: String) -> Int? {
        guard address.hasPrefix("http://localhost:") else { return nil }
        return Int(address.dropFirst("http://localhost:".count).prefix { $0.isNumber })
    }

    /// A text in quotation marks, as JSON, Python, JavaScript, C# and Swift all read it.
    private func quoted(_ text: String) -> String {
        String(decoding: (try? JSON.string(text).encoded()) ?? [], as: UTF8.self)
    }

    private func list(_ texts: [String]) -> String { texts.map(quoted).joined(separator: ", ") }

    // MARK: susi

    private var policies: String {
        var ports: [Int] = []
        for port in application.redirectAddresses.compactMap(Self.port) where !ports.contains(port) {
            ports.append(port)
        }
        let policies = configuration.policies.map { policy in
            let mark = policy.name == place.policy.name ? ", \"default\": true" : ""
            return "        \(quoted(policy.name.spelling)): { \"kind\": \(quoted(policy.kind.rawValue))\(mark) }"
        }
        let apis = configuration.apis.map { api in
            "        \(quoted(api.name)): { \"baseUrl\": \(quoted(origin + api.samplePath)), \"scopes\": [\(list(api.fullScopes))] }"
        }
        var members = [
            "\"kind\": \(quoted(configuration.kind.rawValue))", "\"authority\": \(quoted(base))",
            "\"clientId\": \(quoted(application.clientID))",
            "\"redirectPorts\": [\((ports.isEmpty ? [0] : ports).map { "\($0)" }.joined(separator: ", "))]",
        ]
        if isB2C { members.append("\"policies\": {\n\(policies.joined(separator: ",\n"))\n      }") }
        members.append("\"knownAuthorities\": [\(quoted(base))]")
        if !apis.isEmpty { members.append("\"apis\": {\n\(apis.joined(separator: ",\n"))\n      }") }
        return """
            {
              "current": "local",
              "applications": {
                "local": {
                  \(members.joined(separator: ",\n      "))
                }
              }
            }
            """
    }

    // MARK: MSAL

    // The libraries take no authority of http.
    private func secured(_ mark: String) -> String {
        origin.hasPrefix("https://")
            ? "" : "\(mark) MSAL wants https: susi emulator run --tls, then open this page there.\n"
    }

    private var python: String {
        let named = configuration.kind == .openid ? "oidc_authority" : "authority"
        let port = Self.port(redirect).map { ", port=\($0)" } ?? ""
        let discovery = configuration.kind == .openid ? "" : ", instance_discovery=False"
        return """
            import msal

            application = msal.PublicClientApplication(
                \(quoted(application.clientID)), \(named)=\(quoted(authority))\(discovery))
            answer = application.acquire_token_interactive([\(list(scopes))]\(port))
            print(answer.get("access_token") or answer["error_description"])
            """
    }

    private var javaScript: String {
        """
        import { PublicClientApplication } from "@azure/msal-browser";

        // The page's origin has to be among the application's origins.
        const application = await PublicClientApplication.createPublicClientApplication({
          auth: {
            clientId: \(quoted(application.clientID)),
            authority: \(quoted(authority)),
            knownAuthorities: [\(quoted(host))],
            redirectUri: \(quoted(redirect)),
          },
        });
        const answer = await application.acquireTokenPopup({ scopes: [\(list(scopes))] });
        """
    }

    private var dotNet: String {
        let chosen =
            switch configuration.kind {
            case .b2c: ".WithB2CAuthority(\(quoted(marked)))"
            case .external, .openid: ".WithOidcAuthority(\(quoted(place.issuer)))"
            case .entra: ".WithAuthority(\(quoted(authority)), validateAuthority: false)"
            }
        return """
            using Microsoft.Identity.Client;

            var application = PublicClientApplicationBuilder.Create(\(quoted(application.clientID)))
                \(chosen)
                .WithRedirectUri(\(quoted(redirect)))
                .Build();
            var answer = await application.AcquireTokenInteractive(new[] { \(list(scopes)) }).ExecuteAsync();
            """
    }

    private var android: String {
        let type = isB2C ? "B2C" : configuration.kind == .external ? "CIAM" : "AAD"
        return """
            {
              "client_id": \(quoted(application.clientID)),
              "redirect_uri": \(quoted(redirect)),
              "account_mode": "MULTIPLE",
              "authorization_user_agent": "DEFAULT",
              "authorities": [
                { "type": \(quoted(type)), "authority_url": \(quoted(marked + "/")), "default": true }
              ]
            }
            """
    }

    private var apple: String {
        let type =
            isB2C ? "MSALB2CAuthority" : configuration.kind == .external ? "MSALCIAMAuthority" : "MSALAADAuthority"
        return """
            import MSAL

            let authority = try \(type)(url: URL(string: \(quoted(marked)))!)
            let configuration = MSALPublicClientApplicationConfig(
                clientId: \(quoted(application.clientID)), redirectUri: \(quoted(redirect)), authority: authority)
            configuration.knownAuthorities = [authority]
            let application = try MSALPublicClientApplication(configuration: configuration)
            """
    }

    // MARK: curl

    private var curl: String {
        var lines = [
            "curl -s \(shell(place.address(.metadata) ?? ""))", "curl -s \(shell(place.address(.keys) ?? ""))",
        ]
        if let api = configuration.apis.first {
            lines.append("curl -s -H \"Authorization: Bearer $TOKEN\" \(shell(origin + api.samplePath))")
        }
        return lines.joined(separator: "\n")
    }

    /// A word for a shell, whatever stands in it.
    private func shell(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }
}
