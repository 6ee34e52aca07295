/// Settings and programs that no sample of Microsoft has: other libraries, other providers, variables.
extension InitSource {
    private static let authority = "https://contoso.b2clogin.com/contoso.onmicrosoft.com"
    private static let susi = "\(contoso)\nclient \(id)\npolicy B2C_1_susi signUpOrSignIn"
    private static let client = "8Xa1v0exampleClient5d7"
    private static func openid(_ issuer: String) -> String { "openid \(issuer)\nclient \(client)" }

    static let variables: [InitSource] = [
        // The issuer, and no other address with that word in its name.
        .read(
            ".env",
            """
            CLIENT_ID=\(client)
            OIDC_ISSUER=https://id.acme.example
            ISSUER_LOGO_URL=https://cdn.example/img/logo.png
            AUTHORITY_DOCS_URL="https://docs.example/authority"
            SERVICE_DISCOVERY=https://consul.example:8500
            """, openid("https://id.acme.example"), "OIDC_ISSUER (line 2)"),
        .refused(
            ".env", "CLIENT_ID=\(client)\nISSUER_LOGO_URL=https://cdn.example/img/logo.png", "the address of the tenant"
        ),
        .refused(".env", "OIDC_ISSUER=https://id.acme.example", "missing: the client ID\n"),
        .read(
            ".env.local",
            """
            # B2C
            VITE_B2C_AUTHORITY=\(authority)/B2C_1_susi
            VITE_B2C_CLIENT_ID="\(id)"   # web
            VITE_API_CLIENT_ID=\(otherID)
            VITE_REDIRECT_URI=http://localhost:5173/
            GREETING='It is (nice)'
            """, "\(contoso)\nclient \(id)\nports 8400 8401 5173\npolicy B2C_1_susi signUpOrSignIn",
            "VITE_B2C_CLIENT_ID (line 3)"),
        .read(
            "react.env",
            "export REACT_APP_CLIENT_ID='\(id)'\nexport REACT_APP_AUTHORITY=\(authority)/B2C_1_susi\nexport REACT_APP_KNOWN_AUTHORITY=contoso.b2clogin.com",
            susi),
        .refused(
            ".env",
            "VITE_B2C_LOGIN_DOMAIN=login.contoso.example\nVITE_B2C_TENANT=contoso.onmicrosoft.com\nVITE_B2C_CLIENT_ID=\(id)",
            "VITE_B2C_TENANT (line 2) has no host"),
        .refused(
            ".env.example", "CLIENT_ID=your-client-id\nISSUER=https://your-tenant.example",
            "CLIENT_ID (line 1): your-client-id"),
        .refused(".env", "CLIENT_ID=${APP_ID}\nISSUER=https://id.acme.example", "CLIENT_ID (line 1): ${APP_ID}"),
        .read("-", "ISSUER=https://id.acme.example/\nCLIENT_ID=\(client)", openid("https://id.acme.example/")),
        .refused(
            ".env", "ISSUER=https://id.acme.example\nVITE_ISSUER=https://dev.acme.example\nCLIENT_ID=\(client)",
            "several tenants: https://id.acme.example in ISSUER (line 1), https://dev.acme.example in VITE_ISSUER (line 2)"
        ),
    ]

    static let nextAuth: [InitSource] = [
        .refused(
            ".env.local",
            """
            NEXTAUTH_URL=http://localhost:3000
            AZURE_AD_B2C_TENANT_NAME=contoso
            AZURE_AD_B2C_CLIENT_ID=\(id)
            AZURE_AD_B2C_CLIENT_SECRET=hunter2
            AZURE_AD_B2C_PRIMARY_USER_FLOW=B2C_1_susi
            """, "missing: the client ID; ", "(AZURE_AD_B2C_CLIENT_SECRET (line 4))"),
        .read(
            ".env", ["--client-id", id],
            "AZURE_AD_B2C_TENANT_NAME=contoso\nAZURE_AD_B2C_PRIMARY_USER_FLOW=B2C_1_susi\n",
            susi, "AZURE_AD_B2C_TENANT_NAME (line 1)"),
        .read(
            ".env", ["--client-id", id],
            "AZURE_AD_CLIENT_ID=\(otherID)\nAZURE_AD_CLIENT_SECRET=hunter2\nAZURE_AD_TENANT_ID=\(tenantID)",
            "entra https://login.microsoftonline.com/\(tenantID)\nclient \(id)"),
        .refused(
            ".env",
            "AUTH_MICROSOFT_ENTRA_ID_ID=\(id)\nAUTH_MICROSOFT_ENTRA_ID_SECRET=hunter2\nAUTH_MICROSOFT_ENTRA_ID_ISSUER=https://login.microsoftonline.com/\(tenantID)/v2.0/",
            "missing: the client ID; ", "(AUTH_MICROSOFT_ENTRA_ID_SECRET (line 2))"),
        .read(
            ".env", "AUTH_OKTA_ID=\(client)\nAUTH_OKTA_ISSUER=https://dev-1.okta.com/oauth2/default",
            openid("https://dev-1.okta.com/oauth2/default")),
        .refused(
            "route.ts",
            """
            export default NextAuth({ providers: [ AzureADB2CProvider({
                tenantId: process.env.AZURE_AD_B2C_TENANT_NAME, clientId: process.env.AZURE_AD_B2C_CLIENT_ID!,
                clientSecret: process.env.AZURE_AD_B2C_CLIENT_SECRET!, primaryUserFlow: "B2C_1_susi" }) ] });
            """, "missing: the address of the tenant, the client ID", "(clientSecret (line 3))"),
        .refused(
            ".env", "AZURE_AD_B2C_TENANT_NAME=\(tenantID)\nAZURE_AD_B2C_CLIENT_ID=\(id)",
            "AZURE_AD_B2C_TENANT_NAME (line 1) has no host"),
    ]

