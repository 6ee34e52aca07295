import SusiPolicies

/// Settings and code that connect a program to a tenant.
struct Snippets {
    struct Snippet: Sendable {
        let title: String
        let text: String
    }

    private let tenant: Tenant
    private let origin: String
    private let application: RegisteredApplication
    private let endpoint: PolicyEndpoint

    /// Returns `nil` for a tenant without a public client.
    init?(_ tenant: Tenant, _ origin: String) {
        guard let application = tenant.configuration.applications.first(where: { !$0.isConfidential }),
            let endpoint = tenant.policyEndpoints(at: origin).first(where: { $0.policy.kind == .signUpOrSignIn })
        else { return nil }
        self.tenant = tenant
        self.origin = origin
        self.application = application
        self.endpoint = endpoint
    }

    var all: [Snippet] {
        [
            Snippet(title: "susi: policies.json", text: policies),
            Snippet(title: "MSAL Python", text: secured("#") + python),
            Snippet(title: "MSAL.js", text: secured("//") + javaScript),
            Snippet(title: "MSAL.NET", text: secured("//") + dotNet),
            Snippet(title: "MSAL Android: auth_config.json", text: android),
            Snippet(title: "MSAL iOS, macOS", text: secured("//") + apple),
            Snippet(title: "curl", text: curl),
        ]
    }

    private var configuration: TenantConfiguration { tenant.configuration }
    private var hasPolicies: Bool { configuration.kind.traits.hasPolicies }
    private var msal: MSALNames { endpoint.dialect.traits.msal }
    private var authority: String { origin + base }
    /// The form of the authority that some libraries require.
    private var marked: String { hasPolicies ? "\(origin)/tfp\(base)" : authority }
    /// The path of the authority, with the policy as it is configured.
    private var base: String {
        hasPolicies ? "/\(configuration.name)/\(endpoint.policy.name.spelling)" : endpoint.base
    }
    private var host: String { origin.split(separator: "/").last.map(String.init) ?? "" }
    private var scopes: [String] { configuration.apis.first?.fullScopes ?? ["openid"] }
    private var redirect: String { application.redirectAddresses.first ?? "http://localhost/" }

    /// The first redirect address that matches, else the first one.
    private func firstAddress(where holds: (String) -> Bool) -> String {
        application.redirectAddresses.first(where: holds) ?? redirect
    }

    /// The port of a redirect address on this machine.
    private static func port(_ address: String) -> Int? {
        guard address.hasPrefix("http://localhost:") else { return nil }
        return Int(address.dropFirst("http://localhost:".count).prefix { $0.isNumber })
    }

    /// A string literal that is valid in JSON, Python, JavaScript, C# and Swift.
    private func quoted(_ text: String) -> String {
        String(decoding: (try? JSON.string(text).encoded()) ?? [], as: UTF8.self)
    }

    private func list(_ texts: [String]) -> String { texts.map(quoted).joined(separator: ", ") }

    // MARK: susi

    private var policies: String {
        var tenant = configuration
        tenant.applications = [application]
        return TenantConfiguration.policies(of: [tenant], at: origin) ?? ""
    }

    // MARK: MSAL

    // The libraries accept https only.
    private func secured(_ mark: String) -> String {
        origin.hasPrefix("https://")
            ? "" : "\(mark) MSAL requires https. Start the emulator with --tls and open this page there.\n"
    }

    private var python: String {
        let named = msal.isOIDCInPython ? "oidc_authority" : "authority"
        let discovery = msal.isOIDCInPython ? "" : ", instance_discovery=False"
        return """
            import msal
            \(usesListener ? "from msal.oauth2cli import AuthCodeReceiver\n" : "")
            application = msal.PublicClientApplication(
                \(quoted(application.clientID)), \(named)=\(quoted(authority))\(discovery))
            \(pythonSignIn)
            if "access_token" not in answer and "id_token" not in answer:
                raise SystemExit(answer.get("error_description") or answer)
            print(answer["id_token_claims"].get("name"), "has signed in")
            """
    }

    // MSAL's listener sends `http://localhost:PORT`, without a slash at the end.
    private var interactivePort: Int? {
        application.redirectAddresses.compactMap(Self.port).first { port in
            application.allows(redirect: "http://localhost:\(port)", ports: configuration.redirectPorts)
        }
    }

    private var usesListener: Bool {
        interactivePort == nil && !allowsAnyPort && application.redirectAddresses.contains { Self.port($0) != nil }
    }

