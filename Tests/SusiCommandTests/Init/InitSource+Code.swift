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
            "policies.js", ["--client-id", id],
            """
            const b2cPolicies = {
                names: {
                    // signUpSignIn: "B2C_1_commented_out",
                    signUpSignIn: "B2C_1_susi_reset_v2", editProfile: "B2C_1_edit_profile_v2"
                },
                authorities: {
                    signUpSignIn: { authority: "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi_reset_v2" },
                    editProfile: { authority: "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_edit_profile_v2" }
                },
                authorityDomain: "contoso.b2clogin.com"
            }
            """,
            "\(b2c)\npolicy B2C_1_susi_reset_v2 signUpOrSignIn\npolicy B2C_1_edit_profile_v2 editProfile"),
        .read(
            "environment.ts",
            """
            export const environment = {
              production: false,
              msalConfig: { auth: { clientId: '\(id)' } },
              apiConfig: {
                scopes: ['https://contoso.onmicrosoft.com/helloapi/demo.read'],
                uri: 'https://contosohello.azurewebsites.net/hello'
              },
              b2cPolicies: {
                names: { signUpSignIn: 'B2C_1_susi', resetPassword: 'B2C_1_reset', editProfile: 'B2C_1_edit_profile' },
                authorities: {
                  signUpSignIn: { authority: "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi" },
                  resetPassword: { authority: "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_reset" },
                  editProfile: { authority: "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_edit_profile" }
                },
                authorityDomain: 'contoso.b2clogin.com'
              }
            };
            """,
            """
            \(b2c)
            \(flows)
            api hello https://contosohello.azurewebsites.net/hello https://contoso.onmicrosoft.com/helloapi/demo.read
            """),
        .read(
            "environment.dev.ts",
            """
            export const environment = { production: false, authorityDomain: 'contoso.b2clogin.com',
              msalConfig: { tenant: 'contoso.onmicrosoft.com', clientId: '\(id)', // application id
                signUpSignInPolicy: 'B2C_1_signup-signin', redirectUri: 'http://localhost:4200/',
                scopes: [ 'https://contoso.onmicrosoft.com/api/user_impersonation' ] } };
            """,
            "\(b2c)\nports 4200\npolicy B2C_1_signup-signin signUpOrSignIn scopes https://contoso.onmicrosoft.com/api/user_impersonation"
        ),
        .refused(
            "msalConfig.ts",
            """
            import type { Configuration } from "@azure/msal-browser";
            const b2cTenantName = "contoso";
            const authorityPrefix: string = `https://${b2cTenantName}.b2clogin.com/${b2cTenantName}.onmicrosoft.com`;
            const b2cPolicies = { signUpSignIn: "B2C_1_susi", passwordReset: "B2C_1_reset" };
            export const msalConfig: Configuration = {
              auth: {
                clientId: process.env.REACT_APP_B2C_CLIENT_ID || "\(id)",
                authority: `${authorityPrefix}/${b2cPolicies.signUpSignIn}`,
                knownAuthorities: [`${b2cTenantName}.b2clogin.com`],
                redirectUri: window.location.origin + "/auth",
              },
            };
            """, "line 7: clientId: process.env.REACT_APP_B2C_CLIENT_ID"),
        .refused(
            "msal.ts",
            """
            export const msalConfig = { auth: {
                clientId: import.meta.env.VITE_B2C_CLIENT_ID,
                authority: `https://${import.meta.env.VITE_B2C_TENANT_NAME}.b2clogin.com/x/${import.meta.env.VITE_POLICY}`,
              } };
            """, "line 2: clientId: import.meta.env.VITE_B2C_CLIENT_ID", "line 3: authority"),
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
        .read(
            "MSALConfigs.swift",
            #"""
            struct MSALConfigs {
                static let kTenantName = "contoso.onmicrosoft.com"
                static let kAuthorityHostName = "contoso.b2clogin.com"
                static let kClientID = "90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6"
                static let kRedirectUri = "msauth.\(Bundle.main.bundleIdentifier ?? "")://auth"
                static let kSignupOrSigninPolicy = "B2C_1A_SIGNUP_SIGNIN"
                static let kEditProfilePolicy = ""
            }
            """#, "\(b2c)\npolicy B2C_1A_SIGNUP_SIGNIN signUpOrSignIn"),
        .read(
            "AuthService.swift",
            """
            let kClientID = "\(id)"
            let kAuthority = "https://login.microsoftonline.com/common"
            let kGraphEndpoint = "https://graph.microsoft.com/"
            """, "entra https://login.microsoftonline.com/common\nclient \(id)\nports 0\npolicy default signUpOrSignIn"),
        .refused(
            "Config.swift",
            #"""
            struct AzureAdB2CConfig {
                static var ClientID: String { get { return "90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6" } }
                static var Tenant: String { return "contoso.onmicrosoft.com" }
                static var SignUpAndInPolicy: String { return "B2C_1_SignUpAndInPolicy" }
                static var Authority: String { return "https://login.microsoftonline.com/tfp/\(Tenant)/\(SignUpAndInPolicy)/v2.0/" }
            }
            """#, "missing: the address of the tenant, the client ID", "ClientID (line 2), Tenant (line 3)"),
        // C#, Python, Java.
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
        .refused(
            "app_config.py",
            """
            import os
            b2c_tenant = "contoso"
            signupsignin_user_flow = "B2C_1_susi"
            editprofile_user_flow = "B2C_1_edit_profile"
            resetpassword_user_flow = "B2C_1_reset"  # Note: Legacy setting.
            authority_template = "https://{tenant}.b2clogin.com/{tenant}.onmicrosoft.com/{user_flow}"
            CLIENT_ID = "\(id)"  # Application (client) ID of app registration
            CLIENT_SECRET = os.getenv("CLIENT_SECRET")
            AUTHORITY = authority_template.format(tenant=b2c_tenant, user_flow=signupsignin_user_flow)
            REDIRECT_PATH = "/getAToken"
            ENDPOINT = ''
            SCOPE = []
            """, "line 9: AUTHORITY: authority_template.format"),
        .refused(
            "settings.js",
            """
            const TENANT_NAME = "your_Tenant_Name_here";
            const APPLICATION_CLIENT_ID = "your_Application_Client_Id_here";
            const SIGNUP_SIGNIN_POLICY = "B2C_1A_SIGNUP_SIGNIN";
            """, "line 2: APPLICATION_CLIENT_ID: your_Application_Client_Id_here"),
        .refused("main.swift", "import MSAL\nlet kTitle = \"Hello\"\n", "no client ID and no tenant"),
        .refused(
            "Configuration.swift",
            """
            struct Identity {
                static let dev: Identity = .init(kTenantName: "dev.onmicrosoft.com", kAuthorityHostName: "dev.b2clogin.com",
                    kClientID: "\(id)", kSignupOrSigninPolicy: "B2C_1_susi")
                static let prod: Identity = .init(kTenantName: "prod.onmicrosoft.com", kAuthorityHostName: "prod.b2clogin.com",
                    kClientID: "\(otherID)", kSignupOrSigninPolicy: "B2C_1_susi")
            }
            """, "several client IDs", "kClientID (line 3)", "kClientID (line 5)"),
        .read(
            "auth.js",
            """
            module.exports = {
              credentials: { tenantID: "contoso.onmicrosoft.com", clientID: "\(id)" },
              policies: { policyName: "B2C_1_susi" },
              metadata: { b2cDomain: "contoso.b2clogin.com", version: "v2.0" },
            }
            """, "\(b2c)\npolicy B2C_1_susi signUpOrSignIn"),
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
            export const msalConfig = { auth: {
                clientId: isProd ? '\(id)' : '\(otherID)',
                authority: "https://login.microsoftonline.com/common" } };
            """, "line 2: clientId: isProd"),
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
            CLIENT_ID = "\(id)"
            AUTHORITY = "https://login.microsoftonline.com/{}".format(TENANT)
            """, "AUTHORITY"),
        .refused(
            "app_config.py",
            """
            CLIENT_ID = os.getenv("CLIENT_ID", "\(id)")
            AUTHORITY = "https://login.microsoftonline.com/common"
            """, "line 1: CLIENT_ID: os.getenv"),
        .refused(
            "authConfig.js",
            """
            export const msalConfig = { auth: { clientId: process.env.REACT_APP_CLIENT_ID,
                authority: "https://login.microsoftonline.com/organizations" } };
            export const api = { clientId: "\(otherID)" };
            """, "line 1: clientId: process.env.REACT_APP_CLIENT_ID",
            "next: susi init authConfig.js --offline --client-id ID\n"),
        .refused(
            "authConfig.ts",
            """
            export const msalConfig = { auth: { clientId: "\(id)",
                authority: `https://login.microsoftonline.com/${process.env.TENANT_ID || "common"}` } };
            """, "line 2: authority"),
        .refused(
            "Constants.cs",
            """
            public static readonly string ClientId = "\(id)";
            public static readonly string TenantName = "YOUR_TENANT_NAME";
            public static readonly string SignInPolicy = "B2C_1_Client";
            public static readonly string AuthorityBase = $"https://{TenantName}.b2clogin.com/tfp/{TenantId}/";
            """, "line 2: TenantName: YOUR_TENANT_NAME"),
        .refused(
            "scopes.js",
            """
            const clientId = "\(id)", authority = "https://login.microsoftonline.com/common";
            const request = { scopes: ["User.Read", "https://management.azure.com/user_impersonation"] };
            """, "the scopes do not go together"),
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
            "calls.ts",
            """
            const clientId = getClientId();
            const authority = buildAuthority(tenant);
            const old = { clientId: "\(id)", authority: "https://login.microsoftonline.com/common" };
            """, "line 1: clientId: getClientId", "line 2: authority: buildAuthority"),
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
            "branches.kt",
            """
            val clientId = "\(id)"
            val signInPolicy = "B2C_1_susi"
            val instance = "https://contoso.b2clogin.com"
            val tenant = when (stage) { "dev" -> load() else -> "other.onmicrosoft.com" }
            """, "line 4: tenant"),
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
        .refused(
            "docs.js",
            """
            const clientId = "00001111-aaaa-2222-bbbb-3333cccc4444";
            const authority = "https://login.microsoftonline.com/common";
            """, "line 1: clientId"),
        .read(
            "config.go",
            """
            clientID := "\(id)" // the application
            authority := "https://enterprise.b2clogin.com/enterprise.onmicrosoft.com/B2C_1_susi"
            """,
            "b2c https://enterprise.b2clogin.com/enterprise.onmicrosoft.com\nclient \(id)\npolicy B2C_1_susi signUpOrSignIn"
        ),
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
            """, "missing: the client ID", "clientId (line 4)"),
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
        .refused(
            ".env.local",
            """
            AZURE_AD_B2C_TENANT_NAME=contoso
            AZURE_AD_B2C_CLIENT_ID=\(id)
            AZURE_AD_B2C_CLIENT_SECRET=hunter2
            AZURE_AD_B2C_PRIMARY_USER_FLOW=B2C_1_susi
            NEXTAUTH_URL=http://localhost:3000
            """, "missing: the address of the tenant", "AZURE_AD_B2C_TENANT_NAME (line 1)"),
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
        .refused(
            ".env",
            """
            DEV_TENANT=dev.onmicrosoft.com
            PROD_TENANT=prod.onmicrosoft.com
            CLIENT_ID=\(id)
            POLICY=B2C_1_susi
            """, "several tenants", "DEV_TENANT (line 1)", "PROD_TENANT (line 2)"),
        .refused(
            ".env",
            "TENANT=contoso\nAUTHORITY_HOST_1=a.b2clogin.com\nAUTHORITY_HOST_2=b.b2clogin.com\nPOLICY=B2C_1_susi\n",
            "several tenants", "AUTHORITY_HOST_2"),
        .refused(".env", "DATABASE_URL=postgres://localhost/x\nPORT=3000\n", "no client ID and no tenant"),
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
            "application.properties",
            """
            # Spring: the host follows from the cloud.
            spring.cloud.azure.active-directory.enabled=true
            spring.cloud.azure.active-directory.profile.tenant-id=\(tenantID)
            spring.cloud.azure.active-directory.credential.client-id=\(id)
            spring.cloud.azure.active-directory.credential.client-secret=hunter2
            """, "missing: the address of the tenant", "profile.tenant-id (line 3) has no host"),
        .refused(
            ".env",
            """
            VITE_B2C_CUSTOM_DOMAIN=login.contoso.example
            VITE_B2C_HOST=contoso.b2clogin.com
            VITE_B2C_TENANT=contoso.onmicrosoft.com
            VITE_B2C_CLIENT_ID=\(id)
            VITE_B2C_POLICY=B2C_1_susi
            """, "several tenants", "VITE_B2C_CUSTOM_DOMAIN (line 1)", "VITE_B2C_HOST (line 2)"),
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
            """, "missing: the address of the tenant", "susi init ADDRESS --offline --client-id \(id)"),
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
