extension InitSource {
    private static let b2c = "\(contoso)\nclient \(id)"

    /// Configuration files in JSON.
    static let json: [InitSource] = [
        .read(
            "appsettings.json",
            """
            {
              "Logging": { "LogLevel": { "Default": "Warning" } },
              "AllowedHosts": "*",
              "AzureAdB2C": {
                "Instance": "https://contoso.b2clogin.com",
                "Domain": "contoso.onmicrosoft.com",
                "TenantId": "\(tenantID)",
                "ClientId": "\(id)",
                "ClientSecret": "hunter2",
                "CallbackPath": "/signin-oidc",
                "SignedOutCallbackPath": "/signout/B2C_1_susi",
                "SignUpSignInPolicyId": "B2C_1_susi",
                "ResetPasswordPolicyId": "B2C_1_reset",
                "EditProfilePolicyId": "B2C_1_edit_profile" // custom
              }
            }
            """, "\(b2c)\n\(flows)", "AzureAdB2C.SignUpSignInPolicyId (line 12)",
            "AzureAdB2C.Instance (line 5), AzureAdB2C.Domain (line 6)",
            "not used: AzureAdB2C.ClientSecret"),
        .read(
            "settings.json",
            """
            { "Authentication": { "AzureAdB2C": { "ClientId": "\(id)", "Tenant": "contoso.onmicrosoft.com",
                "Instance": "https://contoso.b2clogin.com",
                "SignUpSignInPolicyId": "b2c_1_susi", "ResetPasswordPolicyId": "b2c_1_reset",
                "EditProfilePolicyId": "b2c_1_edit_profile", "RedirectUri": "http://localhost:5000/signin-oidc",
                "ApiUrl": "https://contosohello.azurewebsites.net/hello",
                "ApiScopes": "https://contoso.onmicrosoft.com/demoapi/demo.read" } } }
            """,
            """
            \(b2c)
            ports 5000
            policy b2c_1_susi signUpOrSignIn path /signin-oidc
            policy b2c_1_reset passwordReset path /signin-oidc
            policy b2c_1_edit_profile editProfile path /signin-oidc
            api hello https://contosohello.azurewebsites.net/hello https://contoso.onmicrosoft.com/demoapi/demo.read
            """, "Authentication.AzureAdB2C.ApiUrl"),
        .read(
            "appsettings.json",
            """
            { "AzureAdB2C": { "Instance": "https://login.contoso.example/", "Domain": "\(tenantID)",
                "ClientId": "\(id)", "SignUpSignInPolicyId": "B2C_1A_signup_signin" },
              "TodoList": { "TodoListScope": "https://contoso.onmicrosoft.com/tasks/read https://contoso.onmicrosoft.com/tasks/write",
                "TodoListBaseAddress": "https://localhost:44332" } }
            """,
            """
            b2c https://login.contoso.example/\(tenantID)
            client \(id)
            policy B2C_1A_signup_signin signUpOrSignIn
            api TodoList https://localhost:44332 https://contoso.onmicrosoft.com/tasks/read https://contoso.onmicrosoft.com/tasks/write
            """),
        .read(
            "appsettings.json",
            """
            { "AzureAd": { "Instance": "https://login.microsoftonline.com/", "Domain": "contoso.onmicrosoft.com",
                "TenantId": "\(tenantID)", "ClientId": "\(id)", "Scopes": "access_as_user", "CallbackPath": "/signin-oidc" } }
            """,
            "entra https://login.microsoftonline.com/\(tenantID)\nclient \(id)\nports 0\npolicy default signUpOrSignIn",
            "AzureAd.TenantId", "not used: scope access_as_user"),
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
            ports 0
            policy default signUpOrSignIn
            api DownstreamApi https://localhost:7062 api://\(otherID)/ToDoList.Read
            """),
        .read(
            "appsettings.json",
            """
            { "AzureAd": { "Authority": "https://contoso.ciamlogin.com/", "ClientId": "\(id)",
                "ClientCredentials": [ { "SourceType": "ClientSecret", "ClientSecret": "hunter2" } ] },
              "DownstreamApi": { "BaseUrl": "https://graph.microsoft.com/v1.0/", "Scopes": [ "user.read" ] } }
            """,
            """
            external https://contoso.ciamlogin.com
            client \(id)
            ports 0
            policy default signUpOrSignIn
            api DownstreamApi https://graph.microsoft.com/v1.0 user.read
            """),
        .refused(
            "appsettings.json",
            #"{ "AzureAdB2C": { "Instance": "https://contoso.b2clogin.com", "Domain": "contoso.onmicrosoft.com", "ClientId": "<client id>", "SignUpSignInPolicyId": "B2C_1_susi" } }"#,
            "line 1: AzureAdB2C.ClientId: <client id>", "--client-id ID"),
        .refused(
            "appsettings.json",
            #"{ "AzureAdB2C": { "Instance": "https://contoso.b2clogin.com", "Domain": "contoso.onmicrosoft.com", "ClientId": "\#(id)" } }"#,
            "client \(id)"),
        .refused(
            "appsettings.json", #"{ "AzureAd": { "ClientId": "\#(id)", "CallbackPath": "/signin-oidc" } }"#,
            "client \(id)"),
        .refused(
            "appsettings.json",
            #"{ "AzureAdB2C": { "Instance": "https://contoso.b2clogin.com", "Domain": "contoso.onmicrosoft.com", "ClientId": "\#(id)", "SignUpSignInPolicyId": "signupsignin" } }"#,
            "“signupsignin” of AzureAdB2C.SignUpSignInPolicyId (line 1)", "B2C_1_ or B2C_1A_"),
        // Names of policies that say nothing: the keys do.
        .read(
            "appsettings.json",
            """
            { "AzureAdB2C": { "Instance": "https://contoso.b2clogin.com", "Domain": "contoso.onmicrosoft.com",
                "ClientId": "\(id)", "SignUpSignInPolicyId": "B2C_1_a", "ResetPasswordPolicyId": "B2C_1_b",
                "EditProfilePolicyId": "B2C_1_c" } }
            """, "\(b2c)\npolicy B2C_1_a signUpOrSignIn\npolicy B2C_1_b passwordReset\npolicy B2C_1_c editProfile"),
        // Android.
        .read(
            "auth_config_b2c.json",
            """
            { "client_id": "\(id)",
              "redirect_uri": "msauth://com.azuresamples.msalandroidapp/1wIqXSqBj7w%2Bh11ZifsnqwgyKrY%3D",
              "account_mode": "MULTIPLE", "broker_redirect_uri_registered": false,
              "authorities": [
                { "type": "B2C", "authority_url": "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_susi/", "default": true },
                { "type": "B2C", "authority_url": "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_edit_profile/" },
                { "type": "B2C", "authority_url": "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_reset/" } ] }
            """,
            "\(b2c)\npolicy B2C_1_susi signUpOrSignIn\npolicy B2C_1_edit_profile editProfile\npolicy B2C_1_reset passwordReset",
            "authorities.authority_url (line 5)", "not used: redirect address msauth://"),
        .read(
            "auth_config_multiple_account.json",
            """
            { "client_id": "\(id)", "authorities": [ { "type": "AAD", "audience": { "type": "AzureADMyOrg",
                "tenant_id": "\(tenantID)" } } ] }
            """,
            "entra https://login.microsoftonline.com/\(tenantID)\nclient \(id)\nports 0\npolicy default signUpOrSignIn"),
        .read(
            "auth_config_native_auth.json",
            """
            { "client_id": "\(id)", "authorities": [ { "type": "CIAM",
                "authority_url": "https://contoso.ciamlogin.com/contoso.onmicrosoft.com/" } ],
              "challenge_types": ["oob", "password"], "logging": { "pii_enabled": false } }
            """,
            "external https://contoso.ciamlogin.com/contoso.onmicrosoft.com\nclient \(id)\nports 0\npolicy default signUpOrSignIn"
        ),
        // Postman and Insomnia.
        .refused(
            "b2c.postman_environment.json",
            """
            { "id": "x", "name": "B2C", "values": [
                { "key": "tenant", "value": "contoso", "enabled": true },
                { "key": "policy", "value": "B2C_1_susi", "enabled": true },
                { "key": "policy", "value": "B2C_1_old", "enabled": false },
                { "key": "client_id", "value": "\(id)", "enabled": true },
                { "key": "client_secret", "value": "", "type": "secret", "enabled": true },
                { "key": "auth_url", "value": "https://{{tenant}}.b2clogin.com/{{tenant}}.onmicrosoft.com/{{policy}}/oauth2/v2.0/authorize", "enabled": true },
                { "key": "scope", "value": "openid https://contoso.onmicrosoft.com/tasks/read", "enabled": true } ],
              "_postman_variable_scope": "environment" }
            """, "values.tenant (line 2)", "values.auth_url (line 7)"),
        .read(
            "tasks.postman_collection.json",
            """
            { "info": { "name": "Tasks", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
              "auth": { "type": "oauth2", "oauth2": [
                { "key": "authUrl", "value": "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/authorize", "type": "string" },
                { "key": "accessTokenUrl", "value": "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/token", "type": "string" },
                { "key": "redirect_uri", "value": "https://oauth.pstmn.io/v1/callback", "type": "string" },
                { "key": "clientId", "value": "\(id)", "type": "string" } ] },
              "item": [ { "name": "read", "request": { "method": "GET", "url": "https://api.contoso.example/tasks" } } ] }
            """, "\(b2c)\npolicy B2C_1_susi signUpOrSignIn", "not used: redirect address https://oauth.pstmn.io"),
    ]

    private static func appsettings(tenant: String) -> String {
        """
        { "AzureAd": { "Instance": "https://login.microsoftonline.com/",\(tenant)
            "ClientId": "\(id)", "CallbackPath": "/signin-oidc" } }
        """
    }

    /// What a sample leaves to fill in, or says in two ways: nothing is guessed.
    static let unclear: [InitSource] = [
        .refused("appsettings.json", appsettings(tenant: ""), "AzureAd.Instance (line 1) has no tenant"),
        .refused(
            "appsettings.json", appsettings(tenant: #""TenantId": "","#), "AzureAd.Instance (line 1) has no tenant"),
        .refused(
            "appsettings.json", appsettings(tenant: #""TenantId": "Enter_the_Tenant_Info_Here","#),
            "line 1: AzureAd.TenantId: Enter_the_Tenant_Info_Here"),
        .refused(
            "appsettings.json", appsettings(tenant: #""TenantId": "11111111-1111-1111-1111-111111111111","#),
            "line 1: AzureAd.TenantId"),
        .refused(
            "appsettings.json", appsettings(tenant: #""Domain": "your-tenant-name.onmicrosoft.com","#),
            "line 1: AzureAd.Domain"),
        .refused(
            "msal.json",
            #"{ "auth": { "clientId": "\#(id)", "authority": "https://login.microsoftonline.com/{tenant}" } }"#,
            "line 1: auth.authority"),
        .refused(
            "msal.json",
            #"{ "auth": { "clientId": "\#(id)", "authority": "https://login.microsoftonline.com/tenant-id" } }"#,
            "line 1: auth.authority"),
        .read(
            "msal.json", ["--client-id", otherID],
            #"{ "clientId": "<id>", "authority": "https://login.microsoftonline.com/common" }"#,
            "entra https://login.microsoftonline.com/common\nclient \(otherID)\nports 0\npolicy default signUpOrSignIn"),
        .refused(
            "msal.json",
            #"{ "clientId": "\#(id)", "authority": "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_a?p=B2C_1_b" }"#,
            "authority (line 1)"),
        // The policy of the authority is the default, and not the first one.
        .read(
            "settings.json",
            """
            { "invitePolicy": "B2C_1A_invitation", "clientId": "\(id)",
              "authority": "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_main" }
            """, "\(b2c)\npolicy B2C_1_main signUpOrSignIn\npolicy B2C_1A_invitation signUpOrSignIn"),
        .read(
            "settings.json",
            #"{ "signInPolicy": "B2C_1_susi/", "clientId": "\#(id)", "instance": "https://contoso.b2clogin.com", "tenant": "contoso.onmicrosoft.com" }"#,
            "\(b2c)\npolicy B2C_1_susi signUpOrSignIn"),
        // The name of an object says what its policy does.
        .read(
            "settings.json",
            """
            { "clientId": "\(id)", "authorities": {
                "editProfile": { "authority": "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_change" },
                "signUpSignIn": { "authority": "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_main" } } }
            """, "\(b2c)\npolicy B2C_1_main signUpOrSignIn\npolicy B2C_1_change editProfile"),
        // A token is for one API.
        .refused(
            "authConfig.json",
            """
            { "auth": { "clientId": "\(id)", "authority": "https://login.microsoftonline.com/organizations" },
              "loginRequest": { "scopes": ["api://\(otherID)/.default", "api://\(otherID)/Todo.Read"] } }
            """, "the scopes do not go together"),
        .read(
            "authConfig.json", ["--scope", "User.Read"],
            """
            { "auth": { "clientId": "\(id)", "authority": "https://login.microsoftonline.com/common" },
              "scopes": ["api://\(otherID)/Todo.Read", "Mail.Read"] }
            """,
            "entra https://login.microsoftonline.com/common\nclient \(id)\nports 0\npolicy default signUpOrSignIn scopes User.Read"
        ),
    ]
}
