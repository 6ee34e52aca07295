extension InitSource {
    private static let host = "https://contoso.b2clogin.com"
    private static let tenant = "\(host)/contoso.onmicrosoft.com"
    private static let susi = "\(contoso)\nclient \(id)\npolicy B2C_1_susi signUpOrSignIn"

    /// Addresses of portals, documentation and browsers.
    static let addresses: [InitSource] = [
        // “Run user flow” in the portal.
        .typed(
            "\(tenant)/oauth2/v2.0/authorize?p=B2C_1_susi&client_id=\(id)&nonce=defaultNonce"
                + "&redirect_uri=http%3A%2F%2Flocalhost%3A8765%2Fback&scope=openid"
                + "%20\(id)%20https%3A%2F%2Fcontoso.onmicrosoft.com%2Forders%2Fread&response_type=code&prompt=login",
            [],
            """
            \(contoso)
            client \(id)
            ports 8765
            policy B2C_1_susi signUpOrSignIn path /back scopes https://contoso.onmicrosoft.com/orders/read
            """),
        .typed("\(tenant)/v2.0/.well-known/openid-configuration?p=B2C_1_susi", susi),
        .typed("\(host)/tfp/contoso.onmicrosoft.com/B2C_1_susi/", susi),
        .typed(
            "\(host)/te/contoso.onmicrosoft.com/B2C_1_susi/", ["--client-id", id, "--redirect-port", "8765"],
            "\(contoso)\nclient \(id)\nports 8765\npolicy B2C_1_susi signUpOrSignIn"),
        .typed(
            "contoso.b2clogin.com/contoso.onmicrosoft.com",
            [
                "--client-id", id, "--policy", "B2C_1_susi", "--policy", "B2C_1_edit_profile", "--policy",
                "B2C_1_x=passwordReset", "--policy", "B2C_1_partner_signin",
            ],
            """
            \(susi)
            policy B2C_1_edit_profile editProfile
            policy B2C_1_x passwordReset
            policy B2C_1_partner_signin signUpOrSignIn
            """),
        .typed(
            "https://login.contoso.example/contoso.onmicrosoft.com",
            ["--kind", "b2c", "--policy", "B2C_1A_main", "--client-id", id],
            "b2c https://login.contoso.example/contoso.onmicrosoft.com\nclient \(id)\npolicy B2C_1A_main signUpOrSignIn"
        ),
        .typed(
            "https://login.contoso.example/contoso.onmicrosoft.com/B2C_1A_main/oauth2/v2.0/token",
            "b2c https://login.contoso.example/contoso.onmicrosoft.com\nclient \(id)\npolicy B2C_1A_main signUpOrSignIn"
        ),
        .typed(
            "https://contoso.ciamlogin.com",
            "external https://contoso.ciamlogin.com\nclient \(id)"),
        .typed(
            "https://id.example/Realms/A/",
            "openid https://id.example/Realms/A/\nclient \(id)"),
        .typed(
            "https://contoso.ciamlogin.com", ["--client-id", id, "--scope", "api://a/b"],
            "external https://contoso.ciamlogin.com\nclient \(id)\npolicy default signUpOrSignIn scopes api://a/b"),
        .typed(
            "https://contoso.ciamlogin.com", ["--client-id", id, "--scope", "api://a/b", "--policy", "main"],
            "external https://contoso.ciamlogin.com\nclient \(id)\npolicy main signUpOrSignIn scopes api://a/b"),
        // The old host.
        .typed(
            "https://login.microsoftonline.com/contoso.onmicrosoft.com/v2.0/.well-known/openid-configuration?p=b2c_1_susi",
            "\(contoso)\nclient \(id)\npolicy b2c_1_susi signUpOrSignIn", "contoso.b2clogin.com replaces"),
        .typed(
            "https://login.microsoftonline.com/contoso.onmicrosoft.com/oauth2/v2.0/authorize?p=B2C_1_susi&client_id=\(id)"
                + "&redirect_uri=https%3A%2F%2Fjwt.ms&scope=openid&response_type=id_token", [],
            susi, "not used: redirect address https://jwt.ms"),
        .typed("https://login.microsoftonline.com/contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/token", susi),
        // An emulator on this machine decides what is valid.
        .typed(
            "http://localhost:8480/contoso", ["--kind", "b2c", "--client-id", "c", "--policy", "main=signUpOrSignIn"],
            "b2c http://localhost:8480/contoso\nclient c\npolicy main signUpOrSignIn"),
        // The name of a tenant.
        .typed("contoso.onmicrosoft.com", ["--policy", "B2C_1_susi", "--client-id", id], susi),
        .typed(
            "contoso.onmicrosoft.com", ["--kind", "external", "--client-id", id],
            "external https://contoso.ciamlogin.com/contoso.onmicrosoft.com\nclient \(id)"
        ),
        // The option adds to the policy of the address.
        .typed(
            "\(tenant)/B2C_1_susi", ["--policy", "B2C_1_edit_profile", "--client-id", id],
            "\(susi)\npolicy B2C_1_edit_profile editProfile"),
        .typed(
            "\(tenant)/B2C_1_main", ["--policy", "b2c_1_MAIN=resourceOwner", "--client-id", id],
            "\(contoso)\nclient \(id)\npolicy B2C_1_main resourceOwner"),
        .refused(
            typed: "https://login.microsoftonline.com/\(tenantID)/v2.0/.well-known/openid-configuration?p=B2C_1_susi",
            "no longer serves B2C", "NAME.b2clogin.com/\(tenantID)"),
        .refused(
            typed:
                "https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationMenuBlade/~/Overview/appId/\(id)",
            [], "an address of the portal", "--client-id \(id)"),
        .refused(typed: "\(tenant)/B2C_1_a!b", "invalid key “B2C_1_a!b”"),
        .refused(typed: "\(tenant)/B2C_1_susi?client_id=a%20b", [], "“a%20b” is not a client ID"),
        .refused(typed: "\(tenant)/B2C_1_susi?p=B2C_1_edit", "B2C_1_susi", "B2C_1_edit"),
        .refused(typed: "\(tenant)/oauth2/v2.0/authorize?p=B2C_1_a&p=B2C_1_b", "two values of p, B2C_1_a and B2C_1_b"),
        .refused(typed: "https://login.microsoftonline.com/Enter_the_Tenant_Info_Here", "is not a tenant"),
        .refused(typed: "https://contoso.ciamlogin.com/YOUR_TENANT_ID", "“YOUR_TENANT_ID” is not a tenant"),
        .refused(typed: host, "no tenant"),
        .refused(typed: tenant, ["--tenant", "contoso"], "--tenant and several arguments are for the files"),
        .refused(typed: "https://jwt.ms/#id_token=a", "jwt.ms is not a tenant", "the token that a test run"),
        .refused(typed: "https://login.contoso.example/contoso.onmicrosoft.com", "missing: the kind of tenant"),
        .refused(typed: "https://login.contoso.example/\(tenantID)", "missing: the kind of tenant"),
        .refused(
            typed: "https://login.microsoftonline.com/c",
            ["--kind", "b2c", "--client-id", id, "--policy", "B2C_1_susi"], "no longer serves B2C"),
        .refused(typed: "http://id.example/realms/a", "http only for this machine"),
        .refused(typed: "\(tenant)/oauth2/authresp", "“oauth2”"),
        .refused(
            typed: "https://contoso.ciamlogin.com", ["--client-id", "Enter_the_Application_Id_Here"],
            "is not a client ID"),
        .refused(typed: "my.config/auth_config.json", "neither a file nor an address"),
        .refused(typed: "auth.conf", "neither a file nor an address"),
        .refused(typed: "id.example/realms/a", "neither a file nor an address"),
        .refused(typed: "src/main", "neither a file nor an address"),
        .refused(typed: "../absent/file", "neither a file nor an address"),
        .refused(typed: "https://a@evil.example/x", "user name"),
        .refused(
            typed: tenant, ["--api", "a=https://api.contoso.example", "--policy", "B2C_1_edit"],
            "--policy B2C_1_edit --api a=https://api.contoso.example --client-id ID -p NAME --scope SCOPE"),
        .refused(typed: tenant, ["--client-id", "a\tb"], "expected the application's (client) ID"),
        .refused(typed: tenant, ["--policy", "a/b"], "expected a policy name"),
        .refused(typed: tenant, ["--policy", "a=edit"], "resourceOwner"),
        .refused(typed: tenant, ["--api", "a=http://api.contoso.example"], "expected an https address"),
        .refused(typed: tenant, ["--scope", "a b"], "expected a scope"),
        .refused(typed: tenant, ["--name", "a b"], "expected a name"),
        .refused(
            typed: "https://login.microsoftonline.com/common",
            ["--client-id", id, "--scope", "User.Read", "--scope", "api://a/b"], "--scope SCOPE"),
        .refused(
            typed: "https://login.microsoftonline.com/common",
            ["--client-id", id, "--scope", "api://a/b", "--scope", "api://a/.default"], ".default stands alone"),
    ]
}