    static let auth0: [InitSource] = [
        .read(
            "auth_config.json", #"{ "domain": "acme.us.auth0.com", "clientId": "\#(client)" }"#,
            openid("https://acme.us.auth0.com/")),
        .read(
            ".env",
            "VITE_AUTH0_DOMAIN=acme.us.auth0.com\nVITE_AUTH0_CLIENT_ID=\(client)\nVITE_AUTH0_CALLBACK_URL=http://localhost:4040/callback\nVITE_AUTH0_AUDIENCE=https://api.acme.example",
            "openid https://acme.us.auth0.com/\nclient \(client)\nports 8400 8401 4040\npolicy default signUpOrSignIn path /callback"
        ),
        .refused(
            ".env.local",
            "AUTH0_SECRET='hunter2'\nAUTH0_BASE_URL='http://localhost:3000'\nAUTH0_ISSUER_BASE_URL='https://acme.us.auth0.com'\nAUTH0_CLIENT_ID='\(client)'\nAUTH0_CLIENT_SECRET='hunter2'",
            "missing: the client ID; ", "(AUTH0_SECRET (line 1))"),
        .read(
            "Auth0.plist",
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
              <key>ClientId</key>
              <string>\(client)</string>
              <key>Domain</key><string>acme.us.auth0.com</string>
            </dict></plist>
            """, openid("https://acme.us.auth0.com/"), "ClientId (line 3)"),
        .read(
            "strings.xml",
            #"<resources><string name="app_name">Acme</string><string name="com_auth0_client_id">\#(client)</string><string name="com_auth0_domain">acme.us.auth0.com</string></resources>"#,
            openid("https://acme.us.auth0.com/")),
        .refused(
            "index.jsx",
            #"root.render(<Auth0Provider domain="acme.us.auth0.com" clientId="\#(client)" authorizationParams={{ redirect_uri: window.location.origin }}><App /></Auth0Provider>);"#,
            "missing: the address of the tenant", "client \(client)"),
        .read(
            "auth.config.ts",
            "export const authConfig: AuthConfig = { issuer: 'https://acme.eu.auth0.com/', clientId: '\(client)', redirectUri: window.location.origin + '/index.html', scope: 'openid profile' };",
            openid("https://acme.eu.auth0.com/")),
        .refused(
            "server.js",
            "app.use(auth({ issuerBaseURL: 'https://acme.us.auth0.com', clientID: '\(client)', secret: 'hunter2' }));",
            "(secret (line 1))"),
    ]

    static let okta: [InitSource] = [
        .read(
            "config.js",
            "const config = {\n  clientId: '\(client)',\n  issuer: 'https://dev-1.okta.com/oauth2/default',\n  redirectUri: 'http://localhost:8080/implicit/callback',\n  pkce: true\n};",
            "openid https://dev-1.okta.com/oauth2/default\nclient \(client)\nports 8400 8401 8080\npolicy default signUpOrSignIn path /implicit/callback",
            "issuer (line 3)"),
        .read(
            "okta.config.tsx",
            "export default new OktaAuth({ issuer: \"https://acme.okta.com\", clientId: \"\(client)\", redirectUri: `${window.location.origin}/login` });",
            openid("https://acme.okta.com")),
        .refused(
            "config.js",
            "export const oktaAuthConfig = { issuer: `https://${process.env.REACT_APP_OKTA_BASE_URL}/oauth2/default`, clientId: process.env.REACT_APP_OKTA_CLIENT_ID };",
            "issuer (line 1): https://${process.env", "clientId (line 1): process.env"),
        .read(
            "Okta.plist",
            "<plist><dict><key>issuer</key><string>https://acme.okta.com/oauth2/default</string><key>clientId</key><string>\(client)</string><key>redirectUri</key><string>com.okta.acme:/callback</string></dict></plist>",
            openid("https://acme.okta.com/oauth2/default"), "not used: redirect address com.okta.acme:/callback"),
        .read(
            "okta_oidc_config.json",
            #"{ "client_id": "\#(client)", "redirect_uri": "com.okta.acme:/callback", "discovery_uri": "https://acme.okta.com/.well-known/openid-configuration" }"#,
            openid("https://acme.okta.com")),
        .refused(
            "application.properties",
            "okta.oauth2.issuer=https://acme.okta.com/oauth2/default\nokta.oauth2.client-id=\(client)\nokta.oauth2.client-secret=hunter2",
            "(okta.oauth2.client-secret (line 3))"),
        .refused(".env", "OKTA_DOMAIN=acme.okta.com\nOKTA_CLIENT_ID=\(client)", "OKTA_DOMAIN (line 1) has no host"),
    ]

    static let zitadel: [InitSource] = [
        .read(
            "auth.ts",
            "const config: ZitadelConfig = { authority: \"https://acme-x1.zitadel.cloud\", client_id: \"123456@proj\", redirect_uri: \"http://localhost:5173/callback\", post_logout_redirect_uri: \"http://localhost:5173\" };",
            "openid https://acme-x1.zitadel.cloud\nclient 123456@proj\nports 8400 8401 5173\npolicy default signUpOrSignIn path /callback"
        ),
        .read(
            ".env", "VITE_ZITADEL_AUTHORITY=http://localhost:8080\nVITE_ZITADEL_CLIENT_ID=123456",
            "openid http://localhost:8080\nclient 123456"),
        .refused(
            "oidc.ts",
            "export const ZITADEL_CONFIG = { issuer: process.env.NEXT_PUBLIC_ZITADEL_ISSUER || 'http://localhost:8888', clientId: process.env.NEXT_PUBLIC_ZITADEL_CLIENT_ID || '' } as const",
            "issuer (line 1): process.env.NEXT_PUBLIC_ZITADEL_ISSUER",
            "clientId (line 1): process.env.NEXT_PUBLIC_ZITADEL_CLIENT_ID"),
        .read(
            "main.dart",
            "final zitadelIssuer = Uri.parse('https://acme-x1.zitadel.cloud');\nconst zitadelClientId = '123456@proj';\nfinal oidc = OidcUserManager.lazy(discoveryDocumentUri: Uri.parse('https://acme-x1.zitadel.cloud/.well-known/openid-configuration'));",
            "openid https://acme-x1.zitadel.cloud\nclient 123456@proj"),
        .refused(
            "env.json",
            #"{ "authType": "PKCE", "authority": "https://acme-x1.zitadel.cloud", "clientId": "123456", "clientSecret": "hunter2" }"#,
            "(clientSecret (line 1))"),
    ]

    static let keycloak: [InitSource] = [
        // The issuer is put together.
        .refused(
            "keycloak.json",
            #"{ "realm": "acme", "auth-server-url": "https://sso.acme.example/auth/", "resource": "\#(client)", "public-client": true }"#,
            "has no client ID and no tenant"),
        .refused(
            "keycloak.ts",
            "export default new Keycloak({ url: 'https://sso.acme.example', realm: 'acme', clientId: '\(client)' });",
            "missing: the address of the tenant", "client \(client)"),
        .refused(
            "application.yml",
            """
            spring:
              security:
                oauth2:
                  client:
                    registration:
                      keycloak:
                        client-id: web
                        client-secret: ${SECRET}
                        redirect-uri: "{baseUrl}/login/oauth2/code/{registrationId}"
                    provider:
                      keycloak:
                        issuer-uri: https://sso.acme.example/realms/acme # not the admin realm
            """, "missing: the client ID; ", "client-secret (line 8)"),
        .read(
            "application.yaml", ["--client-id", client],
            "spring:\n  security:\n    oauth2:\n      resourceserver:\n        jwt:\n          issuer-uri: https://sso.acme.example/realms/acme",
            openid("https://sso.acme.example/realms/acme")),
        .refused(
            "application.yml",
            "spring:\n  security:\n    oauth2:\n      resourceserver:\n        jwt:\n          issuer-uri: ${ISSUER:http://keycloak:8080/realms/a}\n",
            "issuer-uri (line 6): ${ISSUER"),
        .refused(
            "application.properties",
            "quarkus.oidc.auth-server-url=https://sso.acme.example/realms/acme\nquarkus.oidc.client-id=api",
            "a server's or an API's (application.properties)"),
        .refused(
            ".env", "KEYCLOAK_ID=web\nKEYCLOAK_SECRET=hunter2\nKEYCLOAK_ISSUER=https://sso.acme.example/realms/acme",
            "(KEYCLOAK_SECRET (line 2))"),
        .refused(
            ".env", "KEYCLOAK_URL=https://sso.acme.example\nKEYCLOAK_REALM=acme\nKEYCLOAK_CLIENT_ID=\(client)",
            "the address of the tenant"),
    ]

    static let containers: [InitSource] = [
        .read(
            "compose.yaml",
            """
            services:
              db:
                image: postgres:16
                environment: { POSTGRES_PASSWORD: hunter2 }
              web:
                build:
                  args: &args
                    NODE_ENV: production
                environment:
                  - "OIDC_ISSUER=https://id.acme.example"
                  - OIDC_CLIENT_ID=\(client)
                  - TITLE=It's open: always
            """, openid("https://id.acme.example"), "services.web.environment.OIDC_CLIENT_ID (line 11)"),
        .read(
            "docker-compose.yml",
            "services:\n  web:\n    environment:\n      ISSUER: https://id.acme.example\n      CLIENT_ID: \(client)\n    environment:\n      AUTH: |\n        CLIENT_ID: other\n    ports: [\"3000:3000\"]\n",
            openid("https://id.acme.example")),
        .refused(
            "docker-compose.yml",
            "services:\n  a:\n    environment:\n      CLIENT_ID: web\n  b:\n    environment:\n      CLIENT_ID: \(client)\n      ISSUER: https://id.acme.example",
            "several client IDs: web in services.a.environment.CLIENT_ID (line 4)"),
        .refused(
            "docker-compose.yml",
            "services:\n  outline:\n    environment:\n      - OIDC_CLIENT_ID=${OIDC_ID}\n      - OIDC_CLIENT_SECRET=${OIDC_SECRET}\n      - OIDC_AUTH_URI=https://id.acme.example/auth",
            "missing: the address of the tenant, the client ID"),
        .refused(
            "azure.yml",
            "spring:\n  cloud:\n    azure:\n      active-directory:\n        b2c:\n          base-uri: \(authority)/\n          credential:\n            client-id: \(id)\n            client-secret: hunter2\n          user-flows:\n            sign-up-or-sign-in: B2C_1_susi\n            profile-edit: B2C_1_edit_profile # optional",
            "missing: the client ID; ", "client-secret (line 9)"),
        .read(
            "application.yml", ["--client-id", id],
            "azure:\n  activedirectory:\n    b2c:\n      tenant: contoso\n      client-id: \(otherID)\n      user-flows:\n        sign-up-or-sign-in: B2C_1_susi\n        password-reset: B2C_1_reset\n",
            "\(susi)\npolicy B2C_1_reset passwordReset"),
        .read(
            "settings.ini",
            "[oidc]\nissuer = https://id.acme.example/o\nclient_id = \(client)\n[api]\nclient_id = api\n",
            openid("https://id.acme.example/o")),
    ]

    static let otherCode: [InitSource] = [
        .read(
            "user-manager.ts",
            "const settings: UserManagerSettings = { authority: 'https://id.acme.example/', client_id: '\(client)', redirect_uri: 'http://localhost:4200/auth-callback', silent_redirect_uri: 'http://localhost:4200/silent' };",
            "openid https://id.acme.example/\nclient \(client)\nports 8400 8401 4200\npolicy default signUpOrSignIn path /auth-callback"
        ),
        .refused(
            "user-manager.ts",
            "const settings = { authority: \"/\", redirect_uri: \"/oidc\", client_id: \"account\", client_secret: \"hunter2\" };",
            "(client_secret (line 1))"),
        .read(
            "auth-config.module.ts",
            "AuthModule.forRoot({ config: { authority: 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Ab1', clientId: '\(client)', redirectUrl: window.location.origin } })",
            openid("https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Ab1")),
        .refused(
            "amplify.js",
            "Amplify.configure({ Auth: { userPoolId: 'eu-west-1_Ab1', userPoolWebClientId: '\(client)', oauth: { domain: 'acme.auth.eu-west-1.amazoncognito.com' } } });",
            "has no client ID and no tenant"),
        .refused(
            "cognito.ts",
            "const clientId = '\(client)', url = 'https://acme.auth.eu-west-1.amazoncognito.com/oauth2/authorize';",
            "missing: the address of the tenant"),
        .read(
            "credentials.dart",
            "final defaultDiscoveryUrl = \"https://sso.acme.example/realms/a/.well-known/openid-configuration\";\nfinal clientId = \"\(client)\";\nfinal String? clientSecret = null;",
            openid("https://sso.acme.example/realms/a")),
        .refused(
            "oidc.dart",
            "const String issuerBase = 'https://sso.acme.example/realms/a';\nconst String clientId = '\(client)';\nconst String clientSecret = 'hunter2';",
            "(clientSecret (line 3))"),
        .refused(
            "oauth.dart",
            "const AUTH_CLIENT_ID = \"\(client)\";\nvar c = AuthorizationServiceConfiguration(authorizationEndpoint: 'https://acme.example/authorize', tokenEndpoint: 'https://acme.example/token');",
            "missing: the address of the tenant"),
        .read(
            "AuthStateManager.java",
            "private static final String CLIENT_ID = \"\(client)\";\nprivate static final Uri ISSUER = Uri.parse(\"https://x.example\");\nstatic final String ISSUER_URI = \"https://id.acme.example\";",
            openid("https://id.acme.example")),
        .refused(
            "client_secret.json",
            #"{ "installed": { "client_id": "1.apps.example", "auth_uri": "https://accounts.google.com/o/oauth2/auth", "client_secret": "hunter2" } }"#,
            "has no client ID and no tenant"),
        .refused(
            "appsettings.json",
            #"{ "Authentication": { "Google": { "ClientId": "1.apps.example", "ClientSecret": "hunter2" } } }"#,
            "has no client ID and no tenant"),
        .refused(
            "services.php",
            "<?php return ['oidc' => ['client_id' => env('OIDC_CLIENT_ID', 'web'), 'issuer' => env('OIDC_ISSUER', 'https://id.acme.example')]];",
            "has no client ID and no tenant"),
        .read(
            "config.php",
            "<?php\n# 'clientId' => 'old',\nreturn [\n  'clientId' => '\(client)',\n  'issuer' => 'https://id.acme.example',\n];",
            openid("https://id.acme.example"), "clientId (line 4)"),
        .read(
            "oidc.rb",
            "=begin\nCLIENT_ID = \"old\"\n=end\nclient_id: \"\(client)\",\nissuer: \"https://id.acme.example\"",
            openid("https://id.acme.example")),
        .refused(
            "main.go",
            "oauth2.Config{ClientID: \"web\", ClientSecret: os.Getenv(\"SECRET\"), Endpoint: provider.Endpoint()}\nprovider, err := oidc.NewProvider(ctx, \"https://id.acme.example\")",
            "(ClientSecret (line 1))"),
        .refused(
            "conf.py", "CLIENT_ID = base.CLIENT_ID\nISSUER = \"https://id.acme.example\"",
            "CLIENT_ID (line 1): base.CLIENT_ID"),
        .refused(
            "settings.py",
            "OIDC_RP_CLIENT_ID = os.environ['OIDC_RP_CLIENT_ID']\nOIDC_OP_TOKEN_ENDPOINT = 'https://id.acme.example/token'",
            "has no client ID and no tenant"),
        .refused(
            "main.rs", "let client_id = \"web\".to_string(); let issuer = format!(\"https://{}/\", host);",
            "client_id (line 1): web …"),
        .refused("main.swift", "import MSAL\nlet kTitle = \"Hello\"\n", "has no client ID and no tenant"),
        .read(
            "App.vue",
            "<script setup>\n<!-- const clientId = 'old' -->\nconst clientId = '\(client)'\nconst issuer = 'https://id.acme.example'\nfunction ok(a) { return `${a} isn't` }\n</script>",
            openid("https://id.acme.example"), "clientId (line 3)"),
        .refused(
            "references.ts",
            "const current = { app: { id: \"\(client)\" } };\nexport const config = { clientId: current.app.id, issuer: \"https://id.acme.example\" };",
            "clientId (line 2): current.app.id"),
        .read(
            "types.ts",
            "interface Config { clientId: string | undefined; issuer: string }\nconst config = { clientId: '\(client)' as const, issuer: 'https://id.acme.example', apiClientId: 'api', googleClientId: 'g' };",
            openid("https://id.acme.example")),
    ]
}