    private var allowsAnyPort: Bool {
        application.allows(redirect: "http://localhost:1", ports: configuration.redirectPorts)
    }

    private var pythonSignIn: String {
        if let port = interactivePort {
            return "answer = application.acquire_token_interactive([\(list(apiScopes))], port=\(port))"
        }
        let address = firstAddress { Self.port($0) != nil }
        guard usesListener, let port = Self.port(address) else {
            let hint = allowsAnyPort ? "" : "# Register http://localhost for the application first.\n"
            return "\(hint)answer = application.acquire_token_interactive([\(list(apiScopes))])"
        }
        return """
            # acquire_token_interactive would omit the path of the registered redirect address.
            flow = application.initiate_auth_code_flow([\(list(apiScopes))], redirect_uri=\(quoted(address)), response_mode="form_post")
            with AuthCodeReceiver(port=\(port)) as receiver:
                response = receiver.get_auth_response(auth_uri=flow["auth_uri"], state=flow["state"])
            answer = application.acquire_token_by_auth_code_flow(flow, response)
            """
    }

    // These libraries add the reserved scopes and do not accept them.
    private var apiScopes: [String] { scopes.filter { $0 != "openid" } }

    private var javaScript: String {
        """
        import { PublicClientApplication } from "@azure/msal-browser";

        // The page's origin must be one of the application's origins, and the redirect address must be on that origin.
        const application = await PublicClientApplication.createPublicClientApplication({
          auth: {
            clientId: \(quoted(application.clientID)),
            authority: \(quoted(authority)),
            knownAuthorities: [\(quoted(host))],
            redirectUri: \(quoted(firstAddress { application.origins.contains(ReturnAddress.origin(of: $0)) })),
          },
        });
        const answer = await application.acquireTokenPopup({ scopes: [\(list(scopes))] });
        console.log(answer.account.homeAccountId);
        """
    }

    private var dotNet: String {
        let chosen =
            switch msal.dotNet {
            case .withB2CAuthority: ".WithB2CAuthority(\(quoted(marked)))"
            case .withOidcAuthority: ".WithOidcAuthority(\(quoted(endpoint.issuer)))"
            case .withAuthority: ".WithAuthority(\(quoted(authority)), validateAuthority: false)"
            }
        return """
            using Microsoft.Identity.Client;

            var application = PublicClientApplicationBuilder.Create(\(quoted(application.clientID)))
                \(chosen)
                .WithRedirectUri(\(quoted(firstAddress { Self.port($0) != nil })))
                .Build();
            var answer = await application.AcquireTokenInteractive(new[] { \(list(scopes)) }).ExecuteAsync();
            """
    }

    private var android: String {
        """
        {
          "client_id": \(quoted(application.clientID)),
          "redirect_uri": \(quoted(firstAddress { $0.hasPrefix("msauth://") })),
          "account_mode": "MULTIPLE",
          "authorization_user_agent": "DEFAULT",
          "authorities": [
            { "type": \(quoted(msal.android)), "authority_url": \(quoted(marked + "/")), "default": true }
          ]
        }
        """
    }

    private var apple: String {
        """
        import MSAL

        // iOS requires a redirect address such as msauth.BUNDLE_ID://auth. Register it for the application.
        let authority = try \(msal.apple)(url: URL(string: \(quoted(marked)))!)
        let configuration = MSALPublicClientApplicationConfig(
            clientId: \(quoted(application.clientID)),
            redirectUri: \(quoted(firstAddress { $0.hasPrefix("msauth.") })), authority: authority)
        configuration.knownAuthorities = [authority]
        let application = try MSALPublicClientApplication(configuration: configuration)
        let parameters = MSALInteractiveTokenParameters(
            scopes: [\(list(apiScopes))],
            webviewParameters: MSALWebviewParameters(authPresentationViewController: viewController))
        let result = try await application.acquireToken(with: parameters)
        """
    }

    // MARK: curl

    private var curl: String {
        var lines = [
            "curl -s \(shell(endpoint.address(.metadata) ?? ""))", "curl -s \(shell(endpoint.address(.keys) ?? ""))",
        ]
        if let api = configuration.apis.first {
            // Through a pipe: other users of the machine can read an argument list.
            let address = shell(origin + api.samplePath)
            lines.append("printf 'Authorization: Bearer %s\\n' \"$TOKEN\" | curl -s -H @- \(address)")
        }
        return lines.joined(separator: "\n")
    }

    private func shell(_ text: String) -> String { text.shellQuoted }
}
