extension InitSource {
    private static let b2c = "\(contoso)\nclient \(id)"

    /// Constants and object literals in source files.
    static let code: [InitSource] = [
        .read(
            "authConfig.js",
            """
            /**
             * Enter here the user flows for your B2C application. It's “b2cPolicies”.
             */
            import { LogLevel } from "@azure/msal-browser";
            export const b2cPolicies = {
                names: { signUpSignIn: 'B2C_1_susi', forgotPassword: 'B2C_1_reset', editProfile: 'B2C_1_edit_profile' },
                authorities: {
                    signUpSignIn: {
                        authority: 'https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi',
                    },
                    forgotPassword: { authority: 'https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_reset' },
                    editProfile: { authority: 'https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_edit_profile' },
                },
                authorityDomain: 'contoso.b2clogin.com',
            };
            export const msalConfig = {
                auth: {
                    clientId: '\(id)', // This is the ONLY mandatory field that you need to supply.
                    authority: b2cPolicies.authorities.signUpSignIn.authority,
                    knownAuthorities: [b2cPolicies.authorityDomain],
                    redirectUri: '/', postLogoutRedirectUri: 'http://localhost:9999/',
                },
                cache: { cacheLocation: "sessionStorage", storeAuthStateInCookie: false },
                system: { loggerOptions: { loggerCallback: (level, message) => { if (level == 1) { console.error(message); } } } },
            };
            export const protectedResources = {
                apiTodoList: {
                    endpoint: 'http://localhost:5000/api/todolist',
                    scopes: { read: ['https://contoso.onmicrosoft.com/TodoList/ToDoList.Read'],
                              write: ['https://contoso.onmicrosoft.com/TodoList/ToDoList.ReadWrite'] },
                },
            };
            export const loginRequest = { scopes: [...protectedResources.apiTodoList.scopes.read] };
            """,
            """
            \(b2c)
            \(flows)
            api todolist http://localhost:5000/api/todolist https://contoso.onmicrosoft.com/TodoList/ToDoList.Read https://contoso.onmicrosoft.com/TodoList/ToDoList.ReadWrite
            """, "signUpSignIn (line 6)", "clientId (line 18)"),
        .read(
            "authConfig.ts",
            """
            export const msalConfig = {
              auth: { clientId: "\(id)", authority: "https://login.microsoftonline.com/\(tenantID)", redirectUri: "http://localhost:3000" },
            };
            export const loginRequest = { scopes: ["User.Read"] };
            export const graphConfig = { graphMeEndpoint: "https://graph.microsoft.com/v1.0/me" };
            """,
            "entra https://login.microsoftonline.com/\(tenantID)\nclient \(id)\nports 3000\npolicy default signUpOrSignIn\napi me https://graph.microsoft.com/v1.0/me User.Read"
        ),
        .refused(
            "authConfig.mjs",
            """
            const TENANT_SUBDOMAIN = 'contoso';
            module.exports = { auth: { clientId: '\(id)', authority: 'https://' + TENANT_SUBDOMAIN + '.ciamlogin.com/' } };
            """, "line 2: authority: 'https://'"),
        .read(
            "pasted.txt",
            """
            {
              auth: { clientId: '\(id)', authority: 'https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi',
                knownAuthorities: ['contoso.b2clogin.com'], redirectUri: 'http://localhost:6420' }
            }
            """, "\(b2c)\nports 6420\npolicy B2C_1_susi signUpOrSignIn"),
        // Swift.
        .read(
            "ViewController.swift",
            #"""
            import UIKit
            import MSAL
            /// 😃 A View Controller that will respond to the events of the Storyboard.
            class ViewController: UIViewController, UITextFieldDelegate {
                let kTenantName = "contoso.onmicrosoft.com" // Your tenant name
                let kAuthorityHostName = "contoso.b2clogin.com"
                let kClientID = "90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6"
                let kRedirectUri = "msauth.com.microsoft.identitysample.MSALiOS://auth"
                let kSignupOrSigninPolicy = "B2C_1_susi"
                let kEditProfilePolicy = "B2C_1_edit_profile"
                let kResetPasswordPolicy = "B2C_1_reset"
                let kGraphURI = "https://contosohello.azurewebsites.net/hello"
                let kScopes: [String] = ["https://contoso.onmicrosoft.com/helloapi/demo.read"]
                // DO NOT CHANGE - This is the format of OIDC Token and Authorization endpoints for Azure AD B2C.
                let kEndpoint = "https://%@/tfp/%@/%@"
                var accessToken: String?
                @IBAction func editProfile(_ sender: UIButton) {
                    do {
                        let authority = try self.getAuthority(forPolicy: self.kEditProfilePolicy)
                        self.updateLoggingText(text: "Could not find account: \(String(describing: authority))")
                    } catch { self.updateLoggingText(text: "It's broken \(error)") }
                }
            }
            """#,
            """
            \(b2c)
            policy B2C_1_susi signUpOrSignIn
            policy B2C_1_edit_profile editProfile
            policy B2C_1_reset passwordReset
            api hello https://contosohello.azurewebsites.net/hello https://contoso.onmicrosoft.com/helloapi/demo.read
            """, "kSignupOrSigninPolicy (line 9)", "kAuthorityHostName (line 6), kTenantName (line 5)"),
        .refused(
            "Config.swift",
            #"""
            struct AzureAdB2CConfig {
                static var ClientID: String { get { return "90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6" } }
                static var Tenant: String { return "contoso.onmicrosoft.com" }
                static var SignUpAndInPolicy: String { return "B2C_1_SignUpAndInPolicy" }
                static var Authority: String { return "https://login.microsoftonline.com/tfp/\(Tenant)/\(SignUpAndInPolicy)/v2.0/" }
            }
            """#, "ClientID (line 2)", "Tenant (line 3)"),
        // C#, Python, Objective-C.
        .read(
            "App.xaml.cs",
            """
            public partial class App : Application {
                private static readonly string Tenant = "contoso.onmicrosoft.com";
                private static readonly string AzureAdB2CHostname = "contoso.b2clogin.com";
                private static readonly string ClientId = "\(id)";
                private static readonly string RedirectUri = "https://contoso.b2clogin.com/oauth2/nativeclient";
                public static string PolicySignUpSignIn = "B2C_1_susi";
                public static string PolicyEditProfile = "B2C_1_edit_profile";
                public static string PolicyResetPassword = "B2C_1_reset";
                public static string[] ApiScopes = { "https://contoso.onmicrosoft.com/helloapi/demo.read" };
                public static string ApiEndpoint = "https://contosohello.azurewebsites.net/hello";
                private static string AuthorityBase = $"https://{AzureAdB2CHostname}/tfp/{Tenant}/";
                public static string AuthoritySignUpSignIn = $"{AuthorityBase}{PolicySignUpSignIn}";
            }
            """,
            """
            \(b2c)
            policy B2C_1_susi signUpOrSignIn
            policy B2C_1_edit_profile editProfile
            policy B2C_1_reset passwordReset
            api hello https://contosohello.azurewebsites.net/hello https://contoso.onmicrosoft.com/helloapi/demo.read
            """),
        .refused("main.swift", "import MSAL\nlet kTitle = \"Hello\"\n", "no client ID and no tenant"),
        .read(
            "Constants.m",
            """
            #import "Constants.h"
            // The client ID: @"not this"
            NSString * const kClientID = @"\(id)";
            NSString * const kAuthority = @"https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_susi";
            """, "\(b2c)\npolicy B2C_1_susi signUpOrSignIn", "kClientID (line 3)"),
        .read(
            "Constants.h",
            """
            #define kClientID @"\(id)"
            #define kAuthority @"https://login.microsoftonline.com/common"
            """, "entra https://login.microsoftonline.com/common\nclient \(id)\nports 0\npolicy default signUpOrSignIn"),
        .refused(
            "msal.ts",
            """
            const authority = isProd
              ? 'https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi'
              : 'https://test.b2clogin.com/test.onmicrosoft.com/B2C_1_susi'
            const clientId = '\(id)'
            const apiAuthority = 'https://old.b2clogin.com/old.onmicrosoft.com/B2C_1_susi'
            """, "line 1: authority: isProd"),
        .refused(
            "app_config.py",
            """
            CLIENT_ID = "\(id)" if PRODUCTION else "\(otherID)"
            AUTHORITY = "https://login.microsoftonline.com/common"
            """, "line 1: CLIENT_ID"),
        .refused(
            "app_config.py",
            """
            CLIENT_ID = os.getenv("CLIENT_ID", "\(id)")
            AUTHORITY = "https://login.microsoftonline.com/common"
            """, "line 1: CLIENT_ID: os.getenv"),
        // The texts between are help, old values, or said elsewhere: each of these once gave another tenant or application.
        .read(
            "config.py",
            #"""
            HELP = """
            CLIENT_ID = "\#(otherID)"
            AUTHORITY = "https://old.b2clogin.com/old.onmicrosoft.com/B2C_1_old"
            """
            CLIENT_ID = "\#(id)"
            AUTHORITY = "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi"
            """#, "\(b2c)\npolicy B2C_1_susi signUpOrSignIn"),
        .refused(
            "config.rb",
            """
            module Config
            =begin
            CLIENT_ID = "\(otherID)"
            =end
            CLIENT_ID = fetch
            AUTHORITY = "https://login.microsoftonline.com/common"
            """, "line 5: CLIENT_ID: fetch"),
        .refused(
            "environments.ts",
            """
            const dev = { clientId: "\(id)", authority: "https://login.microsoftonline.com/common" };
            const prod = await load();
            export const config = { auth: { clientId: prod.clientId, authority: prod.authority } };
            """, "line 3: clientId: prod.clientId"),
        .refused(
            "added.js",
            """
            let clientId = "\(id)", authority = "https://login.microsoftonline.com/common";
            authority += "/" + policy;
            """, "line 2: authority"),
        .refused(
            "hosts.ts",
            """
            const clientId = "\(id)", policy = "B2C_1_susi", tenant = (isTest ? "test.onmicrosoft.com" : "contoso.onmicrosoft.com");
            const knownAuthorities = ["contoso.b2clogin.com"];
            """, "line 1: tenant"),
        // A comparison says nothing.
        .refused(
            "compared.js",
            """
            const clientId = "\(id)", policy = "B2C_1_susi", instance = "https://contoso.b2clogin.com";
            if (tenant!='old.onmicrosoft.com' || tenant==='other.onmicrosoft.com') reload();
            """, "instance (line 1) has no tenant"),
        .refused(
            "authorities.js",
            """
            const clientId = "\(id)";
            const dev = { authority: "https://login.microsoftonline.com/common" };
            const prod = { authority: "https://login.microsoftonline.com/contoso.onmicrosoft.com" };
            """, "several tenants", "authority (line 2)", "authority (line 3)"),
        .refused(
            "clients.js",
            """
            const clientId = "\(id)";
            const authority = "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi?client_id=\(otherID)";
            """, "several client IDs"),
        .refused(
            "policies.js",
            """
            const clientId = "\(id)", authorityDomain = "contoso.b2clogin.com", tenant = "contoso.onmicrosoft.com";
            const dev = { signInPolicy: "B2C_1_susi_dev" }, prod = { signInPolicy: "B2C_1_susi" };
            """, "several policies that sign in", "B2C_1_susi_dev in signInPolicy (line 2)"),
        .read(
            "config.php",
            """
            <?php return [
                'clientId' => '\(id)',
                'authority' => 'https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi',
            ];
            """, "\(b2c)\npolicy B2C_1_susi signUpOrSignIn"),
        .read(
            "config.ts",
            """
            interface Config { clientId: string | undefined; authority: string }
            export const config = { clientId: '\(id)' as const, apiClientId: '\(otherID)',
                authority: 'https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi' };
            """, "\(b2c)\npolicy B2C_1_susi signUpOrSignIn"),
        // No reference is followed: another object has a value with the same last name.
        .refused(
            "references.ts",
            """
            const old = { app: { id: "\(otherID)" } };
            const current = { app: { id: "\(id)" } };
            export const config = {
              clientId: current.app.id,
              authority: "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi",
            };
            """, "clientId (line 4)"),
    ]

    /// Variables and property lists.
    static let variables: [InitSource] = [
        .read(
            ".env",
            """
            # Azure AD B2C
            VITE_B2C_TENANT=contoso.onmicrosoft.com
            VITE_B2C_AUTHORITY_DOMAIN=contoso.b2clogin.com
            VITE_B2C_CLIENT_ID=\(id)
            VITE_B2C_POLICY_SIGNIN=B2C_1_susi
            VITE_B2C_POLICY_RESET=B2C_1_reset
            VITE_B2C_POLICY_EDIT="B2C_1_edit_profile"
            VITE_API_SCOPE=https://contoso.onmicrosoft.com/tasks/read
            VITE_API_BASE_URL=https://api.contoso.example/tasks
            """,
            """
            \(b2c)
            \(flows)
            api tasks https://api.contoso.example/tasks https://contoso.onmicrosoft.com/tasks/read
            """, "VITE_B2C_POLICY_SIGNIN (line 5)"),
        .read(
            "react.env",
            """
            export REACT_APP_CLIENT_ID='\(id)'
            export REACT_APP_AUTHORITY=https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi
            export REACT_APP_KNOWN_AUTHORITY=contoso.b2clogin.com
            export REACT_APP_REDIRECT_URI=http://localhost:3000/blank.html
            """, "\(b2c)\nports 3000\npolicy B2C_1_susi signUpOrSignIn path /blank.html"),
        .read(
            "container.env",
            """
            AzureAdB2C__Instance=https://contoso.b2clogin.com/
            AzureAdB2C__Domain=contoso.onmicrosoft.com
            AzureAdB2C__ClientId=\(id)
            AzureAdB2C__SignUpSignInPolicyId=B2C_1_susi
            """, "\(b2c)\npolicy B2C_1_susi signUpOrSignIn", "AzureAdB2C.Instance (line 1), AzureAdB2C.Domain (line 2)"),
        .read(
            "Auth.plist",
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
                <key>AzureB2C</key>
                <dict>
                    <key>ClientID</key><string>\(id)</string>
                    <key>Tenant</key><string>contoso.onmicrosoft.com</string>
                    <key>AuthorityHost</key><string>contoso.b2clogin.com</string>
                    <key>SignUpOrSignInPolicy</key><string>B2C_1_susi</string>
                    <key>Scopes</key>
                    <array><string>https://contoso.onmicrosoft.com/tasks/read</string></array>
                </dict>
            </dict>
            </plist>
            """, "\(b2c)\npolicy B2C_1_susi signUpOrSignIn scopes https://contoso.onmicrosoft.com/tasks/read",
            "SignUpOrSignInPolicy (line 10)"),
        .read(
            "application.yml",
            """
            spring:
              cloud:
                azure:
                  active-directory:
                    b2c:
                      enabled: true
                      base-uri: https://contoso.b2clogin.com/contoso.onmicrosoft.com/
                      credential:
                        client-id: \(id)
                        client-secret: 'hunter2'
                      login-flow: sign-up-or-sign-in
                      logout-success-url: http://localhost:8080/login
                      user-flows:
                        sign-up-or-sign-in: B2C_1_susi
                        profile-edit: B2C_1_edit_profile # optional
                        password-reset: B2C_1_reset
            """,
            "\(b2c)\npolicy B2C_1_susi signUpOrSignIn\npolicy B2C_1_edit_profile editProfile\npolicy B2C_1_reset passwordReset",
            "client-id (line 9)", "not used: client-secret (line 10)"),
        .refused(
            "application.yaml",
            """
            azure:
              activedirectory:
                tenant-id: ${AZURE_TENANT_ID}
                client-id: \(id)
            """, "line 3: tenant-id: ${AZURE_TENANT_ID}"),
        .refused(
            ".env",
            """
            VITE_B2C_LOGIN_DOMAIN=login.contoso.example
            VITE_B2C_TENANT=contoso.onmicrosoft.com
            VITE_B2C_CLIENT_ID=\(id)
            VITE_B2C_POLICY=B2C_1_susi
            """, "VITE_B2C_TENANT (line 2) has no host"),
        .read(
            "utf16.env", isUTF16: true,
            "CLIENT_ID=\(id)\r\nAUTHORITY=https://login.microsoftonline.com/common\r\n",
            "entra https://login.microsoftonline.com/common\nclient \(id)\nports 0\npolicy default signUpOrSignIn"),
        // The property list of an iOS application has only the client id, in the scheme of the redirect address.
        .refused(
            "Info.plist",
            """
            <plist version="1.0"><dict>
              <key>CFBundleIdentifier</key><string>$(PRODUCT_BUNDLE_IDENTIFIER)</string>
              <key>CFBundleURLTypes</key>
              <array><dict><key>CFBundleURLSchemes</key><array><string>msal\(id)</string></array></dict></array>
            </dict></plist>
            """, "client \(id)"),
        .read(
            "Web.config",
            """
            <configuration><appSettings>
              <add key="ida:Tenant" value="contoso.onmicrosoft.com" />
              <add key="ida:ClientId" value="\(id)" />
              <add key="ida:ClientSecret" value="a&amp;b" />
              <add key="ida:AadInstance" value="https://contoso.b2clogin.com/tfp/{0}/{1}" />
              <add key="ida:SignUpSignInPolicyId" value="B2C_1_susi" />
              <add key="ida:EditProfilePolicyId" value="B2C_1_edit_profile" />
            </appSettings></configuration>
            """, "\(b2c)\npolicy B2C_1_susi signUpOrSignIn\npolicy B2C_1_edit_profile editProfile"),
    ]
}
