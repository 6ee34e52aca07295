/// Settings and programs for the libraries of Microsoft.
extension InitSource {
    private static let susi = "\(contoso)\nclient \(id)\npolicy B2C_1_susi signUpOrSignIn"
    private static let threeFlows = "\(contoso)\nclient \(id)\n\(flows)"
    private static let authority = "https://contoso.b2clogin.com/contoso.onmicrosoft.com"
    private static let workforce = "entra https://login.microsoftonline.com/\(tenantID)\nclient \(id)"
    private static let section = #""Instance": "https://contoso.b2clogin.com", "Domain": "contoso.onmicrosoft.com""#

    static let aspNet: [InitSource] = [
        .read(
            "appsettings.json",
            """
            {
              "Logging": { "LogLevel": { "Default": "Warning" } },
              "AzureAdB2C": {
                "Instance": "https://contoso.b2clogin.com",
                "Domain": "contoso.onmicrosoft.com",
                "TenantId": "\(tenantID)",
                "ClientId": "\(id)",
                "CallbackPath": "/signin-oidc",
                "SignUpSignInPolicyId": "B2C_1_susi",
                "ResetPasswordPolicyId": "B2C_1_reset",
                "EditProfilePolicyId": "B2C_1_edit_profile", // custom
              }
            }
            """, threeFlows, "AzureAdB2C.SignUpSignInPolicyId (line 9)",
            "AzureAdB2C.Instance (line 4), AzureAdB2C.Domain (line 5)"),
        // A secret is a server's.
        .refused(
            "appsettings.Production.json",
            #"{ "AzureAdB2C": { \#(section), "ClientId": "\#(id)", "ClientSecret": "hunter2", "SignUpSignInPolicyId": "B2C_1_susi" } }"#,
            "missing: the client ID; ", "a server's or an API's (AzureAdB2C.ClientSecret (line 1))", "--client-id ID"),
        .read(
            "appsettings.json", ["--client-id", otherID],
            #"{ "AzureAdB2C": { \#(section), "ClientId": "\#(id)", "ClientSecret": "hunter2", "SignUpSignInPolicyId": "B2C_1_susi" } }"#,
            "\(contoso)\nclient \(otherID)\npolicy B2C_1_susi signUpOrSignIn",
            "not used: client ID \(id) in AzureAdB2C.ClientId"),
        // The sample API: names of permissions, by what they allow.
        .refused(
            "appsettings.json",
            """
            { "AzureAdB2C": { \(section), "ClientId": "\(id)", "SignUpSignInPolicyId": "B2C_1_susi",
                "Scopes": { "Read": "ToDoList.Read ToDoList.ReadWrite", "Write": "ToDoList.ReadWrite" } } }
            """, "missing: the client ID; ", "an API's (AzureAdB2C.Scopes.Read (line 2))"),
        .refused(
            "appsettings.json",
            """
            { "AzureAd": { "Instance": "https://login.microsoftonline.com/", "TenantId": "\(tenantID)",
                "ClientId": "\(id)", "Audience": "api://\(id)" } }
            """, "an API's (AzureAd.Audience (line 2))"),
        .read(
            "appsettings.json", ["--client-id", otherID],
            """
            { "AzureAd": { "Instance": "https://login.microsoftonline.com/", "Domain": "contoso.onmicrosoft.com",
                "TenantId": "\(tenantID)", "ClientId": "\(id)", "Scopes": "access_as_user" } }
            """, "entra https://login.microsoftonline.com/\(tenantID)\nclient \(otherID)"),
        .read(
            "appsettings.json",
            """
            { "EntraExternalId": { "Instance": "https://contoso.ciamlogin.com/", "TenantId": "\(tenantID)",
                "ClientId": "\(id)" },
              "DownstreamApi": { "BaseUrl": "https://localhost:7062", "RelativePath": "/api/todolist/",
                "Scopes": [ "api://\(otherID)/ToDoList.Read" ] } }
            """,
            """
            external https://contoso.ciamlogin.com/\(tenantID)
            client \(id)
            api DownstreamApi https://localhost:7062 api://\(otherID)/ToDoList.Read
            """),
        .read(
            "appsettings.json",
            """
            { "AzureAd": { "Authority": "https://contoso.ciamlogin.com/", "ClientId": "\(id)" },
              "DownstreamApi": { "BaseUrl": "https://graph.microsoft.com/v1.0/", "Scopes": [ "user.read" ] } }
            """,
            "external https://contoso.ciamlogin.com\nclient \(id)\napi DownstreamApi https://graph.microsoft.com/v1.0 user.read"
        ),
        .read(
            "appsettings.json",
            """
            { "AzureAd": { "Authority": "https://contoso.ciamlogin.com/", "ClientId": "\(id)" }, "DownstreamApis": {
                "A": { "BaseUrl": "https://a.contoso.example", "Scopes": [ "api://a/Read" ] },
                "B": { "BaseUrl": "https://b.contoso.example", "Scopes": [ "api://b/Read" ] } } }
            """, "external https://contoso.ciamlogin.com\nclient \(id)", "not used: API https://a.contoso.example"),
        .refused(
            "appsettings.json",
            """
            { "AzureAd": { "Authority": "https://contoso.ciamlogin.com/", "ClientId": "\(id)",
                "ClientCredentials": [ { "SourceType": "ClientSecret", "ClientSecret": "hunter2" } ] } }
            """, "AzureAd.ClientCredentials.SourceType (line 2)"),
        // A domain of the tenant's own.
        .read(
            "appsettings.json",
            """
            { "AzureAdB2C:Instance": "https://login.contoso.example/", "AzureAdB2C:Domain": "\(tenantID)",
              "AzureAdB2C:ClientId": "\(id)", "AzureAdB2C:SignUpSignInPolicyId": "B2C_1A_signup_signin" }
            """,
            "b2c https://login.contoso.example/\(tenantID)\nclient \(id)\npolicy B2C_1A_signup_signin signUpOrSignIn"),
        .read(
            "wwwroot/appsettings.json",
            #"{ "AzureAdB2C": { "Authority": "\#(authority)/B2C_1_susi", "ClientId": "\#(id)", "ValidateAuthority": false } }"#,
            susi),
        // What a sample leaves to fill in.
        .refused(
            "appsettings.json",
            #"{ "AzureAdB2C": { \#(section), "ClientId": "<client id>", "SignUpSignInPolicyId": "B2C_1_susi" } }"#,
            "AzureAdB2C.ClientId (line 1): <client id>", "--client-id ID"),
        .refused(
            "appsettings.json",
            #"{ "AzureAd": { "Instance": "https://login.microsoftonline.com/", "TenantId": "Enter_the_Tenant_Info_Here", "ClientId": "11111111-1111-1111-1111-111111111111" } }"#,
            "missing: the address of the tenant, the client ID", "AzureAd.TenantId (line 1)", "--tenant ADDRESS",
            "--client-id ID"),
        .refused(
            "appsettings.json",
            #"{ "AzureAd": { "Instance": "https://login.microsoftonline.com/", "TenantId": "", "ClientId": "\#(id)" } }"#,
            "AzureAd.Instance (line 1) has no tenant"),
        .refused(
            "appsettings.json",
            #"{ "AzureAdB2C": { \#(section), "ClientId": "\#(id)", "SignUpSignInPolicyId": "signupsignin" } }"#,
            "“signupsignin” of AzureAdB2C.SignUpSignInPolicyId (line 1)", "B2C_1_ or B2C_1A_"),
        // Two sections: everything that decides is named at once.
        .refused(
            "appsettings.json",
            """
            { "AzureAdB2C": { \(section), "ClientId": "\(id)", "SignUpSignInPolicyId": "B2C_1_susi" },
              "AzureAd": { "Instance": "https://login.microsoftonline.com/", "TenantId": "\(tenantID)", "ClientId": "\(otherID)" } }
            """, "several tenants: ", "several client IDs: ", "AzureAdB2C.ClientId (line 1)",
            "AzureAd.ClientId (line 2)",
            "--tenant ADDRESS --client-id ID"),
        .read(
            "appsettings.json", ["--tenant", tenantID, "--client-id", otherID],
            """
            { "AzureAdB2C": { \(section), "ClientId": "\(id)" },
              "AzureAd": { "Instance": "https://login.microsoftonline.com/", "TenantId": "\(tenantID)", "ClientId": "\(otherID)" } }
            """, "entra https://login.microsoftonline.com/\(tenantID)\nclient \(otherID)"),
        .refused(
            ".env",
            "AzureAd__Instance=https://login.microsoftonline.com\nAzureAd__TenantId=\(tenantID)\nAzureAd__TenantId=\(tenantID)\nAzureAd__TenantId=\(otherID)",
            "several tenants: ", "AzureAd.TenantId (line 4)"),
        .refused(
            "Web.config",
            """
            <configuration><appSettings>
              <!-- <add key="ida:Tenant" value="old.onmicrosoft.com" /> -->
              <add key="ida:Tenant" value="contoso.onmicrosoft.com" />
              <add key="ida:ClientId" value="\(id)" />
              <add key="ida:ClientSecret" value="a&amp;b" />
              <add key="ida:AadInstance" value="https://contoso.b2clogin.com/tfp/{0}/{1}" />
              <add key="ida:SignUpSignInPolicyId" value="B2C_1_susi" />
            </appSettings></configuration>
            """, "missing: the client ID; ", "a server's or an API's (ida.ClientSecret (line 5))"),
        .read(
            "web.config", ["--client-id", id],
            """
            <configuration><aspNetCore processPath="dotnet"><environmentVariables>
              <environmentVariable name="AzureAdB2C__Instance" value="https://contoso.b2clogin.com" />
              <environmentVariable name="AzureAdB2C__Domain" value="contoso.onmicrosoft.com" />
              <environmentVariable name="AzureAdB2C__SignUpSignInPolicyId" value="B2C_1_susi" />
            </environmentVariables></aspNetCore></configuration>
            """, susi),
        .read(
            "container.env", ["--client-id", otherID],
            """
            AzureAdB2C__Instance=https://contoso.b2clogin.com/
            AzureAdB2C__Domain=contoso.onmicrosoft.com
            AzureAdB2C__SignUpSignInPolicyId=B2C_1_susi
            """, "\(contoso)\nclient \(otherID)\npolicy B2C_1_susi signUpOrSignIn"),
        // Azure Functions and App Service.
        .refused(
            "local.settings.json",
            """
            { "IsEncrypted": false, "Values": { "FUNCTIONS_WORKER_RUNTIME": "dotnet-isolated",
                "AzureAd__Instance": "https://login.microsoftonline.com/", "AzureAd__TenantId": "\(tenantID)",
                "AzureAd__ClientId": "\(id)" } }
            """, "missing: the client ID; ", "a server's or an API's (local.settings.json)"),
        .read(
            "appservice.json", ["--client-id", id],
            """
            [ { "name": "AzureAdB2C__Instance", "value": "https://contoso.b2clogin.com", "slotSetting": false },
              { "name": "AzureAdB2C__Domain", "value": "contoso.onmicrosoft.com", "slotSetting": false },
              { "name": "AzureAdB2C__SignUpSignInPolicyId", "value": "B2C_1_susi", "slotSetting": false } ]
            """, susi),
        .refused(
            "staticwebapp.config.json",
            """
            { "auth": { "identityProviders": { "azureActiveDirectory": { "registration": {
                "openIdIssuer": "https://login.microsoftonline.com/\(tenantID)/v2.0",
                "clientIdSettingName": "AZURE_CLIENT_ID", "clientSecretSettingName": "AZURE_CLIENT_SECRET" } } } } }
            """, "missing: the client ID\n"),
    ]

