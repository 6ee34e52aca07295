public partial class App : Application {
    private static readonly string ClientId = "90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6"; // Enter_the_Application_Id_Here
    public static IPublicClientApplication Client = PublicClientApplicationBuilder.Create(ClientId)
        .WithB2CAuthority("https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_susi")
        .WithRedirectUri("https://contoso.b2clogin.com/oauth2/nativeclient").Build();
}
