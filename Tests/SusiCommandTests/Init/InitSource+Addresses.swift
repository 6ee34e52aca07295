extension InitSource {
    private static let susi = "\(contoso)\nclient \(id)\npolicy B2C_1_susi signUpOrSignIn"

    /// Addresses of portals, documentation and browsers.
    static let addresses: [InitSource] = [
        .typed(
            "https://login.microsoftonline.com/contoso.onmicrosoft.com/v2.0/.well-known/openid-configuration?p=b2c_1_susi",
            "\(contoso)\nclient \(id)\npolicy b2c_1_susi signUpOrSignIn", "contoso.b2clogin.com replaces"),
        .typed(
            "https://login.microsoftonline.com/contoso.onmicrosoft.com/oauth2/v2.0/authorize?p=B2C_1_susi&client_id=\(id)"
                + "&redirect_uri=https%3A%2F%2Fjwt.ms&scope=openid&response_type=id_token", [],
            susi, "not used: redirect address https://jwt.ms"),
        .typed("https://login.microsoftonline.com/te/contoso.onmicrosoft.com/B2C_1_susi", susi),
        .typed("https://login.microsoftonline.com/tfp/contoso.onmicrosoft.com/B2C_1_susi/v2.0/", susi),
        .typed("https://contoso.b2clogin.com/te/contoso.onmicrosoft.com/B2C_1_susi/", susi),
        .typed("https://login.microsoftonline.com/contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/token", susi),
        .typed("contoso.onmicrosoft.com", ["--kind", "b2c", "--policy", "B2C_1_susi", "--client-id", id], susi),
        .typed("contoso.onmicrosoft.com", ["--policy", "B2C_1_susi", "--client-id", id], susi),
        .typed(
            "contoso.onmicrosoft.com", ["--kind", "external", "--client-id", id],
            "external https://contoso.ciamlogin.com/contoso.onmicrosoft.com\nclient \(id)\nports 0\npolicy default signUpOrSignIn"
        ),
        .typed(
            "contoso.onmicrosoft.com", ["--kind", "entra", "--client-id", id],
            "entra https://login.microsoftonline.com/contoso.onmicrosoft.com\nclient \(id)\nports 0\npolicy default signUpOrSignIn"
        ),
        // The option adds to the policy of the address.
        .typed(
            "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi",
            ["--policy", "B2C_1_edit_profile", "--client-id", id], "\(susi)\npolicy B2C_1_edit_profile editProfile"),
        .typed(
            "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_main",
            ["--policy", "b2c_1_MAIN=resourceOwner", "--client-id", id],
            "\(contoso)\nclient \(id)\npolicy B2C_1_main resourceOwner"),
        .refused(
            typed: "contoso.onmicrosoft.com", "https://contoso.b2clogin.com/contoso.onmicrosoft.com", "--kind KIND"),
        .refused(
            typed: "https://login.microsoftonline.com/\(tenantID)/v2.0/.well-known/openid-configuration?p=B2C_1_susi",
            "no longer serves B2C", "NAME.b2clogin.com/\(tenantID)"),
        .refused(
            typed: "https://portal.azure.com/#view/Microsoft_AAD_B2CAdmin/TenantManagementMenuBlade/~/userJourneys",
            "an address of the portal", "Run user flow"),
        .refused(
            typed: "https://portal.azure.com/#@contoso.onmicrosoft.com/resource/subscriptions/x",
            "an address of the portal"),
        .refused(
            typed:
                "https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationMenuBlade/~/Overview/appId/\(id)",
            [], "an address of the portal", "--client-id \(id)"),
        .refused(
            typed: "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi?p=B2C_1_edit", "two policies",
            "B2C_1_susi", "B2C_1_edit"),
        .refused(
            typed: "https://contoso.b2clogin.com/contoso.onmicrosoft.com/oauth2/v2.0/authorize?p=B2C_1_a&p=B2C_1_b",
            "two values of p, B2C_1_a and B2C_1_b"),
        .refused(typed: "https://login.microsoftonline.com/Enter_the_Tenant_Info_Here", "is not a tenant"),
        .refused(typed: "https://login.microsoftonline.com/your-tenant-id", "“your-tenant-id” is not a tenant"),
        .refused(typed: "https://contoso.ciamlogin.com/YOUR_TENANT_ID", "“YOUR_TENANT_ID” is not a tenant"),
        .refused(typed: "https://jwt.ms/#id_token=x", "not a tenant"),
        .refused(
            typed: "http://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi", "http only for this machine",
            "susi init https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi"),
        .refused(typed: "http://id.example/realms/a", "http only for this machine"),
        .refused(
            typed: "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi", ["--client-id", "my-app"],
            "“my-app” is not a client ID", "a GUID"),
        .refused(
            typed: "https://contoso.b2clogin.com/contoso.onmicrosoft.com", ["--client-id", id, "--policy", "susi"],
            "“susi”", "B2C_1_ or B2C_1A_", "B2C_1_susi"),
        .refused(
            typed: "https://contoso.b2clogin.com/contoso.onmicrosoft.com/oauth2/authresp", "“oauth2”",
            "B2C_1_ or B2C_1A_"),
        .refused(
            typed: "https://contoso.ciamlogin.com", ["--client-id", "Enter_the_Application_Id_Here"],
            "is not a client ID"),
    ]
}