    static let msal: [InitSource] = [
        // Android.
        .read(
            "auth_config_b2c.json",
            """
            { "client_id": "\(id)", "redirect_uri": "msauth://com.contoso.app/1wIqXSqBj7w%2Bh11ZifsnqwgyKrY%3D",
              "account_mode": "MULTIPLE", "authorities": [
                { "type": "B2C", "authority_url": "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_edit_profile/" },
                { "type": "B2C", "authority_url": "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_susi/", "default": true },
                { "type": "B2C", "authority_url": "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_signin/" } ] }
            """,
            "\(susi)\npolicy B2C_1_edit_profile editProfile\npolicy B2C_1_signin signUpOrSignIn",
            "authorities.authority_url (line 4)", "not used: redirect address msauth://"),
        .read(
            "auth_config_domain.json",
            #"{ "client_id": "\#(id)", "authorities": [ { "type": "B2C", "authority_url": "https://login.contoso.example/contoso.onmicrosoft.com/B2C_1A_main/" } ] }"#,
            "b2c https://login.contoso.example/contoso.onmicrosoft.com\nclient \(id)\npolicy B2C_1A_main signUpOrSignIn"
        ),
        .read(
            "auth_config_single_account.json",
            """
            { "client_id": "\(id)", "account_mode": "SINGLE", "authorities": [
                { "type": "AAD", "audience": { "type": "AzureADMyOrg", "tenant_id": "\(tenantID)" } } ] }
            """, workforce),
        .read(
            "auth_config_multiple_account.json",
            #"{ "client_id": "\#(id)", "authorities": [ { "type": "AAD", "audience": { "type": "AzureADandPersonalMicrosoftAccount", "tenant_id": "common" } } ] }"#,
            "entra https://login.microsoftonline.com/common\nclient \(id)"),
        .read(
            "auth_config_native_auth.json",
            #"{ "client_id": "\#(id)", "authorities": [ { "type": "CIAM", "authority_url": "https://contoso.ciamlogin.com/contoso.onmicrosoft.com/" } ], "challenge_types": ["oob", "password"] }"#,
            "external https://contoso.ciamlogin.com/contoso.onmicrosoft.com\nclient \(id)"),
        // Desktop.
        .read(
            "parameters.json",
            #"{ "authority": "https://login.microsoftonline.com/\#(tenantID)", "client_id": "\#(id)", "scope": ["User.ReadBasic.All"], "endpoint": "https://graph.microsoft.com/v1.0/users" }"#,
            workforce),
        .refused(
            "parameters.json",
            #"{ "authority": "https://login.microsoftonline.com/\#(tenantID)", "client_id": "\#(id)", "scope": ["https://graph.microsoft.com/.default"], "secret": "hunter2" }"#,
            "a server's or an API's (secret (line 1))"),
        .read(
            "authConfig.json",
            #"{ "auth": { "clientId": "\#(id)", "authority": "\#(authority)/B2C_1_susi", "redirectUri": "http://localhost:3000/back" }, "system": {} }"#,
            "\(contoso)\nclient \(id)\nports 8400 8401 3000\npolicy B2C_1_susi signUpOrSignIn path /back"),
        .refused(
            "msal.json",
            #"{ "auth": { "clientId": "\#(id)", "authority": "https://login.microsoftonline.com/{tenant}" } }"#,
            "auth.authority (line 1): https://login.microsoftonline.com/{tenant}", "--tenant ADDRESS"),
        .refused(
            "config.json",
            """
            { "credentials": { "tenantName": "contoso.onmicrosoft.com", "clientID": "\(id)" },
              "policies": { "policyName": "B2C_1_susi" }, "resource": { "scope": ["demo.read"] } }
            """, "missing: the address of the tenant"),
        // Postman.
        .read(
            "tasks.postman_collection.json",
            """
            { "info": { "name": "Tasks" }, "auth": { "type": "oauth2", "oauth2": [
                { "key": "authUrl", "value": "\(authority)/B2C_1_susi/oauth2/v2.0/authorize", "type": "string" },
                { "key": "redirect_uri", "value": "https://oauth.pstmn.io/v1/callback", "type": "string" },
                { "key": "clientId", "value": "\(id)", "type": "string" } ] } }
            """, susi, "not used: redirect address https://oauth.pstmn.io"),
        .refused(
            "b2c.postman_environment.json",
            """
            { "name": "B2C", "values": [ { "key": "client_id", "value": "\(id)", "enabled": true },
                { "key": "client_id", "value": "\(otherID)", "enabled": false },
                { "key": "auth_url", "value": "https://{{tenant}}.b2clogin.com/{{tenant}}.onmicrosoft.com/{{policy}}/oauth2/v2.0/authorize" } ] }
            """, "missing: the address of the tenant", "auth_url (line 3)", "client \(id)"),
        .refused(
            "appsettings.json",
            #"{ "AzureAd": { "ClientId": "\#(id)", "CallbackPath": "/signin-oidc" } }"#, "the address of the tenant"),
    ]

    static let msalCode: [InitSource] = [
        .read(
            "authConfig.js",
            """
            /** Enter here the user flows of your application. It's “b2cPolicies”: https://old.b2clogin.com/old.onmicrosoft.com/B2C_1_old */
            import { LogLevel } from "@azure/msal-browser";
            export const b2cPolicies = {
                names: { signUpSignIn: 'B2C_1_susi', forgotPassword: 'B2C_1_reset', editProfile: 'B2C_1_edit_profile' },
                authorities: {
                    signUpSignIn: { authority: '\(authority)/B2C_1_susi' },
                    forgotPassword: { authority: '\(authority)/B2C_1_reset' },
                    editProfile: { authority: '\(authority)/B2C_1_edit_profile' },
                },
                authorityDomain: 'contoso.b2clogin.com',
            };
            export const msalConfig = {
                auth: {
                    clientId: '\(id)', // clientId: '\(otherID)'
                    authority: b2cPolicies.authorities.signUpSignIn.authority,
                    knownAuthorities: [b2cPolicies.authorityDomain],
                    redirectUri: '/', postLogoutRedirectUri: 'http://localhost:9999/',
                },
            };
            export const protectedResources = { apiTodoList: { endpoint: 'http://localhost:5000/api/todolist',
                scopes: { read: ['https://contoso.onmicrosoft.com/TodoList/ToDoList.Read'] } } };
            """, threeFlows, "authority (line 6)", "clientId (line 14)"),
        .read(
            "authConfig.ts",
            """
            export const msalConfig: Configuration = {
              auth: { clientId: "\(id)", authority: "https://login.microsoftonline.com/\(tenantID)", redirectUri: "http://localhost:3000" },
            };
            export const loginRequest = { scopes: ["User.Read"] };
            export const graphConfig = { graphMeEndpoint: "https://graph.microsoft.com/v1.0/me" };
            """, workforce),
        .read(
            "environment.ts",
            """
            export const environment = { production: false, msalConfig: { auth: {
                clientId: '\(id)', authority: 'https://login.microsoftonline.com/common' } },
              apiConfig: { scopes: ['user.read'], uri: 'https://graph.microsoft.com/v1.0/me' } };
            """, "entra https://login.microsoftonline.com/common\nclient \(id)"),
        .refused(
            "authConfig.mjs",
            """
            const TENANT_SUBDOMAIN = 'contoso';
            module.exports = { auth: { clientId: '\(id)', authority: 'https://' + TENANT_SUBDOMAIN + '.ciamlogin.com/' } };
            """, "missing: the address of the tenant"),
        .refused(
            "authConfig.ts",
            """
            const authority = isProd
              ? '\(authority)/B2C_1_susi'
              : 'https://test.b2clogin.com/test.onmicrosoft.com/B2C_1_susi'
            const clientId = isProd ? '\(id)' : '\(otherID)'
            """, "address (line 2)", "--tenant ADDRESS --client-id ID"),
        .refused(
            "authConfig.ts",
            """
            export const msalConfig = { auth: { clientId: process.env.CLIENT_ID || '\(id)',
                authority: import.meta.env.VITE_AUTHORITY ?? '\(authority)/B2C_1_susi' } };
            """, "clientId (line 1): process.env.CLIENT_ID", "authority (line 2): "),
        .refused(
            "environments.ts",
            """
            const dev = { clientId: "\(id)", authority: "https://login.microsoftonline.com/common" };
            const prod = await load();
            export const config = { auth: { clientId: prod.clientId, authority: prod.authority } };
            """, "clientId (line 3): prod.clientId"),
        .refused(
            "dev-and-prod.js",
            """
            const clients = { dev: { clientId: "\(id)", authority: "https://dev.b2clogin.com/dev.onmicrosoft.com/B2C_1_susi_dev" },
              prod: { clientId: "\(otherID)", authority: "\(authority)/B2C_1_susi" } };
            """,
            "several tenants: https://dev.b2clogin.com/dev.onmicrosoft.com in authority (line 1), \(authority) in authority (line 2)",
            "several client IDs", "several policies that sign in", "--tenant ADDRESS --client-id ID -p NAME"),
        .read(
            "dev-and-prod.js", ["--tenant", "contoso.onmicrosoft.com", "--client-id", otherID],
            """
            const clients = { dev: { clientId: "\(id)", authority: "https://dev.b2clogin.com/dev.onmicrosoft.com/B2C_1_susi_dev" },
              prod: { clientId: "\(otherID)", authority: "\(authority)/B2C_1_susi" } };
            """, "\(contoso)\nclient \(otherID)\npolicy B2C_1_susi signUpOrSignIn"),
        .read(
            "flows.js", ["-p", "B2C_1_main"],
            """
            const clientId = "\(id)";
            const flows = ["\(authority)/B2C_1_susi", "\(authority)/B2C_1_main", "\(authority)/B2C_1_signin"];
            """,
            "\(contoso)\nclient \(id)\npolicy B2C_1_main signUpOrSignIn\npolicy B2C_1_susi signUpOrSignIn\npolicy B2C_1_signin signUpOrSignIn"
        ),
        .refused(
            "flows.js",
            #"let clientId = "\#(id)", flows = ["\#(authority)/B2C_1_susi", "\#(authority)/B2C_1_signin"];"#,
            "missing: a policy that signs in; several policies that sign in: B2C_1_susi in address (line 1), B2C_1_signin",
            "-p NAME"),
        .refused(
            "ViewController.swift",
            #"""
            /// 😃 A View Controller
            class ViewController: UIViewController {
                let kTenantName = "contoso.onmicrosoft.com" // Your tenant name
                let kAuthorityHostName = "contoso.b2clogin.com"
                let kClientID = "90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6"
                let kSignupOrSigninPolicy = "B2C_1_susi"
                let kEndpoint = "https://%@/tfp/%@/%@"
            }
            """#, "missing: the address of the tenant", "client \(id)"),
        .read(
            "AuthService.swift",
            """
            let config = MSALPublicClientApplicationConfig(clientId: "\(id)", redirectUri: nil,
              authority: try MSALB2CAuthority(url: URL(string: "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_susi")!))
            """, susi),
        .refused(
            "Config.swift",
            #"static var Authority: String { return "https://login.microsoftonline.com/tfp/\(Tenant)/\(Policy)/v2.0/" }; let clientId = "\#(id)""#,
            "missing: the address of the tenant"),
        .read(
            "App.xaml.cs",
            """
            public partial class App : Application {
                private static readonly string ClientId = "\(id)"; // Enter_the_Application_Id_Here
                public static IPublicClientApplication Client = PublicClientApplicationBuilder.Create(ClientId)
                    .WithB2CAuthority("https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_susi")
                    .WithRedirectUri("https://contoso.b2clogin.com/oauth2/nativeclient").Build();
            }
            """, susi),
        .read(
            "Constants.m",
            """
            #import "Constants.h"
            // The client ID: @"not this"
            NSString * const kClientID = @"\(id)";
            NSString * const kAuthority = @"https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_susi";
            """, susi, "kClientID (line 3)"),
        .read(
            "Constants.h",
            """
            #define kClientID @"\(id)"
            #define kAuthority @"https://login.microsoftonline.com/common"
            """, "entra https://login.microsoftonline.com/common\nclient \(id)"),
        .read(
            "AuthManager.kt",
            """
            companion object {
                private const val CLIENT_ID: String = "\(id)"
                const val AUTHORITY = "\(authority)/B2C_1_susi"
            }
            """, susi),
        .read(
            "msal_config.dart",
            """
            class MsalConfig {
              static const String clientId = '\(id)';
              static const String authority = '\(authority)/B2C_1_susi';
              static const redirectUri = 'msal\(id)://auth';
            }
            """, susi),
        .refused(
            "config.dart",
            """
            const clientId = String.fromEnvironment('CLIENT_ID', defaultValue: '\(id)');
            const authority = String.fromEnvironment('AUTHORITY', defaultValue: '\(authority)/B2C_1_susi');
            """, "--tenant ADDRESS --client-id ID"),
        .refused(
            "app_config.py",
            """
            CLIENT_ID = os.getenv("CLIENT_ID", "\(id)")
            AUTHORITY = os.getenv("AUTHORITY", "https://login.microsoftonline.com/common")
            """, "CLIENT_ID (line 1): os.getenv", "missing: the address of the tenant, the client ID"),
        .refused(
            "app_config.py",
            """
            CLIENT_ID = "\(id)" if PRODUCTION else "\(otherID)"
            AUTHORITY = "https://login.microsoftonline.com/common"
            """, "CLIENT_ID (line 1)"),
        .read(
            "config.py",
            #"""
            HELP = """
            CLIENT_ID = "\#(otherID)"
            AUTHORITY = "https://old.b2clogin.com/old.onmicrosoft.com/B2C_1_old"
            """
            import os
            CLIENT_ID = "\#(id)"
            AUTHORITY = "\#(authority)/B2C_1_susi"
            """#, susi),
        .refused(
            "added.js",
            """
            let clientId = "\(id)", authority = "https://login.microsoftonline.com/common";
            authority += "/" + policy;
            """, "authority (line 2)"),
        .refused(
            "compared.js",
            """
            const clientId = "\(id)";
            if (authority !== '\(authority)/B2C_1_susi') reload();
            const isOurs = iss.startsWith("\(authority)");
            """, "missing: the address of the tenant"),
        .refused(
            "clients.js",
            #"const clientId = "\#(id)"; const url = "\#(authority)/B2C_1_susi?client_id=\#(otherID)";"#,
            "several client IDs"),
        .refused(
            "server.js",
            """
            passport.use(new BearerStrategy({ clientID: '\(id)',
              identityMetadata: '\(authority)/B2C_1_susi/v2.0/.well-known/openid-configuration' }));
            """, "a server's or an API's (BearerStrategy (line 1))"),
        .read(
            "utf16.env", isUTF16: true,
            "CLIENT_ID=\(id)\r\nAUTHORITY=https://login.microsoftonline.com/common\r\n",
            "entra https://login.microsoftonline.com/common\nclient \(id)"),
        .refused(
            "Info.plist",
            "<plist><dict><key>CFBundleURLSchemes</key><array><string>msal\(id)</string></array></dict></plist>",
            "has no client ID and no tenant"),
    ]
}
